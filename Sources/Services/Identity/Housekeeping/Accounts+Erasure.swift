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
/// It receives the person, and the taxi if the person drives one. It throws if it cannot finish
/// now, in which case nothing is erased. Its effects remain even if the erasure fails later; it may
/// run again for the same person.
package typealias LeavingStep = @Sendable (PersonNumber, LeavingTaxi?) async throws -> Void

/// The taxi of a departing driver.
package struct LeavingTaxi: Hashable, Sendable {
    /// The pseudonymous number of the taxi.
    package let taxi: PersonNumber
    /// Whether the taxi has other drivers.
    package let hasOthers: Bool

    /// Creates the description of a departing driver's taxi.
    package init(_ taxi: PersonNumber, hasOthers: Bool) {
        self.taxi = taxi
        self.hasOthers = hasOthers
    }
}

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
    /// - Returns: the people and taxis that were still present.
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
            try transaction.rows(
                """
                SELECT e.person AS person FROM erasure e JOIN person p ON p.number = e.person
                UNION SELECT e.person AS person FROM erasure e JOIN taxi t ON t.number = e.person
                """
            ).map { try $0.value("person", as: PersonNumber.self) }
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
    func destroy(
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
    /// A person who never confirmed the address and has no valid papers cannot have any.
    private func leave(_ person: PersonNumber) async throws {
        let found = try await data.read { transaction -> (hasAny: Bool, taxi: LeavingTaxi?) in
            try Self.checkNotLast(person, in: transaction)
            let isConfirmed = try PersonRecord.find(person, in: transaction)?.isConfirmed ?? false
            let driver = try transaction.row(
                "SELECT taxi, standing FROM driver WHERE person = \(person)"
            )
            guard let driver else { return (isConfirmed, nil) }
            let isVerified = try driver.value("standing", as: String.self) == "verified"
            let taxi: PersonNumber = try driver.value("taxi")
            let others = try transaction.count(
                "SELECT count(*) AS count FROM driver WHERE taxi = \(taxi) AND person <> \(person)"
            )
            return (isConfirmed || isVerified, LeavingTaxi(taxi, hasOthers: others > 0))
        }
        guard found.hasAny else { return }
        for step in leaving { try await step(person, found.taxi) }
    }

    /// Deletes the rows of people and of taxis without remaining drivers.
    ///
    /// - Returns: the people and taxis whose keys must be destroyed.
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
                let taxi: PersonNumber? = try transaction.row(
                    "SELECT taxi FROM driver WHERE person = \(person)"
                )?.value("taxi")
                try transaction.execute([
                    "DELETE FROM person WHERE number = \(person)",
                    """
                    DELETE FROM taxi WHERE number = \(person)
                        AND NOT EXISTS (SELECT 1 FROM driver WHERE taxi = \(person))
                    """,
                    KeyStore.erasure(of: person, at: now),
                ])
                if let taxi, try !Self.hasDriver(taxi, in: transaction) {
                    gone.append(taxi)
                    try transaction.execute([
                        "DELETE FROM taxi WHERE number = \(taxi)",
                        KeyStore.erasure(of: taxi, at: now),
                    ])
                }
            }
            if let note { try AuditTrail.append(note, under: nil, at: now, in: transaction) }
            return gone
        }
    }

    static func hasDriver(_ taxi: PersonNumber, in transaction: Transaction) throws -> Bool {
        try transaction.count(
            "SELECT count(*) AS count FROM driver WHERE taxi = \(taxi)"
        ) > 0
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
