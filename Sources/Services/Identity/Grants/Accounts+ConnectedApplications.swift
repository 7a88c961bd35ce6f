package import Chronology
import Encoding
import Foundation
import Storage

/// What a person sees of the applications that act on their behalf, and how it ends.
extension Accounts {
    /// Lists the applications that act on a person's behalf, in order of their names.
    package func connectedApplications(
        of person: PersonNumber,
        at now: Moment
    ) async throws -> [ConnectedApplication] {
        try await data.read { transaction in
            try Self.connected(person, at: now, in: transaction)
        }
    }

    private static func connected(
        _ person: PersonNumber,
        at now: Moment,
        in transaction: Transaction
    ) throws -> [ConnectedApplication] {
        let rows = try transaction.rows(
            """
            SELECT g.application AS application, g.scopes AS scopes, g.made AS made,
                g.used AS used, a.name AS name, a.scopes AS most
            FROM access_grant g JOIN application a ON a.number = g.application
            WHERE g.person = \(person) AND g.ends > \(now) AND a.revoked IS NULL
            ORDER BY a.name, a.number, g.made
            """
        )
        var found: [ConnectedApplication] = []
        for row in rows {
            let number: Int64 = try row.value("application")
            let most = Scope.all(in: try row.value("most")) ?? []
            var scopes = (Scope.all(in: try row.value("scopes")) ?? []).intersection(most)
            var made = try row.moment("made")
            var used = try row.optionalMoment("used")
            // Several devices with the same application are one application for the person.
            if let last = found.last, last.number == number {
                scopes.formUnion(last.scopes)
                made = last.made
                used = [used, last.used].compactMap(\.self).max()
                found.removeLast()
            }
            found.append(
                ConnectedApplication(
                    number: number,
                    name: try row.value("name"),
                    scopes: scopes,
                    made: made,
                    used: used
                )
            )
        }
        return found
    }

    /// Takes from an application all that a person let it do; its tokens fail from then on.
    ///
    /// - Parameters:
    ///   - application: the number of the application.
    ///   - session: the session of the person.
    ///   - now: the current time.
    /// - Returns: whether the person had let it do anything.
    /// - Throws: `notAllowed`, `mustChangePassword`.
    @discardableResult
    package func disconnect(
        _ application: Int64,
        by session: Session,
        at now: Moment
    ) async throws -> Bool {
        let person = try active(session)
        let key = try await key(of: person)
        return try await data.write { transaction in
            let ended = try transaction.execute([
                """
                DELETE FROM access_grant
                WHERE person = \(person) AND application = \(application)
                """,
                // A code on its way would connect it again.
                """
                DELETE FROM grant_code WHERE person = \(person) AND application = \(application)
                """,
                """
                DELETE FROM device_code WHERE person = \(person) AND application = \(application)
                """,
            ])
            guard ended[0] > 0 else { return false }
            let note = AuditNote(
                by: person,
                .disconnectApplication,
                object: "application \(application)"
            )
            try AuditTrail.append(note, under: key, at: now, in: transaction)
            return true
        }
    }

    /// The number by which an application knows a person: another one for each application, so
    /// that two of them cannot compare what they know.
    package func subject(of person: PersonNumber, for application: Int64) -> String {
        Array(secret.digest("\(application) \(person.rawValue)", of: .subject).prefix(16)).hex
    }

    /// The secret under which the answers to an application with tokens are kept.
    ///
    /// - Parameter caller: the application and, if it acts for a person, the grant.
    /// - Returns: always the same secret for the same caller.
    package func answerSecret(of caller: String) -> SecretToken {
        guard let token = SecretToken(secret.digest(caller, of: .grantAnswers).hex) else {
            preconditionFailure("a digest is as long as a secret")
        }
        return token
    }

    /// The section of a person's export about connected applications (R105).
    package func connectedSection(
        of person: PersonNumber,
        at now: Moment
    ) async throws -> ExportSection {
        let list = try await connectedApplications(of: person, at: now).map { found in
            ExportedApplication(
                name: found.name,
                scopes: found.scopes.sorted().map(\.rawValue),
                since: found.made.milliseconds,
                lastUsed: found.used?.milliseconds
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(list), as: UTF8.self)
        return ExportSection(name: "connectedApplications", json: json)
    }

    /// The statements that delete codes, tokens and grants which can do nothing any more.
    static func sweepingGrants(at now: Moment) -> [SQL] {
        [
            "DELETE FROM grant_code WHERE expires <= \(now.adding(seconds: -codeMemory))",
            "DELETE FROM device_code WHERE expires <= \(now.adding(seconds: -codeMemory))",
            "DELETE FROM access_grant WHERE ends <= \(now)",
            "DELETE FROM grant_token WHERE expires <= \(now)",
        ]
    }

    /// The statements that end all that people let an application do, and its own tokens.
    static func endingGrants(of application: Int64) -> [SQL] {
        [
            "DELETE FROM grant_code WHERE application = \(application)",
            "DELETE FROM device_code WHERE application = \(application)",
            "DELETE FROM grant_token WHERE application = \(application)",
            "DELETE FROM access_grant WHERE application = \(application)",
        ]
    }
}

/// An application in an export; times are in milliseconds since 1970 UTC.
private struct ExportedApplication: Encodable {
    var name: String
    var scopes: [String]
    var since: Int64
    var lastUsed: Int64?
}
