package import Chronology
package import Dispatching
package import Fares
import Storage

/// A reservation that has not ended, as its passenger sees it (R80).
package struct Reservation: Hashable, Sendable {
    /// Its number.
    package var request: RequestNumber
    /// Its hour.
    package var due: Moment
    /// Where it stands.
    package var phase: Request.Phase
    /// How often a taxi was looked for so far (R79).
    package var tries: Int
    /// What the taxi must carry.
    package var needs: Capacity
    /// Whether others may share the ride.
    package var isShared: Bool
    /// Where the passenger is met and where he goes; nil where that is no longer known.
    package var places: RidePlaces?

    /// Whether no taxi is associated with it, so that it can be deleted (R80).
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

/// When taxis are asked for a reservation, by the rules in force (R78, R79).
package struct ReservationTimes: Hashable, Sendable {
    /// When the first taxi is asked.
    package var first: Moment
    /// When it is tried for the last time.
    package var last: Moment
    /// The time between two tries, in seconds.
    package var everySeconds: Int64
    /// How often it is tried again after the first time.
    package var retries: Int64
    /// Until when it can be changed: a changed one must be made as early as any other (R75).
    package var changeUntil: Moment

    /// The times of a reservation for that hour.
    package init(of due: Moment, _ policy: Policy) {
        first = due.adding(seconds: -policy[.allocateBefore])
        everySeconds = policy[.reserveRetry]
        retries = policy[.reserveRetries]
        last = first.adding(seconds: everySeconds * retries)
        changeUntil = due.adding(seconds: -policy[.reserveMin] * 3_600)
    }
}

extension TaxiService {
    /// How many reservations a passenger may have at a time: more is nobody's need, and all of them
    /// are held in memory.
    package static let mostReservations = 50

    /// Refuses who has as many reservations as one may have.
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

    /// All reservations of a passenger that have not ended, the earliest hour first.
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

    /// A reservation, for its passenger; nil where it has ended or is none.
    ///
    /// - Throws: ``Failure/notYours`` where it is somebody else's (I27).
    package func reservation(
        _ number: RequestNumber,
        for passenger: PassengerNumber
    ) async throws -> Reservation? {
        try checkServing()
        guard let request = try await dispatch.read({ $0.request(number) }) else { return nil }
        guard request.form.passenger == passenger else { throw Failure.notYours }
        return request.due.map { Reservation(request, due: $0, book[number]?.places) }
    }

    /// Puts another reservation in the place of one, which is deleted.
    ///
    /// The new one is made first: nobody loses a reservation because the new hour is refused. What
    /// a crash leaves between the two is settled at the next start (``settleChanges()``).
    ///
    /// - Parameters:
    ///   - old: the reservation that is changed.
    ///   - order: what is wanted now, all of it.
    ///   - due: the hour that is wanted now.
    ///   - key: lets the caller repeat it without its being done twice.
    /// - Returns: the number of the new one.
    /// - Throws: as ``reserve(_:due:key:with:)``; `Refusal.tooLateToCancel` where a taxi was found
    ///   meanwhile: then the old one stands as it was.
    package func change(
        _ old: RequestNumber,
        to order: RideOrder,
        due: Moment,
        key: DispatchService.Key? = nil
    ) async throws -> RequestNumber {
        guard let standing = try await reservation(old, for: order.passenger) else {
            throw Refusal.noSuchRequest
        }
        guard standing.isOpen else { throw Refusal.tooLateToCancel }
        let (form, places) = try await prepared(order)
        let log = city.name
        let (new, _) = try await ask(.reserve(form, due: due), places, key) { number in
            [
                """
                INSERT INTO reservation_change (log, request, replaces)
                VALUES (\(log), \(number.stored), \(old.stored)) ON CONFLICT DO NOTHING
                """
            ]
        }
        do {
            _ = try await dispatch.give(.cancel(old))
        } catch Refusal.noSuchRequest {
            // It has ended meanwhile: what was wanted instead stands, unless another window of the
            // passenger's has put something in its place first.
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
    /// - Throws: ``Failure/notYours`` where it is somebody else's.
    package func completeChange(
        of old: RequestNumber,
        for passenger: PassengerNumber
    ) async throws {
        guard try await reservation(old, for: passenger) != nil else { return }
        do {
            _ = try await dispatch.give(.cancel(old))
        } catch is Refusal {
            // Its taxi is on the way: the passenger sees both and deletes the other one.
        }
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

    /// Which reservation another one was put in the place of; nil where it was made anew.
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

    /// Deletes reservations that others were put in the place of, where a crash came between.
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
                // Its taxi is on the way: the passenger sees both and deletes the other one.
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

    /// The next reservation of the city for which taxis will be asked, as drivers may know it: the
    /// hour and the name of the zone, never who or where (R78, R130).
    ///
    /// It may be as old as ``ReservationBoard/lastsSeconds``.
    ///
    /// - Parameter seconds: how far ahead is looked.
    /// - Returns: nil where there is none until then.
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
    /// The meeting point with its address, if that is known.
    package var meetingPoint: PlaceWords { PlaceWords(meetingWords, at: meeting) }

    /// The destination with its address, if those are known.
    package var destinationPoint: PlaceWords? {
        destination.map { PlaceWords(destinationWords, at: $0) }
    }
}
