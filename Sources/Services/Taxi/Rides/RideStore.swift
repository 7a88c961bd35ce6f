import Chronology
import Dispatching
package import Fares
import Geo
package import Storage
import Zones

/// The tables beside the log of a city.
package struct RideStore: Sendable {
    let database: Database
    let log: EventLog

    /// Creates access to a database whose schema includes `Migration.taxi`.
    package init(of log: EventLog, in database: Database) {
        self.log = log
        self.database = database
    }

    /// Returns the history at its stored position, with all live requests.
    ///
    /// - Parameter codes: the codes of all taxis, by number.
    /// - Returns: the history, ready to follow the log.
    /// - Throws: any `DatabaseFailure`.
    func projection(codes: [TaxiNumber: String]) async throws -> RideProjection {
        let genesis = try await log.genesis()
        return try await database.read { [name = log.name] transaction in
            var head = genesis
            let found = try transaction.row(
                "SELECT sequence, hash FROM ride_cursor WHERE log = \(name)"
            )
            if let found {
                head = LogHead(
                    sequence: try found.value("sequence"),
                    hash: try found.value("hash")
                )
            }
            let rows = try transaction.rows(
                "SELECT * FROM ride WHERE log = \(name) AND ended IS NULL ORDER BY request"
            )
            return RideProjection(
                head: head,
                live: try rows.map { try RideRecord($0) },
                codes: codes
            )
        }
    }

    /// The reason why the history was not written.
    enum Failure: Error {
        /// Another server has advanced it.
        case movedOn
    }

    /// Stores changes together with the log position that they lead to.
    func save(
        _ changes: RideProjection.Changes,
        _ stories: StoryChanges,
        from old: LogHead,
        to head: LogHead,
        learned: Calibration?
    ) async throws {
        precondition(head.sequence >= old.sequence, "The history would move backwards in the log.")
        let name = log.name
        var statements = changes.records.keys.sorted().compactMap { number in
            changes.records[number]?.upsert(log: name)
        }
        if let learned {
            let bytes = learned.bytes
            statements.append(
                """
                INSERT INTO taxi_calibration (log, learned) VALUES (\(name), \(bytes))
                ON CONFLICT (log) DO UPDATE SET learned = excluded.learned
                """
            )
        }
        for step in changes.steps where step.kind == .ended {
            statements.append(
                """
                DELETE FROM ride_meter
                WHERE log = \(name) AND request = \(step.record.request.stored)
                """
            )
        }
        statements += changes.driverStatements(log: name)
        statements += changes.shiftEnds.map { $0.update(log: name) }
        let all = statements + stories.statements(log: name)
        try await database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO ride_cursor (log, sequence, hash)
                SELECT name, 0, genesis FROM log WHERE name = \(name) ON CONFLICT DO NOTHING
                """
            )
            let moved = try transaction.execute(
                """
                UPDATE ride_cursor SET sequence = \(head.sequence), hash = \(head.hash)
                WHERE log = \(name) AND sequence = \(old.sequence)
                """
            )
            guard moved == 1 else { throw Failure.movedOn }
            try transaction.execute(all)
        }
    }

    /// Up to this number, rows are read in one query on the calling thread.
    private static let few = 8

    /// Returns the places of requests, as far as known.
    func places(of requests: [RequestNumber]) async throws -> [RequestNumber: RidePlaces] {
        try await database.read(isBrief: requests.count <= Self.few) {
            [name = log.name] transaction in
            let found = try transaction.rows(
                requests.map { request in
                    """
                    SELECT * FROM ride_place
                    WHERE log = \(name) AND request = \(request.stored)
                    """
                }
            )
            var places: [RequestNumber: RidePlaces] = [:]
            for (request, rows) in zip(requests, found) {
                if let row = rows.first { places[request] = try RidePlaces(row) }
            }
            return places
        }
    }

    /// Returns the promise made when a ride was accepted; nil if none is stored.
    func promise(of request: RequestNumber) async throws -> RidePromise? {
        try await database.read(isBrief: true) { [name = log.name] transaction in
            try transaction.row(
                "SELECT * FROM ride_promise WHERE log = \(name) AND request = \(request.stored)"
            )
            .map { try RidePromise($0) }
        }
    }

    /// Returns the stored calibration of driving times.
    func calibration() async throws -> Calibration {
        try await database.read { [name = log.name] transaction in
            let row = try transaction.row(
                "SELECT learned FROM taxi_calibration WHERE log = \(name)"
            )
            guard let bytes = try row?.value("learned", as: [UInt8].self) else {
                return Calibration()
            }
            return Calibration(bytes: bytes) ?? Calibration()
        }
    }
}

/// The arrival promised to a passenger at acceptance, and the drive according to the map (R58).
package struct RidePromise: Hashable, Sendable {
    /// The seconds from acceptance to arrival at the pickup point; nil if unknown.
    package var seconds: Int64?
    /// The drive according to the map; nil if unknown.
    package var mapped: Drive?

    func insertion(_ request: RequestNumber, log: String) -> SQL {
        """
        INSERT INTO ride_promise (log, request, seconds, mapped_milliseconds, mapped_decimetres)
        VALUES (\(log), \(request.stored), \(seconds), \(mapped?.milliseconds),
            \(mapped?.decimetres))
        ON CONFLICT (log, request) DO UPDATE SET seconds = excluded.seconds,
            mapped_milliseconds = excluded.mapped_milliseconds,
            mapped_decimetres = excluded.mapped_decimetres
        """
    }
}

extension RidePromise {
    init(_ row: Row) throws(DatabaseFailure) {
        seconds = try row.value("seconds")
        let time: Int64? = try row.value("mapped_milliseconds")
        let way: Int64? = try row.value("mapped_decimetres")
        if let time, let way { mapped = Drive(milliseconds: time, decimetres: way) }
    }
}
