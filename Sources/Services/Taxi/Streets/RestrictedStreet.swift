package import Chronology
package import Fares
import Geo
package import Storage
import Synchronization

/// A stretch of street that an operator closed or slowed, as stored (R70).
package struct RestrictedStreet: Hashable, Sendable {
    /// Its number; 0 until it is stored.
    package var number: Int64
    /// Which stretch it is, in words.
    package var name: String
    /// Why, in the operator's words.
    package var reason: String
    /// What it means for drives.
    package var restriction: StreetRestriction

    /// Creates a restricted street that is not stored yet.
    package init(_ name: String, reason: String, _ restriction: StreetRestriction) {
        number = 0
        self.name = name
        self.reason = reason
        self.restriction = restriction
    }
}

/// What operators restrict at present, and what taxis have taught of streets, for planners and
/// drives, which cannot wait for a table.
final class TrafficInForce: Sendable {
    let all = Mutex<[StreetRestriction]>([])
    /// What was learned, and of which day it was read; nil before it was.
    let speeds = Mutex((day: Int64?.none, learned: LearnedSpeeds()))
}

extension TaxiService {
    /// The most streets that are restricted at the same time.
    package static let restrictionLimit = 200
    /// How long a restriction that is over is kept, in seconds; the audit trail keeps it for good.
    private static let restrictionsKept: Int64 = 2_592_000

    /// The restrictions of streets as last read.
    package var restrictions: [StreetRestriction] { inForce.all.withLock { $0 } }

    /// Restricts a street, with further statements of the same transaction.
    ///
    /// - Parameters:
    ///   - street: the street.
    ///   - now: the current time.
    ///   - further: the statements.
    /// - Returns: false, without effect, if too many streets are restricted already.
    /// - Throws: any `DatabaseFailure`; `Failure.notServing`.
    package func restrict(
        _ street: RestrictedStreet,
        at now: Moment,
        with further: [SQL]
    ) async throws -> Bool {
        try checkServing()
        let (name, span) = (store.log.name, street.restriction.span)
        let insertion: SQL = """
            INSERT INTO street_restriction (log, number, name, reason, points, both_ways, factor,
                begins, ends)
            SELECT \(name), coalesce(max(number), 0) + 1, \(street.name), \(street.reason),
                \(Self.written(street.restriction.points)),
                \(street.restriction.isBothWays ? Int64(1) : 0),
                \(Int64(street.restriction.factor)), \(span.lowerBound.seconds),
                \(span.upperBound.seconds)
            FROM street_restriction WHERE log = \(name)
            """
        let old = now.milliseconds / 1_000 - Self.restrictionsKept
        // The newest one stays, because its number is the last one assigned.
        let deletion: SQL = """
            DELETE FROM street_restriction WHERE log = \(name) AND ends < \(old)
                AND number < (SELECT max(number) FROM street_restriction WHERE log = \(name))
            """
        let isStored = try await store.database.write { transaction in
            let row = try transaction.row(
                """
                SELECT count(*) AS count FROM street_restriction
                WHERE log = \(name) AND ends > \(now.milliseconds / 1_000)
                """
            )
            let count: Int64 = try row?.value("count") ?? 0
            guard count < Self.restrictionLimit else { return false }
            let changed = try transaction.execute([deletion, insertion] + further)
            precondition(changed[1] == 1, "A restriction was not stored as exactly one row.")
            return true
        }
        try await refreshRestrictions(at: now)
        return isStored
    }

    /// Ends a restriction before its time, with further statements of the same transaction; does
    /// nothing if it is over.
    package func endRestriction(
        _ number: Int64,
        at now: Moment,
        with further: [SQL]
    ) async throws {
        try checkServing()
        let (name, second) = (store.log.name, now.milliseconds / 1_000)
        try await store.database.write { transaction in
            // One that has not begun has never held.
            let ended = try transaction.execute(
                """
                UPDATE street_restriction SET ends = \(second),
                    begins = CASE WHEN begins > \(second) THEN \(second) ELSE begins END
                WHERE log = \(name) AND number = \(number) AND ends > \(second)
                """
            )
            precondition(ended <= 1, "Two restrictions have the same number.")
            if ended > 0 { try transaction.execute(further) }
        }
        try await refreshRestrictions(at: now)
    }

    /// Lists the restrictions that are not over, those that begin first on top.
    package func restrictedStreets(at now: Moment) async throws -> [RestrictedStreet] {
        let second = now.milliseconds / 1_000
        return try await store.database.read(isBrief: true) { [name = store.log.name] transaction in
            try transaction.rows(
                """
                SELECT * FROM street_restriction WHERE log = \(name) AND ends > \(second)
                ORDER BY begins, number LIMIT \(Int64(Self.restrictionLimit))
                """
            ).compactMap { try RestrictedStreet($0) }
        }
    }

    /// Reads what is restricted, which other servers of the city may have changed.
    package func refreshRestrictions(at now: Moment) async throws {
        let found = try await restrictedStreets(at: now).map(\.restriction)
        inForce.all.withLock { $0 = found }
    }

    private static func written(_ points: [Coordinate]) -> String {
        points.map { "\($0.latitude),\($0.longitude)" }.joined(separator: " ")
    }
}

extension RestrictedStreet {
    /// Reads a row; nil if it restricts nothing.
    fileprivate init?(_ row: Row) throws(DatabaseFailure) {
        let points = try row.value("points", as: String.self).split(separator: " ")
            .compactMap { pair -> Coordinate? in
                let numbers = pair.split(separator: ",").compactMap { Int32($0) }
                guard numbers.count == 2 else { return nil }
                return Coordinate(latitude: numbers[0], longitude: numbers[1])
            }
        let begins = Instant(seconds: try row.value("begins"))
        let ends = Instant(seconds: try row.value("ends"))
        let factor = Int(try row.value("factor", as: Int64.self))
        guard points.count >= 2, begins < ends, (2...StreetRestriction.closed).contains(factor)
        else { return nil }
        number = try row.value("number")
        name = try row.value("name")
        reason = try row.value("reason")
        restriction = StreetRestriction(
            points,
            isBothWays: try row.value("both_ways", as: Int64.self) == 1,
            factor: factor,
            during: begins..<ends
        )
    }
}

extension Migration {
    /// The table of restricted streets: points as pairs of numbers of 1e-7 degrees, times in
    /// seconds.
    package static let streetRestrictions: [Migration] = [
        Migration(
            "0280-create-street-restriction",
            [
                """
                CREATE TABLE street_restriction (
                    log \(.text) NOT NULL REFERENCES log (name),
                    number \(.integer) NOT NULL CHECK (number > 0),
                    name \(.text) NOT NULL,
                    reason \(.text) NOT NULL,
                    points \(.text) NOT NULL,
                    both_ways \(.integer) NOT NULL CHECK (both_ways IN (0, 1)),
                    factor \(.integer) NOT NULL CHECK (factor BETWEEN 2 AND 250),
                    begins \(.integer) NOT NULL,
                    ends \(.integer) NOT NULL,
                    PRIMARY KEY (log, number)
                ) \(.strict)
                """,
                "CREATE INDEX street_restriction_ends ON street_restriction (log, ends)",
            ]
        )
    ]
}
