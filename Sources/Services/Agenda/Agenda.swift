package import Chronology
import Foundation
package import Identity
package import OpenData
package import Storage

/// The calendars of all people.
///
/// Everything that an entry says is sealed under its owner's key. Each operation is about one
/// person's calendar, and is called only for that person.
package struct Agenda: Sendable {
    /// The most entries of one calendar; a busy life of ten years.
    package static let entriesLimit = 20_000
    /// How many steps the rules of all entries that are stored at once may take to find when each
    /// ends, about a second; an entry with more counts as one that never ends.
    static let stepsLimit = 1_000_000
    /// The field under which settings are sealed.
    private static let settingsField = "agenda settings"

    /// The city's zone, in which entries are written.
    package let zone: NamedZone
    let accounts: Accounts

    /// Creates the calendars of an installation.
    ///
    /// - Parameters:
    ///   - accounts: the people, in a database with `Migration.agenda`.
    ///   - zone: the city's zone.
    package init(_ accounts: Accounts, zone: NamedZone) {
        self.accounts = accounts
        self.zone = zone
    }

    // MARK: Reading

    /// The version of a person's calendar; 0 if nothing was ever written to it.
    package func version(of person: PersonNumber) async throws -> Int64 {
        try await accounts.data.read { transaction in
            try transaction.row("SELECT version FROM agenda WHERE person = \(person)")?
                .value("version") ?? 0
        }
    }

    /// The entries of which an occurrence may overlap a span, and the tasks without a date if they
    /// are asked for.
    ///
    /// - Parameters:
    ///   - person: the owner.
    ///   - span: the span.
    ///   - hasUndated: whether tasks without a date are included.
    /// - Returns: the entries with the version of the calendar at which they were read.
    /// - Throws: `noSuchPerson`, any database error.
    package func entries(
        of person: PersonNumber,
        in span: Range<Instant>,
        hasUndated: Bool = false
    ) async throws -> AgendaExcerpt {
        try await read(
            person,
            where: """
                (starts < \(span.upperBound.seconds) AND
                (ends IS NULL OR ends > \(span.lowerBound.seconds)))
                OR (starts IS NULL AND \(hasUndated ? 1 : 0) = 1)
                """
        )
    }

    /// All entries of a person, past ones included.
    package func entries(of person: PersonNumber) async throws -> AgendaExcerpt {
        try await read(person, where: "1 = 1")
    }

    /// An entry of a person's calendar.
    ///
    /// - Throws: ``AgendaFailure/noSuchEntry``.
    package func entry(
        _ number: EntryNumber,
        of person: PersonNumber
    ) async throws -> AgendaEntry {
        let found = try await read(person, where: "number = \(number.rawValue)")
        guard let entry = found.entries.first else { throw AgendaFailure.noSuchEntry }
        return entry
    }

    private func read(_ person: PersonNumber, where condition: SQL) async throws -> AgendaExcerpt {
        let key = try await accounts.key(of: person)
        return try await accounts.data.read { transaction in
            let rows = try transaction.rows([
                "SELECT version FROM agenda WHERE person = \(person)",
                """
                SELECT number, revision, sealed FROM agenda_entry
                WHERE person = \(person) AND (\(condition)) ORDER BY number
                """,
            ])
            return AgendaExcerpt(
                version: try rows[0].first?.value("version") ?? 0,
                entries: try rows[1].map { try StoredEntry.entry($0, key) }
            )
        }
    }

    // MARK: Writing

    /// Adds entries; those whose identifier the calendar has already take the place of the old
    /// ones.
    ///
    /// - Parameters:
    ///   - calendars: each the components of one identifier, with the zones that they define.
    ///   - person: the owner.
    /// - Returns: the numbers of the entries, in the same order.
    /// - Throws: ``AgendaFailure``, `noSuchPerson`, any database error; nothing is stored then.
    @discardableResult
    package func add(
        _ calendars: [ICalendar],
        of person: PersonNumber
    ) async throws -> [EntryNumber] {
        try await merge(calendars, of: person).numbers
    }

    /// Adds entries as ``add(_:of:)`` does, and says how many of them took the place of others.
    package func merge(
        _ calendars: [ICalendar],
        of person: PersonNumber
    ) async throws -> AgendaMerge {
        guard !calendars.isEmpty else { return AgendaMerge() }
        let key = try await accounts.key(of: person)
        var steps = Self.stepsLimit
        let stored = try calendars.map {
            try StoredEntry($0, key, zone, accounts.secret, steps: &steps)
        }
        return try await accounts.data.write { transaction in
            let version = try Self.nextVersion(of: person, in: transaction)
            return try Self.add(stored, after: version - 1, of: person, in: transaction)
        }
    }

    /// Adds entries, each with the next version of the calendar as its number.
    static func add(
        _ entries: [StoredEntry],
        after version: Int64,
        of person: PersonNumber,
        in transaction: Transaction
    ) throws -> AgendaMerge {
        var version = version
        var merge = AgendaMerge()
        for entry in entries {
            version += 1
            let old = try transaction.row(
                """
                SELECT number FROM agenda_entry
                WHERE person = \(person) AND uid_key = \(entry.identifier)
                """
            )
            if let old {
                let number: Int64 = try old.value("number")
                try entry.replace(number, of: person, version, in: transaction)
                merge.numbers.append(EntryNumber(rawValue: number))
                merge.replacedCount += 1
            } else {
                try entry.insert(version, of: person, version, in: transaction)
                merge.numbers.append(EntryNumber(rawValue: version))
            }
        }
        try transaction.execute(
            "UPDATE agenda SET version = \(version) WHERE person = \(person)"
        )
        let count = try transaction.count(
            "SELECT count(*) AS count FROM agenda_entry WHERE person = \(person)"
        )
        guard count <= entriesLimit else {
            throw AgendaFailure.tooManyEntries(limit: entriesLimit)
        }
        return merge
    }

    /// Replaces an entry by a changed one.
    ///
    /// - Parameters:
    ///   - entry: the entry as it was read.
    ///   - calendar: what takes its place; it has the same identifier.
    ///   - person: the owner.
    /// - Throws: ``AgendaFailure/changedMeanwhile`` if it is no longer as it was read,
    ///   ``AgendaFailure/noSuchEntry`` if it was deleted, ``AgendaFailure/notOneEntry`` if the
    ///   calendar has another identifier.
    package func change(
        _ entry: AgendaEntry,
        to calendar: ICalendar,
        of person: PersonNumber
    ) async throws {
        try await change([AgendaChange(entry, to: calendar)], of: person)
    }

    /// Changes several entries and adds others, all or nothing.
    ///
    /// - Parameters:
    ///   - changes: what becomes of each, each entry once.
    ///   - calendars: what is added, as for ``add(_:of:)``.
    ///   - person: the owner.
    /// - Throws: as ``change(_:to:of:)`` and ``add(_:of:)``.
    package func change(
        _ changes: [AgendaChange],
        adding calendars: [ICalendar] = [],
        of person: PersonNumber
    ) async throws {
        let key = try await accounts.key(of: person)
        var steps = Self.stepsLimit
        let stored = try changes.map { change in
            try change.calendar.map {
                try StoredEntry($0, key, zone, accounts.secret, steps: &steps)
            }
        }
        let added = try calendars.map {
            try StoredEntry($0, key, zone, accounts.secret, steps: &steps)
        }
        try await accounts.data.write { transaction in
            let version = try Self.nextVersion(of: person, in: transaction)
            for (change, stored) in zip(changes, stored) {
                try Self.check(change.entry, stored, of: person, in: transaction)
                let number = change.entry.number.rawValue
                if let stored {
                    try stored.replace(number, of: person, version, in: transaction)
                } else {
                    try transaction.execute(
                        "DELETE FROM agenda_entry WHERE person = \(person) AND number = \(number)"
                    )
                }
            }
            if !added.isEmpty {
                _ = try Self.add(added, after: version, of: person, in: transaction)
            }
        }
    }

    /// Checks that an entry is as it was read.
    static func check(
        _ entry: AgendaEntry,
        _ stored: StoredEntry?,
        of person: PersonNumber,
        in transaction: Transaction
    ) throws {
        let row = try transaction.row(
            """
            SELECT revision, uid_key FROM agenda_entry
            WHERE person = \(person) AND number = \(entry.number.rawValue)
            """
        )
        guard let row else { throw AgendaFailure.noSuchEntry }
        let revision: Int64 = try row.value("revision")
        guard revision == entry.revision else { throw AgendaFailure.changedMeanwhile }
        let identifier: [UInt8] = try row.value("uid_key")
        // Identifiers come from other programs, whose calendars never stop this one.
        guard stored.map({ $0.identifier == identifier }) ?? true else {
            throw AgendaFailure.notOneEntry
        }
    }

    /// Deletes an entry, with further work in the same transaction; nothing happens if there is
    /// none.
    package func remove(
        _ number: EntryNumber,
        of person: PersonNumber,
        noting: @escaping @Sendable (Transaction) throws -> Void = { _ in }
    ) async throws {
        try await accounts.data.write { transaction in
            let count = try transaction.count(
                """
                SELECT count(*) AS count FROM agenda_entry
                WHERE person = \(person) AND number = \(number.rawValue)
                """
            )
            guard count > 0 else { return }
            _ = try Self.nextVersion(of: person, in: transaction)
            try transaction.execute(
                """
                DELETE FROM agenda_entry
                WHERE person = \(person) AND number = \(number.rawValue)
                """
            )
            try noting(transaction)
        }
    }

    /// Increases the version of a calendar, for which two writers wait.
    static func nextVersion(
        of person: PersonNumber,
        in transaction: Transaction
    ) throws -> Int64 {
        // No calendar outlives its owner: a person who was erased has no row here.
        _ = try PersonRecord.get(person, in: transaction)
        let row = try transaction.row(
            """
            INSERT INTO agenda (person, version) VALUES (\(person), 1)
            ON CONFLICT (person) DO UPDATE SET version = agenda.version + 1
            RETURNING version
            """
        )
        guard let row else { preconditionFailure("a version was written and not returned") }
        return try row.value("version")
    }

    // MARK: Settings

    /// How a person travels; the defaults if they never said so.
    ///
    /// Vehicles that have a device are where it was last.
    package func settings(of person: PersonNumber) async throws -> TravelSettings {
        let key = try await accounts.key(of: person)
        return try await accounts.data.read { transaction in
            let rows = try transaction.rows([
                "SELECT settings FROM agenda WHERE person = \(person)",
                "SELECT vehicle, sealed FROM vehicle_pairing WHERE person = \(person)",
            ])
            var settings = TravelSettings()
            if let sealed: [UInt8] = try rows[0].first?.value("settings") {
                settings = try TravelSettings(json: key.open(sealed, as: Self.settingsField))
            }
            return settings.located(by: try Self.devices(rows[1], key))
        }
    }

    /// Stores how a person travels.
    package func keep(_ settings: TravelSettings, of person: PersonNumber) async throws {
        let key = try await accounts.key(of: person)
        let sealed = try key.seal(settings.json, as: Self.settingsField)
        try await accounts.data.write { transaction in
            _ = try Self.nextVersion(of: person, in: transaction)
            try transaction.execute(
                """
                UPDATE agenda SET settings = \(sealed), ahead_days = \(settings.aheadHours / 24)
                WHERE person = \(person)
                """
            )
        }
    }

    // MARK: The people

    /// Deletes the calendar of a person who is erased.
    package static let erasure: ErasureStep = { person, transaction in
        try transaction.execute([
            "DELETE FROM vehicle_pairing WHERE person = \(person)",
            "DELETE FROM agenda_memory WHERE person = \(person)",
            "DELETE FROM agenda_fares WHERE person = \(person)",
            "DELETE FROM agenda_entry WHERE person = \(person)",
            "DELETE FROM agenda WHERE person = \(person)",
        ])
    }

    /// What an export of a person's data says of the calendar: the settings, the devices, what
    /// journeys cost, and the entries as an iCalendar file.
    package func sections(of person: PersonNumber) async throws -> [ExportSection] {
        let text = String(decoding: try await file(of: person).bytes, as: UTF8.self)
        let json = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        return [
            ExportSection(name: "calendar", json: json),
            ExportSection(name: "travelSettings", json: try await settings(of: person).json),
            ExportSection(name: "vehicleDevices", json: try await deviceJSON(of: person)),
            ExportSection(name: "journeyPrices", json: try await fareJSON(of: person)),
        ]
    }

    /// The program that wrote a calendar, as `PRODID` names it.
    package static let product = "-//Viavai//Calendar//EN"
}
