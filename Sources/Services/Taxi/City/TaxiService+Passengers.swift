package import Chronology
package import Dispatching
import Fares
package import Geo
package import Storage
import Zones

/// What an order needs to know of the service and its passenger, read once per request.
package struct ServiceNow: Sendable {
    /// The passenger whose request and limit these are; nil for a visitor without a number.
    package var passenger: PassengerNumber?
    /// Whether the city has confirmed its data (R4).
    package var isOpen: Bool
    /// The reason of a suspension of the service, if any (R12).
    package var suspension: String?
    package var policy: Policy
    /// The passenger's live request (R68).
    package var live: RequestNumber?
    /// When the passenger may request taxis again after too many missed rides (R111); nil if there
    /// is no limit now.
    package var limitedUntil: Moment?
}

/// How often a passenger recently missed a taxi or kept one waiting (R111).
package struct Reliability: Hashable, Sendable {
    /// A ride that the passenger missed or was late for.
    package struct Incident: Hashable, Sendable {
        package var request: RequestNumber
        /// When the ride ended.
        package var at: Moment
        /// Whether the passenger did not come at all.
        package var isMissed: Bool
    }

    /// The incidents that currently count, oldest first.
    package var incidents: [Incident]
    /// The number of missed rides at which requests are refused; 0 for no limit.
    package var most: Int64
    /// How long an incident counts, in days.
    package var days: Int64
    /// The waiting time of a taxi that counts as late, in seconds.
    package var lateSeconds: Int64

    /// The shortest waiting time that can count as late, in seconds; before a reserved time, the
    /// taxi was merely early.
    static let leastLateSeconds: Int64 = 300

    /// The weight of incidents in half missed rides: two late rides count as a missed one.
    private static func halves(_ incidents: some Sequence<Incident>) -> Int64 {
        incidents.reduce(0) { $0 + ($1.isMissed ? 2 : 1) }
    }

    /// When the passenger may request a taxi again; nil if there is no limit now.
    package var limitedUntil: Moment? {
        guard most > 0, Self.halves(incidents) >= 2 * most else { return nil }
        var left = incidents[...]
        var last: Moment?
        while Self.halves(left) >= 2 * most, let oldest = left.popFirst() { last = oldest.at }
        return last?.adding(seconds: days * 86_400)
    }
}

extension TaxiService {
    /// Returns the current service state for a passenger; nil for a visitor without a number.
    package func now(for passenger: PassengerNumber?) async throws -> ServiceNow {
        try checkServing()
        var now = try await dispatch.read { state in
            ServiceNow(
                passenger: passenger,
                isOpen: state.isSetUp,
                suspension: state.suspension,
                policy: state.policy,
                live: passenger.flatMap { state.liveRequest(of: $0) }
            )
        }
        // Most cities have no such limit, so the query can be skipped.
        if let passenger, now.policy[.maxMissed] > 0 {
            now.limitedUntil =
                try await reliability(of: passenger, under: now.policy).limitedUntil
        }
        return now
    }

    /// How long an address lookup may take before coordinates are shown instead; an offer never
    /// waits for it (F14).
    static let addressLimit = Duration.milliseconds(300)

    /// Requests a taxi for now.
    ///
    /// - Parameters:
    ///   - order: what is asked.
    ///   - now: what was read for this passenger; nil to read it.
    ///   - key: the idempotency key.
    ///   - further: statements of the same transaction.
    ///   - recording: statements of the same transaction that need the number of the request.
    /// - Returns: the request number and the receipt of the command.
    /// - Throws: ``Failure`` for an invalid place; otherwise as `DispatchService.give`.
    package func call(
        _ order: RideOrder,
        given now: ServiceNow? = nil,
        key: DispatchService.Key? = nil,
        with further: [SQL] = [],
        recording: @escaping @Sendable (RequestNumber) -> [SQL] = { _ in [] }
    ) async throws -> (request: RequestNumber, receipt: DispatchService.Receipt) {
        let (form, places) = try await prepared(order, given: now)
        return try await ask(.request(form), places, key) { further + recording($0) }
    }

