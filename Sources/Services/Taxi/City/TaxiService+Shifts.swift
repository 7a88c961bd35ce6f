package import Chronology
package import Dispatching
package import Storage

/// The reason why a driver cannot begin or end a shift.
package enum ShiftObstacle: Error, Hashable, Sendable {
    /// Another driver of the same taxi is on shift (R13).
    case anotherDrives
}

/// A driver's time on duty.
package struct Shift: Hashable, Sendable {
    /// When the driver went on duty.
    package var began: Moment
    /// When the driver went off duty or was taken off; nil while on duty.
    package var ended: Moment?

    /// Returns the duration within a period in milliseconds; an open shift counts until now.
    package func milliseconds(from start: Moment, to end: Moment, at now: Moment) -> Int64 {
        let last = min(ended ?? now, end)
        return max(0, last.milliseconds - max(began, start).milliseconds)
    }
}

extension RideProjection.ShiftEnd {
    /// The statement that records the end of a shift; safe to repeat when the log is reread.
    func update(log: String) -> SQL {
        """
        UPDATE driver_shift SET ended = \(at.milliseconds)
        WHERE log = \(log) AND taxi = \(taxi.stored) AND ended IS NULL
            AND sequence < \(sequence)
        """
    }
}

extension TaxiService {
    /// Sets a driver to available and begins the driver's shift if the taxi is shared (R13, R14).
    ///
    /// The dispatcher decides between two drivers, because a taxi is on duty only once.
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - driver: the number of the driver.
    ///   - key: the idempotency key.
    /// - Returns: the receipt of the command.
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

    /// Sets a driver to unavailable (R14, R16).
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - driver: the number of the driver.
    ///   - key: the idempotency key.
    /// - Returns: the receipt of the command.
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

    /// Returns the driver who began the last shift of a taxi; nil if unknown.
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

    /// The statement that records the driver of a ride: the one who began the taxi's last shift.
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

    /// Ends the shift of a driver who leaves a taxi with other drivers; safe to repeat.
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - driver: the number of the driver.
    /// - Throws: ``LeavingObstacle`` if the driver has a ride or an open offer.
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

    /// Lists the shifts of a driver that ended after a given time or are open, newest first.
    ///
    /// - Parameters:
    ///   - driver: the number of the driver.
    ///   - moment: the earliest end, such as the last midnight; nil for all shifts.
    /// - Returns: the shifts; one that has only just ended may look open.
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

    /// Deletes the shifts of a driver and the links to rides, in the transaction that
    /// erases the driver.
    package static func forgetShifts(of driver: Int64, in transaction: Transaction) throws {
        try transaction.execute("DELETE FROM driver_shift WHERE driver = \(driver)")
        try transaction.execute("DELETE FROM ride_driver WHERE driver = \(driver)")
    }
}
