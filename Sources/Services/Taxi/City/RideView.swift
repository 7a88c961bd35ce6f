package import Chronology
package import Dispatching
package import Fares
package import Geo

/// A live request as its passenger's screen shows it.
package struct RideView: Hashable, Sendable {
    /// His request.
    package var request: RequestNumber
    /// The ride that he takes part in: his own, or the one that he joined.
    package var ride: RequestNumber
    /// Where it stands.
    package var phase: Request.Phase
    /// How many drivers were asked so far.
    package var asked: Int
    /// The hour of a reservation.
    package var due: Moment?
    /// How often a taxi was looked for on behalf of a reservation.
    package var tries: Int
    /// Whether others may share the ride.
    package var isShared: Bool
    /// How many parties share it, his own among them.
    package var parties: Int
    /// Whether a taxi that had accepted does not come, and no other has accepted since.
    package var hasLostTaxi: Bool
    /// Where he is met.
    package var meeting: Coordinate?
    /// What it is called.
    package var meetingWords: PlaceWords?
    /// Where he wants to go.
    package var destination: Coordinate?
    /// What it is called.
    package var destinationWords: PlaceWords?
    /// The code of the taxi that was found.
    package var taxi: String?
    /// Its number, by which its shift is known.
    package var taxiNumber: TaxiNumber?
    /// The code that passenger and driver compare; nil where the policy has none.
    package var code: String?
    /// When the taxi comes, as he was told last; unknown once that moment has passed, nil where
    /// nothing is to be said.
    package var arrival: Arrival?
    /// The arrival as it is announced: it changes where the arrival does by more than a minute.
    package var announced: Moment?
    /// Where the taxi is, and when it was there; nil where it was not heard from, and aboard a ride
    /// that several share.
    package var position: Position?
    /// The rules in force.
    package var policy: Policy

    /// Whether the passenger shares the taxi in which he sits: then nobody is shown where it is.
    ///
    /// Who gets out first is not to see where the others live (R92, I27), and aboard nobody needs
    /// a map.
    package var isAboardWithOthers: Bool {
        guard case .riding(let ride) = phase else { return false }
        return ride.stage == .aboard && parties > 1
    }

    /// When a taxi comes.
    package enum Arrival: Hashable, Sendable {
        /// Then.
        case at(Moment)
        /// Nobody knows.
        case unknown
    }

    /// Where a taxi was at a moment.
    package struct Position: Hashable, Sendable {
        /// When.
        package var at: Moment
        /// Where.
        package var place: Coordinate
    }
}

extension TaxiService {
    /// A live request, for its passenger.
    ///
    /// - Returns: nil where it has ended or never was.
    /// - Throws: ``Failure/notYours`` where it is somebody else's (I27).
    package func view(
        _ number: RequestNumber,
        for passenger: PassengerNumber
    ) async throws -> RideView? {
        try checkServing()
        guard let found = try await dispatch.read({ Found(number, in: $0) }) else { return nil }
        guard found.own.form.passenger == passenger else { throw Failure.notYours }
        return view(found)
    }

    /// The live request of a passenger, which every page of his shows; nil where he has none (R68).
    package func liveView(for passenger: PassengerNumber) async throws -> RideView? {
        try checkServing()
        let found = try await dispatch.read { state in
            state.liveRequest(of: passenger).flatMap { Found($0, in: state) }
        }
        return found.map(view)
    }

    /// A request as the dispatcher has it.
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
            view.meetingWords = PlaceWords(places.meetingWords, at: places.meeting)
            view.destination = places.destination
            view.destinationWords = places.destination.map {
                PlaceWords(places.destinationWords, at: $0)
            }
        }
        guard let riding = ride.ride else { return view }
        view.taxiNumber = riding.taxi
        if found.policy[.pinDigits] > 0 { view.code = codes.code(of: ride.acceptedFor) }
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