    /// The request that was made under a key, live or ended; nil if none was.
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
        given now: ServiceNow? = nil,
        key: DispatchService.Key? = nil,
        isImported: Bool = false,
        with further: [SQL] = [],
        recording: @escaping @Sendable (RequestNumber) -> [SQL] = { _ in [] }
    ) async throws -> (request: RequestNumber, receipt: DispatchService.Receipt) {
        let (form, places) = try await prepared(order, given: now, isLimited: !isImported)
        if !isImported { try await checkReservations(of: order.passenger) }
        return try await ask(.reserve(form, due: due), places, key) { further + recording($0) }
    }

    // MARK: Shared steps

    /// Returns the zone of a place; nil outside all zones.
    package func zone(at place: Coordinate) -> ZoneNumber? {
        intake.zones?.zone(at: place).map { ZoneNumber(rawValue: $0.rawValue) }
    }

    /// Validates an order and the passenger's limit on missed rides, and finds its zone and
    /// addresses.
    func prepared(
        _ order: RideOrder,
        given known: ServiceNow?,
        isLimited: Bool = true
    ) async throws -> (form: RequestForm, places: RidePlaces) {
        try checkServing()
        let now = if let known { known } else { try await now(for: order.passenger) }
        precondition(
            now.passenger == nil || now.passenger == order.passenger,
            "an order is checked by the limit of another passenger"
        )
        if isLimited, let until = now.limitedUntil { throw Failure.missedTooOften(until: until) }
        try order.check(allowedMetres: now.policy[.gpsAccuracy])
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
        var form = order.form(in: zone(at: order.origin))
        form.neighbours = neighbours(of: form.zone, order.origin, now.policy)
        return (form, places)
    }

    /// Lists the zones from which a taxi may come to a meeting point under a policy.
    private func neighbours(
        of zone: ZoneNumber?,
        _ place: Coordinate,
        _ policy: Policy
    ) -> [NeighbouringZone] {
        let reach = policy[.neighbourReach]
        guard let zone, reach > 0, let zones = intake.zones else { return [] }
        return zones.neighbours.near(
            place,
            except: Int(zone.rawValue),
            within: reach,
            limit: RequestForm.neighbourLimit
        ).map { near in
            NeighbouringZone(zone: ZoneNumber(rawValue: UInt32(near.zone)), seconds: near.seconds)
        }
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

    // MARK: Reliability

    /// Returns the recent reliability of a passenger.
    package func reliability(of passenger: PassengerNumber) async throws -> Reliability {
        try await reliability(of: passenger, under: try await dispatch.read { $0.policy })
    }

    private func reliability(
        of passenger: PassengerNumber,
        under policy: Policy
    ) async throws -> Reliability {
        let now = clock.now()
        var found = Reliability(
            incidents: [],
            most: policy[.maxMissed],
            days: policy[.missedDays],
            lateSeconds: max(Reliability.leastLateSeconds, policy[.noShowWait])
        )
        let since = now.adding(seconds: -found.days * 86_400).milliseconds
        let late = found.lateSeconds * 1_000
        let missed = Int64(RequestOutcome.noShow.rawValue)
        let rows = try await store.database.read { [name = city.name] transaction in
            try transaction.rows(
                """
                SELECT request, ended, outcome FROM ride
                WHERE log = \(name) AND passenger = \(passenger.stored) AND ended > \(since)
                    AND (outcome = \(missed) OR owner IS NULL AND boarded -
                        CASE WHEN due > reached THEN due ELSE reached END > \(late))
                    AND ended > COALESCE(
                        (SELECT MAX(decided) FROM passenger_appeal
                        WHERE log = \(name) AND passenger = \(passenger.stored) AND granted = 1),
                        0
                    )
                ORDER BY ended, request
                """
            )
        }
        found.incidents = try rows.map { row in
            Reliability.Incident(
                request: RequestNumber(stored: try row.value("request")),
                at: Moment(milliseconds: try row.value("ended")),
                isMissed: try row.value("outcome", as: Int64.self) == missed
            )
        }
        return found
    }
}

extension RideOrder {
    /// The dispatcher's form of the order.
    func form(in zone: ZoneNumber?) -> RequestForm {
        RequestForm(
            passenger: passenger,
            isGuest: isGuest,
            zone: zone,
            needs: needs,
            hasDestination: destination != nil,
            isShared: isShared
        )
    }

    /// Validates the places (R42, R45).
    ///
    /// - Parameter allowedMetres: the accuracy required of a phone's position; -1 for any.
    /// - Throws: the problem of a place.
    func check(allowedMetres: Int64) throws(TaxiService.Failure) {
        try Self.check(origin)
        if let accuracyMetres, allowedMetres >= 0 {
            guard accuracyMetres <= Double(allowedMetres) else {
                throw .positionTooVague(allowedMetres: allowedMetres)
            }
        }
        guard let destination else { return }
        try Self.check(destination)
        guard origin.distanceMetres(to: destination) <= Self.farthest else {
            throw .destinationTooFar
        }
    }

    /// The greatest distance of a destination in metres.
    package static let farthest = 300_000.0

    private static func check(_ place: Coordinate) throws(TaxiService.Failure) {
        guard place.isOnEarth, place.latitude != 0 || place.longitude != 0 else { throw .noPlace }
    }
}

extension DispatchService.Receipt {
    /// The request that the events say was created.
    fileprivate var newRequest: RequestNumber? {
        for case let number? in events.lazy.map(\.arrival) { return number }
        return nil
    }
}
