import Agenda
import Encoding
import Fares
import Geo
import HTTPTypes
import Localization
import Markup
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

/// How a person travels: where days begin, by which means, how far on foot (V11, V55, V73); with
/// whom, and what trips may cost and emit (V68, V74).
extension CalendarPages {
    var settingsRoutes: [Route] {
        [
            .get("/calendar/settings", as: "calendar.settings.form", for: .person) {
                context,
                person in
                let settings = try await agenda.settings(of: person.person)
                let form = SettingsForm(settings, in: travel.limitCurrency(context))
                return response(settingsPage(form, context), to: context)
            },
            .post("/calendar/settings", as: "calendar.settings", for: .person, takeSettings)
                .taking(.place).taking(Self.settingsFields),
        ]
    }

    private static let settingsFields: [InputField] = [
        .set(
            "means",
            .several(.choice(of: TravelMeans.self), TravelMeans.allCases.count),
            "The means by which the person travels."
        ),
        .set("walk", .choice(SettingsForm.walks.map(\.value)), "How far to walk on one journey."),
        .set("day-walk", .choice(SettingsForm.dayWalks.map(\.value)), "How far to walk in a day."),
        .set("relax", .choice(TravelPages.relaxChoices.map(\.value)), "What to give up first."),
        .set("needs", .several(.choice(["wheelchair"]), 1), "What ways must be fit for."),
        .set("prefer", .choice(SettingsForm.aims.map(\.value)), "What counts most."),
        .typed("party", .number(TravelSettings.parties), "How many people travel together."),
        .typed("money", .text(20), "The most that one trip may cost, in the city's currency."),
        .typed(
            "grams",
            .number(TravelSettings.gramsLimits),
            "The most that one trip may emit, in grams of CO2 equivalent."
        ),
        .typed("least", .number(TravelSettings.waits), "How early to arrive at least, in minutes."),
        .typed("most", .number(TravelSettings.waits), "How early to arrive at most, in minutes."),
        .set("ahead", .choice(SettingsForm.aheads.map(\.value)), "How far ahead days are planned."),
    ]

    private func settingsPage(_ form: SettingsForm, _ context: RequestContext) -> Page {
        var fields = form.place.fields(
            TravelSettingsTexts.base,
            TravelSettingsTexts.baseHint,
            isRequired: false,
            form.problems
        )
        fields += dayFields(form)
        fields += tripFields(form, context)
        var all = FormPage(
            action: Address("/calendar/settings"),
            fields: fields,
            button: CommonTexts.save,
            busy: EntryTexts.saving
        )
        all.extra = "\(form.place.hidden)"
        var page = formPage(
            CalendarTexts.settings,
            lead: TravelSettingsTexts.lead,
            all,
            context
        )
        page.body += """
            <p><a href="/calendar/bases">\(context.say(BaseTexts.title))</a> · \
            <a href="/calendar/passes">\(context.say(PassTexts.title))</a> · \
            <a href="/calendar/limits">\(context.say(LimitsTexts.title))</a> · \
            <a href="/calendar/hours">\(context.say(HoursTexts.title))</a> · \
            <a href="/calendar/vehicles">\(context.say(VehicleTexts.title))</a> · \
            <a href="/calendar/templates">\(context.say(TemplateTexts.title))</a></p>
            \(locatingScript(allowedMetres: -1, context))
            """
        if !form.problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    /// The fields for the journeys of days.
    private func dayFields(_ form: SettingsForm) -> [Field] {
        [
            Field(
                name: "means",
                label: TravelSettingsTexts.means,
                kind: TravelMeans.choice(hasRentals: travel.hasRentals, form.means),
                value: form.means.value,
                error: form.problems["means"]
            ),
            TravelPages.needsField(form.usesWheelchair),
            Field(
                name: "walk",
                label: TravelSettingsTexts.walk,
                kind: .choice(SettingsForm.walks),
                value: form.walk
            ),
            Field(
                name: "day-walk",
                label: TravelSettingsTexts.dayWalk,
                kind: .choice(SettingsForm.dayWalks),
                value: form.dayWalk
            ),
            Field(
                name: "least",
                label: TravelSettingsTexts.least,
                kind: .number,
                value: form.least,
                error: form.problems["least"]
            ),
            Field(
                name: "most",
                label: TravelSettingsTexts.most,
                kind: .number,
                value: form.most,
                error: form.problems["most"]
            ),
            Field(
                name: "ahead",
                label: TravelSettingsTexts.ahead,
                kind: .choice(SettingsForm.aheads),
                hint: TravelSettingsTexts.aheadHint,
                value: form.ahead
            ),
        ]
    }

    /// The fields for trips that people look up.
    private func tripFields(_ form: SettingsForm, _ context: RequestContext) -> [Field] {
        [
            Field(
                name: "prefer",
                heading: PassTexts.tripHeading,
                label: CostsTexts.aim,
                kind: .choice(SettingsForm.aims),
                hint: PassTexts.tripHint,
                value: form.aim
            ),
            Field(
                name: "party",
                label: CostsTexts.party,
                kind: .number,
                value: form.party,
                error: form.problems["party"]
            ),
            Field(
                name: "money",
                label: CostsTexts.money(travel.limitCurrency(context).code),
                hint: CostsTexts.moneyHint,
                value: form.limits.money,
                error: form.problems["money"],
                isRequired: false
            ),
            Field(
                name: "grams",
                label: CostsTexts.grams,
                kind: .number,
                value: form.limits.grams,
                error: form.problems["grams"],
                isRequired: false
            ),
            TravelPages.relaxField(form.relaxed ?? ""),
        ]
    }

    private func takeSettings(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        var form = SettingsForm(context.form)
        let base = typedSpot(&form.place, context, &form.problems)
        let known = try await agenda.settings(of: person.person)
        let currency = travel.limitCurrency(context)
        guard let settings = form.settings(changing: known, base: base, in: currency) else {
            return response(settingsPage(form, context), to: context)
        }
        try await agenda.keep(settings, of: person.person)
        let saved = Response.redirect(to: Address("/calendar", query: ["notice": "settings"]))
        return forgettingTravel(saved, context)
    }
}

/// What is typed about how a person travels.
struct SettingsForm {
    var place: PlaceInput
    var means: Set<TravelMeans>
    var walk: String
    var dayWalk: String
    var least: String
    var most: String
    var ahead: String
    var aim: String
    var party: String
    var limits: LimitInput
    var relaxed: String?
    var usesWheelchair: Bool
    var problems: [String: Text] = [:]

