import Crypto
import CryptoExtras
import Encoding
import Foundation

/// A public key with which a provider signs (RFC 7517; RFC 7518, 6).
struct SigningKey: Sendable {
    /// The algorithms that are accepted: signatures by a key that only the provider has.
    ///
    /// Everyone who can verify an HMAC can also sign with its key, and `none` signs nothing.
    enum Algorithm: String, Sendable {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
    }

    /// The name of the key; nil if the provider has given it none.
    let identifier: String?
    let algorithm: Algorithm
    private let material: Material

    /// The shortest RSA key that is accepted, in bits.
    private static let leastBits = 2_048
    /// The longest number of an RSA key, in letters: 8,192 bits.
    private static let numberLimit = 1_400

    /// Takes a key of a set; nil if it is for something else, or cannot be used.
    init?(_ entry: Entry) {
        guard entry.use == nil || entry.use == "sig" else { return nil }
        identifier = entry.kid
        switch entry.kty {
        case "RSA":
            guard entry.alg == nil || entry.alg == Algorithm.rs256.rawValue,
                let modulus = entry.n, let exponent = entry.e,
                max(modulus.utf8.count, exponent.utf8.count) <= Self.numberLimit,
                let n = Base64.decoded(modulus), let e = Base64.decoded(exponent),
                let key = try? _RSA.Signing.PublicKey(n: Data(n), e: Data(e)),
                key.keySizeInBits >= Self.leastBits
            else { return nil }
            algorithm = .rs256
            material = .rsa(key)
        case "EC":
            guard entry.crv == "P-256", entry.alg == nil || entry.alg == Algorithm.es256.rawValue,
                let x = entry.x.flatMap(Base64.decoded), let y = entry.y.flatMap(Base64.decoded),
                x.count == 32, y.count == 32,
                let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { return nil }
            algorithm = .es256
            material = .p256(key)
        default: return nil
        }
    }

    /// Whether a signature of the text is by this key.
    func signed(_ text: some StringProtocol, with signature: [UInt8]) -> Bool {
        let bytes = Array(text.utf8)
        switch material {
        case .rsa(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            let digest = SHA256.hash(data: bytes)
            return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: bytes)
        }
    }

    /// A key as a set contains it.
    struct Entry: Decodable {
        let kty: String
        let use: String?
        let alg: String?
        let kid: String?
        let n: String?
        let e: String?
        let crv: String?
        let x: String?
        let y: String?
    }
}

/// The keys of a provider; those that it does not use for ID tokens are left out.
struct SigningKeys: Decodable, Sendable {
    /// The most keys of a set that are looked at.
    private static let limit = 50

    private let keys: [SigningKey]

    private enum CodingKeys: CodingKey { case keys }

    /// Reads a set; entries that cannot be used are skipped (RFC 7517, 5).
    init(from decoder: any Decoder) throws {
        let entries = try decoder.container(keyedBy: CodingKeys.self)
            .decode([Tolerant].self, forKey: .keys)
        keys = entries.prefix(Self.limit).compactMap { $0.entry.flatMap(SigningKey.init) }
    }

    /// The key of a token: that of its name or, without a name, the only one that can be.
    func key(named name: String?, for algorithm: SigningKey.Algorithm) -> SigningKey? {
        let fitting = keys.filter { $0.algorithm == algorithm }
        guard let name else { return fitting.count == 1 ? fitting[0] : nil }
        return fitting.first { $0.identifier == name }
    }

    /// An entry that may be anything.
    private struct Tolerant: Decodable {
        let entry: SigningKey.Entry?

        init(from decoder: any Decoder) throws {
            entry = try? SigningKey.Entry(from: decoder)
        }
    }
}
