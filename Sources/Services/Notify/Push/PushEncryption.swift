import Crypto

/// Encrypts a notification so that only the browser can read it (RFC 8291, aes128gcm of RFC 8188).
enum PushEncryption {
    /// The record size; the whole body is one record (RFC 8291, 4).
    private static let recordSize: UInt32 = 4_096
    /// The largest plain text: the record without its header of 86 bytes, tag and delimiter.
    static let sizeLimit = 4_096 - 86 - 16 - 1

    /// Encrypts with a fresh key and salt.
    ///
    /// - Throws: `NotifyFailure.badKey` if the browser's key is invalid or the text is too long.
    static func encrypted(
        _ plain: [UInt8],
        for subscription: PushSubscription
    ) throws(NotifyFailure) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        return try encrypted(plain, for: subscription, by: P256.KeyAgreement.PrivateKey(), salt)
    }

    /// Encrypts with a given key and salt, which must never be reused.
    static func encrypted(
        _ plain: [UInt8],
        for subscription: PushSubscription,
        by key: P256.KeyAgreement.PrivateKey,
        _ salt: [UInt8]
    ) throws(NotifyFailure) -> [UInt8] {
        guard plain.count <= sizeLimit else { throw .badKey }
        do {
            let browser = try P256.KeyAgreement.PublicKey(x963Representation: subscription.key)
            let ours = Array(key.publicKey.x963Representation)
            let shared = try key.sharedSecretFromKeyAgreement(with: browser)
            let info = Array("WebPush: info\0".utf8) + subscription.key + ours
            let material = shared.hkdfDerivedSymmetricKey(
                using: SHA256.self,
                salt: subscription.secret,
                sharedInfo: info,
                outputByteCount: 32
            )
            func derived(_ name: String, _ count: Int) -> SymmetricKey {
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: material,
                    salt: salt,
                    info: Array("Content-Encoding: \(name)\0".utf8),
                    outputByteCount: count
                )
            }
            let nonce = unsafe derived("nonce", 12).withUnsafeBytes { unsafe Array($0) }
            let box = try AES.GCM.seal(
                // The delimiter of the last record (RFC 8188, 2).
                plain + [2],
                using: derived("aes128gcm", 16),
                nonce: AES.GCM.Nonce(data: nonce)
            )
            let size = (0..<4).map { UInt8(truncatingIfNeeded: recordSize >> (24 - 8 * $0)) }
            return salt + size + [UInt8(ours.count)] + ours + box.ciphertext + box.tag
        } catch {
            throw .badKey
        }
    }
}
