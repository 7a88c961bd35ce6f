package import Storage

/// How many of the people and other owners of keys in the city's database have the key that opens
/// what is stored.
///
/// Without one a person cannot log in, and nobody can read what is stored about them: the
/// database of keys was lost, emptied, or is another city's.
package struct KeyCoverage: Sendable {
    /// How many owners of keys there are, without those on a list of the erased.
    package private(set) var count = 0
    /// Those of them who have no key.
    package private(set) var keyless: Set<PersonNumber> = []

    /// Whether there is somebody, and no key of anybody.
    package var isLost: Bool { count > 0 && keyless.count == count }

    /// How many rows are compared at once.
    private static let page = 10_000

    /// Compares the two databases.
    ///
    /// - Parameters:
    ///   - data: the city's database, with its tables.
    ///   - keys: the database of keys, with its tables; nil if there is none.
    ///   - erased: who was erased, as lists elsewhere say.
    ///   - tables: the tables of other modules whose rows have keys of their own.
    /// - Throws: what the databases throw.
    /// - Complexity: O(people), some hundred thousand a second.
    package init(
        of data: Database,
        by keys: Database?,
        without erased: [Erasure],
        in tables: [SealedTable]
    ) async throws {
        var gone = Set(erased.map(\.person))
        gone.formUnion(try await data.read { try Erasure.all(in: $0) }.map(\.person))
        if let keys {
            // A crash may have left somebody on this list only.
            gone.formUnion(try await keys.read { try Erasure.all(in: $0) }.map(\.person))
        }
        for source in ["person"] + tables.map(\.source) {
            var last = PersonNumber(rawValue: 0)
            while true {
                let people = try await Self.numbers(in: data, of: source, after: last)
                guard let end = people.last else { break }
                let living = Set(people).subtracting(gone)
                count += living.count
                keyless.formUnion(living)
                if let keys { keyless.subtract(try await Self.keyed(in: keys, last, end)) }
                last = end
            }
        }
    }

    /// The next numbers in a table.
    private static func numbers(
        in data: Database,
        of source: SQL,
        after last: PersonNumber
    ) async throws -> [PersonNumber] {
        try await data.read(within: .seconds(60)) { transaction in
            try transaction.rows(
                """
                SELECT number FROM \(source) WHERE number > \(last)
                ORDER BY number LIMIT \(page)
                """
            ).map { try $0.value("number") }
        }
    }

    /// The people with a key among the numbers after one and up to another.
    private static func keyed(
        in keys: Database,
        _ first: PersonNumber,
        _ last: PersonNumber
    ) async throws -> [PersonNumber] {
        try await keys.read(within: .seconds(60)) { transaction in
            try transaction.rows(
                "SELECT person FROM person_key WHERE person > \(first) AND person <= \(last)"
            ).map { try $0.value("person") }
        }
    }
}

extension KeyStore {
    /// Takes the keys of some people from backups, where they are missing here.
    ///
    /// - Throws: what the database throws.
    package func adopt(
        _ people: Set<PersonNumber>,
        from copy: KeyCopy,
        at milliseconds: Int64
    ) async throws {
        let inserts = copy.insertions(of: people, madeAt: milliseconds)
        try await database.write(within: .seconds(300)) { try $0.execute(inserts) }
    }
}
