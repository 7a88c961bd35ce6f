package import Chronology
package import Dispatching
package import Fares
package import Geo

/// A live request as its passenger's page shows it.
package struct RideView: Hashable, Sendable {
    /// The passenger's request.
    package var request: RequestNumber
    /// The ride that the passenger takes part in: the passenger's own or a joined one.
    package var ride: RequestNumber
    package var phase: Request.Phase
    /// The number of drivers who have received an offer so far.
    package var asked: Int
    /// The reserved time, for a reservation.
    package var due: Moment?
    /// How often the search for a reservation's taxi was started.
    package var tries: Int
    /// Whether others may share the ride.
    package var isShared: Bool
    /// The number of parties in the ride, including the passenger's own.
    package var parties: Int
    /// Whether an accepted taxi will not come, and no other has accepted since.
    package var hasLostTaxi: Bool
    /// The pickup point.
    package var meeting: Coordinate?
    /// The pickup point in readable form.
    package var meetingDescription: PlaceDescription?
    /// The destination, if given.
    package var destination: Coordinate?
    /// The destination in readable form.
    package var destinationDescription: PlaceDescription?
    /// The code of the taxi that accepted.
    package var taxi: String?
    /// The number of the taxi, by which its shift is found.
    package var taxiNumber: TaxiNumber?
    /// The boarding code that passenger and driver compare; nil if the policy uses none.
    package var code: String?
    /// The latest arrival time told to the passenger; unknown once it has passed,
    /// nil if none applies.
    package var arrival: Arrival?
    /// The announced arrival time, which changes only if the arrival shifts by more than a minute.
    package var announced: Moment?
    /// The last position of the taxi; nil if unknown, and during a ride with several parties.
    package var position: Position?
    package var policy: Policy

    /// Whether the passenger is on board with other parties, in which case no position is shown.
    ///
    /// A passenger who gets out first must not see where the others live (R92, I27), and on board a
    /// map is not needed.
    package var isAboardWithOthers: Bool {
        guard case .riding(let ride) = phase else { return false }
        return ride.stage == .aboard && parties > 1
    }

    /// When a taxi arrives.
    package enum Arrival: Hashable, Sendable {
        /// The expected time.
        case at(Moment)
        /// No arrival time is known.
        case unknown
    }

    /// The position of a taxi at a given time.
    package struct Position: Hashable, Sendable {
        /// When the position was reported.
        package var at: Moment
        package var place: Coordinate
    }
}

extension TaxiService {
    /// Returns a live request for its passenger.
    ///
    /// - Returns: nil if it has ended or does not exist.
    /// - Throws: ``Failure/notYours`` if it belongs to another passenger (I27).
    package func view(
        _ number: RequestNumber,
        for passenger: PassengerNumber
    ) async throws -> RideView? {
        try checkServing()
        guard let found = try await dispatch.read({ Found(number, in: $0) }) else { return nil }
        guard found.own.form.passenger == passenger else { throw Failure.notYours }
        return view(found)
    }

    /// Returns the live request of a passenger, which each page shows; nil if there is none (R68).
    package func liveView(for passenger: PassengerNumber) async throws -> RideView? {
        try checkServing()
        let found = try await dispatch.read { state in
            state.liveRequest(of: passenger).flatMap { Found($0, in: state) }
        }
        return found.map(view)
    }

    /// A request with its ride, read from the dispatcher.
    private struct Found: Sendable {
        var own: Request
        var ride: Request
        var taxi: String?
        var policy: Policy

        init?(_ number: RequestNumber, in state: Dispatcher) {
            guard let own = state.request(number), let ride = state.ride(of: number) else {
                return nil
            }
            self.own = own
            self.ride = ride
            taxi = ride.ride.flatMap { state.taxi($0.taxi)?.code }
            policy = state.policy
        }
    }

    private func view(_ found: Found) -> RideView {
        let (number, ride) = (found.own.number, found.ride)
        var view = RideView(
            request: number,
            ride: ride.number,
            phase: ride.phase,
            asked: ride.asked.count,
            due: ride.due,
            tries: Int(ride.tries),
            isShared: ride.form.isShared,
            parties: 1 + ride.joiners.count,
            hasLostTaxi: ride.hasLostTaxi,
            taxi: found.taxi,
            policy: found.policy
        )
        if let places = book[number]?.places {
            view.meeting = places.meeting
            view.meetingDescription = PlaceDescription(
                places.meetingDescription,
                at: places.meeting
            )
            view.destination = places.destination
            view.destinationDescription = places.destination.map {
                PlaceDescription(places.destinationDescription, at: $0)
            }
        }
        guard let riding = ride.ride else { return view }
        view.taxiNumber = riding.taxi
        if found.policy.pinDigits != .none { view.code = codes.code(of: ride.acceptedFor) }
        if riding.stage == .onTheWay {
            let told = book[ride.number]?.told?.arrival
            view.arrival = told.flatMap { $0 > clock.now() ? .at($0) : nil } ?? .unknown
            view.announced = book[ride.number]?.announced
        }
        if view.isAboardWithOthers { return view }
        view.position = intake.position(of: riding.taxi).map {
            RideView.Position(at: $0.at, place: $0.place)
        }
        return view
    }
}
