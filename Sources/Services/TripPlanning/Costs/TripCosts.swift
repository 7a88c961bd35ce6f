package import Fares
import OpenData

/// What travel costs and emits apart from tickets: values from a table, each with its source.
package struct TripCosts: Sendable {
    /// The values of a table by their keys; what is not there is unknown.
    package private(set) var values: [Key: Value]
    /// Whether public transport counts as its average passenger does; otherwise it counts nothing,
    /// because it runs anyway (V68; conflict (i) of the specification).
    package var countsTransit = true

    /// What a value of the table is about.
    package enum Key: String, Sendable, CaseIterable {
        /// A means of travel; for public transport, the mode of the vehicle.
        case walk, bicycle, bikeshare, scooter, car, carshare, taxi
        case tram, metro, rail, bus, trolleybus, coach, ferry, cableTram, aerialLift, funicular
        case monorail, air, other
        /// The fuel that a car needs.
        case carConsumption = "car-consumption"
        /// The price of fuel.
        case fuelPrice = "fuel-price"

        /// Whether the value of a car counts once for all who travel in it.
        var isPerVehicle: Bool { self == .car || self == .carshare }
    }

    /// A value of the table.
    package struct Value: Sendable, Equatable {
        /// The number in thousandths of its unit.
        package var thousandths: Int64
        /// The unit, such as `g/km`.
        package var unit: String
        /// What an emission includes, such as `tank-to-wheel`.
        package var scope: String
        /// Where the value is from.
        package var source: String
        /// The year that it describes.
        package var year: Int32
    }

    /// The costs of a table.
    init(_ values: [Key: Value]) { self.values = values }

    /// The same costs, with the values of a city instead of those for the same keys.
    package func overridden(by city: TripCosts) -> TripCosts {
        var costs = self
        costs.values.merge(city.values) { _, new in new }
        return costs
    }

    /// What a means emits for all travellers, in micrograms per metre, which are thousandths of
    /// grams per kilometre; nil if it is unknown.
    func rate(_ key: Key, party: Int) -> Int64? {
        values[key].map { $0.thousandths * (key.isPerVehicle ? 1 : Int64(party)) }
    }

    /// The currency of the fuel's price; the euro if there is none.
    package var currency: Currency {
        guard let unit = values[.fuelPrice]?.unit, let code = unit.split(separator: "/").first
        else { return .euro }
        return Currency(code: String(code)) ?? .euro
    }

    /// An amount that people write, such as `3.50`, in minor units of the currency; nil if it is no
    /// such amount.
    package func minorUnits(_ text: String) -> Int64? {
        CurrencyText.minorUnits(Array(text.utf8)[...], digits: currency.digits)
            .flatMap { $0 < 0 ? nil : $0 }
    }

    /// What a car's fuel costs over a distance, the same for all cars (V79): nil if it is unknown.
    func fuel(metres: Int64) -> Money? {
        guard let consumption = values[.carConsumption], let price = values[.fuelPrice] else {
            return nil
        }
        // Metres, thousandths of litres per 100 km, and thousandths of the currency per litre.
        let size = (0..<currency.digits).reduce(Int128(1)) { product, _ in product * 10 }
        let cost = Int128(metres) * Int128(consumption.thousandths) * Int128(price.thousandths)
        let whole: Int128 = 100_000 * 1_000 * 1_000
        return Money(Int64(clamping: (2 * cost * size + whole) / (2 * whole)), currency)
    }
}
