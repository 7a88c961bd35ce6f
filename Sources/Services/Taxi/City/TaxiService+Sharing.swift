package import Chronology
package import Dispatching
package import Fares
import Geo

/// A shared ride that a passenger could join, as he is told of it (R84, R86, R90): no name, and
/// nobody's destination.
package struct RideProposal: Hashable, Sendable {
    /// The ride: the request of its owner.
    package var ride: RequestNumber
    /// Where everybody boards; who shares a ride lets others who could walk there know it (R92).
    package var meeting: PlaceWords
    /// When the taxi is there; an estimate while none has accepted.
    package var at: Moment
    /// The walk to it, in seconds.
    package var walkSeconds: Int64
    /// How many people ride so far.
    package var people: Int
    /// How much longer somebody's way becomes at most, in percent.
    package var detourPercent: Int64
    /// What it would cost; nil where that is not known.
    package var split: ShareEstimate?
}

/// What somebody would pay of a shared ride, and alone.
package struct ShareEstimate: Hashable, Sendable {
    /// His part.
    package var share: Money
    /// The whole ride.
    package var total: Money
    /// His own way in a taxi of his own.
    package var alone: Money
}

extension TaxiService {
    /// How many rides are looked at for one who would join, the nearest first: each takes several
    /// searches in the streets, and the page that shows them looks again and again.
    private static let ridesTried = 8
    /// Nobody walks faster, in metres a second: what lies further is not looked at.
    private static let walkSpeed = 2.0

    /// The open shared rides nearby that an order fits, the earliest first (R84).
    ///
    /// - Parameter order: what is asked for, with its destination.
    /// - Returns: those that the rules would let join; seats are decided when it is asked.
    /// - Throws: ``Failure``.
    package func proposals(for order: RideOrder) async throws -> [RideProposal] {
        try checkServing()
        try order.check(allowedMetres: -1)
        guard let destination = order.destination else { return [] }
        let (rides, policy) = try await dispatch.read { state in
            (state.openRides(without: order.passenger), state.policy)
        }
        guard policy[.sharing] != 0 else { return [] }
        let reach = Double(policy[.shareWalk]) * Self.walkSpeed
        let near = rides.compactMap { ride -> (ride: Request, metres: Double)? in
            guard let place = book[ride.number]?.places?.meeting else { return nil }
            let metres = place.distanceMetres(to: order.origin)
            return metres <= reach ? (ride, metres) : nil
        }
        .sorted { ($0.metres, $0.ride.number) < ($1.metres, $1.ride.number) }
        let now = clock.now()
        var found: [RideProposal] = []
        for (ride, _) in near.prefix(Self.ridesTried) {
            let seats = Int64(ride.needs.seats) + Int64(order.needs.seats)
            guard seats <= policy[.shareSeats] || ride.ride != nil,
                let way = try await sharing(ride.number, joinedBy: order), policy.allows(way),
                let places = book[ride.number]?.places
            else { continue }
            let joiner = SharedWay.Sharer(from: order.origin, to: destination)
            found.append(
                RideProposal(
                    ride: ride.number,
                    meeting: PlaceWords(places.meetingWords, at: places.meeting),
                    at: now.adding(seconds: Int64(way.taxiSeconds)),
                    walkSeconds: Int64(way.walkSeconds),
                    people: Int(ride.needs.seats),
                    detourPercent: Int64(way.detourPercent),
                    split: await split(
                        of: sharers(of: ride, places) + [joiner],
                        from: places.meeting
                    )
                )
            )
        }
        return found.sorted { ($0.at, $0.ride) < ($1.at, $1.ride) }
    }

    /// What a passenger of a live shared ride is likely to pay of it; nil where nobody shares it
    /// with him, or it is not known (R91).
    ///
    /// - Throws: ``Failure/notYours``.
    package func shareEstimate(
        of number: RequestNumber,
        for passenger: PassengerNumber
    ) async throws -> ShareEstimate? {
        let found = try await dispatch.read { state in
            state.request(number).flatMap { own in
                state.ride(of: number).map { (own.form.passenger, $0) }
            }
        }
        guard let (owner, ride) = found else { return nil }
        guard owner == passenger else { throw Failure.notYours }
        guard !ride.joiners.isEmpty, let own = book[number]?.places, let to = own.destination,
            let places = book[ride.number]?.places
        else { return nil }
        let others = ([ride.number] + ride.joiners).filter { $0 != number }
            .compactMap { book[$0]?.places }
            .compactMap { other in
                other.destination.map { SharedWay.Sharer(from: other.origin, to: $0) }
            }
        let asker = SharedWay.Sharer(from: own.origin, to: to)
        return await split(of: others + [asker], from: places.meeting)
    }

