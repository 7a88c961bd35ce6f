import Chronology
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// design.md, rule 11; issue "personal fields under a key for each person".
@Suite("Seals")
struct SealTests {
    private let secret = ServerSecret([UInt8](repeating: 1, count: 32))

    @Test("a sealed value opens for its own person and field only")
    func bound() throws {
        let mario = PersonKey(newFor: PersonNumber(rawValue: 1))
        let luigi = PersonKey(newFor: PersonNumber(rawValue: 2))
        let sealed = try mario.seal("via Roma 1", as: "address")
        #expect(try mario.open(sealed, as: "address") == "via Roma 1")
        #expect(sealed != (try mario.seal("via Roma 1", as: "address")))
        #expect(throws: AccountFailure.sealBroken) { try mario.open(sealed, as: "name") }
        #expect(throws: AccountFailure.sealBroken) { try luigi.open(sealed, as: "address") }
        var altered = sealed
        altered[20] ^= 1
        #expect(throws: AccountFailure.sealBroken) { try mario.open(altered, as: "address") }
        for bytes in [[], [UInt8](repeating: 0, count: 27)] {
            #expect(throws: AccountFailure.sealBroken) { try mario.open(bytes, as: "address") }
        }
    }

    @Test("a wrapped key opens under its secret and for its person only")
    func wrapped() throws {
        let secret = try #require(secret)
        let other = try #require(ServerSecret([UInt8](repeating: 2, count: 32)))
        let person = PersonNumber(rawValue: 1)
        let key = PersonKey(newFor: person)
        let wrapped = try key.wrapped(in: secret)
        #expect(wrapped.count == 60)
        let sealed = try key.seal("x", as: "name")
        let opened = try PersonKey(of: person, wrapped: wrapped, in: secret)
        #expect(try opened.open(sealed, as: "name") == "x")
        #expect(throws: AccountFailure.sealBroken) {
            try PersonKey(of: person, wrapped: wrapped, in: other)
        }
        #expect(throws: AccountFailure.sealBroken) {
            try PersonKey(of: PersonNumber(rawValue: 2), wrapped: wrapped, in: secret)
        }
    }

    @Test("digests differ by kind of value and by secret, and short secrets are refused")
    func digests() throws {
        let secret = try #require(secret)
        let other = try #require(ServerSecret([UInt8](repeating: 2, count: 32)))
        #expect(secret.digest("a", of: .email) == secret.digest("a", of: .email))
        #expect(secret.digest("a", of: .email) != secret.digest("a", of: .userName))
        #expect(secret.digest("a", of: .email) != other.digest("a", of: .email))
        #expect(ServerSecret([UInt8](repeating: 1, count: 31)) == nil)
        #expect(ServerSecret(ServerSecret.randomBytes()) != nil)
    }

    @Test(
        "numbers are held exactly, and a key store of another secret is noticed",
        arguments: TestEngine.allCases
    )
    func otherSecret(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let mario = try await city.person("mario")
            let other = try #require(ServerSecret([UInt8](repeating: 2, count: 32)))
            let store = KeyStore(on: city.keyDatabase, secret: other)
            #expect(
                try await refusal { _ = try await store.key(of: mario) } == .sealBroken
            )
            for _ in 1...1_000 { #expect((1..<(1 << 53)).contains(PersonNumber.random().rawValue)) }
        }
    }
}
