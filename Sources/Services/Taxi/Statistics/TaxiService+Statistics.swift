package import Chronology
import Dispatching
import Storage
import Zones

extension TaxiService {
    /// Returns the statistics of a day from the tables that follow the log.
    ///
    /// A few hours are read at a time, so that neither a read nor the memory grows with the day.
    ///
    /// - Parameter day: the day.
    /// - Returns: its statistics, as far as the day has passed.
    /// - Throws: ``Failure/notServing``; any `DatabaseFailure`.
    package func statistics(of day: StatisticsDay) async throws -> DayStatistics {
        try checkServing()
        var statistics = DayStatistics(day)
        var names = try await zoneTimes()
        for first in stride(from: 0, to: day.hours, by: Self.hoursRead) {
            let start = day.bounds[first]
            let end = day.bounds[min(first + Self.hoursRead, day.hours)]
            for sample in try await store.samples(from: start, to: end) {
                let zone = try await name(of: sample.zone, at: sample.asked, &names)
                statistics.add(sample.ride, by: sample.taxi, in: zone, day.hour(of: sample.counted))
            }
            for offer in try await store.offers(from: start, to: end) {
                let zone = try await name(of: offer.zone, at: offer.offered, &names)
                statistics.add(offer, in: zone, day.hour(of: offer.offered))
            }
        }
        return statistics
    }

    /// The number of hours in a read: at most some ten thousand rides of the largest cities.
    private static let hoursRead = 6

    /// Returns the first moment from a given one at which something counts in statistics.
    ///
    /// Days without anything, such as those before a city opened, need not be read.
    ///
    /// - Returns: nil if there is nothing from then on.
    /// - Throws: ``Failure/notServing``; any `DatabaseFailure`.
    package func firstActivity(from moment: Moment) async throws -> Moment? {
        try checkServing()
        return try await store.firstActivity(from: moment)
    }

    /// The zones in force over time.
    private struct ZoneTimes {
        /// The versions, newest first.
        var versions: [ZoneVersion]
        /// The names of the zones of each version, by its hash.
        var names: [UInt64: [String]]
        var current: UInt64
    }

    private func zoneTimes() async throws -> ZoneTimes {
        let (hash, names) = try await dispatch.read { state in
            (state.zonesHash, state.zones.map(\.name))
        }
        let versions = try await zoneDrafts.versions()
        return ZoneTimes(versions: versions, names: [hash: names], current: hash)
    }

    /// Returns the name that a zone had at a given time.
    private func name(
        of zone: ZoneNumber?,
        at moment: Moment,
        _ times: inout ZoneTimes
    ) async throws -> String {
        guard let zone else { return "?" }
        let version = times.versions.first { $0.published <= moment } ?? times.versions.last
        let hash = version?.hash ?? times.current
        if times.names[hash] == nil {
            times.names[hash] = try await store.zones(hash)?.zones.map(\.name) ?? []
        }
        let names = times.names[hash] ?? []
        return zone.rawValue < names.count ? names[Int(zone.rawValue)] : "?"
    }
}

/// The data of a request for statistics.
private struct RideSample: Sendable {
    var zone: ZoneNumber?
    var asked: Moment
    /// When it counts: the reserved time or, failing that, when it was asked for.
    var counted: Moment
    var taxi: TaxiNumber?
    var ride: Figures.Ride

    init(_ row: Row) throws(DatabaseFailure) {
        zone = try row.value("zone", as: Int64?.self).map {
            ZoneNumber(rawValue: UInt32(clamping: $0))
        }
        let asked: Int64 = try row.value("asked")
        self.asked = Moment(milliseconds: asked)
        let due: Int64? = try row.value("due")
        counted = Moment(milliseconds: due ?? asked)
        let accepted: Int64? = try row.value("accepted")
        let reached: Int64? = try row.value("reached")
        let told: Int64? = try row.value("told")
        let isAlong = try row.value("owner", as: Int64?.self) != nil
        // A joiner is a passenger, but not another ride for the driver.
        let driver: Int64? = try row.value("taxi")
        taxi = accepted == nil || isAlong ? nil : driver.map { TaxiNumber(stored: $0) }
        ride = Figures.Ride(
            outcome: try row.value("outcome", as: Int64?.self)
                .flatMap { RequestOutcome(rawValue: UInt8(clamping: $0)) }
        )
        guard let accepted, let reached else { return }
        ride.waitSeconds = (reached - (due ?? asked)) / 1_000
        if let told { ride.errorSeconds = (reached - accepted) / 1_000 - told }
        let promised = due ?? told.map { accepted + $0 * 1_000 }
        ride.lateSeconds = promised.map { (reached - $0) / 1_000 }
    }
}

