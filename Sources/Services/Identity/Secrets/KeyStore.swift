package import Chronology
package import Storage

/// The keys of people and taxis, in a database apart from what they seal.
///
/// It has its own file or server and its own backups, few and short-lived; the keys in it are
/// wrapped under the ``ServerSecret``. Destroying a key makes all that was sealed under it
/// unreadable, in old backups of the data too once no backup of the keys has it. The list of who
/// was erased is kept beside the keys: numbers and moments, nothing else.
package struct KeyStore: Sendable {
    let database: Database
    private let secret: ServerSecret

    /// A key store on a database whose schema has `Migration.keyStore`.
    package init(on database: Database, secret: ServerSecret) {
        self.database = database
        self.secret = secret
    }

    /// Makes a key for a number that has none.
    func makeKey(for person: PersonNumber, at now: Moment) async throws -> PersonKey {
        try await makeKeys(for: [person], at: now)[0]
    }

    /// Makes keys for numbers that have none, in their order.
    func makeKeys(for people: [PersonNumber], at now: Moment) async throws -> [PersonKey] {
        let keys = people.map { PersonKey(newFor: $0) }
        let inserts = try keys.map { key -> SQL in
            let wrapped = try key.wrapped(in: secret)
            return "INSERT INTO person_key VALUES (\(key.person), \(wrapped), \(now))"
        }
        try await database.write(within: .seconds(300)) { try $0.execute(inserts) }
        return keys
    }

    /// The key of a person.
    ///
    /// - Returns: nil where there is none, never made or destroyed.
    /// - Throws: `AccountFailure.sealBroken` where it was wrapped under another secret.
    package func key(of person: PersonNumber) async throws -> PersonKey? {
        let found = try await database.read(isBrief: true) { transaction in
            try transaction.row(
                "SELECT sealed FROM person_key WHERE person = \(person)"
            )
        }
        guard let found else { return nil }
        return try PersonKey(of: person, wrapped: found.value("sealed"), in: secret)
    }

    /// Whether the secret is the one that the keys were wrapped under; true where there are none.
    package func hasItsSecret() async throws -> Bool {
        let found = try await database.read { transaction in
            try transaction.row("SELECT person, sealed FROM person_key LIMIT 1")
        }
        guard let found else { return true }
        let key = try? PersonKey(
            of: found.value("person"),
            wrapped: found.value("sealed"),
            in: secret
        )
        return key != nil
    }

    /// Whether there is a key of a person, readable or not.
    func hasKey(_ person: PersonNumber) async throws -> Bool {
        try await database.read { transaction in
            try transaction.row("SELECT 1 AS one FROM person_key WHERE person = \(person)") != nil
        }
    }

    /// The keys of so few are read at once, on the calling thread.
    static let few = 8

    /// The keys of several people; those that have none are left out.
    package func keys(of people: [PersonNumber]) async throws -> [PersonNumber: PersonKey] {
        let isBrief = people.count <= Self.few
        let found = try await database.read(within: .seconds(60), isBrief: isBrief) { transaction in
            try transaction.rows(
                people.map { person in
                    "SELECT sealed FROM person_key WHERE person = \(person)"
                }
            )
        }
        var keys: [PersonNumber: PersonKey] = [:]
        for (person, rows) in zip(people, found) {
            guard let row = rows.first else { continue }
            keys[person] = try PersonKey(of: person, wrapped: row.value("sealed"), in: secret)
        }
        return keys
    }

    /// Does the work of making a key and keeps none, so that nobody can tell by the time.
    func pretend(at now: Moment) async throws {
        let key = PersonKey(newFor: .random())
        let wrapped = try key.wrapped(in: secret)
        try await database.write { transaction in
            try transaction.execute(
                "INSERT INTO person_key VALUES (\(key.person), \(wrapped), \(now))"
            )
            try transaction.execute(Self.deletion(of: key.person))
        }
    }

    /// Gives up keys of people whose registration failed.
    func discard(_ people: [PersonNumber]) async throws {
        let deletes = people.map { Self.deletion(of: $0) }
        try await database.write { try $0.execute(deletes) }
    }

    /// Destroys the keys of people and writes them on the list of the erased; may be repeated.
    func destroy(_ people: [PersonNumber], at now: Moment) async throws {
        let statements = people.flatMap { person -> [SQL] in
            [Self.deletion(of: person), Self.erasure(of: person, at: now)]
        }
        try await database.write { try $0.execute(statements) }
        // Where somebody reads just now, the next sweep does it.
        try? await database.scrub()
    }

    /// Takes off the disk what remains of destroyed keys.
    func scrub() async throws {
        try await database.scrub()
    }

    /// Writes on the list who was erased elsewhere.
    func remember(_ list: [Erasure]) async throws {
        try await database.write(within: .seconds(60)) { transaction in
            try transaction.execute(list.map(\.statement))
        }
    }

    /// Who is on the list and has a key nevertheless, as after a restore.
    func returned() async throws -> [PersonNumber] {
        try await database.read { transaction in
            try transaction.rows(
                """
                SELECT k.person AS person FROM erasure e JOIN person_key k ON k.person = e.person
                """
            ).map { try $0.value("person") }
        }
    }

    /// Who was erased, oldest first.
    func erased() async throws -> [Erasure] {
        try await database.read { try Erasure.all(in: $0) }
    }

    private static func deletion(of person: PersonNumber) -> SQL {
        "DELETE FROM person_key WHERE person = \(person)"
    }

    /// The statement that writes a person on the list of the erased.
    static func erasure(of person: PersonNumber, at now: Moment) -> SQL {
        """
        INSERT INTO erasure (person, moment) VALUES (\(person), \(now))
        ON CONFLICT DO NOTHING
        """
    }
}

/// Who was erased, and when: all that is remembered of them.
package struct Erasure: Hashable, Comparable, Sendable {
    /// The number that the person had.
    package let person: PersonNumber
    /// When.
    package let moment: Moment

    /// The erasure of a person at a moment.
    package init(person: PersonNumber, moment: Moment) {
        self.person = person
        self.moment = moment
    }

    /// The earlier one is the smaller.
    package static func < (left: Erasure, right: Erasure) -> Bool {
        (left.moment, left.person) < (right.moment, right.person)
    }

    /// The statement that writes it on a database's list.
    var statement: SQL { KeyStore.erasure(of: person, at: moment) }

    /// All rows of a database's list, oldest first.
    package static func all(in transaction: Transaction) throws -> [Erasure] {
        try transaction.rows("SELECT person, moment FROM erasure ORDER BY moment, person").map {
            Erasure(
                person: try $0.value("person"),
                moment: try $0.moment("moment")
            )
        }
    }
}
