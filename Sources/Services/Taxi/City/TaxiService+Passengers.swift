package import Chronology
package import Dispatching
package import Fares
package import Geo
package import Storage
import Zones

extension TaxiService {
    /// How long an address lookup may take before coordinates are shown instead; an offer never
    /// waits for it (F14).
    static let addressLimit = Duration.milliseconds(300)

    /// Returns the information to show before a request, for now or a given time.
    package func quote(_ order: RideOrder, at moment: Moment? = nil) async throws -> RideQuote {
        try checkServing()
        try order.check(allowedMetres: -1)
        let zone = zone(at: order.origin)
        let queue = try await dispatch.read { state -> [TaxiNumber] in
            guard let zone, zone.rawValue < state.zones.count else { return [] }
            return state.zones[Int(zone.rawValue)].entries.map(\.taxi)
                .filter { state.taxi($0)?.capacity.covers(order.needs) == true }
        }
        let now = clock.now()
        var wait: Int64?
        if let first = queue.first, let place = intake.position(of: first)?.place {
            wait = await drives.drive(from: place, to: order.origin, at: now)?.likely.seconds
        }
        let ahead = await drive(of: order, at: moment ?? now)
        var fare: FareEstimate?
        if let ahead {
            let course = course(of: order, ahead.likely, at: moment ?? now)
            fare = tariffs.estimate(course, in: city.zone, spread: ahead.spread)
        }
        return RideQuote(
            zone: zone,
            originDescription: await words(order.originDescription, at: order.origin),
            waitSeconds: wait,
            taxisWaiting: queue.count,
            drive: ahead?.likely,
            fare: fare
        )
    }

    /// Requests a taxi for now.
    ///
    /// - Parameters:
    ///   - order: what is asked.
    ///   - key: the idempotency key.
    ///   - further: statements of the same transaction.
    /// - Returns: the request number and the receipt of the command.
    /// - Throws: ``Failure`` for an invalid place; otherwise as `DispatchService.give`.
    package func call(
        _ order: RideOrder,
        key: DispatchService.Key? = nil,
        with further: [SQL] = []
    ) async throws -> (request: RequestNumber, receipt: DispatchService.Receipt) {
        let (form, places) = try await prepared(order)
        return try await ask(.request(form), places, key) { _ in further }
    }

    /// The request that was made under a key, live or ended; nil where none was.
    package func request(madeUnder key: DispatchService.Key) async throws -> RequestNumber? {
        try checkServing()
        return try await dispatch.answer(to: key)?.newRequest
    }

    /// Asks for a taxi at an hour (R72 to R79), with what is written in the same transaction.
    ///
    /// Reservations imported from the previous system are exempt from the limits on missed rides
    /// and on the number of reservations (R10).
    package func reserve(
        _ order: RideOrder,
        due: Moment,
        key: DispatchService.Key? = nil,
        isImported: Bool = false,
        with further: [SQL] = []
    ) async throws -> (request: RequestNumber, receipt: DispatchService.Receipt) {
        let (form, places) = try await prepared(order, isLimited: !isImported)
        if !isImported { try await checkReservations(of: order.passenger) }
        return try await ask(.reserve(form, due: due), places, key) { _ in further }
    }

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

    /// Joins an open shared ride (R85).
    ///
    /// - Throws: also `Refusal.walkTooLong` if the walking times are unknown, because the passenger
    ///   might not reach the pickup point in time.
    package func join(
        _ order: RideOrder,
        to owner: RequestNumber,
        key: DispatchService.Key? = nil
    ) async throws -> (request: RequestNumber, receipt: DispatchService.Receipt) {
        // Passengers who may not join must not learn whether the ride exists or whose it is.
        guard try await dispatch.read({ $0.request(owner)?.form.isShared }) == true else {
            throw Refusal.notShared
        }
        guard let way = try await sharing(owner, joinedBy: order) else {
            throw Refusal.walkTooLong
        }
        var (form, places) = try await prepared(order)
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
        return try await ask(.join(form, owner, estimate), places, key)
    }

    // MARK: Shared steps

    /// Returns the zone of a place; nil outside all zones.
    package func zone(at place: Coordinate) -> ZoneNumber? {
        intake.zones?.zone(at: place).map { ZoneNumber(rawValue: $0.rawValue) }
    }

    /// Validates an order and the passenger's limits, and finds its zone and addresses.
    func prepared(
        _ order: RideOrder,
        isLimited: Bool = true
    ) async throws -> (form: RequestForm, places: RidePlaces) {
        try checkServing()
        if isLimited { try await checkReliability(of: order.passenger) }
        let allowed = try await dispatch.read { $0.policy[.gpsAccuracy] }
        try order.check(allowedMetres: allowed)
        var places = RidePlaces(
            passenger: order.passenger,
            meeting: order.origin,
            meetingDescription: await address(order.originDescription, at: order.origin),
            destination: order.destination
        )
        if let destination = order.destination {
            let words = await address(order.destinationDescription, at: destination)
            places.destinationDescription = RidePlaces.tidy(words)
        }
        return (order.form(in: zone(at: order.origin)), places)
    }

    /// Gives a command that creates a request, storing its places in the same transaction.
    func ask(
        _ command: Command,
        _ places: RidePlaces,
        _ key: DispatchService.Key?,
        with further: @escaping @Sendable (RequestNumber) -> [SQL] = { _ in [] }
    ) async throws -> (request: RequestNumber, receipt: DispatchService.Receipt) {
        let receipt = try await dispatch.give(command, key: key) { [book, city] receipt in
            guard let number = receipt.newRequest else { return [] }
            // The driver may see the offer before the passenger gets a response.
            book.change(number) { $0.places = places }
            return [places.insertion(number, log: city.name)] + further(number)
        }
        guard let number = receipt.newRequest else { throw Failure.notServing }
        return (number, receipt)
    }

    private func address(_ known: String?, at place: Coordinate) async -> String? {
        if let known = RidePlaces.tidy(known) { return known }
        guard case .address(let found) = await words(nil, at: place) else { return nil }
        return found
    }

    func words(_ known: String?, at place: Coordinate) async -> PlaceDescription {
        if let known { return PlaceDescription(known, at: place) }
        return await city.addresses.words(
            for: place,
            within: Self.addressLimit,
            on: ContinuousClock()
        )
    }

    private func drive(of order: RideOrder, at moment: Moment) async -> DriveTimeEstimator.Ahead? {
        guard let destination = order.destination else { return nil }
        return await drives.drive(
            from: order.origin,
            to: destination,
            at: moment,
            isDetailed: true
        )
    }

    private func course(of order: RideOrder, _ drive: Drive, at moment: Moment) -> Course {
        Course(
            start: moment.instant,
            drive: drive,
            from: end(order.origin),
            to: order.destination.map { end($0) }
        )
    }

    /// Returns a place with its zone's name, as tariffs need it.
    func end(_ place: Coordinate) -> Course.End {
        let zones = intake.zones
        let zone = zones?.zone(at: place).flatMap { zones?[$0].name }
        return Course.End(place, zone: zone)
    }
}

extension DispatchService.Receipt {
    /// The request that the events say was created.
    fileprivate var newRequest: RequestNumber? {
        for case let number? in events.lazy.map(\.arrival) { return number }
        return nil
    }
}
