import Fares
import OpenData
import TripPlanning
import WebCore

/// What a program may ask of a trip beside its places and its time: money, emissions, rain, hours
/// of modes, and what to give up if no trip keeps to all of it.
extension CityAPI {
    /// The greatest limits that are taken, in minor units and in grams.
    private static let greatest: Int64 = 10_000_000

    /// The most rules on hours in one question.
    private static let hoursLimit = 20

    static let limitFields: [InputField] = [
        .query(
            "avoid",
            .several(.text(40), hoursLimit),
            "Hours in which a mode is not used: MODE@HH:MM-HH:MM, MODE@HH:MM- or MODE."
        ),
        .query("no_wet", .truth, "Whether nobody cycles in the rain."),
        .query("max_wet_minutes", .number(0...1_440), "The most minutes in the rain."),
        .query(
            "max_price_minor",
            .number(0...greatest),
            "The highest price, in minor units of the currency of the city's tickets."
        ),
        .query("max_co2_g", .number(0...greatest), "The most grams of CO2 equivalent."),
        .query(
            "limits",
            .several(.text(40), ModeLimit.countLimit),
            "Limits on single means: MODE@5km, MODE@15min, or for taxis and shared vehicles "
                + "MODE@10.50EUR."
        ),
        .query(
            "passes",
            .several(.text(FareProducts.idLimit), FareProducts.ownedLimit),
            "The fare products that one of the travellers owns, by their identifiers."
        ),
        .query(
            "party",
            .number(in: TripCosting.partyLimits),
            "How many people travel together; prices are for all of them."
        ),
        .query("prefer", .choice(of: TripPreference.self), "What counts most."),
        .query(
            "relax",
            .several(.choice(of: TripConstraint.self), TripConstraint.allCases.count),
            "What may be given up if no trip keeps to all limits, the first one first."
        ),
    ]

    /// Adds the fields to a question.
    ///
    /// - Throws: ``ProgramRefusal`` for malformed hours, and for a pass that no feed sells.
    func setLimits(
        of question: inout TripQuestion,
        _ call: Call,
        _ cities: OpenedCities
    ) throws(ProgramRefusal) {
        for text in call.all("avoid") {
            guard let rule = ModeHours(text) else {
                throw .field("avoid", "malformed", "Write MODE@HH:MM-HH:MM, MODE@HH:MM- or MODE.")
            }
            question.avoided.append(rule)
        }
        question.avoidsRain = call.flag("no_wet")
        question.maxWetMinutes = call.number("max_wet_minutes")
        if let units = call.number("max_price_minor") {
            question.limits.minorUnits = units
            question.limits.currencyCode = cities.products.limitCurrency.code
        }
        question.limits.grams = call.number("max_co2_g")
        for text in call.all("limits") {
            guard let limit = ModeLimit(text) else {
                throw .field("limits", "malformed", "Write bike@5km, car@15min or taxi@10.50EUR.")
            }
            question.limits.modes.append(limit)
        }
        for id in call.all("passes") {
            guard let product = cities.products.product(id) else {
                throw .field("passes", "unknown-pass", "No feed of the city sells \(id).")
            }
            question.passes.append(product.id)
        }
        question.party = Int(call.number("party") ?? 1)
        question.preference = call["prefer"].flatMap(TripPreference.init)
        for name in call.all("relax") {
            guard let constraint = TripConstraint(rawValue: name),
                !question.relaxing.contains(constraint)
            else { continue }
            question.relaxing.append(constraint)
        }
    }
}
