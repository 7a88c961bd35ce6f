package import Chronology
package import Dispatching
package import Fares
package import Storage

/// A live reservation as its passenger's page shows it (R80).
package struct Reservation: Hashable, Sendable {
    package var request: RequestNumber
    /// The reserved time.
    package var due: Moment
    package var phase: Request.Phase
    /// How often the search for a taxi was started (R79).
    package var tries: Int
    /// The required seats and wheelchair space.
    package var needs: Capacity
    /// Whether others may share the ride.
    package var isShared: Bool
    /// The pickup point and destination; nil if no longer known.
    package var places: RidePlaces?

    /// Whether it has no taxi and can thus be deleted (R80).
    package var isOpen: Bool {
        switch phase {
        case .reserved, .seeking, .offered, .held, .parked: true
        case .riding, .joined: false
        }
    }

    init(_ request: Request, due: Moment, _ places: RidePlaces?) {
        self.request = request.number
        self.due = due
        self.places = places
        phase = request.phase
        tries = Int(request.tries)
        needs = request.form.needs
        isShared = request.form.isShared
    }
}

/// The search times of a reservation under the current policy (R78, R79).
package struct ReservationTimes: Hashable, Sendable {
    /// When the first offer is made.
    package var first: Moment
    /// When the last attempt starts.
    package var last: Moment
    /// The time between two attempts, in seconds.
    package var everySeconds: Int64
    /// The number of attempts after the first.
    package var retries: Int64
    /// The latest time of a change, which must be as early as a new reservation (R75).
    package var changeUntil: Moment

    /// Computes the times for a reserved time.
    package init(of due: Moment, _ policy: Policy) {
        first = due.adding(seconds: -policy[.allocateBefore])
        everySeconds = policy[.reserveRetry]
        retries = policy[.reserveRetries]
        last = first.adding(seconds: everySeconds * retries)
        changeUntil = due.adding(seconds: -policy[.reserveMin] * 3_600)
    }
}

extension TaxiService {
    /// The most reservations of one passenger, since all of them are held in memory.
    package static let mostReservations = 50

    /// Checks that a passenger may make another reservation.
    ///
    /// - Throws: ``Failure/tooManyReservations(most:)``.
    func checkReservations(of passenger: PassengerNumber) async throws {
        let count = try await dispatch.read { state in
            state.requests.count(where: { $0.form.passenger == passenger && $0.due != nil })
        }
        guard count < Self.mostReservations else {
            throw Failure.tooManyReservations(most: Self.mostReservations)
        }
    }

    /// Lists the live reservations of a passenger by reserved time.
    package func reservations(of passenger: PassengerNumber) async throws -> [Reservation] {
        try checkServing()
        let found = try await dispatch.read { state in
            state.requests.filter { $0.form.passenger == passenger && $0.due != nil }
        }
        return found.compactMap { request in
            request.due.map { Reservation(request, due: $0, book[request.number]?.places) }
        }
        .sorted { ($0.due, $0.request) < ($1.due, $1.request) }
    }

    /// Returns a reservation for its passenger; nil if it has ended or is not a reservation.
    ///
    /// - Throws: ``Failure/notYours`` if it belongs to another passenger (I27).
    package func reservation(
        _ number: RequestNumber,
        for passenger: PassengerNumber
    ) async throws -> Reservation? {
        try checkServing()
        guard let request = try await dispatch.read({ $0.request(number) }) else { return nil }
        guard request.form.passenger == passenger else { throw Failure.notYours }
        return request.due.map { Reservation(request, due: $0, book[number]?.places) }
    }

    /// Replaces a reservation by a new one and deletes the old one.
    ///
    /// The new one is made first, so that a refusal does not lose the old one. If a crash occurs in
    /// between, ``settleChanges()`` completes the change at the next start.
    ///
    /// - Parameters:
    ///   - old: the reservation to replace.
    ///   - order: the complete new order.
    ///   - due: the new reserved time.
    ///   - now: what was read for this passenger; nil to read it.
    ///   - key: the idempotency key.
    ///   - recording: statements of the same transaction that need the number of the new one.
    /// - Returns: the number of the new reservation.
    /// - Throws: as ``reserve(_:due:given:key:isImported:with:recording:)``;
    ///   `Refusal.tooLateToCancel` if a taxi was found meanwhile, in which case the old reservation
    ///   remains.
    package func change(
        _ old: RequestNumber,
        to order: RideOrder,
        due: Moment,
        given now: ServiceNow? = nil,
        key: DispatchService.Key? = nil,
        recording: @escaping @Sendable (RequestNumber) -> [SQL] = { _ in [] }
    ) async throws -> RequestNumber {
        guard let standing = try await reservation(old, for: order.passenger) else {
            throw Refusal.noSuchRequest
        }
        guard standing.isOpen else { throw Refusal.tooLateToCancel }
        let (form, places) = try await prepared(order, given: now)
        let log = city.name
        let (new, _) = try await ask(.reserve(form, due: due), places, key) { number in
            [
                """
                INSERT INTO reservation_change (log, request, replaces)
                VALUES (\(log), \(number.stored), \(old.stored)) ON CONFLICT DO NOTHING
                """
            ] + recording(number)
        }
        do {
            _ = try await dispatch.give(.cancel(old))
        } catch Refusal.noSuchRequest {
            // The old reservation has ended meanwhile. The new one stands, unless another window of
            // the same passenger has already replaced the old one.
            guard try await isReplaced(old, by: new) else {
                _ = try? await dispatch.give(.cancel(new))
                throw Refusal.noSuchRequest
            }
        } catch let refusal as Refusal {
            _ = try? await dispatch.give(.cancel(new))
            throw refusal
        }
        return new
    }

