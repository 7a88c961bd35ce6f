import Identity
package import Notify
package import Storage

extension Accounts {
    /// The subscribed browsers, each under its owner's key.
    ///
    /// - Parameter database: where they are stored.
    /// - Returns: the subscriptions of all people.
    package func browsers(in database: Database) -> PushSubscriptions {
        PushSubscriptions(in: database, under: BrowserSeal(keys: keys))
    }
}

/// Closes where a person's browsers are reached under the key of that person.
private struct BrowserSeal: PersonalSeal {
    private static let field = "browser"

    /// The keys of people.
    let keys: KeyStore

    func close(_ text: String, of person: String) async throws -> [UInt8]? {
        try await key(of: person)?.seal(text, as: Self.field)
    }

    func open(_ sealed: [UInt8], of person: String) async throws -> String? {
        guard let key = try await key(of: person) else { return nil }
        return try? key.open(sealed, as: Self.field)
    }

    private func key(of person: String) async throws -> PersonKey? {
        guard let number = Int64(person) else { return nil }
        return try await keys.key(of: PersonNumber(rawValue: number))
    }
}
