package import Chronology
import Foundation
import Storage

/// A section that another module adds to a person's data export.
package struct ExportSection: Sendable {
    /// The name of the section in the document.
    package let name: String
    /// The content of the section as a JSON value.
    package let json: String

    /// Creates a section.
    ///
    /// - Parameters:
    ///   - name: the name of the section.
    ///   - json: one JSON value.
    package init(name: String, json: String) {
        self.name = name
        self.json = json
    }
}

extension Accounts {
    /// Exports all data stored about a person as one JSON document (R105).
    ///
    /// Of the password, only the day of its last change is included. Log-in attempts are
    /// those still retained.
    ///
    /// - Parameters:
    ///   - person: the person whose data is exported.
    ///   - now: the current time, which the document states.
    ///   - others: the sections of other modules.
    /// - Returns: UTF-8 text with sorted keys.
    /// - Throws: `noSuchPerson`, or an error of another module.
    package func export(
        of person: PersonNumber,
        at now: Moment,
        adding others: [@Sendable (PersonNumber) async throws -> ExportSection] = []
    ) async throws -> String {
        let key = try await key(of: person)
        var added: [any Encodable & Sendable] = []
        for record in records {
            if let members = try await record.exported(person, from: self) { added.append(members) }
        }
        let subject = secret.digest("person \(person.rawValue)", of: .attempt)
        let own = try await data.read { transaction in
            let record = try PersonRecord.get(person, in: transaction)
            return PersonDocument(
                record,
                try Fields.all(key, in: transaction),
                consents: try Self.consents(of: person, in: transaction),
                attempts: try Self.attempts(of: subject, in: transaction),
                acts: try Self.acts(on: key, in: transaction)
            )
        }
        let sessions = try await sessions(of: person, at: now).map { entry in
            PersonDocument.Session(
                device: entry.device,
                began: entry.made.milliseconds,
                lastUsed: entry.used.milliseconds
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        var parts = [
            "account": String(
                decoding: try encoder.encode(AccountSection(own: own, added: added)),
                as: UTF8.self
            ),
            "sessions": String(decoding: try encoder.encode(sessions), as: UTF8.self),
            "exported": "\(now.milliseconds)",
        ]
        for other in others {
            let section = try await other(person)
            precondition(parts[section.name] == nil, "an export has one section of each name")
            parts[section.name] = section.json
        }
        let members = try parts.sorted { $0.key < $1.key }.map { name, json in
            String(decoding: try JSONEncoder().encode(name), as: UTF8.self) + ": " + json
        }
        return "{\n" + members.joined(separator: ",\n") + "\n}\n"
    }

    private static func consents(
        of person: PersonNumber,
        in transaction: Transaction
    ) throws -> [PersonDocument.Consent] {
        try transaction.rows(
            "SELECT version, moment FROM consent WHERE person = \(person) ORDER BY moment"
        ).map { row in
            PersonDocument.Consent(
                version: try row.value("version"),
                moment: try row.value("moment")
            )
        }
    }

    private static func attempts(
        of subject: [UInt8],
        in transaction: Transaction
    ) throws -> [PersonDocument.LogIn] {
        try transaction.rows(
            """
            SELECT moment, address, outcome FROM attempt WHERE subject = \(subject)
            ORDER BY moment, id
            """
        ).map { row in
            PersonDocument.LogIn(
                moment: try row.value("moment"),
                address: try row.value("address"),
                outcome: try row.value("outcome")
            )
        }
    }

    private static func acts(
        on key: PersonKey,
        in transaction: Transaction
    ) throws -> [PersonDocument.Act] {
        try transaction.rows(
            "SELECT moment, act, details FROM audit WHERE person = \(key.person) ORDER BY sequence"
        ).map { row in
            let details = try key.open(row.value("details"), as: "audit")
            let words = try JSONDecoder().decode([String].self, from: Data(details.utf8))
            return PersonDocument.Act(
                moment: try row.value("moment"),
                act: try row.value("act"),
                before: words.first ?? "",
                after: words.last ?? ""
            )
        }
    }
}

/// The account section of an export, with the members that other modules add to it.
private struct AccountSection: Encodable {
    var own: PersonDocument
    var added: [any Encodable & Sendable]

    func encode(to encoder: any Encoder) throws {
        try own.encode(to: encoder)
        for members in added { try members.encode(to: encoder) }
    }
}

/// What an export says of the account itself; times are milliseconds since 1970 UTC.
private struct PersonDocument: Encodable {
    struct Consent: Encodable {
        var version: String
        var moment: Int64
    }

    struct LogIn: Encodable {
        var moment: Int64
        var address: String
        var outcome: String
    }

    struct Act: Encodable {
        var moment: Int64
        var act: String
        var before: String
        var after: String
    }

    struct Session: Encodable {
        var device: String
        var began: Int64
        var lastUsed: Int64
    }

    var number: Int64
    var roles: [String]
    var isConfirmed: Bool
    var isSuspended: Bool
    var made: Int64
    var passwordChanged: Int64?
    var fields: [String: String]
    var consents: [Consent]
    var logIns: [LogIn]
    var administrativeActs: [Act]

    init(
        _ record: PersonRecord,
        _ fields: [PersonField: String],
        consents: [Consent],
        attempts: [LogIn],
        acts: [Act]
    ) {
        number = record.number.rawValue
        roles = record.roles.sorted().map(\.rawValue)
        isConfirmed = record.isConfirmed
        isSuspended = record.isSuspended
        made = record.made.milliseconds
        passwordChanged = record.passwordChanged?.milliseconds
        let told = fields.filter { $0.key != .password }
        self.fields = Dictionary(uniqueKeysWithValues: told.map { ($0.key.rawValue, $0.value) })
        self.consents = consents
        logIns = attempts
        administrativeActs = acts
    }
}
