import Encoding
package import Identity
import Storage

/// The secret address at which other programs read a person's calendar.
///
/// Its token is derived from a stored random number and the installation's secret, so that a page
/// can show it again, while the database or its backup alone reveals no address.
extension Agenda {
    /// The number of random bytes of an address.
    private static let nonceBytes = 16
    /// The length of a token in bytes, too long to be guessed.
    private static let tokenBytes = 20

    /// The token of a person's address; nil if there is none.
    package func address(of person: PersonNumber) async throws -> String? {
        let row = try await accounts.data.read { transaction in
            try transaction.row("SELECT address_nonce FROM agenda WHERE person = \(person)")
        }
        guard let nonce: [UInt8] = try row?.value("address_nonce") else { return nil }
        return token(nonce, of: person)
    }

    /// Makes a person's address.
    ///
    /// - Parameters:
    ///   - person: the owner of the calendar.
    ///   - isRenewal: whether a new address takes the place of the one that there is, which no
    ///     longer works then; otherwise that one stays.
    /// - Throws: `noSuchPerson`, any database error.
    package func makeAddress(
        of person: PersonNumber,
        isRenewal: Bool = false
    ) async throws {
        let nonce = Array(ServerSecret.randomBytes().prefix(Self.nonceBytes))
        guard let digest = digest(ofToken: token(nonce, of: person)) else {
            preconditionFailure("the token of a new address does not have the form of a token")
        }
        try await accounts.data.write { transaction in
            // No calendar outlives its owner: a person who was erased has no row here.
            _ = try PersonRecord.get(person, in: transaction)
            try transaction.execute([
                """
                INSERT INTO agenda (person, version) VALUES (\(person), 1) ON CONFLICT DO NOTHING
                """,
                """
                UPDATE agenda SET address_nonce = \(nonce), address_key = \(digest)
                WHERE person = \(person) AND (address_key IS NULL OR \(isRenewal ? 1 : 0) = 1)
                """,
            ])
        }
    }

    /// Ends a person's address; nothing happens if there is none.
    package func endAddress(of person: PersonNumber) async throws {
        try await accounts.data.write { transaction in
            try transaction.execute(
                """
                UPDATE agenda SET address_nonce = NULL, address_key = NULL
                WHERE person = \(person)
                """
            )
        }
    }

    /// The person whose calendar is at an address; nil if there is none.
    ///
    /// Only a digest is looked up, so the time that it takes tells nothing about a token.
    package func owner(ofAddress token: String) async throws -> PersonNumber? {
        guard let digest = digest(ofToken: token) else { return nil }
        return try await accounts.data.read { transaction in
            try transaction.row("SELECT person FROM agenda WHERE address_key = \(digest)")?
                .value("person")
        }
    }

    private func token(_ nonce: [UInt8], of person: PersonNumber) -> String {
        let text = "\(person.rawValue) \(nonce.hex)"
        return Array(accounts.secret.digest(text, of: .address).prefix(Self.tokenBytes)).hex
    }

    /// The digest by which an address is found; nil if the text is not a token.
    private func digest(ofToken token: String) -> [UInt8]? {
        let isToken =
            token.utf8.count == 2 * Self.tokenBytes
            && token.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isToken ? accounts.secret.digest(token, of: .addressToken) : nil
    }
}

extension ServerSecret.Domain {
    /// The random number of a calendar's address, of which its token is made.
    fileprivate static let address = Self(rawValue: "agenda address")
    /// The token of a calendar's address.
    fileprivate static let addressToken = Self(rawValue: "agenda address token")
}
