import Chronology
import Encoding
import Foundation

/// The statement of a provider about who signed in (OpenID Connect Core 1.0, 2), before it is
/// believed.
struct IDToken {
    /// The longest token, in bytes.
    static let limit = 16_384
    /// How far the clock of a provider may be off, in seconds.
    static let leeway: Int64 = 60
    /// The oldest token, in seconds: it is issued while the person's browser is on its way back.
    static let oldest: Int64 = 600

    private struct Header: Decodable {
        let alg: String
        let kid: String?
        let crit: [String]?
    }

    let claims: Claims
    /// The algorithm that the token names.
    let algorithm: SigningKey.Algorithm
    /// The name of the key that the token names.
    let key: String?
    private let signed: Substring
    private let signature: [UInt8]

    /// Parses a token (RFC 7515, 3.1).
    ///
    /// - Throws: ``ProviderFailure/doubted(_:)`` if the text is not a token, or its algorithm is
    ///   not accepted.
    init(_ text: String) throws(ProviderFailure) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.limit, parts.count == 3,
            let header: Header = Self.json(parts[0])
        else { throw .doubted(.malformed) }
        guard let algorithm = SigningKey.Algorithm(rawValue: header.alg), header.crit == nil else {
            throw .doubted(.algorithm)
        }
        guard let claims: Claims = Self.json(parts[1]), let signature = Base64.decoded(parts[2])
        else { throw .doubted(.malformed) }
        self.algorithm = algorithm
        self.claims = claims
        self.signature = signature
        key = header.kid
        signed = text[..<parts[1].endIndex]
    }

    private static func json<Value: Decodable>(_ part: Substring) -> Value? {
        Base64.decoded(part).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
    }

    /// Checks the signature and everything that the token claims (OpenID Connect Core, 3.1.3.7).
    ///
    /// - Parameters:
    ///   - key: the provider's key.
    ///   - registration: the provider, and this server's name there.
    ///   - nonce: the secret of the attempt.
    ///   - now: the current time.
    /// - Throws: ``ProviderFailure/doubted(_:)``.
    func check(
        by key: SigningKey,
        of registration: ProviderRegistration,
        nonce: String,
        at now: Moment
    ) throws(ProviderFailure) {
        guard key.signed(signed, with: signature) else { throw .doubted(.signature) }
        guard claims.issuer == registration.issuer else { throw .doubted(.issuer) }
        // A token for several clients could have been passed on by another one of them.
        guard claims.audience == [registration.client],
            claims.party == nil || claims.party == registration.client
        else { throw .doubted(.audience) }
        guard now < claims.expires.adding(seconds: Self.leeway) else { throw .doubted(.expired) }
        let latest = now.adding(seconds: Self.leeway)
        guard claims.issued <= latest, claims.notBefore.map({ $0 <= latest }) ?? true,
            claims.issued >= now.adding(seconds: -Self.oldest - Self.leeway)
        else { throw .doubted(.tooEarly) }
        guard let given = claims.nonce, Self.equal(given, nonce) else { throw .doubted(.nonce) }
        guard (1...255).contains(claims.subject.utf8.count),
            claims.subject.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
        else { throw .doubted(.subject) }
    }

    /// Compares in constant time.
    private static func equal(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        return left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