    /// The limits on walking to choose from, in metres.
    static let walks: [(value: String, label: Text)] =
        [("", TravelSettingsTexts.noLimit)]
        + [300, 500, 1_000, 2_000, 5_000].map { ("\($0)", CommonTexts.distance($0)) }

    /// The limits on walking in a day to choose from, in metres.
    static let dayWalks: [(value: String, label: Text)] =
        [("", TravelSettingsTexts.noLimit)]
        + [1_000, 2_000, 5_000, 10_000].map { ("\($0)", CommonTexts.distance($0)) }

    /// How far ahead days may be planned, in hours.
    static let aheads: [(value: String, label: Text)] = TravelSettings.aheads.map {
        ("\($0)", TravelSettingsTexts.aheadDays($0 / 24))
    }

    /// What people may care about most.
    static let aims: [(value: String, label: Text)] =
        [("", CostsTexts.anyAim)]
        + TravelAim.allCases.compactMap { aim in
            TripPreference(rawValue: aim.rawValue).map { (aim.rawValue, $0.text) }
        }

    /// The form filled in with settings.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - currency: that of the limit on money; one in another is left out.
    init(_ settings: TravelSettings, in currency: Currency) {
        place = PlaceInput(
            text: settings.base?.name ?? "",
            found: settings.base.map { ($0.name, $0.position) }
        )
        means = settings.means
        walk = settings.walkMetres.map { "\($0)" } ?? ""
        dayWalk = settings.dayWalkMetres.map { "\($0)" } ?? ""
        least = "\(settings.leastWaitMinutes)"
        most = "\(settings.mostWaitMinutes)"
        ahead = "\(settings.aheadHours)"
        aim = settings.aim?.rawValue ?? ""
        party = "\(settings.party)"
        let limit = settings.mostMoney.flatMap { $0.currency == currency.code ? $0 : nil }
        limits = LimitInput(
            money: limit.map { LimitInput.text(of: Money($0.minorUnits, currency)) } ?? "",
            grams: settings.mostGrams.map { "\($0)" } ?? ""
        )
        relaxed = settings.relaxed
        usesWheelchair = settings.usesWheelchair
    }

    init(_ form: Form) {
        place = PlaceInput(form)
        means = Set(form.all("means").compactMap(TravelMeans.init(rawValue:)))
        walk = form["walk"] ?? ""
        dayWalk = form["day-walk"] ?? ""
        least = (form["least"] ?? "").trimmingBlanks()
        most = (form["most"] ?? "").trimmingBlanks()
        ahead = form["ahead"] ?? ""
        aim = form["prefer"] ?? ""
        party = (form["party"] ?? "1").trimmingBlanks()
        limits = LimitInput(form)
        relaxed = TravelPages.relaxChoice(form)
        usesWheelchair = form.all("needs").contains("wheelchair")
    }

    /// The settings with what the form states; nil if something is wrong.
    mutating func settings(
        changing known: TravelSettings,
        base: SettingsPlace?,
        in currency: Currency
    ) -> TravelSettings? {
        var settings = known
        settings.base = base
        settings.means = means
        settings.statesMeans = true
        if means.isEmpty { problems["means"] = TravelSettingsTexts.noMeans }
        let hasVehicle = means.contains(.bicycle) || means.contains(.car)
        if hasVehicle, place.text.isEmpty { problems["place"] = TravelSettingsTexts.vehicleBase }
        settings.walkMetres = Int32(walk)
        settings.dayWalkMetres = Int32(dayWalk)
        settings.aheadHours = Int64(ahead) ?? known.aheadHours
        let waits = [least, most].map { text in
            text.count <= 3 ? Int64(text).filter(in: TravelSettings.waits) : nil
        }
        if waits[0] == nil { problems["least"] = TravelSettingsTexts.badWait }
        if waits[1] == nil { problems["most"] = TravelSettingsTexts.badWait }
        if let first = waits[0], let last = waits[1] {
            (settings.leastWaitMinutes, settings.mostWaitMinutes) = (first, last)
            if last < first { problems["most"] = TravelSettingsTexts.badOrder }
        }
        settings.aim = TravelAim(rawValue: aim)
        settings.party = Int64(party).filter(in: TravelSettings.parties) ?? 0
        if settings.party == 0 {
            problems["party"] = CostsTexts.badParty(TravelSettings.parties.upperBound)
        }
        settings.mostMoney = limits.money(in: currency, &problems)
            .map { MoneyLimit($0, currency.code) }
        settings.mostGrams = limits.grams(&problems)
        settings.relaxed = relaxed
        settings.usesWheelchair = usesWheelchair
        return problems.isEmpty ? settings : nil
    }
}

extension Int64? {
    /// The number, if it is in a range.
    fileprivate func filter(in range: ClosedRange<Int64>) -> Int64? {
        flatMap { range.contains($0) ? $0 : nil }
    }
}
