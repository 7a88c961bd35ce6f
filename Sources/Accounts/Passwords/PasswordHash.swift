import CSodium

/// Argon2id hashes of passwords as PHC strings (RFC 9106), by libsodium.
///
/// They block their thread for a twentieth of a second and take ``Parameters/memoryBytes``; only
/// ``PasswordWorkers`` calls them.
enum PasswordHash {
    /// How much work a hash is.
    struct Parameters: Equatable, Sendable {
        /// Passes over the memory.
        var passes: UInt64
        /// The memory, in bytes.
        var memoryBytes: Int

        /// OWASP's first choice for Argon2id: 19 MiB and two passes (libsodium has one lane).
        static let usual = Parameters(passes: 2, memoryBytes: 19 * 1_024 * 1_024)
        /// The least that libsodium accepts: for tests that are not about passwords.
        static let least = Parameters(passes: 1, memoryBytes: 8_192)
    }

    /// Hashes a password under a new salt; nil where there is no memory for it.
    static func make(_ password: String, _ parameters: Parameters) -> String? {
        guard sodium_init() >= 0 else { return nil }
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let bytes = bytes(of: password)
        let code = unsafe crypto_pwhash_argon2id_str(
            &text,
            bytes,
            UInt64(bytes.count),
            parameters.passes,
            parameters.memoryBytes
        )
        guard code == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether a password is the one that was hashed; takes the same time if it is not.
    static func verify(_ password: String, _ hash: String) -> Bool {
        guard sodium_init() >= 0, let text = cText(of: hash) else { return false }
        let bytes = bytes(of: password)
        return unsafe crypto_pwhash_argon2id_str_verify(text, bytes, UInt64(bytes.count)) == 0
    }

    /// Whether a hash was made with less or other work than is asked for today.
    static func isOutdated(_ hash: String, _ parameters: Parameters) -> Bool {
        guard sodium_init() >= 0, let text = cText(of: hash) else { return true }
        let code = unsafe crypto_pwhash_argon2id_str_needs_rehash(
            text,
            parameters.passes,
            parameters.memoryBytes
        )
        return code != 0
    }

    private static func bytes(of password: String) -> [CChar] {
        password.composed.utf8.map(CChar.init(bitPattern:))
    }

    /// A PHC string as libsodium reads it, with zeros up to its full length.
    private static func cText(of hash: String) -> [CChar]? {
        let length = Int(crypto_pwhash_STRBYTES)
        let bytes = hash.utf8.map(CChar.init(bitPattern:))
        guard bytes.count < length else { return nil }
        return bytes + [CChar](repeating: 0, count: length - bytes.count)
    }
}
