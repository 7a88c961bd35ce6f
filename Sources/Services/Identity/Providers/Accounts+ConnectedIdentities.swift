package import Chronology
import Encoding
import Foundation
import Storage

/// The identities at providers that a person has connected.
extension Accounts {
    /// The most identities of one person.
    private static let identityLimit = 10

    /// Returns how a person can sign in.
    package func waysIn(of person: PersonNumber) async throws -> WaysIn {
        let key = try await key(of: person)
        return try await data.read { try Self.waysIn(of: key, in: $0) }
    }

    private static func waysIn(of key: PersonKey, in transaction: Transaction) throws -> WaysIn {
        WaysIn(
            hasPassword: try Fields.sealed(.password, of: key.person, in: transaction) != nil,
            identities: try ConnectedIdentity.all(of: key, in: transaction)
        )
    }

    /// Connects an identity, so that its owner can sign in with it.
    ///
    /// - Parameters:
    ///   - identity: the identity, which the person has just proved.
    ///   - provider: what the provider is called in the mail.
    ///   - session: the person's session with a recent password check.
    ///   - now: the current time.
    /// - Throws: ``IdentityRefusal``, `passwordNeeded`, `mustChangePassword`.
    package func connect(
        _ identity: OutsideIdentity,
        at provider: String,
        by session: Session,
        at now: Moment
    ) async throws {
        let person = try grave(session, at: now)
        let key = try await key(of: person)
        try await data.write { transaction in
            let owner = try ConnectedIdentity.owner(of: identity, under: secret, in: transaction)
            guard owner == nil else { throw IdentityRefusal.taken }
            guard
                try ConnectedIdentity.all(of: key, in: transaction).count < Self.identityLimit
            else { throw IdentityRefusal.tooMany }
            try transaction.execute(
                try ConnectedIdentity.insertion(identity, key, under: secret, at: now)
            )
            try note(.connectSignIn, identity.issuer, key, at: now, in: transaction)
            let fields = try Fields.all(key, in: transaction)
            let facts = ["provider": provider]
            try tell(.signInConnected, key, fields, facts, at: now, in: transaction)
        }
    }

    /// Takes an identity from an account; never the last way to sign in.
    ///
    /// - Parameters:
    ///   - number: the number of the identity; unknown ones change nothing.
    ///   - issuers: the providers that the city has.
    ///   - session: the person's session with a recent password check.
    ///   - now: the current time.
    /// - Throws: ``IdentityRefusal/lastWay``, `passwordNeeded`, `mustChangePassword`.
    package func disconnectIdentity(
        _ number: Int64,
        issuers: Set<String>,
        by session: Session,
        at now: Moment
    ) async throws {
        let person = try grave(session, at: now)
        let key = try await key(of: person)
        try await data.write { transaction in
            let ways = try Self.waysIn(of: key, in: transaction)
            guard let found = ways.identities.first(where: { $0.number == number }) else { return }
            guard ways.remain(without: number, issuers: issuers) else {
                throw IdentityRefusal.lastWay
            }
            try transaction.execute(
                """
                DELETE FROM connected_identity WHERE number = \(number) AND person = \(person)
                """
            )
            try note(.disconnectSignIn, found.issuer, key, at: now, in: transaction)
        }
    }

    private func note(
        _ act: AuditAct,
        _ issuer: String,
        _ key: PersonKey,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        let note = AuditNote(by: key.person, act, person: key.person, after: issuer)
        try AuditTrail.append(note, under: key, at: now, in: transaction)
    }

    /// The section of a person's export about connected sign-ins (R105).
    package func identitySection(of person: PersonNumber) async throws -> ExportSection {
        let list = try await waysIn(of: person).identities.map { found in
            ExportedIdentity(
                issuer: found.issuer,
                name: found.shown,
                since: found.made.milliseconds,
                lastUsed: found.used?.milliseconds
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(list), as: UTF8.self)
        return ExportSection(name: "connectedSignIns", json: json)
    }
}

/// A connected sign-in in an export; times are in milliseconds since 1970 UTC.
private struct ExportedIdentity: Encodable {
    var issuer: String
    var name: String
    var since: Int64
    var lastUsed: Int64?
}
