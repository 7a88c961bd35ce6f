package import Chronology
import Crypto
import Foundation
package import Storage

/// An administrative action to be recorded.
package struct AuditNote: Sendable {
    /// The person who acted; nil for the server itself or the operator at its command line.
    package var actor: PersonNumber?
    /// The kind of action: the raw value of an ``AuditAct``.
    package var act: String
    /// The owner of a key whom the action concerns, if any.
    package var person: PersonNumber?
    /// Any other object of the action, without personal data: `zone 12`.
    package var object: String
    /// The previous state in readable form.
    package var before: String
    /// The new state in readable form.
    package var after: String

    /// Creates a note about an action of this version of the program.
    package init(
        by actor: PersonNumber?,
        _ act: AuditAct,
        person: PersonNumber? = nil,
        object: String = "",
        before: String = "",
        after: String = ""
    ) {
        self.init(
            by: actor,
            word: act.rawValue,
            person: person,
            object: object,
            before: before,
            after: after
        )
    }

    /// Restores a stored note, whose action may be of another version of the program.
    init(
        by actor: PersonNumber?,
        word: String,
        person: PersonNumber? = nil,
        object: String,
        before: String,
        after: String
    ) {
        self.actor = actor
        act = word
        self.person = person
        self.object = object
        self.before = before
        self.after = after
    }
}

/// A recorded administrative action.
package struct AuditEntry: Sendable {
    /// The position in the trail, counted from 1.
    package let sequence: Int64
    /// When the action was recorded.
    package let moment: Moment
    /// The action; before and after are nil if the person concerned has been erased.
    package let note: AuditNote
    /// Whether before and after can still be decrypted.
    package let isReadable: Bool
}

