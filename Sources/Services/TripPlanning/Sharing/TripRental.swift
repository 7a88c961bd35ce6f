package import Chronology
import Fares
import LiveFeeds
package import OpenData

/// The rental of a shared vehicle for one leg.
package struct TripRental: Sendable, Equatable {
    /// The name of the system.
    package var system: String
    /// What the vehicle looks like; nil if the system does not say so.
    package var form: SharingSystem.Form?
    /// The station where it is rented; nil for a vehicle that stands by itself.
    package var pickupStation: String?
    /// The station where it is returned; nil for a place of the area in which it may be left.
    package var returnStation: String?
    /// What one vehicle costs for the leg.
    package var price: TripPrice
    /// The row of the table of emissions.
    package var costKey: TripCosts.Key
    /// The emissions that the provider states, in grams of CO2 per kilometre.
    package var gramsPerKilometre: Double?
    /// The provider's page for the vehicle, as the feed names it.
    package var page: String?
    /// Since when nothing newer is known about the vehicles.
    package var knownSince: Instant?

    /// The most grams per kilometre that are believed: a lorry emits a hundredth.
    private static let gramsLimit = 100_000.0
    /// How much longer than planned a ride may take at the same price if that is called exact.
    private static let slack = 1.25

    /// The rental of a vehicle that is there, for a ride of some length.
    init(_ pickup: RentalPickup, to end: RentalReturn, metres: UInt32, seconds: Int64) {
        let system = pickup.live.system
        self.system = pickup.live.name
        form = pickup.type?.form
        pickupStation = pickup.station?.id
        returnStation = end.station?.id
        price = Self.price(
            pickup.plan,
            kilometres: Double(metres) / 1_000,
            minutes: Double(seconds) / 60
        )
        costKey = Self.key(pickup.type)
        gramsPerKilometre = pickup.type?.gramsPerKilometre.flatMap {
            $0 <= Self.gramsLimit ? $0 : nil
        }
        page =
            pickup.vehicle?.rental.web ?? pickup.station?.rental.web ?? system.information?.url
        knownSince = pickup.live.knownSince
    }

    /// What all vehicles of a group cost: a car for all, any other vehicle for each.
    func price(party: Int) -> TripPrice {
        guard !costKey.isPerVehicle, party > 1 else { return price }
        func times(_ money: Money) -> Money? {
            let (product, isTooLarge) = money.minorUnits.multipliedReportingOverflow(
                by: Int64(party)
            )
            return isTooLarge ? nil : Money(product, money.currency)
        }
        switch price {
        case .exact(let money): return times(money).map(TripPrice.exact) ?? .unknown
        case .estimated(let money): return times(money).map(TripPrice.estimated) ?? .unknown
        case .unknown: return .unknown
        }
    }

    /// The price by a plan: exact if it would be the same for a ride that takes longer, and
    /// estimated if it depends on the minute, or if taxes or surges come on top of it.
    static func price(
        _ plan: SharingSystem.PricingPlan?,
        kilometres: Double,
        minutes: Double
    ) -> TripPrice {
        guard let plan, let digits = CurrencyText.digits(plan.currency),
            let currency = Currency(code: plan.currency, digits: digits)
        else { return .unknown }
        let micros = plan.micros(kilometres: kilometres, minutes: minutes)
        guard micros >= 0, micros < Int64.max else { return .unknown }
        let longer = plan.micros(kilometres: kilometres * slack, minutes: minutes * slack)
        let size = (0..<digits).reduce(Int128(1)) { product, _ in product * 10 }
        let amount = Int64(clamping: (Int128(micros) * size + 500_000) / 1_000_000)
        let isExact = longer == micros && !plan.isTaxable && !plan.hasSurgePricing
        let money = Money(amount, currency)
        return isExact ? .exact(money) : .estimated(money)
    }

    /// The row of the table for a type of vehicle: those that muscles or fuel drive count as the
    /// traveller's own; no value of the standard table fits the others.
    private static func key(_ type: SharingSystem.VehicleType?) -> TripCosts.Key {
        switch type?.form {
        case .bicycle, .cargoBicycle: type?.propulsion == .human ? .bicycle : .bikeshare
        case .car:
            [.combustion, .diesel].contains(type?.propulsion) ? .car : .carshare
        case .standingScooter, .seatedScooter, .moped: .scooter
        case .other, nil: .bikeshare
        }
    }
}