    /// Deletes a reservation in whose place another was put, where a crash came in between.
    ///
    /// - Returns: whether the change holds; false if it was refused, so that the new reservation
    ///   was deleted and the old one remains.
    /// - Throws: ``Failure/notYours`` where it is somebody else's.
    package func completeChange(
        of old: RequestNumber,
        to new: RequestNumber,
        for passenger: PassengerNumber
    ) async throws -> Bool {
        guard try await reservation(old, for: passenger) != nil else { return true }
        guard try await dispatch.read({ $0.request(new) }) != nil else { return false }
        do {
            _ = try await dispatch.give(.cancel(old))
        } catch is Refusal {
            // Its taxi is on the way: the passenger sees both and deletes the other one.
        }
        return true
    }

    /// Whether nothing else than that one was put in the place of a reservation.
    private func isReplaced(_ old: RequestNumber, by new: RequestNumber) async throws -> Bool {
        let others = try await store.database.read { [name = city.name] transaction in
            try transaction.rows(
                """
                SELECT request FROM reservation_change
                WHERE log = \(name) AND replaces = \(old.stored) AND request <> \(new.stored)
                """
            )
            .map { RequestNumber(stored: try $0.value("request")) }
        }
        return try await dispatch.read { state in !others.contains { state.request($0) != nil } }
    }

    /// Returns the reservation that a request replaced; nil if it replaced none.
    package func replaced(by request: RequestNumber) async throws -> RequestNumber? {
        try await store.database.read { [name = city.name] transaction in
            try transaction.row(
                """
                SELECT replaces FROM reservation_change
                WHERE log = \(name) AND request = \(request.stored)
                """
            )
            .map { RequestNumber(stored: try $0.value("replaces")) }
        }
    }

    /// Deletes replaced reservations that remained because of a crash.
    func settleChanges() async throws {
        let rows = try await store.database.read { [name = city.name] transaction in
            try transaction.rows(
                "SELECT request, replaces FROM reservation_change WHERE log = \(name)"
            )
        }
        let pairs = try rows.map { row in
            (
                new: RequestNumber(stored: try row.value("request")),
                old: RequestNumber(stored: try row.value("replaces"))
            )
        }
        let live = try await dispatch.read { state in
            Set(state.requests.map(\.number))
        }
        for pair in pairs where live.contains(pair.new) && live.contains(pair.old) {
            do {
                _ = try await dispatch.give(.cancel(pair.old))
            } catch is Refusal {
                // The taxi of the old one is on the way; the passenger sees both and deletes one.
            }
        }
        let over = pairs.filter { !live.contains($0.new) }
        let name = city.name
        try await store.database.write { transaction in
            try transaction.execute(
                over.map { pair in
                    """
                    DELETE FROM reservation_change
                    WHERE log = \(name) AND request = \(pair.new.stored)
                    """
                }
            )
        }
    }

    /// Returns the city's next reservation as drivers may see it: time and zone name, but neither
    /// passenger nor place (R78, R130).
    ///
    /// The value may be up to ``ReservationBoard/lastsSeconds`` old.
    ///
    /// - Parameter seconds: how far to look ahead.
    /// - Returns: nil if there is none in that time.
    /// - Throws: ``Failure/notServing``.
    package func nextReservation(
        withinSeconds seconds: Int64
    ) async throws -> (due: Moment, zone: String)? {
        try checkServing()
        let now = clock.now()
        let next = try await reservationBoard.next(at: now) {
            try await dispatch.read { state in
                let next = state.requests.lazy.compactMap { request -> (due: Moment, ZoneNumber)? in
                    guard case .reserved = request.phase, let due = request.due, now <= due else {
                        return nil
                    }
                    return (due, request.zone)
                }
                .min { $0.due < $1.due }
                guard let (due, zone) = next, zone.rawValue < state.zones.count else { return nil }
                return (due, self.zoneName(state.zones[Int(zone.rawValue)].name))
            }
        }
        return next.flatMap { now <= $0.due && $0.due <= now.adding(seconds: seconds) ? $0 : nil }
    }
}

extension RidePlaces {
    /// The pickup point with its address, if known.
    package var meetingPoint: PlaceDescription { PlaceDescription(meetingDescription, at: meeting) }

    /// The destination with its address, if known.
    package var destinationPoint: PlaceDescription? {
        destination.map { PlaceDescription(destinationDescription, at: $0) }
    }
}