/// The append-only log of administrative actions, in which each entry includes the hash of
/// the previous one.
///
/// Details that concern a person are sealed under that person's key and become unreadable with the
/// erasure. The kind of action, its time and its actor remain.
package enum AuditTrail {
    /// The hash that precedes the first entry.
    private static let genesis = [UInt8](repeating: 0, count: 32)

    /// Records an action in the transaction that performs it.
    ///
    /// - Parameters:
    ///   - note: the action.
    ///   - key: the key of the person concerned; nil if there is none.
    ///   - now: the current time.
    ///   - transaction: the transaction to write in.
    /// - Throws: any database error.
    package static func append(
        _ note: AuditNote,
        under key: PersonKey?,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        let text = String(
            decoding: try JSONEncoder().encode([note.before, note.after]),
            as: UTF8.self
        )
        let details = try key.map { try $0.seal(text, as: "audit") } ?? Array(text.utf8)
        let last = try transaction.row(
            "SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1"
        )
        let sequence = (try last?.value("sequence", as: Int64.self) ?? 0) + 1
        let before: [UInt8] = try last?.value("hash") ?? genesis
        precondition(sequence > 0 && before.count == genesis.count, "the audit trail is a chain")
        let person = key?.person ?? note.person
        precondition(
            note.person == nil || note.person == person,
            "details are sealed under the key of the person concerned"
        )
        let record = Record(
            sequence: sequence,
            moment: now,
            actor: note.actor,
            act: note.act,
            person: person,
            object: note.object,
            details: details
        )
        let hash = record.hash(after: before)
        try transaction.execute(
            """
            INSERT INTO audit (sequence, moment, actor, act, person, object, details, hash)
            VALUES (
                \(sequence), \(now), \(note.actor), \(note.act), \(person), \(note.object),
                \(details), \(hash)
            )
            """
        )
    }

    /// Returns the first entry that was altered; nil if the whole trail is intact.
    ///
    /// A trail that was truncated at its end is intact as far as it goes: store
    /// ``head(in:)`` elsewhere.
    package static func firstAltered(in transaction: Transaction) throws -> Int64? {
        var before = genesis
        var expected: Int64 = 1
        while true {
            let rows = try transaction.rows(
                "SELECT * FROM audit WHERE sequence >= \(expected) ORDER BY sequence LIMIT 1000"
            )
            for row in rows {
                let record = try Record(row)
                let hash: [UInt8] = try row.value("hash")
                guard record.sequence == expected, record.hash(after: before) == hash else {
                    return expected
                }
                before = hash
                expected += 1
            }
            if rows.isEmpty { return nil }
        }
    }

    /// Returns the hash of the last entry, which covers all entries before it.
    package static func head(in transaction: Transaction) throws -> [UInt8] {
        try transaction.row("SELECT hash FROM audit ORDER BY sequence DESC LIMIT 1")?
            .value("hash") ?? genesis
    }

    /// The fields that are hashed and stored.
    struct Record: Sendable {
        var sequence: Int64
        var moment: Moment
        var actor: PersonNumber?
        var act: String
        var person: PersonNumber?
        var object: String
        var details: [UInt8]

        func hash(after before: [UInt8]) -> [UInt8] {
            var hash = SHA256()
            hash.update(data: before)
            let numbers = [
                sequence, moment.milliseconds, actor?.rawValue ?? 0, person?.rawValue ?? 0,
            ]
            let parts = [Array(act.utf8), Array(object.utf8), details]
            for number in numbers + parts.map({ Int64($0.count) }) {
                hash.update(data: (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
            }
            for part in parts { hash.update(data: part) }
            return Array(hash.finalize())
        }

        init(
            sequence: Int64,
            moment: Moment,
            actor: PersonNumber?,
            act: String,
            person: PersonNumber?,
            object: String,
            details: [UInt8]
        ) {
            self.sequence = sequence
            self.moment = moment
            self.actor = actor
            self.act = act
            self.person = person
            self.object = object
            self.details = details
        }

        init(_ row: Row) throws {
            sequence = try row.value("sequence")
            moment = try row.moment("moment")
            actor = try row.value("actor")
            act = try row.value("act")
            person = try row.value("person")
            object = try row.value("object")
            details = try row.value("details")
        }
    }
}

extension Accounts {
    /// Lists administrative actions, newest first.
    ///
    /// - Parameters:
    ///   - act: only actions of this kind; nil for all.
    ///   - person: only actions by or on this owner of a key; nil for all.
    ///   - sequence: only actions before this position; nil for the newest.
    ///   - limit: the largest number of results.
    /// - Returns: the actions.
    /// - Throws: any database error.
    package func audit(
        of act: String? = nil,
        concerning person: PersonNumber? = nil,
        before sequence: Int64? = nil,
        limit: Int = 100
    ) async throws -> [AuditEntry] {
        try await settleActs()
        let ofAct: SQL = act.map { "AND act = \($0)" } ?? ""
        let ofPerson: SQL = person.map { "AND (person = \($0) OR actor = \($0))" } ?? ""
        let records = try await data.read { transaction in
            try transaction.rows(
                """
                SELECT * FROM audit WHERE sequence < \(sequence ?? .max) \(ofAct) \(ofPerson)
                ORDER BY sequence DESC LIMIT \(limit)
                """
            ).map { try AuditTrail.Record($0) }
        }
        let people = Set(records.compactMap(\.person)).sorted()
        let keys = try await keys.keys(of: people)
        return try records.map { record in
            var text: String? = String(decoding: record.details, as: UTF8.self)
            if let person = record.person {
                text = try keys[person].map { try $0.open(record.details, as: "audit") }
            }
            let details = try text.map {
                try JSONDecoder().decode([String].self, from: Data($0.utf8))
            }
            let note = AuditNote(
                by: record.actor,
                word: record.act,
                person: record.person,
                object: record.object,
                before: details?.first ?? "",
                after: details?.last ?? ""
            )
            return AuditEntry(
                sequence: record.sequence,
                moment: record.moment,
                note: note,
                isReadable: details != nil
            )
        }
    }

    /// Lists the kinds of actions that occur in the trail, in alphabetical order.
    package func auditedActs() async throws -> [String] {
        try await settleActs()
        return try await data.read { transaction in
            try transaction.rows("SELECT DISTINCT act FROM audit ORDER BY act").map {
                try $0.value("act")
            }
        }
    }

    /// Returns the first entry of the audit trail that was altered; nil if there is none.
    package func firstAlteredAct() async throws -> Int64? {
        try await data.read(within: .seconds(60)) { try AuditTrail.firstAltered(in: $0) }
    }
}
