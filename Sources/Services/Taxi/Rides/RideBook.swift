import Chronology
import Dispatching
import Fares
import Geo
import Positions
import Synchronization

/// What is known of live requests beside the dispatcher: places, and what passengers were told.
///
/// A memory of the tables, bounded by the live requests (I30). The dispatcher says which those
/// are.
final class RideBook: Sendable {
    struct Page: Sendable {
        var places: RidePlaces?
        var promise: RidePromise?
        var told: ArrivalNews.Told?
        /// The arrival that was announced last: another one is only where it differs by more than
        /// a minute.
        private(set) var announced: Moment?
        /// When the arrival is looked at again.
        var nextLook = Moment(milliseconds: .min)

        /// The passenger is told when his taxi comes; nil for unknown.
        mutating func tell(_ arrival: Moment?, at now: Moment) {
            told = ArrivalNews.Told(at: now, arrival: arrival)
            let limit = ArrivalNews.pushSeconds
            if let arrival, let announced, arrival <= announced.adding(seconds: limit),
                announced <= arrival.adding(seconds: limit)
            {
                return
            }
            announced = arrival
        }
    }

    private let pages = Mutex<[RequestNumber: Page]>([:])

    subscript(request: RequestNumber) -> Page? {
        pages.withLock { $0[request] }
    }

    /// Changes the page of a request; makes one where there is none.
    func change(_ request: RequestNumber, _ body: (inout Page) -> Void) {
        pages.withLock { body(&$0[request, default: Page()]) }
    }

    /// Changes the page of a request where there is one.
    func changeKnown(_ request: RequestNumber, _ body: (inout Page) -> Void) {
        pages.withLock { pages in
            guard var page = pages[request] else { return }
            body(&page)
            pages[request] = page
        }
    }

    /// Forgets all requests but these.
    func keep(where isLive: (RequestNumber) -> Bool) {
        pages.withLock { pages in
            pages = pages.filter { isLive($0.key) }
        }
    }

    /// How many requests it knows.
    var count: Int { pages.withLock { $0.count } }
}

extension Dispatcher {
    /// Where taxis with a ride are going, as far as it matters that they get there.
    ///
    /// - Parameter places: the places of a request.
    /// - Returns: a goal for each taxi that has one.
    func goals(
        _ places: (RequestNumber) -> RidePlaces?
    ) -> [TaxiNumber: PositionTracker.Goal] {
        var goals: [TaxiNumber: PositionTracker.Goal] = [:]
        for taxi in taxis { goals[taxi.number] = goal(of: taxi.number, places) }
        return goals
    }

    /// Where a taxi with a ride is going, as far as it matters that it gets there.
    func goal(
        of taxi: TaxiNumber,
        _ places: (RequestNumber) -> RidePlaces?
    ) -> PositionTracker.Goal? {
        guard let request = request(drivenBy: taxi), let ride = request.ride else { return nil }
        switch ride.stage {
        case .onTheWay: return places(request.number).map { meetingGoal($0) }
        case .atMeetingPoint: return nil
        case .aboard:
            if ride.isAtDestination { return nil }
            return destinationGoal(([request.number] + request.joiners).compactMap(places))
        }
    }

    /// The request whose ride a taxi has; nil where it has none.
    func request(drivenBy taxi: TaxiNumber) -> Request? {
        guard case .ride(let number) = self.taxi(taxi)?.work else { return nil }
        return request(number)
    }

    /// The same of a taxi that has its passengers aboard.
    func requestAboard(_ taxi: TaxiNumber) -> Request? {
        request(drivenBy: taxi).flatMap { $0.ride?.stage == .aboard ? $0 : nil }
    }

    /// The meeting point as a goal.
    func meetingGoal(_ places: RidePlaces) -> PositionTracker.Goal {
        PositionTracker.Goal(
            place: places.meeting,
            radiusMetres: Double(policy[.reachRadius]),
            isDestination: false
        )
    }

    /// The destination as a goal; of a shared ride the one furthest from the meeting point, where
    /// the ride ends.
    func destinationGoal(_ sharers: [RidePlaces]) -> PositionTracker.Goal? {
        guard let start = sharers.first?.meeting else { return nil }
        let last = sharers.compactMap(\.destination)
            .max { start.distanceMetres(to: $0) < start.distanceMetres(to: $1) }
        guard let last else { return nil }
        return PositionTracker.Goal(
            place: last,
            radiusMetres: Double(policy[.reachRadius]),
            isDestination: true
        )
    }
}
