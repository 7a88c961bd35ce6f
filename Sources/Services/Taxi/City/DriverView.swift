package import Chronology
package import Dispatching
package import Fares
import Geo
import Positions
import Storage

/// A taxi as its driver's screen shows it (R34).
package struct DriverView: Hashable, Sendable {
    /// The taxi: its state, its toggle, where it is and what it does.
    package var taxi: Taxi
    /// The code of its zone; nil outside all zones.
    package var zone: String?
    /// What its zone is called; nil outside all zones.
    package var zoneName: String?
    /// How many taxis are before it in its queue; nil where it is in none.
    package var ahead: Int?
    /// Whether one of them came there after it, since he got his turn back.
    package var isOvertaken = false
    /// How many taxis wait in its zone.
    package var queued: Int
    /// The rules in force.
    package var policy: Policy
    /// Where it was last; nil where it was not heard from.
    package var position: RideView.Position?
    /// What happened to it last.
    package var news: DriverNews
    /// After how many events of the log all this was so; that of ``DriverNews`` may be later.
    package var sequence: Int64
}

/// A ride that a driver took, for the list of his day.
package struct DrivenRide: Hashable, Sendable {
    /// Its number.
    package var request: RequestNumber
    /// When he accepted.
    package var accepted: Moment
    /// When it ended.
    package var ended: Moment
    /// How.
    package var outcome: RequestOutcome
    /// What all passengers together paid; nil where no tariff was in force.
    package var fare: Money?
}

/// Whether a driver is where his ride wants him.
package enum Arrival: Hashable, Sendable {
    /// He is there.
    case there
    /// He is so many metres away, as the crow flies.
    case away(metres: Int64)
    /// He may be there: his last position is only so exact, in metres.
    case vague(metres: Int64)
    /// Nobody knows where he is, or where he should be.
    case unknown
}

extension TaxiService {
    /// A taxi, for its driver.
    ///
    /// - Parameters:
    ///   - number: its number.
    ///   - code: its code, so that a number that was remembered cannot mean another taxi.
    /// - Returns: nil where there is no such taxi, or no longer.
    /// - Throws: ``Failure/notServing``.
    package func driver(_ number: TaxiNumber, code: String) async throws -> DriverView? {
        try checkServing()
        let position = intake.position(of: number).map {
            RideView.Position(at: $0.at, place: $0.place)
        }
        let news = chronicle.news(of: number)
        let found = try await dispatch.read { state -> (DriverView, before: [TaxiNumber])? in
            guard let taxi = state.taxi(number), !taxi.isRemoved, taxi.code == code else {
                return nil
            }
            let zone = taxi.zone.map { state.zones[Int($0.rawValue)] }
            let ahead = state.taxisAhead(of: number)
            let before = zone?.entries.prefix(ahead ?? 0).map { $0.taxi } ?? []
            let view = DriverView(
                taxi: taxi,
                zone: zone?.name,
                zoneName: zone.map { self.zoneName($0.name) },
                ahead: ahead,
                queued: zone?.entries.count ?? 0,
                policy: state.policy,
                position: position,
                news: news,
                sequence: state.sequence
            )
            return (view, before)
        }
        guard let (seen, before) = found else { return nil }
        var view = seen
        view.isOvertaken = chronicle.isOvertaken(number, by: before)
        return view
    }

    /// The rides of a taxi that ended since a moment, the newest first.
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - start: the moment, such as the last midnight.
    /// - Returns: the rides; the one that has just ended may be missing for a moment.
    /// - Throws: any `DatabaseFailure`.
    package func rides(
        of taxi: TaxiNumber,
        since start: Moment
    ) async throws -> [DrivenRide] {
        try await rides("ride r", "r.taxi = \(taxi.stored) AND r.owner IS NULL", since: start)
    }

    /// The longest that a ride may take to be one of a day in which it did not begin.
    private static let longestRideSeconds: Int64 = 86_400

