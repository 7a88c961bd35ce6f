package import Storage

/// The keys that backups of the key store hold, still wrapped.
package struct KeyCopy: Sendable {
    private var wrapped: [PersonNumber: [UInt8]] = [:]

    /// Creates a copy without keys.
    package init() {}

    /// Reads the keys in a backup of the key store, and checks that the backup is whole.
    ///
    /// - Throws: `BackupFailure`, `DatabaseFailure` for a table of another form.
    package init(ofBackup path: String) throws {
        try Database.check(backup: path, lending: ["person_key"]) { try take($1) }
    }

    /// Takes in a row of the table of keys.
    package mutating func take(_ row: Row) throws(DatabaseFailure) {
        let person: PersonNumber = try row.value("person")
        wrapped[person] = try row.value("sealed")
    }

    /// Whose keys there are.
    package var people: Set<PersonNumber> { Set(wrapped.keys) }

    /// Whether there is a key of a person.
    package func has(_ person: PersonNumber) -> Bool { wrapped[person] != nil }

    /// Takes from another copy the keys of some people that are not here.
    package mutating func add(_ people: Set<PersonNumber>, from other: KeyCopy) {
        for person in people where wrapped[person] == nil {
            wrapped[person] = other.wrapped[person]
        }
    }

    /// The key of a person, unwrapped.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `AccountFailure.sealBroken` where it was wrapped under another secret.
    func key(
        of person: PersonNumber,
        in secret: ServerSecret
    ) throws(AccountFailure) -> PersonKey? {
        guard let bytes = wrapped[person] else { return nil }
        return try PersonKey(of: person, wrapped: bytes, in: secret)
    }

    /// The statements that store the keys of some people where they are missing.
    func insertions(of people: Set<PersonNumber>, madeAt milliseconds: Int64) -> [SQL] {
        people.sorted().compactMap { person in
            wrapped[person].map { bytes in
                """
                INSERT INTO person_key (person, sealed, made)
                VALUES (\(person), \(bytes), \(milliseconds)) ON CONFLICT DO NOTHING
                """
            }
        }
    }
}

/// What a backup of the city's database holds that only a key opens.
package struct SealedRows: Sendable {
    /// The names of the tables that hold it.
    ///
    /// Guests are left out: they are kept for two days, and their keys are destroyed first.
    package var tables: Set<String> { Set(["person_field"] + others.keys) }

    /// The people, and the rows of other tables, about whom something is sealed.
    package private(set) var owners: Set<PersonNumber> = []
    /// How many of them have a key that opens the first sealed value of theirs.
    package private(set) var opened = 0
    private let keys: KeyCopy
    private let secret: ServerSecret?
    /// The tables of other modules whose rows have keys of their own, by name.
    private let others: [String: SealedTable]

    /// Records who has sealed rows, without opening any.
    ///
    /// - Parameter tables: the tables of other modules whose rows have keys of their own.
    package init(in tables: [SealedTable]) {
        self.init(in: tables, keys: KeyCopy(), secret: nil)
    }

    /// Opens a value of each owner who has a key.
    ///
    /// - Parameters:
    ///   - tables: the tables of other modules whose rows have keys of their own.
    ///   - keys: the keys.
    ///   - secret: the secret under which the keys are wrapped.
    package init(in tables: [SealedTable], opening keys: KeyCopy, with secret: ServerSecret) {
        self.init(in: tables, keys: keys, secret: secret)
    }

    private init(in tables: [SealedTable], keys: KeyCopy, secret: ServerSecret?) {
        others = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
        self.keys = keys
        self.secret = secret
    }

    /// Takes in a row of one of ``tables``.
    ///
    /// - Throws: `AccountFailure.sealBroken` where a key does not open what it should.
    package mutating func take(_ table: String, _ row: Row) throws {
        let other = others[table]
        let owner: PersonNumber = try row.value(other == nil ? "person" : "number")
        guard owners.insert(owner).inserted, let secret else { return }
        guard let key = try keys.key(of: owner, in: secret) else { return }
        let field = try other?.field.rawValue ?? row.value("field")
        _ = try key.open(row.value(other?.column ?? "sealed"), as: field)
        opened += 1
    }
}
