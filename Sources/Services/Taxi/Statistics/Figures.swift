package import Dispatching

/// The key figures of requests and offers in a zone and period.
///
/// A request counts in the hour in which it arrived, a reservation in that of the reserved time,
/// and an offer in the hour in which it was made.
package struct Figures: Hashable, Sendable {
    /// The data of a request that the figures need.
    package struct Ride: Hashable, Sendable {
        /// The outcome; nil while the request is live.
        package var outcome: RequestOutcome?
        /// The seconds from the wanted time to the taxi's arrival; nil if none arrived.
        package var waitSeconds: Int64?
        /// The taxi's delay in seconds relative to the promise at acceptance; negative if early,
        /// nil if nothing was promised or no taxi arrived.
        package var errorSeconds: Int64?
        /// The taxi's delay in seconds relative to the reserved time or, failing that, the promise;
        /// nil if there was neither, or no taxi arrived.
        package var lateSeconds: Int64?
    }

    /// The number of requests.
    package private(set) var requests = 0
    /// The number of completed rides.
    package private(set) var served = 0
    /// The number of requests that found no taxi.
    package private(set) var unserved = 0
    /// The number of requests that ended otherwise: cancelled, missed, suspended.
    package private(set) var givenUp = 0
    /// The number of offers by outcome.
    package private(set) var offers: [OfferRecord.End: Int] = [:]
    /// The number of drivers who were passed over, by rule.
    package private(set) var passed: [OfferRecord.Overtaking: Int] = [:]
    /// The number of taxis that arrived after a promise.
    package private(set) var promised = 0
    /// How many of them were at most 10 minutes late (R82).
    package private(set) var within10 = 0
    /// How many of them were at most 20 minutes late (R82).
    package private(set) var within20 = 0
    /// The number of rides of each taxi that had an offer or a ride.
    package private(set) var rides: [TaxiNumber: Int] = [:]
    /// How many taxis arrived, by the seconds that their passengers waited.
    ///
    /// Waits of a year have few different values, so that long periods need little memory.
    private var waits: [Int32: Int] = [:]
    private var errorCount = 0
    private var errorSum: Int64 = 0
    private var errorMagnitudes: Int64 = 0

    /// Creates figures without events.
    package init() {}

    /// Adds a request to the figures.
    ///
    /// - Parameters:
    ///   - ride: the outcome of the request.
    ///   - taxi: the taxi that accepted; nil if there is none, and for joiners.
    package mutating func add(_ ride: Ride, by taxi: TaxiNumber?) {
        requests += 1
        if let taxi { rides[taxi, default: 0] += 1 }
        switch ride.outcome {
        case .completed: served += 1
        case .noTaxi, .allRefused, .heldTooLong, .dropped: unserved += 1
        case .cancelled, .withdrawn, .noShow, .suspended, .outsideCity: givenUp += 1
        case nil: break
        }
        precondition(
            served + unserved + givenUp <= requests,
            "A request was counted under two outcomes."
        )
        if let wait = ride.waitSeconds { waits[Int32(clamping: max(0, wait)), default: 0] += 1 }
        if let error = ride.errorSeconds.map({ Int32(clamping: $0) }) {
            errorCount += 1
            errorSum += Int64(error)
            errorMagnitudes += Int64(error.magnitude)
        }
        if let late = ride.lateSeconds {
            promised += 1
            if late <= 600 { within10 += 1 }
            if late <= 1_200 { within20 += 1 }
            precondition(
                within10 <= within20 && within20 <= promised,
                "More reservations were in time than were promised."
            )
        }
    }

    /// Adds an offer to the figures.
    package mutating func add(_ offer: OfferRecord) {
        rides[offer.taxi, default: 0] += 0
        if let end = offer.end { offers[end, default: 0] += 1 }
        for (rule, count) in offer.passed where count > 0 { passed[rule, default: 0] += count }
    }

    /// Adds the figures of another zone or period.
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
        waits.merge(other.waits, uniquingKeysWith: +)
        errorCount += other.errorCount
        errorSum += other.errorSum
        errorMagnitudes += other.errorMagnitudes
    }

    /// The number of taxis that arrived.
    package var reached: Int { waits.values.reduce(0, +) }

    /// The number of values that the figures keep, a measure of their memory.
    package var weight: Int { waits.count + rides.count + offers.count + passed.count + 12 }

    /// The mean wait in seconds; nil if no taxi arrived.
    package var meanWait: Double? {
        Self.mean(waits.reduce(0) { $0 + Int64($1.key) * Int64($1.value) }, of: reached)
    }

    /// Returns a percentile of the wait in seconds; nil if no taxi arrived.
    ///
    /// - Parameter percent: 1 to 100, by the nearest-rank method.
    /// - Returns: one of the recorded waits.
    package func wait(percent: Int) -> Int64? {
        guard !waits.isEmpty else { return nil }
        var rank = max(1, (reached * percent + 99) / 100)
        for (wait, count) in waits.sorted(by: { $0.key < $1.key }) {
            rank -= count
            if rank <= 0 { return Int64(wait) }
        }
        return waits.keys.max().map { Int64($0) }
    }

    /// The mean absolute error of promised arrivals in seconds; nil if there were none.
    package var meanError: Double? { Self.mean(errorMagnitudes, of: errorCount) }

    /// The mean delay relative to promised arrivals in seconds; nil if there were none.
    package var bias: Double? { Self.mean(errorSum, of: errorCount) }

    /// The share of accepted offers among those not withdrawn, 0 to 1; nil if there were none.
    package var acceptance: Double? {
        let answered = offers.reduce(0) { $1.key == .withdrawn ? $0 : $0 + $1.value }
        return answered == 0 ? nil : Double(offers[.accepted] ?? 0) / Double(answered)
    }

    /// The Gini coefficient of rides per driver among drivers with an offer or a ride: 0 if all
    /// have the same number, near 1 if one has all; nil if there are none.
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

    private static func mean(_ sum: Int64, of count: Int) -> Double? {
        count == 0 ? nil : Double(sum) / Double(count)
    }
}