extension RideStore {
    /// Returns the requests that arrived in a period, and the reservations for it.
    fileprivate func samples(from start: Moment, to end: Moment) async throws -> [RideSample] {
        let columns: SQL = """
            SELECT r.zone AS zone, r.asked AS asked, r.due AS due, r.taxi AS taxi,
                r.owner AS owner, r.accepted AS accepted, r.reached AS reached,
                r.outcome AS outcome, p.seconds AS told
            FROM ride r LEFT JOIN ride_promise p ON p.log = r.log AND p.request = r.request
            """
        return try await database.read(within: .seconds(30)) { [name = log.name] transaction in
            try transaction.rows([
                """
                \(columns) WHERE r.log = \(name) AND r.due IS NULL
                    AND r.asked >= \(start.milliseconds) AND r.asked < \(end.milliseconds)
                """,
                """
                \(columns) WHERE r.log = \(name) AND r.due >= \(start.milliseconds)
                    AND r.due < \(end.milliseconds)
                """,
            ])
            .joined().map { try RideSample($0) }
        }
    }

    /// Returns when the first request, reservation or offer from a moment on counts.
    fileprivate func firstActivity(from moment: Moment) async throws -> Moment? {
        let start = moment.milliseconds
        return try await database.read(within: .seconds(30)) { [name = log.name] transaction in
            try transaction.rows([
                """
                SELECT MIN(asked) AS earliest FROM ride
                WHERE log = \(name) AND due IS NULL AND asked >= \(start)
                """,
                "SELECT MIN(due) AS earliest FROM ride WHERE log = \(name) AND due >= \(start)",
                """
                SELECT MIN(offered) AS earliest FROM ride_offer
                WHERE log = \(name) AND offered >= \(start)
                """,
            ])
            .joined().compactMap { try $0.value("earliest", as: Int64?.self) }.min()
        }
        .map { Moment(milliseconds: $0) }
    }

    /// Returns the offers made in a period.
    fileprivate func offers(from start: Moment, to end: Moment) async throws -> [OfferRecord] {
        try await database.read(within: .seconds(30)) { [name = log.name] transaction in
            try transaction.rows(
                """
                SELECT zone, taxi, offered, outcome, passed_small, passed_asked, passed_later,
                    passed_assigned, passed_unruled
                FROM ride_offer WHERE log = \(name) AND offered >= \(start.milliseconds)
                    AND offered < \(end.milliseconds)
                """
            ).map { try OfferRecord($0) }
        }
    }
}

extension OfferRecord {
    fileprivate init(_ row: Row) throws(DatabaseFailure) {
        zone = ZoneNumber(rawValue: UInt32(clamping: try row.value("zone", as: Int64.self)))
        taxi = TaxiNumber(stored: try row.value("taxi"))
        offered = Moment(milliseconds: try row.value("offered"))
        end = try row.value("outcome", as: Int64?.self)
            .flatMap { End(rawValue: UInt8(clamping: $0)) }
        passed = [
            .tooSmall: Int(clamping: try row.value("passed_small", as: Int64.self)),
            .askedBefore: Int(clamping: try row.value("passed_asked", as: Int64.self)),
            .cameLater: Int(clamping: try row.value("passed_later", as: Int64.self)),
            .assigned: Int(clamping: try row.value("passed_assigned", as: Int64.self)),
            .noRule: Int(clamping: try row.value("passed_unruled", as: Int64.self)),
        ]
    }
}
