package import Chronology
package import Dispatching
package import Fares
import Geo
import Positions
import Storage

/// A taxi as the driver's page shows it (R34).
package struct DriverView: Hashable, Sendable {
    /// The taxi with its status, toggle, position and work.
    package var taxi: Taxi
    /// The code of its zone; nil outside all zones.
    package var zone: String?
    /// The name of its zone; nil outside all zones.
    package var zoneName: String?
    /// The number of taxis ahead of it in its queue; nil if it is not queued.
    package var ahead: Int?
    /// Whether a taxi ahead came later, because its turn was restored.
    package var isOvertaken = false
    /// The number of taxis queued in its zone.
    package var queued: Int
    package var policy: Policy
    /// The last reported position; nil if there was none.
    package var position: RideView.Position?
    /// The latest events that concern the driver.
    package var news: DriverNews
    /// The log's sequence number of this state; ``DriverNews`` may be newer.
    package var sequence: Int64
}

/// An offer as the driver's page shows it (R50, G10).
package struct OfferShown: Hashable, Sendable {
    package var request: RequestNumber
    /// The epoch, which an answer must include.
    package var epoch: Int64
    /// The deadline for an answer.
    package var deadline: Moment
    /// The zone of the pickup point.
    package var zone: ZoneNumber
    /// The required seats and wheelchair space.
    package var needs: Capacity
    /// The reserved time, for a reservation.
    package var due: Moment?
    /// The pickup point and the way to it; nil if the policy shows only the zone, or the
    /// place is unknown.
    package var meeting: MeetingPlace?
    /// The straight-line distance in metres, which needs no street data.
    package var straightMetres: Int64?
    /// The destination; nil unless the policy shows it before acceptance.
    package var destination: PlaceDescription?
}

/// A completed ride for the driver's list of the day.
package struct DrivenRide: Hashable, Sendable {
    package var request: RequestNumber
    /// When the driver accepted.
    package var accepted: Moment
    package var ended: Moment
    package var outcome: RequestOutcome
    /// The total paid by all passengers; nil if no tariff was in force.
    package var fare: Money?
}

/// Whether a driver is at the place that the ride requires.
package enum Arrival: Hashable, Sendable {
    /// The driver is there.
    case there
    /// The straight-line distance to the place in metres.
    case away(metres: Int64)
    /// The last position is too inexact to decide; its accuracy in metres.
    case vague(metres: Int64)
    /// The driver states to be there, and the policy requires a measured position.
    case stated
    /// The position or the required place is unknown.
    case unknown
}

extension TaxiService {
    /// Returns a taxi as its driver's page shows it.
    ///
    /// - Parameters:
    ///   - number: the number of the taxi.
    ///   - code: its code, so that a remembered number cannot denote another taxi.
    /// - Returns: nil if there is no such taxi, or no longer.
    /// - Throws: ``Failure/notServing``.
    package func driver(_ number: TaxiNumber, code: String) async throws -> DriverView? {
        try checkServing()
        let position = intake.position(of: number).map {
            RideView.Position(at: $0.at, place: $0.place)
        }
        let news = newsLog.news(of: number)
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
        view.isOvertaken = newsLog.isOvertaken(number, by: before)
        return view
    }

    // MARK: Offer

    /// Returns the driver's open offer; nil if there is none.
    package func offer(to taxi: TaxiNumber) async throws -> OfferShown? {
        try checkServing()
        let asked = try await dispatch.read { state -> (Request, Policy)? in
            guard case .offer(let number) = state.taxi(taxi)?.work else { return nil }
            return state.request(number).map { ($0, state.policy) }
        }
        guard let (request, policy) = asked, let offer = request.offer else { return nil }
        var shown = OfferShown(
            request: request.number,
            epoch: offer.epoch,
            deadline: offer.deadline,
            zone: request.zone,
            needs: request.needs,
            due: request.due
        )
        guard let places = book[request.number]?.places else { return shown }
        if policy.showsPickup {
            shown.meeting = await meeting(
                places.meeting,
                places.meetingDescription,
                from: taxi
            )
        }
        if let place = intake.position(of: taxi)?.place {
            shown.straightMetres = Int64(place.distanceMetres(to: places.meeting).rounded())
        }
        if policy.showsDestination(isAccepted: false), let last = places.destination {
            shown.destination = PlaceDescription(places.destinationDescription, at: last)
        }
        return shown
    }

