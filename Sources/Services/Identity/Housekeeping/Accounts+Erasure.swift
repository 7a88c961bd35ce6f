package import Chronology
import Foundation
package import Storage

/// What another module does in the transaction that erases a person.
///
/// It deletes its rows, or throws if that is impossible now (an open ride), in which case nothing
/// is erased. It may run again for the same person.
package typealias ErasureStep = @Sendable (PersonNumber, Transaction) throws -> Void

/// What another module does before a person is erased: it ends the person's activities (F24).
///
/// It throws if it cannot finish now, in which case nothing is erased. Its effects remain even if
/// the erasure fails later; it may run again for the same person.
package typealias LeavingStep = @Sendable (PersonNumber) async throws -> Void

extension Accounts {
    /// Permanently deletes the account of the person who requests it (R103).
    ///
    /// Destroying the key makes all data stored about the person unreadable, including old backups
    /// once no backup of the keys predates the erasure. Only the number remains, in logs that
    /// name nobody else.
    ///
    /// - Parameters:
    ///   - session: the person's session with a recent password check.
    ///   - hasProceeded: whether the person confirmed the deletion explicitly.
    ///   - now: the current time.
    /// - Throws: `passwordNeeded`, `notProceeded`, `lastAdministrator`, or an error
    ///   of another module.
    package func eraseAccount(
        by session: Session,
        hasProceeded: Bool,
        at now: Moment
    ) async throws {
        let person = try grave(session, at: now)
        guard hasProceeded else { throw AccountFailure.notProceeded }
        try await destroy([person], at: now)
    }

    /// Lists all erasures, oldest first, to be kept apart from backups and applied to
    /// each restored one.
    package func erasures() async throws -> [Erasure] {
        let here = try await data.read { try Erasure.all(in: $0) }
        let there = try await keys.erased()
        return Set(here + there).sorted()
    }

    /// Returns those of the people that were erased, in no particular order.
    package func erased(among people: [PersonNumber]) async throws -> [PersonNumber] {
        try await data.read(within: .seconds(60)) { transaction in
            let found = try transaction.rows(
                people.map { "SELECT 1 AS one FROM erasure WHERE person = \($0)" }
            )
            return zip(people, found).filter { !$0.1.isEmpty }.map(\.0)
        }
    }

    /// Repeats the erasures on a list and on the lists of the two databases.
    ///
    /// A restore calls this before anything is served, and the server at each start, which also
    /// completes erasures that a crash interrupted.
    ///
    /// - Parameters:
    ///   - list: the result of `erasures()` before the restore or on another server.
    ///   - now: the current time.
    /// - Returns: the people, and the rows of ``PersonalRecords/sealedTables``, that were still
    ///   present.
    /// - Throws: any database error.
    @discardableResult
    package func apply(_ list: [Erasure], at now: Moment) async throws -> [PersonNumber] {
        let here = Set(try await data.read { try Erasure.all(in: $0) })
        let there = Set(try await keys.erased())
        let all = here.union(there).union(list)
        try await data.write(within: .seconds(60)) { transaction in
            try transaction.execute(all.subtracting(here).sorted().map(\.statement))
        }
        try await keys.remember(all.subtracting(there).sorted())
        let rows = try await data.read { transaction in
            let found = try transaction.rows(
                (["person"] + records.flatMap { $0.sealedTables.map(\.source) }).map { source in
                    """
                    SELECT e.person AS person FROM erasure e
                    JOIN \(source) t ON t.number = e.person ORDER BY e.person
                    """
                }
            )
            return try found.joined().map { try $0.value("person", as: PersonNumber.self) }
        }
        // Data restored from a backup is old, so other modules may no longer object.
        try await remove(rows, isForced: true, at: now)
        let keyed = try await keys.returned()
        try await keys.destroy(keyed, at: now)
        return Set(rows + keyed).sorted()
    }

    /// Erases people in three steps: ends their activities, deletes the rows, where another module
    /// may object, and destroys the keys.
    ///
    /// A crash after the first step leaves a person without activities, who can request the
    /// deletion again; ``apply(_:at:)`` repairs a crash after the second.
    ///
    /// - Parameters:
    ///   - people: the people to erase.
    ///   - now: the current time.
    ///   - note: the administrator's action to record with the erasure, if any.
    /// - Throws: `lastAdministrator`, an error of another module, any database error.
    package func destroy(
        _ people: [PersonNumber],
        at now: Moment,
        noting note: AuditNote? = nil
    ) async throws {
        guard !people.isEmpty else { return }
        for person in people { try await leave(person) }
        let gone = try await remove(people, isForced: false, at: now, noting: note)
        try await keys.destroy(gone, at: now)
    }

    /// Lets other modules end the activities of a person.
    ///
    /// A person who never confirmed the address usually has none.
    private func leave(_ person: PersonNumber) async throws {
        let mayBeActive = try await data.read { transaction in
            try Self.checkNotLast(person, in: transaction)
            return try PersonRecord.find(person, in: transaction)?.isConfirmed == true
                || records.contains { try $0.mayBeActive(person, in: transaction) }
        }
        guard mayBeActive else { return }
        for step in leaving { try await step(person) }
    }

    /// Deletes the rows of people, and what other modules keep with them.
    ///
    /// - Returns: the numbers whose keys must be destroyed.
    @discardableResult
    private func remove(
        _ people: [PersonNumber],
        isForced: Bool,
        at now: Moment,
        noting note: AuditNote? = nil
    ) async throws -> [PersonNumber] {
        try await data.write { transaction in
            var gone = people
            for person in people {
                if !isForced { try Self.checkNotLast(person, in: transaction) }
                for step in erasing { try step(person, transaction) }
                let others = try records.flatMap { try $0.erase(person, in: transaction) }
                gone += others
                try transaction.execute(
                    ["DELETE FROM person WHERE number = \(person)"]
                        + ([person] + others).map { KeyStore.erasure(of: $0, at: now) }
                )
            }
            if let note { try AuditTrail.append(note, under: nil, at: now, in: transaction) }
            return gone
        }
    }
}

extension Erasure {
    /// Formats the list with one line per erasure: the number and the time in milliseconds.
    package static func text(of list: [Erasure]) -> String {
        list.map { "\($0.person.rawValue) \($0.moment.milliseconds)\n" }.joined()
    }

    /// Parses the output of ``text(of:)``; nil if any line is invalid.
    ///
    /// A truncated list must not be mistaken for the complete one.
    package static func list(_ text: String) -> [Erasure]? {
        var list: [Erasure] = []
        for line in text.split(separator: "\n") {
            let numbers = line.split(separator: " ").compactMap { Int64($0) }
            guard numbers.count == 2, numbers[0] > 0 else { return nil }
            list.append(
                Erasure(
                    person: PersonNumber(rawValue: numbers[0]),
                    moment: Moment(milliseconds: numbers[1])
                )
            )
        }
        return list
    }
}
