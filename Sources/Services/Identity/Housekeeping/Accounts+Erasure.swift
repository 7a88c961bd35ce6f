package import Chronology
import Foundation
package import Storage

/// What another room does when a person is erased.
///
/// It deletes, or throws to say that it cannot be now (an open ride): then nothing is erased. It
/// may run again for the same person.
package typealias ErasureStep = @Sendable (PersonNumber, Transaction) throws -> Void

/// What another room does before a person is erased: it ends what the person has under way (F24).
///
/// It is told the person, and the taxi where the person drives one. It throws to say that it cannot
/// be now: then nothing is erased. What it has done stays done where the erasure then fails; it may
/// run again for the same person.
package typealias LeavingStep = @Sendable (PersonNumber, LeavingTaxi?) async throws -> Void

/// The taxi of a driver who leaves.
package struct LeavingTaxi: Hashable, Sendable {
    /// The taxi's own number.
    package let taxi: PersonNumber
    /// Whether others go on driving it.
    package let hasOthers: Bool

    /// A taxi that others go on driving, or not.
    package init(_ taxi: PersonNumber, hasOthers: Bool) {
        self.taxi = taxi
        self.hasOthers = hasOthers
    }
}

extension Accounts {
    /// Deletes the account of who asks for it, for good (R103).
    ///
    /// All that is stored of the person becomes unreadable, since the key is destroyed; in old
    /// backups too, once no copy of the keys is older than this. What remains is the number, in
    /// logs that name nobody else.
    ///
    /// - Parameters:
    ///   - session: of the person, with the password given lately.
    ///   - hasProceeded: whether the person said so expressly.
    ///   - now: the moment.
    /// - Throws: `passwordNeeded`, `notProceeded`, `lastAdministrator`, or what another room
    ///   throws.
    package func eraseAccount(
        by session: Session,
        hasProceeded: Bool,
        at now: Moment
    ) async throws {
        let person = try grave(session, at: now)
        guard hasProceeded else { throw AccountFailure.notProceeded }
        try await destroy([person], at: now)
    }

    /// Who was erased, oldest first: to be kept apart from all backups, and applied to each
    /// restored one.
    package func erasures() async throws -> [Erasure] {
        let here = try await data.read { try Erasure.all(in: $0) }
        let there = try await keys.erased()
        return Set(here + there).sorted()
    }

    /// Who of these was erased, in no order that matters.
    package func erased(among people: [PersonNumber]) async throws -> [PersonNumber] {
        try await data.read(within: .seconds(60)) { transaction in
            let found = try transaction.rows(
                people.map { "SELECT 1 AS one FROM erasure WHERE person = \($0)" }
            )
            return zip(people, found).filter { !$0.1.isEmpty }.map(\.0)
        }
    }

    /// Erases again whoever is on a list, or on those of the two databases.
    ///
    /// A restore calls it before anything is served, and the server at each start: it also ends
    /// what a crash left half done.
    ///
    /// - Parameters:
    ///   - list: who was erased, as `erasures()` gave it before the restore or elsewhere.
    ///   - now: the moment.
    /// - Returns: who was still there, people and taxis.
    /// - Throws: what the databases throw.
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
        // What has returned with a backup is old: no other room may object any more.
        try await remove(rows, isForced: true, at: now)
        let keyed = try await keys.returned()
        try await keys.destroy(keyed, at: now)
        return Set(rows + keyed).sorted()
    }

    /// Erases people: first what they have under way ends, then the rows go, where another room may
    /// object, then the keys.
    ///
    /// A crash after the first leaves somebody with nothing under way, who can leave again; one
    /// after the second is mended by ``apply(_:at:)``.
    ///
    /// - Parameters:
    ///   - people: whom.
    ///   - now: the moment.
    ///   - note: an administrator's act that this is, written down with it.
    /// - Throws: `lastAdministrator`, what another room throws, what the databases throw.
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

    /// Lets other rooms end what a person has under way.
    ///
    /// Who never confirmed the address, and has no papers that hold, cannot have anything.
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

    /// Deletes the rows of people, and of taxis that have no driver left.
    ///
    /// - Returns: whose keys must go: the people and those taxis.
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
    /// The list as a text, one line for each: the number and the moment in milliseconds.
    package static func text(of list: [Erasure]) -> String {
        list.map { "\($0.person.rawValue) \($0.moment.milliseconds)\n" }.joined()
    }

    /// Reads what ``text(of:)`` wrote; nil where a line is anything else.
    ///
    /// A list of which a part is lost must not pass for the whole.
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
