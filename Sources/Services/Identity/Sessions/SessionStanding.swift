package import Chronology
import Storage

/// The person of a session and the person's permissions, without the rest of the session.
package struct SessionStanding: Hashable, Sendable {
    /// The logged-in person; nil for a guest.
    package var person: PersonNumber?
    /// The current roles of the person.
    package var roles: Set<Role>
    /// Whether a new password must be chosen before anything else (R100).
    package var mustChangePassword: Bool

    /// Creates a standing from its fields.
    package init(person: PersonNumber?, roles: Set<Role>, mustChangePassword: Bool) {
        self.person = person
        self.roles = roles
        self.mustChangePassword = mustChangePassword
    }
}

extension Session {
    /// The person of the session and the person's permissions.
    package var standing: SessionStanding {
        SessionStanding(person: person, roles: roles, mustChangePassword: mustChangePassword)
    }
}

extension Accounts {
    /// The fixed number of sessions in one query, so that a single statement is prepared.
    private static let standingsAtOnce = 200

    /// Returns the current standing of sessions, for connections that outlive a request.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the sessions.
    ///   - now: the current time.
    /// - Returns: the sessions that are still valid.
    /// - Throws: any database error.
    package func standings(
        ofSessions numbers: [Int64],
        at now: Moment
    ) async throws -> [Int64: SessionStanding] {
        var found: [Int64: SessionStanding] = [:]
        for start in stride(from: 0, to: numbers.count, by: Self.standingsAtOnce) {
            let part = numbers[start..<min(start + Self.standingsAtOnce, numbers.count)]
            let rows = try await data.read { try Self.standings(of: part, at: now, in: $0) }
            found.merge(rows) { $1 }
        }
        return found
    }

    private static func standings(
        of numbers: ArraySlice<Int64>,
        at now: Moment,
        in transaction: Transaction
    ) throws -> [Int64: SessionStanding] {
        // In batches, since ten thousand sessions are looked up every few seconds.
        var listed = SQL.Interpolation(literalCapacity: 0, interpolationCount: standingsAtOnce)
        listed.appendLiteral("-1")
        for place in 0..<standingsAtOnce {
            listed.appendLiteral(", ")
            let number = place < numbers.count ? numbers[numbers.startIndex + place] : -1
            listed.appendInterpolation(number)
        }
        let list = SQL(stringInterpolation: listed)
        let rows = try transaction.rows(
            """
            SELECT s.number AS number, s.person AS person, p.must_change AS must_change,
                r.role AS role
            FROM session s LEFT JOIN person p ON p.number = s.person
                LEFT JOIN person_role r ON r.person = s.person
            WHERE s.number IN (\(list)) AND s.idle_end > \(now)
                AND (s.person IS NULL OR p.suspended = 0)
            """
        )
        var found: [Int64: SessionStanding] = [:]
        for row in rows {
            let number: Int64 = try row.value("number")
            let role: String? = try row.value("role")
            let mustChange: Bool? = try row.value("must_change")
            let person: PersonNumber? = try row.value("person")
            let bare = SessionStanding(
                person: person,
                roles: [],
                mustChangePassword: mustChange ?? false
            )
            if let role = role.flatMap(Role.init(rawValue:)) {
                found[number, default: bare].roles.insert(role)
            } else {
                found[number] = bare
            }
        }
        return found
    }
}
