import Identity
package import Notify
package import Storage

extension Accounts {
    /// The push subscriptions of all people, each encrypted with its owner's key.
    ///
    /// - Parameter database: the database that stores them.
    /// - Returns: the subscriptions of all people.
    package func browsers(in database: Database) -> PushSubscriptions {
        PushSubscriptions(in: database, under: BrowserSeal(keys: keys))
    }
}

/// Encrypts a browser's push address with the key of the person who owns it.
private struct BrowserSeal: PersonalSeal {
    private static let field = "browser"

    /// The encryption keys of all people.
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
