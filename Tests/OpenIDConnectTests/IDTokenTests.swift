import Chronology
import Foundation
import HTTPClient
import Testing
import WebTestSupport

@testable import OpenIDConnect

/// travlendar.md V7; OpenID Connect Core 1.0, 3.1.3.7; RFC 9207; RFC 9700.
@Suite("Answers of providers", .serialized)
struct IDTokenTests {
    private typealias Lie = LyingProvider.Lie
    private static let now = Moment(milliseconds: 1_800_000_000_000)
    private static let back = "https://city.example/login/from/test"
    private static let client = HTTPClient("viavai.test", scope: .loopbackOnly, threadLimit: 4)

    private static func provider(
        _ lying: LyingProvider,
        limit: Duration = .seconds(8)
    ) throws -> IdentityProvider {
        let registration = try #require(
            ProviderRegistration(
                name: "test",
                issuer: lying.issuer,
                client: LyingProvider.client,
                secret: LyingProvider.secret,
                label: "Example"
            )
        )
        return IdentityProvider(registration, over: client, limit: limit)
    }

    /// Signs a person in, as a browser and a server do together.
    private static func identity(
        of person: LyingProvider.Person,
        _ provider: IdentityProvider,
        _ lying: LyingProvider,
        secrets: SignInSecrets = SignInSecrets(),
        redeeming other: SignInSecrets? = nil,
        at now: Moment = now
    ) async throws -> ProvidedIdentity {
        let address = try await provider.authorization(
            for: secrets,
            back: back,
            language: "en",
            at: now
        )
        let answer = try lying.signIn(person, at: address)
        let items = URLComponents(string: answer)?.queryItems ?? []
        let fields = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        #expect(fields["state"] == secrets.state)
        return try await provider.identity(
            for: try #require(fields["code"]),
            from: fields["iss"],
            other ?? secrets,
            back: back,
            at: now
        )
    }

    private static let rosa = LyingProvider.Person("rosa-1", email: "rosa@example.com")

    @Test(
        "an honest provider proves who somebody is, by RSA and by an elliptic curve (V7)",
        arguments: [false, true]
    )
    func honest(usesCurve: Bool) async throws {
        try await LyingProvider.with { lying in
            lying.change(key: "k", usesCurve: usesCurve)
            let provider = try Self.provider(lying)
            let found = try await Self.identity(of: Self.rosa, provider, lying)
            #expect(found.issuer == lying.issuer && found.subject == "rosa-1")
            #expect(found.email == "rosa@example.com" && found.isEmailVerified)
            #expect(found.givenName == "Rosa" && found.familyName == "Gialli")
            #expect(found.authenticated == Self.now)
        }
    }

    @Test("the request has PKCE, state, nonce and the exact address to return to (V7)")
    func request() async throws {
        try await LyingProvider.with { lying in
            let secrets = SignInSecrets()
            let address = try await Self.provider(lying).authorization(
                for: secrets,
                back: Self.back,
                isRepeated: true,
                language: "it",
                at: Self.now
            )
            #expect(address.hasPrefix(lying.issuer + "/authorize?"))
            let items = URLComponents(string: address)?.queryItems ?? []
            let fields = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
            #expect(fields["response_type"] == "code" && fields["redirect_uri"] == Self.back)
            #expect(fields["code_challenge_method"] == "S256")
            #expect(fields["code_challenge"]?.count == 43)
            #expect(fields["state"] == secrets.state && fields["nonce"] == secrets.nonce)
            #expect(fields["client_id"] == LyingProvider.client)
            #expect(fields["prompt"] == "login" && fields["max_age"] == "0")
            #expect(!address.contains(secrets.verifier) && secrets.state != SignInSecrets().state)
        }
    }

    private static let doubts: [(Lie, ProviderFailure.Doubt)] = [
        (.wrongNonce, .nonce), (.noNonce, .nonce), (.wrongAudience, .audience),
        (.furtherAudience, .audience), (.wrongParty, .audience), (.wrongIssuer, .issuer),
        (.expired, .expired), (.tooEarly, .tooEarly), (.tooOld, .tooEarly), (.nobody, .subject),
        (.malformedTime, .malformed), (.noAlgorithm, .algorithm), (.sharedSecret, .algorithm),
        (.critical, .algorithm), (.otherKey, .signature), (.notSigned, .signature),
        (.unknownKey, .unknownKey), (.otherIssuerInAnswer, .issuer), (.noIssuerInAnswer, .issuer),
        (.hugeToken, .malformed),
    ]

    @Test("an answer with a lie in it proves nothing (V7)", arguments: doubts)
    private func lies(lie: Lie, doubt: ProviderFailure.Doubt) async throws {
        try await LyingProvider.with { lying in
            lying.tell(lie)
            let provider = try Self.provider(lying)
            await #expect(throws: ProviderFailure.doubted(doubt)) {
                try await Self.identity(of: Self.rosa, provider, lying)
            }
        }
    }

    @Test(
        "a provider that is down, too large or wrongly configured is told from a liar (V7)",
        arguments: [
            .broken, .noJSON, .hugeMetadata, .hugeKeys, .slow, .otherIssuerInMetadata,
            .plainEndpoint, .noKnownProof,
        ] as [Lie]
    )
    private func down(lie: Lie) async throws {
        try await LyingProvider.with { lying in
            lying.tell(lie)
            let provider = try Self.provider(
                lying,
                limit: .milliseconds(lie == .slow ? 200 : 8_000)
            )
            do {
                _ = try await Self.identity(of: Self.rosa, provider, lying)
                Issue.record("somebody was signed in")
            } catch let failure as ProviderFailure {
                switch failure {
                case .down, .misconfigured: break
                case .codeRefused, .doubted: Issue.record("\(failure)")
                }
            }
        }
    }

    @Test("a code works once, with the verifier of its own attempt only (PKCE)")
    func codes() async throws {
        try await LyingProvider.with { lying in
            let provider = try Self.provider(lying)
            await #expect(throws: ProviderFailure.codeRefused) {
                try await Self.identity(
                    of: Self.rosa,
                    provider,
                    lying,
                    redeeming: SignInSecrets()
                )
            }
            lying.tell(.refusing)
            await #expect(throws: ProviderFailure.codeRefused) {
                try await Self.identity(of: Self.rosa, provider, lying)
            }
        }
    }

    @Test("a new key is fetched when it is first used, and no more than once a minute")
    func rotation() async throws {
        try await LyingProvider.with { lying in
            let provider = try Self.provider(lying)
            _ = try await Self.identity(of: Self.rosa, provider, lying)
            _ = try await Self.identity(of: Self.rosa, provider, lying)
            #expect(lying.count("/keys") == 1)
            #expect(lying.count("/.well-known/openid-configuration") == 1)
            lying.change(key: "two", usesCurve: true)
            let later = Self.now.adding(seconds: 61)
            lying.follow { later }
            _ = try await Self.identity(of: Self.rosa, provider, lying, at: later)
            #expect(lying.count("/keys") == 2)
            lying.tell(.unknownKey)
            for _ in 0..<5 {
                await #expect(throws: ProviderFailure.doubted(.unknownKey)) {
                    try await Self.identity(of: Self.rosa, provider, lying, at: later)
                }
            }
            #expect(lying.count("/keys") == 2)
        }
    }

    @Test("a provider that was down is left alone for ten seconds, and then asked again")
    func recovery() async throws {
        try await LyingProvider.with { lying in
            let provider = try Self.provider(lying)
            lying.tell(.broken)
            for _ in 0..<3 {
                await #expect(throws: ProviderFailure.self) {
                    try await Self.identity(of: Self.rosa, provider, lying)
                }
            }
            #expect(lying.count("/.well-known/openid-configuration") == 1)
            lying.tell(.none)
            let later = Self.now.adding(seconds: 10)
            lying.follow { later }
            let found = try await Self.identity(of: Self.rosa, provider, lying, at: later)
            #expect(found.subject == "rosa-1")
        }
    }

    @Test("who keeps addresses in the profile is asked for it, and must mean the same person")
    func profile() async throws {
        try await LyingProvider.with { lying in
            lying.keepProfiles()
            let provider = try Self.provider(lying)
            let found = try await Self.identity(of: Self.rosa, provider, lying)
            #expect(found.email == "rosa@example.com" && found.isEmailVerified)
            lying.tell(.otherProfile)
            await #expect(throws: ProviderFailure.doubted(.userInfo)) {
                try await Self.identity(of: Self.rosa, provider, lying)
            }
        }
    }

    @Test(
        "texts that are no token are refused without a trap",
        arguments: ["", ".", "..", "a.b.c", "e30.e30.", "e30.e30.e30", "\u{0}.\u{0}.\u{0}"]
    )
    func nonsense(text: String) {
        #expect(throws: ProviderFailure.self) { try IDToken(text) }
    }

    @Test("an issuer is https, or on this machine; names are plain")
    func registrations() {
        for good in ["https://accounts.google.com", "https://a.example/t/v2", "http://127.0.0.1:9"]
        {
            #expect(ProviderRegistration.isIssuer(good), "\(good)")
        }
        for bad in [
            "", "a.example", "http://a.example", "https://", "https://u@a.example",
            "https://a.example?x", "https://a.example#x", "ftp://a.example", "https://a example",
        ] {
            #expect(!ProviderRegistration.isIssuer(bad), "\(bad)")
        }
        #expect(ProviderRegistration.isName("my-id2") && !ProviderRegistration.isName("a/b"))
        #expect(!ProviderRegistration.isName("-a") && !ProviderRegistration.isName("Google"))
    }
}
