package import Localization
import TaxiPages
package import TripPlanning
package import WebCore

/// What pages say about the price and the emissions of a trip.
extension TravelPages {
    /// The price of an option in words: an estimate says so, and an unknown price is said rather
    /// than left out.
    package func price(_ option: TripOption, _ context: RequestContext) -> Text {
        switch option.price {
        case .exact(let money):
            option.price.minorUnits == 0
                ? TripsTexts.free : TripsTexts.price(self.money(money, context))
        // The meter of a taxi is known to whole units at best; fuel costs less than that.
        case .estimated(let money):
            TripsTexts.about(
                option.taxi == nil ? self.money(money, context) : roundMoney(money, context)
            )
        case .unknown: TripsTexts.priceUnknown
        }
    }

    /// Emissions in words, in grams or, from one kilogram on, in kilograms.
    func emissions(_ emissions: TripEmissions?) -> Text {
        guard let grams = emissions?.grams else { return TripsTexts.emissionsUnknown }
        guard grams >= 1_000 else { return TripsTexts.grams(grams) }
        return TripsTexts.kilograms(grams / 1_000, (grams % 1_000) / 100)
    }
}