    /// The sharers of a ride so far, in the order in which they get out.
    func sharers(of ride: Request, _ host: RidePlaces) -> [SharedWay.Sharer] {
        ([ride.number] + ride.joiners).compactMap { book[$0]?.places }
            .compactMap { places in
                places.destination.map { SharedWay.Sharer(from: places.origin, to: $0) }
            }
            .inOrder(from: host.meeting)
    }

    /// Splits what a ride is likely to cost as its end will; the last of the sharers is the one
    /// who asks.
    private func split(
        of sharers: [SharedWay.Sharer],
        from meeting: Coordinate
    ) async -> ShareEstimate? {
        let now = clock.now()
        var place = meeting
        var whole = Drive(milliseconds: 0, decimetres: 0)
        let stops = sharers.inOrder(from: meeting)
        for stop in stops {
            guard
                let part = await drives.drive(
                    from: place,
                    to: stop.destination,
                    at: now,
                    isDetailed: true
                )
            else { return nil }
            whole = Drive(
                milliseconds: whole.milliseconds + part.likely.milliseconds,
                decimetres: whole.decimetres + part.likely.decimetres
            )
            place = stop.destination
        }
        var direct: [Money?] = []
        for sharer in sharers {
            let ahead = await drives.drive(
                from: sharer.origin,
                to: sharer.destination,
                at: now,
                isDetailed: true
            )
            direct.append(
                ahead.flatMap { fare($0.likely, sharer.origin, sharer.destination, now) }
            )
        }
        guard let total = fare(whole, meeting, place, now),
            let split = CostSplit(of: total, inProportionTo: direct),
            let share = split.shares.last, let alone = direct.last ?? nil
        else { return nil }
        return ShareEstimate(share: share, total: total, alone: alone)
    }

    private func fare(
        _ drive: Drive,
        _ from: Coordinate,
        _ to: Coordinate,
        _ moment: Moment
    ) -> Money? {
        let course = Course(start: moment.instant, drive: drive, from: end(from), to: end(to))
        return tariffs.metered(course, in: city.zone)?.total
    }
}

extension [SharedWay.Sharer] {
    /// In the order in which they get out: who goes furthest from the meeting point is the last,
    /// as the end of the ride is checked (R65).
    func inOrder(from meeting: Coordinate) -> [SharedWay.Sharer] {
        sorted {
            meeting.distanceMetres(to: $0.destination) < meeting.distanceMetres(to: $1.destination)
        }
    }
}

extension [RidePlaces] {
    /// The same for the places of requests; those without a destination come first.
    func inOrder(from meeting: Coordinate) -> [RidePlaces] {
        func metres(_ places: RidePlaces) -> Double {
            places.destination.map { meeting.distanceMetres(to: $0) } ?? 0
        }
        return sorted { metres($0) < metres($1) }
    }
}

extension Dispatcher {
    /// The shared rides of others that may still be joined (R88), by number.
    fileprivate func openRides(without passenger: PassengerNumber) -> [Request] {
        requests.filter { request in
            guard request.form.isShared, !riders(of: request).contains(passenger) else {
                return false
            }
            switch request.phase {
            case .offered, .held: return true
            case .riding(let ride): return ride.stage == .onTheWay
            case .reserved, .seeking, .parked, .joined: return false
            }
        }
    }
}

extension Policy {
    /// Whether a shared way is within what the rules let others bear (1.12, I27).
    fileprivate func allows(_ way: SharedWay) -> Bool {
        Int64(way.walkSeconds) <= min(self[.shareWalk], Int64(way.taxiSeconds))
            && Int64(way.detourPercent) <= self[.shareDetour]
            && Int64(way.extraWaitSeconds) <= self[.shareWait]
    }
}
