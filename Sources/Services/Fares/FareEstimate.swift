package import Chronology

/// What a ride will cost, said before it begins.
package struct FareEstimate: Hashable, Sendable {
    /// The fare of the drive as it is expected.
    package let likely: Fare
    /// The fare if traffic is light.
    package let low: Money
    /// The fare if traffic is heavy.
    package let high: Money

    /// Whether it is a promise: a fixed fare, whatever the way and the traffic.
    package var isFixed: Bool { likely.isFixed }
}

/// How much of the expected time a drive may take, in thousandths.
package struct TimeSpread: Hashable, Sendable {
    /// In light traffic.
    package var low: Int64
    /// In heavy traffic.
    package var high: Int64

    /// From `low` to `high` thousandths of the expected time.
    package init(low: Int64, high: Int64) {
        self.low = low
        self.high = high
    }

    /// What is taken before anything was learned: from 15% quicker to 35% slower.
    package static let usual = TimeSpread(low: 850, high: 1_350)
}

extension Tariff {
    /// What a ride will cost, from the drive that is expected.
    ///
    /// - Parameters:
    ///   - course: the ride, with its expected drive: a street route's pieces, or one piece.
    ///   - zone: the city's time zone.
    ///   - spread: how much the time may differ; the way stays the same.
    /// - Returns: the likely fare, which is the metered one of that very course, in its range.
    package func estimate(
        _ course: Course,
        in zone: ZoneTable,
        spread: TimeSpread = .usual
    ) -> FareEstimate {
        let likely = metered(course, in: zone)
        let others = [spread.low, spread.high].map { perMille in
            var other = course
            other.drive = course.drive.taking(perMille: perMille)
            return metered(other, in: zone).total.minorUnits
        }
        // With a threshold of its own a tariff may charge a slower ride less.
        let all = others + [likely.total.minorUnits]
        return FareEstimate(
            likely: likely,
            low: Money(all.min() ?? 0, currency),
            high: Money(all.max() ?? 0, currency)
        )
    }
}

extension TariffBook {
    /// The fare of a ride by the tariff in force at its start; nil where there was none.
    package func metered(_ course: Course, in zone: ZoneTable) -> Fare? {
        tariff(on: zone.local(course.start).date)?.metered(course, in: zone)
    }

    /// What a ride will cost by the tariff in force at its start; nil where there is none.
    package func estimate(
        _ course: Course,
        in zone: ZoneTable,
        spread: TimeSpread = .usual
    ) -> FareEstimate? {
        tariff(on: zone.local(course.start).date)?.estimate(course, in: zone, spread: spread)
    }
}
