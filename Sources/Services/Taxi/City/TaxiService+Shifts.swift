package import Chronology
package import Dispatching
package import Storage

/// Why a driver cannot begin or end a shift.
package enum ShiftObstacle: Error, Hashable, Sendable {
    /// Another driver of the same taxi has the shift (R13).
    case anotherDrives
}

/// A driver's time on duty, from one turn of the toggle to the next.
package struct Shift: Hashable, Sendable {
    /// When he went on duty.
    package var began: Moment
    /// When he went off duty, or was taken off; nil while he is on.
    package var ended: Moment?

    /// How many milliseconds of it lie between two moments, of an open one until now.
    package func milliseconds(from start: Moment, to end: Moment, at now: Moment) -> Int64 {
        let last = min(ended ?? now, end)
        return max(0, last.milliseconds - max(began, start).milliseconds)
    }
}

extension RideProjection.ShiftEnd {
    /// Writes down when the shift of a taxi ended, once: also where the log is read again.
    func update(log: String) -> SQL {
        """
        UPDATE driver_shift SET ended = \(at.milliseconds)
        WHERE log = \(log) AND taxi = \(taxi.stored) AND ended IS NULL
            AND sequence < \(sequence)
        """
    }
}

extension TaxiService {
    /// A driver turns his toggle to available; where he shares the taxi, the shift is his from now
    /// on (R13, R14).
    ///
    /// Who of two drivers comes first is what the dispatcher says: a taxi is on duty once.
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - driver: the driver's own number.
    ///   - key: lets the caller repeat it.
    /// - Returns: what came of it.
    /// - Throws: ``ShiftObstacle/anotherDrives``; as `DispatchService.give`.
    package func beginShift(
        _ taxi: TaxiNumber,
        _ driver: Int64,
        key: DispatchService.Key? = nil
    ) async throws -> DispatchService.Receipt {
        try checkServing()
        let now = clock.now()
        await carryPositions()
        do {
            return try await dispatch.give(.goOnDuty(taxi), key: key) { [city] receipt in
                [
                    """
                    INSERT INTO driver_shift (log, taxi, sequence, driver, began)
                    VALUES (\(city.name), \(taxi.stored), \(receipt.sequence), \(driver),
                        \(now.milliseconds))
                    """
                ]
            }
        } catch Refusal.alreadyOnDuty {
            try await check(driver, has: taxi)
            throw Refusal.alreadyOnDuty
        }
    }

    /// A driver turns his toggle to unavailable (R14, R16).
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - driver: the driver's own number.
    ///   - key: lets the caller repeat it.
    /// - Returns: what came of it.
    /// - Throws: ``ShiftObstacle/anotherDrives``; as `DispatchService.give`.
    package func endShift(
        _ taxi: TaxiNumber,
        _ driver: Int64,
        key: DispatchService.Key? = nil
    ) async throws -> DispatchService.Receipt {
        try checkServing()
        if try await dispatch.read({ $0.taxi(taxi)?.isOnDuty == true }) {
            try await check(driver, has: taxi)
        }
        return try await dispatch.give(.goOffDuty(taxi), key: key)
    }

    /// Who began the last shift of a taxi; nil where nobody is known.
    package func shift(of taxi: TaxiNumber) async throws -> Int64? {
        try await store.database.read(isBrief: true) { [name = store.log.name] transaction in
            try transaction.row(
                """
                SELECT driver FROM driver_shift WHERE log = \(name) AND taxi = \(taxi.stored)
                ORDER BY sequence DESC LIMIT 1
                """
            )?.value("driver")
        }
    }

    /// Writes down who drives a ride: who began the taxi's last shift.
    static func noteDriver(
        of request: RequestNumber,
        by taxi: TaxiNumber,
        at moment: Moment,
        log: String
    ) -> SQL {
        """
        INSERT INTO ride_driver (log, request, driver, taken)
        SELECT log, \(request.stored), driver, \(moment.milliseconds) FROM driver_shift
        WHERE log = \(log) AND taxi = \(taxi.stored) ORDER BY sequence DESC LIMIT 1
        ON CONFLICT (log, request) DO UPDATE SET driver = excluded.driver, taken = excluded.taken
        """
    }

    /// Ends the shift of a driver who leaves a taxi that others go on driving; it may be repeated.
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - driver: the driver's own number.
    /// - Throws: ``LeavingObstacle`` where he has a ride or an open offer.
    package func leaveShift(_ taxi: TaxiNumber, _ driver: Int64) async throws {
        guard try await shift(of: taxi) == driver else { return }
        if let obstacle = try await obstacle(toLeaving: taxi) { throw obstacle }
        do {
            _ = try await dispatch.give(.goOffDuty(taxi))
        } catch Refusal.riding {
            throw LeavingObstacle.driving
        } catch Refusal.alreadyOffDuty {
            return
        }
    }

    private func check(_ driver: Int64, has taxi: TaxiNumber) async throws {
        if let other = try await shift(of: taxi), other != driver {
            throw ShiftObstacle.anotherDrives
        }
    }

    /// The shifts of a driver that were not over at a moment, the newest first.
    ///
    /// - Parameters:
    ///   - driver: the driver's own number.
    ///   - moment: the moment, such as the last midnight; nil for all shifts.
    /// - Returns: the shifts; one that has just ended may look open for a moment.
    /// - Throws: any `DatabaseFailure`.
    package func shifts(of driver: Int64, since moment: Moment? = nil) async throws -> [Shift] {
        let start = moment?.milliseconds ?? .min
        return try await store.database.read { [name = store.log.name] transaction in
            try transaction.rows(
                """
                SELECT began, ended FROM driver_shift
                WHERE log = \(name) AND driver = \(driver)
                    AND (ended IS NULL OR ended > \(start))
                ORDER BY began DESC, sequence DESC
                """
            ).map { row in
                Shift(
                    began: Moment(milliseconds: try row.value("began")),
                    ended: try row.value("ended", as: Int64?.self).map {
                        Moment(milliseconds: $0)
                    }
                )
            }
        }
    }

    /// Forgets the shifts of a driver, and which rides were his, in the transaction in which the
    /// driver is erased.
    package static func forgetShifts(of driver: Int64, in transaction: Transaction) throws {
        try transaction.execute("DELETE FROM driver_shift WHERE driver = \(driver)")
        try transaction.execute("DELETE FROM ride_driver WHERE driver = \(driver)")
    }
}