    /// Returns a place that a driver goes to, with the way from the taxi's position.
    func meeting(
        _ place: Coordinate,
        _ words: String?,
        from taxi: TaxiNumber
    ) async -> MeetingPlace {
        var ahead: DriveTimeEstimator.Ahead?
        if let here = intake.position(of: taxi)?.place {
            ahead = await drives.drive(from: here, to: place, at: clock.now())
        }
        return MeetingPlace(
            words: PlaceDescription(words, at: place),
            place: place,
            drive: ahead?.likely
        )
    }

    // MARK: Rides of a day

    /// Lists the rides of a taxi that ended after a given time, newest first.
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - start: the earliest end, such as the last midnight.
    /// - Returns: the rides; one that has only just ended may be missing.
    /// - Throws: any `DatabaseFailure`.
    package func rides(
        of taxi: TaxiNumber,
        since start: Moment
    ) async throws -> [DrivenRide] {
        try await rides("ride r", "r.taxi = \(taxi.stored) AND r.owner IS NULL", since: start)
    }

    /// The longest ride that is still found by its start, in seconds.
    private static let longestRideSeconds: Int64 = 86_400

    /// Lists the rides of a driver in any taxi that ended after a given time, newest first.
    ///
    /// - Parameters:
    ///   - driver: the number of the driver.
    ///   - start: the earliest end, such as the last midnight.
    /// - Returns: the rides; one that has only just ended may be missing.
    /// - Throws: any `DatabaseFailure`.
    package func rides(ofDriver driver: Int64, since start: Moment) async throws -> [DrivenRide] {
        // The history may cover years, so only the latest rides are read.
        let earliest = start.adding(seconds: -Self.longestRideSeconds)
        return try await rides(
            "ride_driver d JOIN ride r ON r.log = d.log AND r.request = d.request",
            "d.driver = \(driver) AND d.taken >= \(earliest.milliseconds)",
            since: start
        )
    }

    /// The longest list of a day's rides.
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

    // MARK: Arrival

    /// Records that the driver claims to be at the pickup point, if positions confirm it (R64).
    ///
    /// - Parameter taxi: the driver's taxi.
    /// - Returns: whether the driver is there, in which case the dispatcher is told as well.
    /// - Throws: as `DispatchService.give`.
    package func arrive(_ taxi: TaxiNumber) async throws -> Arrival {
        try checkServing()
        let found = try await dispatch.read { [book] state -> (Ride.Stage, RidePlaces?, Policy)? in
            guard let request = state.request(drivenBy: taxi), let ride = request.ride else {
                return nil
            }
            return (ride.stage, book[request.number]?.places, state.policy)
        }
        guard let (stage, places, policy) = found else { throw Refusal.notRiding }
        if stage != .onTheWay { return .there }
        guard let place = places?.meeting, let here = intake.report(of: taxi) else {
            return .unknown
        }
        let metres = here.place.distanceMetres(to: place)
        let radius = Double(policy[.reachRadius])
        guard metres <= radius else { return .away(metres: Int64(metres.rounded(.up))) }
        guard here.proves(withinMetres: radius, believed: policy.statedArrival) else {
            return here.isStated
                ? .stated : .vague(metres: Int64((here.accuracyMetres ?? 0).rounded(.up)))
        }
        // The tracker has already told the dispatcher, unless that command was lost.
        _ = try await dispatch.give(
            here.isStated
                ? .stateArrival(taxi, isDestination: false) : .reachMeetingPoint(taxi)
        )
        return .there
    }

    /// Returns the distance of a taxi from its pickup point or, once passengers are on board,
    /// from the destination.
    ///
    /// - Returns: the straight-line distance in metres; nil if something is unknown.
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

extension Policy {
    /// Whether an offer shows the pickup point and not only its zone (G10).
    fileprivate var showsPickup: Bool { offerPickup == .exact }

    /// Returns whether a driver sees the destination (1.12).
    func showsDestination(isAccepted: Bool) -> Bool {
        switch offerShowsDestination {
        case .never: false
        case .afterAccept: isAccepted
        case .before: true
        }
    }
}
