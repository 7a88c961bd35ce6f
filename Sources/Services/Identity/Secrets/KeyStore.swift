package import Chronology
package import Storage

/// The keys of people and of rows of ``SealedTable``,
/// kept in a database apart from the data that they encrypt.
///
/// The database has its own file or server and its own few, short-lived backups; its keys are
/// wrapped under the ``ServerSecret``. Destroying a key makes all data sealed under it unreadable,
/// including old backups of the data once no backup of the keys contains it. The list of erasures,
/// numbers and times only, is stored beside the keys.
package struct KeyStore: Sendable {
    let database: Database
    private let secret: ServerSecret

    /// Creates a key store on a database with the schema `Migration.keyStore`.
    package init(on database: Database, secret: ServerSecret) {
        self.database = database
        self.secret = secret
    }

    /// Creates a key for a number that has none.
    package func makeKey(for person: PersonNumber, at now: Moment) async throws -> PersonKey {
        try await makeKeys(for: [person], at: now)[0]
    }

    /// Creates keys for numbers that have none, in their order.
    package func makeKeys(for people: [PersonNumber], at now: Moment) async throws -> [PersonKey] {
        precondition(Set(people).count == people.count, "an owner has one key")
        let keys = people.map { PersonKey(newFor: $0) }
        let inserts = try keys.map { key -> SQL in
            let wrapped = try key.wrapped(in: secret)
            return "INSERT INTO person_key VALUES (\(key.person), \(wrapped), \(now))"
        }
        try await database.write(within: .seconds(300)) { try $0.execute(inserts) }
        return keys
    }

    /// Returns the key of a person.
    ///
    /// - Returns: nil if it was never created or has been destroyed.
    /// - Throws: `AccountFailure.sealBroken` if it was wrapped under another secret.
    package func key(of person: PersonNumber) async throws -> PersonKey? {
        let found = try await database.read(isBrief: true) { transaction in
            try transaction.row(
                "SELECT sealed FROM person_key WHERE person = \(person)"
            )
        }
        guard let found else { return nil }
        return try PersonKey(of: person, wrapped: found.value("sealed"), in: secret)
    }

    /// Returns whether the secret is the one that wraps the stored keys; true if there are none.
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

    /// Returns whether a person has a key, readable or not.
    func hasKey(_ person: PersonNumber) async throws -> Bool {
        try await database.read { transaction in
            try transaction.row("SELECT 1 AS one FROM person_key WHERE person = \(person)") != nil
        }
    }

    /// Up to this number, keys are read in one query on the calling thread.
    package static let few = 8

    /// Returns the keys of several people; those without a key are left out.
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

    /// Does the work of creating a key without storing it, so that the response
    /// time reveals nothing.
    package func pretend(at now: Moment) async throws {
        let key = PersonKey(newFor: .random())
        let wrapped = try key.wrapped(in: secret)
        try await database.write { transaction in
            try transaction.execute(
                "INSERT INTO person_key VALUES (\(key.person), \(wrapped), \(now))"
            )
            try transaction.execute(Self.deletion(of: key.person))
        }
    }

    /// Deletes the keys of people whose registration failed.
    package func discard(_ people: [PersonNumber]) async throws {
        let deletes = people.map { Self.deletion(of: $0) }
        try await database.write { try $0.execute(deletes) }
    }

    /// Destroys the keys of people and lists the people as erased; safe to repeat.
    func destroy(_ people: [PersonNumber], at now: Moment) async throws {
        let statements = people.flatMap { person -> [SQL] in
            [Self.deletion(of: person), Self.erasure(of: person, at: now)]
        }
        try await database.write { try $0.execute(statements) }
        // If another connection is reading, the next sweep scrubs instead.
        try? await database.scrub()
    }

    /// Removes the remains of destroyed keys from the disk.
    func scrub() async throws {
        try await database.scrub()
    }

    /// Adds erasures that were recorded elsewhere to the list.
    func remember(_ list: [Erasure]) async throws {
        try await database.write(within: .seconds(60)) { transaction in
            try transaction.execute(list.map(\.statement))
        }
    }

    /// Lists erased people who have a key nevertheless, for example after a restore.
    func returned() async throws -> [PersonNumber] {
        try await database.read { transaction in
            try transaction.rows(
                """
                SELECT k.person AS person FROM erasure e JOIN person_key k ON k.person = e.person
                """
            ).map { try $0.value("person") }
        }
    }

    /// Lists all erasures, oldest first.
    func erased() async throws -> [Erasure] {
        try await database.read { try Erasure.all(in: $0) }
    }

    private static func deletion(of person: PersonNumber) -> SQL {
        "DELETE FROM person_key WHERE person = \(person)"
    }

    /// The statement that adds a person to the list of erasures.
    static func erasure(of person: PersonNumber, at now: Moment) -> SQL {
        """
        INSERT INTO erasure (person, moment) VALUES (\(person), \(now))
        ON CONFLICT DO NOTHING
        """
    }
}

/// The record of an erased person: nothing but the number and the time is kept.
package struct Erasure: Hashable, Comparable, Sendable {
    /// The number of the erased person.
    package let person: PersonNumber
    /// When the person was erased.
    package let moment: Moment

    /// Creates the record of an erasure.
    package init(person: PersonNumber, moment: Moment) {
        self.person = person
        self.moment = moment
    }

    /// Orders erasures by time.
    package static func < (left: Erasure, right: Erasure) -> Bool {
        (left.moment, left.person) < (right.moment, right.person)
    }

    /// The statement that adds the erasure to a database's list.
    var statement: SQL { KeyStore.erasure(of: person, at: moment) }

    /// Lists all erasures in a database, oldest first.
    package static func all(in transaction: Transaction) throws -> [Erasure] {
        try transaction.rows("SELECT person, moment FROM erasure ORDER BY moment, person").map {
            Erasure(
                person: try $0.value("person"),
                moment: try $0.moment("moment")
            )
        }
    }
}
