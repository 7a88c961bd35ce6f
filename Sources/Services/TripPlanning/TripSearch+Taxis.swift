import Chronology
import Journeys
import Transit

/// Journeys by public transport whose first or last leg is a taxi ride (V62).
extension TripSearch {
    /// Below this length of the whole way by taxi, nobody changes from a taxi to a line, in metres.
    private static let shortestWay: UInt32 = 4_000
    /// A taxi takes people at most this part of the way that it would take them alone: further on,
    /// it would go where it was asked to go in the first place.
    private static let greatestPart: UInt32 = 2
    /// The waits hold for taxis that are ordered within so many seconds of a question's time.
    private static let span: Int64 = 2 * 86_400

    /// The queries for journeys with a taxi to the first stop, and with one from the last stop.
    ///
    /// What the service does not know of a wait counts as none, as for a taxi alone. Where money is
    /// limited there are none: the fare of a part of the way is known only after the search.
    ///
    /// - Parameters:
    ///   - query: the query by public transport alone.
    ///   - question: its question.
    ///   - estimate: what the taxi service knows.
    ///   - ride: the way by taxi alone; nil if there is none.
    /// - Returns: the queries; empty if taxis are not asked for, or the way is too short.
    static func taxiQueries(
        _ query: JourneyQuery,
        _ question: TripQuestion,
        _ estimate: TaxiEstimate?,
        _ ride: TripOption?
    ) -> [JourneyQuery] {
        guard question.modes.taxi, question.limits.minorUnits == nil, let ride,
            ride.metres >= shortestWay
        else { return [] }
        var limit = question.limits.modes.vehicleLimit(of: .taxi)
        limit.metres = min(limit.metres ?? .max, ride.metres / greatestPart)
        func wait(_ seconds: Int32?) -> [TaxiWait] {
            let (first, last) = (-span, span)
            return [
                TaxiWait(
                    from: question.time.adding(seconds: first),
                    through: question.time.adding(seconds: last),
                    seconds: seconds ?? 0
                )
            ]
        }
        var (access, egress) = (query, query)
        (access.vehicleLimit, egress.vehicleLimit) = (limit, limit)
        access.taxiAccess = wait(estimate?.waitSeconds)
        egress.taxiEgress = wait(estimate?.waitThereSeconds)
        return [access, egress]
    }

    /// Adds the journeys of a query that have a leg by taxi.
    mutating func addTaxis(
        _ query: JourneyQuery,
        _ question: TripQuestion,
        _ rules: TripRules,
        _ amounts: Amounts,
        _ found: inout [Found],
        _ check: Check
    ) throws(TripFailure) {
        try check()
        var query = query
        query.longestSeconds = Self.mostSeconds(saving: TripChoice.taxiSeconds, question, found)
        guard query.longestSeconds ?? .max > 0 else { return }
        let journeys = try ruled(query, question, rules, nil, check).kept
        Self.add(journeys.filter(\.hasTaxi), query, amounts, &found)
    }

    /// How long a journey with another vehicle for a part of the way takes at most to be worth
    /// listing beside those found; nil for any time.
    static func mostSeconds(
        saving seconds: Int64,
        _ question: TripQuestion,
        _ found: [Found]
    ) -> Int32? {
        // What limits on emissions or money leave of the others is known only when all are found.
        guard question.limits.grams == nil, question.limits.minorUnits == nil else { return nil }
        let candidates = found.map { $0.candidate(for: question) }
        return TripChoice.mostSeconds(candidates, saving: seconds, for: question)
    }
}

extension Itinerary {
    /// Whether it has a leg by taxi.
    var hasTaxi: Bool { legs.contains { $0.tripKind == .taxi } }
}

extension TripOption {
    /// The taxi ride to the first stop or from the last one of a journey by public transport, or
    /// the only one of a taxi.
    package var taxiStep: TripStep? { steps.first { $0.kind == .taxi } }

    /// Whether it changes between a taxi and public transport.
    package var changesToTaxi: Bool { kind == .transit && taxiStep != nil }

    /// The same option with what the service knows of its taxi ride.
    func priced(with estimate: TaxiEstimate) -> TripOption {
        var option = self
        option.taxi = estimate
        option.price =
            (priceBesidesTaxi ?? .unknown) + (estimate.fare.map(TripPrice.estimated) ?? .unknown)
        return option
    }
}