    /// The rides of a driver that ended since a moment, whatever taxi he drove, the newest first.
    ///
    /// - Parameters:
    ///   - driver: the driver's own number.
    ///   - start: the moment, such as the last midnight.
    /// - Returns: the rides; the one that has just ended may be missing for a moment.
    /// - Throws: any `DatabaseFailure`.
    package func rides(ofDriver driver: Int64, since start: Moment) async throws -> [DrivenRide] {
        // He has driven for years: only the latest rides are looked through.
        let earliest = start.adding(seconds: -Self.longestRideSeconds)
        return try await rides(
            "ride_driver d JOIN ride r ON r.log = d.log AND r.request = d.request",
            "d.driver = \(driver) AND d.taken >= \(earliest.milliseconds)",
            since: start
        )
    }

    /// How many rides a list of a day has at most.
    private static let mostRides = 100

    private func rides(
        _ tables: SQL,
        _ isWhose: SQL,
        since start: Moment
    ) async throws -> [DrivenRide] {
        try await store.database.read { [name = store.log.name] transaction in
            try transaction.rows(
                """
                SELECT r.request AS request, r.accepted AS accepted, r.ended AS ended,
                    r.outcome AS outcome, f.currency AS currency, f.digits AS digits,
                    f.total AS total
                FROM \(tables) LEFT JOIN ride_fare f ON f.log = r.log AND f.request = r.request
                WHERE r.log = \(name) AND \(isWhose)
                    AND r.ended >= \(start.milliseconds) AND r.accepted IS NOT NULL
                ORDER BY r.ended DESC, r.request DESC LIMIT \(Self.mostRides)
                """
            ).compactMap { row in
                guard
                    let outcome = RequestOutcome(
                        rawValue: UInt8(clamping: try row.value("outcome", as: Int64.self))
                    )
                else { return nil }
                var ride = DrivenRide(
                    request: RequestNumber(stored: try row.value("request")),
                    accepted: Moment(milliseconds: try row.value("accepted")),
                    ended: Moment(milliseconds: try row.value("ended")),
                    outcome: outcome
                )
                if let code: String = try row.value("currency"),
                    let digits: Int64 = try row.value("digits"),
                    let total: Int64 = try row.value("total"),
                    let currency = Currency(code: code, digits: Int(digits))
                {
                    ride.fare = Money(total, currency)
                }
                return ride
            }
        }
    }

    // MARK: Being there

    /// The driver says that he is at the meeting point; the positions must prove it (R64).
    ///
    /// - Parameter taxi: his taxi.
    /// - Returns: whether he is there; then the dispatcher knows it too.
    /// - Throws: as `DispatchService.give`.
    package func arrive(_ taxi: TaxiNumber) async throws -> Arrival {
        try checkServing()
        let found = try await dispatch.read { [book] state -> (Ride.Stage, RidePlaces?, Int64)? in
            guard let request = state.request(drivenBy: taxi), let ride = request.ride else {
                return nil
            }
            return (ride.stage, book[request.number]?.places, state.policy[.reachRadius])
        }
        guard let (stage, places, radius) = found else { throw Refusal.notRiding }
        if stage != .onTheWay { return .there }
        guard let place = places?.meeting, let here = intake.report(of: taxi) else {
            return .unknown
        }
        let metres = here.place.distanceMetres(to: place)
        guard metres <= Double(radius) else { return .away(metres: Int64(metres.rounded(.up))) }
        guard here.proves(withinMetres: Double(radius)) else {
            return .vague(metres: Int64((here.accuracyMetres ?? 0).rounded(.up)))
        }
        // The tracker has told the dispatcher, unless that was lost on the way.
        _ = try await dispatch.give(
            here.isStated
                ? .stateArrival(taxi, isDestination: false) : .reachMeetingPoint(taxi)
        )
        return .there
    }

    /// How far a taxi with a ride is from where it must be: the meeting point until somebody is
    /// aboard, then the destination.
    ///
    /// - Returns: metres as the crow flies; nil where something is unknown.
    package func metresLeft(of taxi: TaxiNumber) async throws -> Int64? {
        try checkServing()
        let place = try await dispatch.read { [book] state -> Coordinate? in
            guard let request = state.request(drivenBy: taxi), let ride = request.ride else {
                return nil
            }
            guard ride.stage == .aboard else { return book[request.number]?.places?.meeting }
            let sharers = ([request.number] + request.joiners).compactMap { book[$0]?.places }
            return state.destinationGoal(sharers)?.place
        }
        guard let place, let here = intake.position(of: taxi)?.place else { return nil }
        return Int64(here.distanceMetres(to: place).rounded())
    }
}
