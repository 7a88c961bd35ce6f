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
    /// Where he is met.
    package var meeting: Coordinate?
    /// What it is called.
    package var meetingWords: PlaceWords?
    /// Where he wants to go.
    package var destination: PlaceWords?
    /// The code of the taxi that was found.
    package var taxi: String?
    /// The code that passenger and driver compare; nil where the policy has none.
    package var code: String?
    /// When the taxi comes, as he was told last; nil where nothing is to be said.
    package var arrival: Arrival?
    /// Where the taxi is, and when it was there; nil where it was not heard from.
    package var position: Position?

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
        let found = try await dispatch.read { state -> (Request, Request, String?, Policy)? in
            guard let own = state.request(number), let ride = state.ride(of: number) else {
                return nil
            }
            let taxi = ride.ride.flatMap { state.taxi($0.taxi)?.code }
            return (own, ride, taxi, state.policy)
        }
        guard let (own, ride, taxi, policy) = found else { return nil }
        guard own.form.passenger == passenger else { throw Failure.notYours }
        let page = book[number]
        var view = RideView(
            request: number,
            ride: ride.number,
            phase: ride.phase,
            asked: ride.asked.count,
            taxi: taxi
        )
        if let places = page?.places {
            view.meeting = places.meeting
            view.meetingWords = PlaceWords(places.meetingWords, at: places.meeting)
            view.destination = places.destination.map {
                PlaceWords(places.destinationWords, at: $0)
            }
        }
        guard let riding = ride.ride else { return view }
        if policy[.pinDigits] > 0 { view.code = codes.code(of: ride.number) }
        if riding.stage == .onTheWay, let told = book[ride.number]?.told {
            view.arrival = told.arrival.map { .at($0) } ?? .unknown
        } else if riding.stage == .onTheWay {
            view.arrival = .unknown
        }
        view.position = intake.position(of: riding.taxi).map {
            RideView.Position(at: $0.at, place: $0.place)
        }
        return view
    }
}
