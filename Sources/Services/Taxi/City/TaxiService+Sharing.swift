package import Chronology
package import Dispatching
package import Fares
import Geo
package import Storage

/// A shared ride that a passenger could join (R84, R86, R90); contains no names and no
/// destinations of others.
package struct RideProposal: Hashable, Sendable {
    /// The ride, identified by its owner's request.
    package var ride: RequestNumber
    /// The common pickup point, which is visible to passengers within walking distance (R92).
    package var meeting: PlaceDescription
    /// When the taxi is there; an estimate until a taxi has accepted.
    package var at: Moment
    /// The walking time to it, in seconds.
    package var walkSeconds: Int64
    /// The number of people in the ride so far.
    package var people: Int
    /// The largest detour of any party, in percent.
    package var detourPercent: Int64
    /// The estimated fares; nil if unknown.
    package var split: ShareEstimate?
}

/// The estimated fares of a party with and without sharing.
package struct ShareEstimate: Hashable, Sendable {
    /// The party's share.
    package var share: Money
    /// The fare of the whole ride.
    package var total: Money
    /// The fare of the party's own direct ride.
    package var alone: Money
}

extension TaxiService {
    /// Computes the effects of joining a shared ride; nil if the streets are unknown (R86).
    package func sharing(
        _ owner: RequestNumber,
        joinedBy order: RideOrder
    ) async throws -> SharedWay? {
        try checkServing()
        try order.check(allowedMetres: -1)
        guard let destination = order.destination, let host = book[owner]?.places else {
            return nil
        }
        guard let open = try await dispatch.read({ $0.request(owner) }) else { return nil }
        let taxi = open.ride?.taxi ?? open.offer?.taxi
        let ride = SharedWay.Ride(
            meetingPoint: host.meeting,
            sharers: sharers(of: open, host),
            taxi: taxi.flatMap { intake.position(of: $0)?.place },
            usualSeconds: Self.usualSeconds
        )
        let joiner = SharedWay.Sharer(from: order.origin, to: destination)
        return await drives.sharing(ride, joinedBy: joiner)
    }

    /// The assumed time until pickup before a taxi has accepted, in seconds.
    static let usualSeconds: Int64 = 300

    /// Joins an open shared ride (R85), with statements of the same transaction that need the
    /// number of the request.
    ///
    /// - Throws: also `Refusal.walkTooLong` if the walking times are unknown, because the passenger
    ///   might not reach the pickup point in time.
    package func join(
        _ order: RideOrder,
        to owner: RequestNumber,
        given now: ServiceNow? = nil,
        key: DispatchService.Key? = nil,
        recording: @escaping @Sendable (RequestNumber) -> [SQL] = { _ in [] }
    ) async throws -> (request: RequestNumber, receipt: DispatchService.Receipt) {
        // Passengers who may not join must not learn whether the ride exists or whose it is.
        guard try await dispatch.read({ $0.request(owner)?.form.isShared }) == true else {
            throw Refusal.notShared
        }
        guard let way = try await sharing(owner, joinedBy: order) else {
            throw Refusal.walkTooLong
        }
        var (form, places) = try await prepared(order, given: now)
        guard let host = book[owner]?.places else { throw Refusal.noSuchRequest }
        places.meeting = host.meeting
        places.meetingDescription = host.meetingDescription
        form.isShared = true
        let estimate = SharingEstimate(
            walkSeconds: way.walkSeconds,
            taxiSeconds: way.taxiSeconds,
            detourPercent: way.detourPercent,
            extraWaitSeconds: way.extraWaitSeconds
        )
        return try await ask(.join(form, owner, estimate), places, key, with: recording)
    }

    /// The most rides that are examined for one passenger, nearest first, because each needs
    /// several street searches and the page is refreshed often.
    private static let ridesTried = 8
    /// An upper bound of walking speed in metres per second, beyond which rides are skipped.
    private static let walkSpeed = 2.0

    /// Lists the open shared rides nearby that suit an order, earliest first (R84).
    ///
    /// - Parameter order: the order, including its destination.
    /// - Returns: the rides that the rules permit to join; seats are checked when joining.
    /// - Throws: ``Failure``.
    package func proposals(for order: RideOrder) async throws -> [RideProposal] {
        try checkServing()
        try order.check(allowedMetres: -1)
        guard let destination = order.destination else { return [] }
        let (rides, policy) = try await dispatch.read { state in
            (state.openRides(without: order.passenger), state.policy)
        }
        guard policy.sharing else { return [] }
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
                    meeting: PlaceDescription(places.meetingDescription, at: places.meeting),
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

    /// Estimates a passenger's share of a live shared ride; nil if it is not shared
    /// or unknown (R91).
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

    /// The parties of a ride so far, in the order in which they get out.
    func sharers(of ride: Request, _ host: RidePlaces) -> [SharedWay.Sharer] {
        ([ride.number] + ride.joiners).compactMap { book[$0]?.places }
            .compactMap { places in
                places.destination.map { SharedWay.Sharer(from: places.origin, to: $0) }
            }
            .inOrder(from: host.meeting)
    }

    /// Estimates the split of a ride's fare as at its end; the last party is the one that asks.
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
        let input = TariffInput(start: moment.instant, drive: drive, from: end(from), to: end(to))
        return tariffs.metered(input, in: city.zone)?.total
    }
}

extension [SharedWay.Sharer] {
    /// Returns the parties in the order in which they get out: the one furthest from the pickup
    /// point is last, as at the end of the ride (R65).
    func inOrder(from meeting: Coordinate) -> [SharedWay.Sharer] {
        sorted {
            meeting.distanceMetres(to: $0.destination) < meeting.distanceMetres(to: $1.destination)
        }
    }
}

extension [RidePlaces] {
    /// Returns the places of requests in that order; those without a destination come first.
    func inOrder(from meeting: Coordinate) -> [RidePlaces] {
        func metres(_ places: RidePlaces) -> Double {
            places.destination.map { meeting.distanceMetres(to: $0) } ?? 0
        }
        return sorted { metres($0) < metres($1) }
    }
}

extension Dispatcher {
    /// The shared rides of other passengers that can still be joined (R88), by number.
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
    /// Returns whether a shared route is within the limits of the policy (1.12, I27).
    fileprivate func allows(_ way: SharedWay) -> Bool {
        Int64(way.walkSeconds) <= min(self[.shareWalk], Int64(way.taxiSeconds))
            && Int64(way.detourPercent) <= self[.shareDetour]
            && Int64(way.extraWaitSeconds) <= self[.shareWait]
    }
}
