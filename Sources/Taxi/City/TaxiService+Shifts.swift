import Chronology
package import Dispatching
package import Storage

/// Why a driver cannot begin or end a shift.
package enum ShiftObstacle: Error, Hashable, Sendable {
    /// Another driver of the same taxi has the shift (R13).
    case anotherDrives
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
        do {
            return try await dispatch.give(.goOnDuty(taxi), key: key) { [city] _ in
                [
                    """
                    INSERT INTO taxi_shift (log, taxi, driver, began)
                    VALUES (\(city.name), \(taxi.stored), \(driver), \(now.milliseconds))
                    ON CONFLICT (log, taxi) DO UPDATE SET
                        driver = excluded.driver, began = excluded.began
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
                "SELECT driver FROM taxi_shift WHERE log = \(name) AND taxi = \(taxi.stored)"
            )?.value("driver")
        }
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

    /// Forgets the shifts of a driver, in the transaction in which the driver is erased.
    package static func forgetShifts(of driver: Int64, in transaction: Transaction) throws {
        try transaction.execute("DELETE FROM taxi_shift WHERE driver = \(driver)")
    }
}
