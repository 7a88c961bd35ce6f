import Chronology
package import Dispatching
package import Fares
import Geo
package import Storage

/// The fare of a ride with one passenger's share.
package struct RideFare: Hashable, Sendable {
    /// The fare of the whole ride with its parts.
    package var fare: Fare
    /// The amount that this passenger pays (R91).
    package var share: Money
    /// The time with passengers on board, in milliseconds.
    package var milliseconds: Int64
    /// The distance with passengers on board, measured by positions, in decimetres.
    package var decimetres: Int64
}

extension TaxiService {
    /// Ends the driver's ride and makes its fare durable (R65 to R67, R91).
    ///
    /// - Parameters:
    ///   - taxi: the driver's taxi.
    ///   - reason: the reason for overriding the checks, if the policy permits it.
    ///   - extras: the number of occurrences of each surcharge, such as luggage.
    ///   - key: the idempotency key.
    /// - Returns: the receipt of the command.
    /// - Throws: as `DispatchService.give`.
    package func endRide(
        _ taxi: TaxiNumber,
        reason: String? = nil,
        extras: [String: Int64] = [:],
        key: DispatchService.Key? = nil
    ) async throws -> DispatchService.Receipt {
        try await carryPositions(of: taxi)
        return try await end(taxi, .endRide(taxi, reason: reason), extras, key)
    }

    /// Ends a ride on behalf of an operator, overriding the checks for a reason, with further
    /// statements of the same transaction.
    package func closeRide(
        _ taxi: TaxiNumber,
        reason: String,
        key: DispatchService.Key? = nil,
        with further: [SQL] = []
    ) async throws -> DispatchService.Receipt {
        try await end(taxi, .closeRide(taxi, reason: reason), [:], key, with: further)
    }

    private func end(
        _ taxi: TaxiNumber,
        _ command: Command,
        _ extras: [String: Int64],
        _ key: DispatchService.Key?,
        with further: [SQL] = []
    ) async throws -> DispatchService.Receipt {
        try checkServing()
        let fares = try await fares(of: taxi, extras)
        return try await dispatch.give(command, key: key) { [city] receipt in
            let ended = receipt.completed
            return fares.filter { ended.contains($0.request) }
                .map { $0.fare.insertion($0.request, log: city.name) } + further
        }
    }

    /// Returns the current fare; nil if no passenger is on board or no tariff is in force.
    package func meterReading(of taxi: TaxiNumber) async throws -> Fare? {
        try await fares(of: taxi, [:]).first?.fare.fare
    }

    /// Returns each party's fare if the ride ends now; empty if unknown.
    private func fares(
        of taxi: TaxiNumber,
        _ extras: [String: Int64]
    ) async throws -> [(request: RequestNumber, fare: RideFare)] {
        let sharers = try await dispatch.read { state -> [RequestNumber] in
            state.requestAboard(taxi).map { [$0.number] + $0.joiners } ?? []
        }
        guard let first = sharers.first else { return [] }
        let now = clock.now()
        var meter = try await meter(of: taxi, on: first, at: now)
        meter.stop(at: now)
        let drive = meter.drive
        let begun = now.adding(milliseconds: -drive.milliseconds)
        let input = TariffInput(
            start: begun.instant,
            drive: drive,
            from: book[first]?.places.map { end($0.meeting) },
            to: intake.position(of: taxi).map { end($0.place) },
            extras: extras
        )
        guard let fare = tariffs.metered(input, in: city.zone) else { return [] }
        let shares = await shares(of: fare.total, sharers, at: begun)
        precondition(shares.count == sharers.count, "A party of a ride has no share of its fare.")
        return zip(sharers, shares).map { request, share in
            let ride = RideFare(
                fare: fare,
                share: share,
                milliseconds: drive.milliseconds,
                decimetres: drive.decimetres
            )
            return (request, ride)
        }
    }

    /// Returns the meter of a ride.
    ///
    /// If none is running, for example because boarding was recorded late, the result is estimated
    /// from the straight line from the pickup point.
    private func meter(
        of taxi: TaxiNumber,
        on ride: RequestNumber,
        at now: Moment
    ) async throws -> Meter {
        if let meter = intake.meter(of: taxi, on: ride) { return meter }
        let boarded = try await store.record(of: ride)?.boarded ?? now
        var meter = newMeter(of: taxi, on: ride, boardedAt: boarded)
        if let here = intake.report(of: taxi) { meter.pass(here) }
        return meter
    }

    /// Splits a fare: a single party pays all, sharers pay in proportion to their direct fares.
    private func shares(
        of total: Money,
        _ sharers: [RequestNumber],
        at moment: Moment
    ) async -> [Money] {
        guard sharers.count > 1 else { return [total] }
        var direct: [Money?] = []
        for sharer in sharers { direct.append(await directFare(of: sharer, at: moment)) }
        if let split = CostSplit(of: total, inProportionTo: direct) { return split.shares }
        // If a direct fare is unknown, the parties pay equal shares.
        let alike = sharers.map { _ in Optional(total) }
        return CostSplit(of: total, inProportionTo: alike)?.shares ?? sharers.map { _ in total }
    }

    /// Estimates a passenger's fare without sharing; uses the straight line if no
    /// streets are known.
    private func directFare(of request: RequestNumber, at moment: Moment) async -> Money? {
        guard let places = book[request]?.places, let last = places.destination else {
            return nil
        }
        let ahead = await drives.drive(
            from: places.origin,
            to: last,
            at: moment,
            isDetailed: true
        )
        let metres = places.origin.distanceMetres(to: last)
        let straight = Drive(
            milliseconds: Int64((metres / Arrivals.straightSpeed * 1_000).rounded()),
            decimetres: Int64((metres * 10).rounded())
        )
        let input = TariffInput(
            start: moment.instant,
            drive: ahead?.likely ?? straight,
            from: end(places.origin),
            to: end(last)
        )
        return tariffs.metered(input, in: city.zone)?.total
    }
}

extension DispatchService.Receipt {
    /// The requests whose rides were completed.
    fileprivate var completed: Set<RequestNumber> {
        Set(
            events.compactMap { event in
                if case .request(.ended(let number, .completed, _)) = event { number } else { nil }
            }
        )
    }
}

extension RideFare {
    /// The statement that stores the fare of a request.
    func insertion(_ request: RequestNumber, log: String) -> SQL {
        """
        INSERT INTO ride_fare (log, request, currency, digits, total, share, milliseconds,
            decimetres, lines)
        VALUES (\(log), \(request.stored), \(fare.currency.code), \(fare.currency.digits),
            \(fare.total.minorUnits), \(share.minorUnits), \(milliseconds), \(decimetres),
            \(fare.text))
        ON CONFLICT DO NOTHING
        """
    }

    /// Decodes the fare in a row; nil if it is invalid.
    init?(_ row: Row) throws(DatabaseFailure) {
        let code: String = try row.value("currency")
        guard let currency = Currency(code: code, digits: try row.value("digits")),
            let fare = Fare(text: try row.value("lines"), currency: currency)
        else { return nil }
        self.fare = fare
        share = Money(try row.value("share"), currency)
        milliseconds = try row.value("milliseconds")
        decimetres = try row.value("decimetres")
    }
}
