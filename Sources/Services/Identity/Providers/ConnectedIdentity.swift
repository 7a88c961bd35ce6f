package import Chronology
import Foundation
import Storage

/// Who somebody is to a provider with which people sign in.
package struct OutsideIdentity: Hashable, Sendable {
    /// The provider's name for itself.
    package let issuer: String
    /// The person's name at the provider, which never changes.
    package let subject: String
    /// What the person knows this identity by: usually the e-mail address; empty if unknown.
    package let shown: String

    /// Creates an identity that the provider has proved.
    package init(issuer: String, subject: String, shown: String) {
        self.issuer = issuer
        self.subject = subject
        self.shown = shown
    }

    /// The digest by which the identity is found.
    func digest(under secret: ServerSecret) -> [UInt8] {
        // An issuer is an address and holds no blank.
        secret.digest("\(issuer) \(subject)", of: .identity)
    }
}

/// An identity at a provider with which a person may sign in.
package struct ConnectedIdentity: Equatable, Sendable {
    /// Identifies it in its owner's list; it grants nothing.
    package let number: Int64
    /// The provider's name for itself.
    package let issuer: String
    /// What the person knows it by; empty if unknown.
    package let shown: String
    /// When it was connected.
    package let made: Moment
    /// When somebody last signed in with it; nil for never.
    package let used: Moment?

    /// The sealed part of an identity.
    private struct Contents: Codable {
        var issuer: String
        var subject: String
        var shown: String
    }

    private static let field = "connected identity"

    init(_ row: Row, _ key: PersonKey) throws {
        let text = try key.open(row.value("sealed"), as: Self.field)
        let contents = try JSONDecoder().decode(Contents.self, from: Data(text.utf8))
        issuer = contents.issuer
        shown = contents.shown
        number = try row.value("number")
        made = try row.moment("made")
        used = try row.optionalMoment("used")
    }

    /// The statement that connects an identity to a person.
    static func insertion(
        _ identity: OutsideIdentity,
        _ key: PersonKey,
        under secret: ServerSecret,
        at now: Moment
    ) throws -> SQL {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let contents = Contents(
            issuer: identity.issuer,
            subject: identity.subject,
            shown: identity.shown
        )
        let text = String(decoding: try encoder.encode(contents), as: UTF8.self)
        return """
            INSERT INTO connected_identity (identity, number, person, sealed, made, used)
            VALUES (
                \(identity.digest(under: secret)), \(Int64.random(in: 1..<(1 << 53))),
                \(key.person), \(try key.seal(text, as: Self.field)), \(now), NULL
            )
            """
    }

    /// Lists the identities of a person, the oldest first.
    static func all(of key: PersonKey, in transaction: Transaction) throws -> [ConnectedIdentity] {
        try transaction.rows(
            """
            SELECT number, sealed, made, used FROM connected_identity
            WHERE person = \(key.person) ORDER BY made, number
            """
        ).map { try ConnectedIdentity($0, key) }
    }

    /// The person to whom an identity is connected.
    static func owner(
        of identity: OutsideIdentity,
        under secret: ServerSecret,
        in transaction: Transaction
    ) throws -> PersonNumber? {
        try transaction.row(
            """
            SELECT person FROM connected_identity
            WHERE identity = \(identity.digest(under: secret))
            """
        )?.value("person")
    }
}

/// The ways in which a person can sign in.
package struct WaysIn: Equatable, Sendable {
    /// Whether the person has a password.
    package let hasPassword: Bool
    /// The identities at providers, the oldest first.
    package let identities: [ConnectedIdentity]

    /// Whether another way remains without an identity, of the providers that the city has.
    package func remain(without number: Int64, issuers: Set<String>) -> Bool {
        hasPassword || identities.contains { $0.number != number && issuers.contains($0.issuer) }
    }
}

/// Why an identity at a provider cannot be connected, disconnected or used.
package enum IdentityRefusal: Error, Hashable, Sendable {
    /// It is connected to an account already.
    case taken
    /// It is connected to another account than the one that is signed in, or to none.
    case notYours
    /// The person has as many as anybody can have.
    case tooMany
    /// The person could not sign in any more.
    case lastWay
    /// An account with the e-mail address exists; its owner signs in and connects the identity.
    case emailTaken
}

extension ServerSecret.Domain {
    /// An identity at a provider.
    static let identity = Self(rawValue: "connected identity")
    /// What an answer of a provider belongs to.
    static let signInState = Self(rawValue: "sign-in state")
}
