import Storage

extension Accounts {
    /// Lists a person's saved places by name; like all personal data, they are sealed under
    /// the person's key.
    ///
    /// - Throws: `noSuchPerson`.
    package func places(of person: PersonNumber) async throws -> [SavedPlace] {
        try ModuleAccess.check(reads: .places)
        let key = try await key(of: person)
        return try await data.read { try Self.places(key, in: $0) }
    }

    /// Saves a place of a person, replacing one of the same name.
    ///
    /// - Returns: false, without any change, if ``SavedPlace/most`` others are already saved.
    /// - Throws: `noSuchPerson`.
    package func keep(_ place: SavedPlace, of person: PersonNumber) async throws -> Bool {
        let key = try await key(of: person)
        return try await data.write { transaction in
            _ = try PersonRecord.get(person, in: transaction)
            let others = try Self.places(key, in: transaction).filter { $0.name != place.name }
            guard others.count < SavedPlace.most else { return false }
            try Self.store(others + [place], key, in: transaction)
            return true
        }
    }

    /// Deletes the saved place with a name, if there is one.
    ///
    /// - Throws: `noSuchPerson`.
    package func forgetPlace(named name: String, of person: PersonNumber) async throws {
        let key = try await key(of: person)
        try await data.write { transaction in
            let all = try Self.places(key, in: transaction)
            try Self.store(all.filter { $0.name != name }, key, in: transaction)
        }
    }

    private static func places(
        _ key: PersonKey,
        in transaction: Transaction
    ) throws -> [SavedPlace] {
        let field = PersonField.places
        guard let sealed = try Fields.sealed(field, of: key.person, in: transaction) else {
            return []
        }
        return SavedPlace.places(try key.open(sealed, as: field.rawValue))
    }

    private static func store(
        _ places: [SavedPlace],
        _ key: PersonKey,
        in transaction: Transaction
    ) throws {
        let sorted = places.sorted { $0.name < $1.name }
        try transaction.execute(Fields.store([.places: SavedPlace.text(of: sorted)], key))
    }
}
