import Chronology
import Crypto
import Encoding
import Foundation
import Localization
import Storage
import StorageTestSupport
import Testing

@testable import Notify

/// RFC 8030, 8188, 8291, 8292: Web Push.
@Suite("Web Push")
struct PushTests {
    /// The keys of RFC 8291, 5 and appendix A.
    private static let browserKey =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let browserPrivate = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    private static let browserSecret = "BTBZMqHH6r4Tts7J_aSIgg"
    private static let identityKey = VoluntaryIdentification.newKey()

    static func subscription(_ endpoint: String, person: String = "17") throws -> PushSubscription {
        try #require(
            PushSubscription(
                person: person,
                endpoint: endpoint,
                key: browserKey,
                secret: browserSecret
            )
        )
    }

    static func identity() throws -> VoluntaryIdentification {
        try VoluntaryIdentification(
            key: identityKey,
            contact: Examples.address("office@city.example")
        )
    }

    static func notice(_ text: String = "Taxi T12 comes.") -> PushNotice {
        PushNotice(
            kind: ParcelKind.near,
            language: .english,
            title: "Milano",
            text: text,
            link: Examples.page,
            now: Examples.now,
            usefulUntil: Examples.now.adding(seconds: 1_800)
        )
    }

    @Test("the example of RFC 8291 comes out bit for bit")
    func example() throws {
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Base64.decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw") ?? []
        )
        let body = try PushEncryption.encrypted(
            Array("When I grow up, I want to be a watermelon".utf8),
            for: Self.subscription(
                "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"
            ),
            by: key,
            Base64.decoded("DGv6ra1nlYgDCS1FRnbzlw") ?? []
        )
        #expect(
            Base64.encodedForURL(body)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
                + "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
                + "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )
    }

    @Test("only the browser can read a notice, and no two bodies are the same")
    func roundTrip() throws {
        let browser = try Self.subscription("https://push.example/1")
        for count in [0, 1, 500, PushEncryption.sizeLimit] {
            let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let body = try PushEncryption.encrypted(plain, for: browser)
            #expect(try Self.decrypted(body) == plain)
            #expect(body.count <= 4_096)
            #expect(try PushEncryption.encrypted(plain, for: browser) != body)
        }
        let large = [UInt8](repeating: 0, count: PushEncryption.sizeLimit + 1)
        #expect(throws: NotifyFailure.self) {
            try PushEncryption.encrypted(large, for: browser)
        }
    }

    @Test("a token says for whom and until when, and is signed (RFC 8292)")
    func token() throws {
        let identity = try Self.identity()
        let browser = try Self.subscription("https://push.example:8443/send/abc?x=1")
        #expect(browser.origin == "https://push.example:8443")
        let value = try identity.authorization(for: browser.origin, at: Examples.now)
        let parts = value.split(separator: " ")
        #expect(parts.count == 3 && parts[0] == "vapid")
        #expect(parts[2] == "k=\(identity.publicKey)")
        let token = parts[1].dropFirst(2).dropLast().split(separator: ".").map(String.init)
        #expect(token.count == 3)
        let claims = String(decoding: Base64.decoded(token[1]) ?? [], as: UTF8.self)
        #expect(
            claims == """
                {"aud":"https://push.example:8443","exp":1795307805,\
                "sub":"mailto:office@city.example"}
                """
        )
        let key = try P256.Signing.PublicKey(
            x963Representation: Base64.decoded(identity.publicKey) ?? []
        )
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: Base64.decoded(token[2]) ?? []
        )
        #expect(key.isValidSignature(signature, for: Data("\(token[0]).\(token[1])".utf8)))
        #expect(throws: NotifyFailure.badKey) {
            try VoluntaryIdentification(key: "AAAA", contact: Examples.sender)
        }
    }

    @Test("notices are JSON whatever people write, and never too long")
    func payload() throws {
        for text in MailMessageTests.hostile + [
            "\"\\\u{1}", String(repeating: "\u{0}", count: 999),
        ] {
            let payload = Self.notice(text).payload
            #expect(payload.count <= PushEncryption.sizeLimit)
            let read = try JSONDecoder().decode([String: String].self, from: Data(payload))
            #expect(read["title"] == "Milano" && read["url"] == Examples.page.text)
            #expect(text.hasPrefix(read["body"] ?? "?"))
        }
    }

    @Test(
        "what is no subscription is not stored",
        arguments: [
            ("http://push.example/1", browserKey, browserSecret),
            ("https://user@push.example/1", browserKey, browserSecret),
            ("ftp://push.example/1", browserKey, browserSecret),
            ("https://push.example/1\r\nX: y", browserKey, browserSecret),
            ("https://push.example/1", String(browserKey.dropLast(2)), browserSecret),
            ("https://push.example/1", "B" + String(repeating: "A", count: 86), browserSecret),
            ("https://push.example/1", browserKey, "BTBZ"),
            ("https://push.example/1", browserKey, ""),
        ]
    )
    func badSubscriptions(endpoint: String, key: String, secret: String) {
        let made = PushSubscription(person: "1", endpoint: endpoint, key: key, secret: secret)
        #expect(made == nil)
    }

    @Test(
        "browsers are stored once, for one person, and not too many",
        arguments: TestEngine.allCases
    )
    func table(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            let browsers = world.browsers
            for number in 0..<12 {
                let browser = try Self.subscription("https://push.example/\(number)")
                try await browsers.add(browser, at: Examples.now.adding(seconds: Int64(number)))
            }
            let found = try await browsers.subscriptions(of: "17")
            #expect(found.map(\.endpoint).first == "https://push.example/11")
            #expect(found.count == PushSubscriptions.limit)
            let moved = try Self.subscription("https://push.example/11", person: "18")
            try await browsers.add(moved, at: Examples.now)
            #expect(try await browsers.subscriptions(of: "18") == [moved])
            #expect(try await browsers.subscriptions(of: "17").count == PushSubscriptions.limit - 1)
            try await browsers.remove(moved.id, of: "17")
            #expect(try await browsers.subscription(moved.id) == moved)
            try await browsers.remove(moved.id, of: "18")
            #expect(try await browsers.subscription(moved.id) == nil)
        }
    }

    @Test(
        "where a browser is reached is stored for its owner only, and gone with the owner's key",
        arguments: TestEngine.allCases
    )
    func sealed(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            let browsers = world.browsers
            try await browsers.add(
                try Self.subscription("https://push.example/secret-place"),
                at: Examples.now
            )
            let erased = try Self.subscription("https://push.example/2", person: TestSeal.erased)
            try await browsers.add(erased, at: Examples.now)
            let stored = try await world.database.read { transaction in
                try transaction.rows("SELECT sealed FROM push_subscription").map {
                    try $0.value("sealed", as: [UInt8].self)
                }
            }
            #expect(stored.count == 1, "nothing is stored of who is erased")
            #expect(!String(decoding: stored[0], as: UTF8.self).contains("secret-place"))
            // If it is moved to another person, it cannot be decrypted and counts as missing.
            try await world.database.write { transaction in
                _ = try transaction.execute("UPDATE push_subscription SET person = '18'")
            }
            #expect(try await browsers.subscriptions(of: "18").isEmpty)
            #expect(try await browsers.entries(of: "18").isEmpty)
        }
    }

    static func decrypted(_ body: [UInt8]) throws -> [UInt8] {
        let salt = Array(body[..<16])
        let length = Int(body[20])
        let sender = Array(body[21..<(21 + length)])
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Base64.decoded(browserPrivate) ?? []
        )
        let shared = try key.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: sender)
        )
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: Base64.decoded(browserSecret) ?? [],
            sharedInfo: Array("WebPush: info\0".utf8) + key.publicKey.x963Representation + sender,
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
        let nonce = derived("nonce", 12).withUnsafeBytes { Array($0) }
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: nonce),
            ciphertext: body[(21 + length)...].dropLast(16),
            tag: body.suffix(16)
        )
        return try Array(AES.GCM.open(box, using: derived("aes128gcm", 16)).dropLast())
    }
}
