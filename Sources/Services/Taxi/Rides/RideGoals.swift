import Dispatching
import Geo
import Positions

extension Dispatcher {
    /// Returns the goals of taxis with a ride, if reaching them matters.
    ///
    /// - Parameter places: looks up the places of a request.
    /// - Returns: the goal of each taxi that has one.
    func goals(
        _ places: (RequestNumber) -> RidePlaces?
    ) -> [TaxiNumber: PositionTracker.Goal] {
        var goals: [TaxiNumber: PositionTracker.Goal] = [:]
        for taxi in taxis { goals[taxi.number] = goal(of: taxi.number, places) }
        return goals
    }

    /// Returns the goal of a taxi with a ride, if reaching it matters.
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

    /// Returns the request of a taxi's ride; nil if it has none.
    func request(drivenBy taxi: TaxiNumber) -> Request? {
        guard case .ride(let number) = self.taxi(taxi)?.work else { return nil }
        return request(number)
    }

    /// Returns the request of a taxi's ride if passengers are on board.
    func requestAboard(_ taxi: TaxiNumber) -> Request? {
        request(drivenBy: taxi).flatMap { $0.ride?.stage == .aboard ? $0 : nil }
    }

    /// The pickup point as a goal.
    func meetingGoal(_ places: RidePlaces) -> PositionTracker.Goal {
        PositionTracker.Goal(
            place: places.meeting,
            radiusMetres: Double(policy[.reachRadius]),
            isDestination: false
        )
    }

    /// The destination as a goal; for a shared ride the one furthest from the pickup point,
    /// where the ride ends.
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
