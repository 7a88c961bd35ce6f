package import Chronology

/// The estimated fare of a ride before it begins.
package struct FareEstimate: Hashable, Sendable {
    /// The fare of the expected drive.
    package let likely: Fare
    /// The fare in light traffic.
    package let low: Money
    /// The fare in heavy traffic.
    package let high: Money

    /// Whether it is a fixed fare, independent of route and traffic.
    package var isFixed: Bool { likely.isFixed }
}

/// The range of a drive's duration, in thousandths of the expected duration.
package struct TimeSpread: Hashable, Sendable {
    /// The lower bound, in light traffic.
    package var low: Int64
    /// The upper bound, in heavy traffic.
    package var high: Int64

    /// Creates a range from its bounds.
    package init(low: Int64, high: Int64) {
        self.low = low
        self.high = high
    }

    /// The range assumed without data: from 15% faster to 35% slower.
    package static let usual = TimeSpread(low: 850, high: 1_350)
}

extension Tariff {
    /// Estimates the fare of a ride from its expected drive.
    ///
    /// - Parameters:
    ///   - input: the ride with its expected drive: the pieces of a street route,
    ///     or a single piece.
    ///   - zone: the city's time zone.
    ///   - spread: the range of the duration; the distance stays the same.
    /// - Returns: the metered fare of the expected drive, with its range.
    package func estimate(
        _ input: TariffInput,
        in zone: ZoneTable,
        spread: TimeSpread = .usual
    ) -> FareEstimate {
        let likely = metered(input, in: zone)
        let others = [spread.low, spread.high].map { perMille in
            var other = input
            other.drive = input.drive.taking(perMille: perMille)
            return metered(other, in: zone).total.minorUnits
        }
        // A tariff with a threshold may charge less for a slower ride.
        let all = others + [likely.total.minorUnits]
        return FareEstimate(
            likely: likely,
            low: Money(all.min() ?? 0, currency),
            high: Money(all.max() ?? 0, currency)
        )
    }
}

extension TariffBook {
    /// Returns the metered fare by the tariff in force at the start; nil if there was none.
    package func metered(_ input: TariffInput, in zone: ZoneTable) -> Fare? {
        tariff(on: zone.local(input.start).date)?.metered(input, in: zone)
    }

    /// Estimates the fare by the tariff in force at the start; nil if there is none.
    package func estimate(
        _ input: TariffInput,
        in zone: ZoneTable,
        spread: TimeSpread = .usual
    ) -> FareEstimate? {
        tariff(on: zone.local(input.start).date)?.estimate(input, in: zone, spread: spread)
    }
}
