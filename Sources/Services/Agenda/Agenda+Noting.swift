package import Identity
package import OpenData
package import Storage

/// Changes with further work in the same transaction, which knows the entry as it is stored.
extension Agenda {
    /// What is done with a written entry in its transaction; it may run more than once.
    package typealias Noting<Note> = @Sendable (AgendaEntry, Transaction) throws -> Note

    /// Adds an entry; if the calendar has its identifier already, it takes the place of the old
    /// one.
    ///
    /// - Parameters:
    ///   - calendar: the components of one identifier, with the zones that they define.
    ///   - person: the owner.
    ///   - noting: the further work.
    /// - Returns: the result of the further work.
    /// - Throws: ``AgendaFailure``, `noSuchPerson`, any error of the further work or the database;
    ///   nothing is stored then.
    package func add<Note: Sendable>(
        _ calendar: ICalendar,
        of person: PersonNumber,
        noting: @escaping Noting<Note>
    ) async throws -> Note {
        try await write(calendar, of: person, noting) { stored, version, transaction in
            let merge = try Self.add([stored], after: version - 1, of: person, in: transaction)
            precondition(merge.numbers.count == 1, "one entry was added and has no number")
            return merge.numbers[0]
        }
    }

    /// Replaces an entry by a changed one.
    ///
    /// - Parameters:
    ///   - entry: the entry as it was read.
    ///   - calendar: what takes its place; it has the same identifier.
    ///   - person: the owner.
    ///   - noting: the further work, with the changed entry.
    /// - Returns: the result of the further work.
    /// - Throws: as ``change(_:to:of:)``, any error of the further work.
    package func change<Note: Sendable>(
        _ entry: AgendaEntry,
        to calendar: ICalendar,
        of person: PersonNumber,
        noting: @escaping Noting<Note>
    ) async throws -> Note {
        try await write(calendar, of: person, noting) { stored, version, transaction in
            try Self.check(entry, stored, of: person, in: transaction)
            try stored.replace(entry.number.rawValue, of: person, version, in: transaction)
            return entry.number
        }
    }

    /// Writes an entry with the next version of the calendar, and does the further work.
    ///
    /// - Parameters:
    ///   - calendar: the components of the entry.
    ///   - person: the owner.
    ///   - noting: the further work.
    ///   - body: writes the entry, and returns its number.
    /// - Returns: the result of the further work.
    /// - Throws: any error of the entry, of the two closures or the database.
    private func write<Note: Sendable>(
        _ calendar: ICalendar,
        of person: PersonNumber,
        _ noting: @escaping Noting<Note>,
        _ body: @escaping @Sendable (StoredEntry, Int64, Transaction) throws -> EntryNumber
    ) async throws -> Note {
        let key = try await accounts.key(of: person)
        var steps = Self.stepsLimit
        let stored = try StoredEntry(calendar, key, zone, accounts.secret, steps: &steps)
        return try await accounts.data.write { transaction in
            let version = try Self.nextVersion(of: person, in: transaction)
            let number = try body(stored, version, transaction)
            return try noting(Self.entry(number, of: person, key, in: transaction), transaction)
        }
    }

    /// An entry as the transaction has left it.
    private static func entry(
        _ number: EntryNumber,
        of person: PersonNumber,
        _ key: PersonKey,
        in transaction: Transaction
    ) throws -> AgendaEntry {
        let row = try transaction.row(
            """
            SELECT number, revision, sealed FROM agenda_entry
            WHERE person = \(person) AND number = \(number.rawValue)
            """
        )
        guard let row else { preconditionFailure("an entry was written and is not there") }
        return try StoredEntry.entry(row, key)
    }
}
