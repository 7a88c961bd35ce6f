package import Dispatching

/// What became of the requests and offers of some zone and time, as numbers that people compare.
///
/// A request counts in the hour in which it was asked for, a reservation in that for which it was;
/// an offer in the hour in which it was made.
package struct Figures: Hashable, Sendable {
    /// A request, as far as figures want it.
    package struct Ride: Hashable, Sendable {
        /// How it ended; nil while it is open.
        package var outcome: RequestOutcome?
        /// From when the taxi was wanted until it was there, in seconds; nil where none came.
        package var waitSeconds: Int64?
        /// By how many seconds the taxi came later than was promised with the acceptance; negative
        /// for earlier, nil where nothing was promised or none came.
        package var errorSeconds: Int64?
        /// By how many seconds the taxi came later than the hour of the reservation, or else than
        /// was promised; nil where there was neither, or none came.
        package var lateSeconds: Int64?
    }

    /// How many requests there were.
    package private(set) var requests = 0
    /// How many of them were driven.
    package private(set) var served = 0
    /// How many found no taxi.
    package private(set) var unserved = 0
    /// How many came to nothing otherwise: cancelled, not there, suspended.
    package private(set) var givenUp = 0
    /// How many offers came to what end.
    package private(set) var offers: [OfferRecord.End: Int] = [:]
    /// How many drivers were passed over, by the rule.
    package private(set) var passed: [OfferRecord.Overtaking: Int] = [:]
    /// How many taxis came for whom a time was promised.
    package private(set) var promised = 0
    /// How many of them no later than 10 minutes after it (R82).
    package private(set) var within10 = 0
    /// How many of them no later than 20 minutes after it (R82).
    package private(set) var within20 = 0
    /// How many rides each taxi took that was asked at all or drove.
    package private(set) var rides: [TaxiNumber: Int] = [:]
    private var waits: [Int32] = []
    private var errors: [Int32] = []

    /// Nothing happened yet.
    package init() {}

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - ride: what became of it.
    ///   - taxi: who took it; nil for nobody, and for whoever rides along with another.
    package mutating func add(_ ride: Ride, by taxi: TaxiNumber?) {
        requests += 1
        if let taxi { rides[taxi, default: 0] += 1 }
        switch ride.outcome {
        case .completed: served += 1
        case .noTaxi, .allRefused, .heldTooLong, .dropped: unserved += 1
        case .cancelled, .withdrawn, .noShow, .suspended, .outsideCity: givenUp += 1
        case nil: break
        }
        if let wait = ride.waitSeconds { waits.append(Int32(clamping: max(0, wait))) }
        if let error = ride.errorSeconds { errors.append(Int32(clamping: error)) }
        if let late = ride.lateSeconds {
            promised += 1
            if late <= 600 { within10 += 1 }
            if late <= 1_200 { within20 += 1 }
        }
    }

    /// Adds an offer.
    package mutating func add(_ offer: OfferRecord) {
        rides[offer.taxi, default: 0] += 0
        if let end = offer.end { offers[end, default: 0] += 1 }
        for (rule, count) in offer.passed where count > 0 { passed[rule, default: 0] += count }
    }

    /// Adds the figures of another zone or time.
    package mutating func add(_ other: Figures) {
        requests += other.requests
        served += other.served
        unserved += other.unserved
        givenUp += other.givenUp
        offers.merge(other.offers, uniquingKeysWith: +)
        passed.merge(other.passed, uniquingKeysWith: +)
        promised += other.promised
        within10 += other.within10
        within20 += other.within20
        rides.merge(other.rides, uniquingKeysWith: +)
        waits += other.waits
        errors += other.errors
    }

    /// How many taxis came.
    package var reached: Int { waits.count }

    /// The mean wait in seconds; nil where no taxi came.
    package var meanWait: Double? { Self.mean(waits) }

    /// The wait that so many percent were not above, in seconds; nil where no taxi came.
    ///
    /// - Parameter percent: 1 to 100; by the nearest rank.
    /// - Returns: one of the waits.
    package func wait(percent: Int) -> Int64? {
        guard !waits.isEmpty else { return nil }
        let rank = (waits.count * percent + 99) / 100
        return Int64(waits.sorted()[max(1, min(waits.count, rank)) - 1])
    }

    /// By how many seconds promises were wrong in the mean, whichever way; nil where there were
    /// none.
    package var meanError: Double? {
        Self.mean(errors.map(\.magnitude).map { Int32(clamping: $0) })
    }

    /// By how many seconds taxis came later than promised in the mean; nil where there was nothing
    /// promised.
    package var bias: Double? { Self.mean(errors) }

    /// How many of those who could answer accepted, 0 to 1; nil where nobody was asked.
    package var acceptance: Double? {
        let answered = offers.reduce(0) { $1.key == .withdrawn ? $0 : $0 + $1.value }
        return answered == 0 ? nil : Double(offers[.accepted] ?? 0) / Double(answered)
    }

    /// Gini's coefficient of the rides of drivers who were asked at all: 0 where all have as many,
    /// towards 1 where one has all; nil where nobody was asked.
    package var gini: Double? {
        let counts = rides.values.sorted()
        let total = counts.reduce(0, +)
        guard !counts.isEmpty else { return nil }
        guard total > 0 else { return 0 }
        let weighted = counts.enumerated().reduce(0) { sum, item in
            sum + (2 * item.offset + 1 - counts.count) * item.element
        }
        return Double(weighted) / Double(counts.count * total)
    }

    private static func mean(_ values: [Int32]) -> Double? {
        guard !values.isEmpty else { return nil }
        return Double(values.reduce(Int64(0)) { $0 + Int64($1) }) / Double(values.count)
    }
}
