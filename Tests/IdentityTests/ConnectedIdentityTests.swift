import Chronology
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// travlendar.md V7: identities at providers, in both databases.
@Suite("Connected identities")
struct ConnectedIdentityTests {
    private static let rosa = OutsideIdentity(
        issuer: "https://id.example",
        subject: "rosa-1",
        shown: "rosa@example.org"
    )
    private static let issuers: Set = ["https://id.example"]
    private static let origin = ProviderLogIn(provider: "id", address: TestCity.home)

    private static func form(_ name: String) -> Registration {
        var form = Registration(
            userName: name,
            email: name + "@example.org",
            password: "",
            passwordAgain: "",
            name: "Rosa",
            surname: "Gialli",
            consent: AccountSettings().consentVersion
        )
        form.isWithoutPassword = true
        return form
    }

    /// Registers Rosa as she comes from the provider.
    private static func registerRosa(in city: TestCity) async throws -> SessionGrant {
        try await city.accounts.registerVerified(
            form("rosa"),
            as: rosa,
            proved: nil,
            origin,
            at: TestCity.start
        )
    }

    @Test(
        "who comes from a provider has no password, a confirmed address, and one way in",
        arguments: TestEngine.allCases
    )
    func registered(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let now = TestCity.start
            let grant = try await Self.registerRosa(in: city)
            let person = try #require(grant.session.person)
            #expect(grant.session.authenticated == nil, "the provider did not say so")
            let ways = try await city.accounts.waysIn(of: person)
            #expect(!ways.hasPassword && ways.identities.map(\.shown) == ["rosa@example.org"])
            #expect(try await city.accounts.hasConsented(person))
            #expect(try await city.accounts.hasAccount(withEmail: "ROSA@example.org"))
            await #expect(throws: IdentityRefusal.taken) {
                try await city.accounts.registerVerified(
                    Self.form("eve"),
                    as: Self.rosa,
                    proved: nil,
                    Self.origin,
                    at: now
                )
            }
            let other = OutsideIdentity(issuer: "https://id.example", subject: "2", shown: "")
            await #expect(throws: IdentityRefusal.emailTaken) {
                try await city.accounts.registerVerified(
                    Self.form("rosa"),
                    as: other,
                    proved: nil,
                    Self.origin,
                    at: now
                )
            }
        }
    }

    @Test(
        "an identity is disconnected while another way in remains, and erased with its person",
        arguments: TestEngine.allCases
    )
    func disconnected(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let now = TestCity.start
            let grant = try await Self.registerRosa(in: city)
            let person = try #require(grant.session.person)
            let ways = try await city.accounts.waysIn(of: person)
            let other = OutsideIdentity(issuer: "https://id.example", subject: "2", shown: "")
            let entered = try await city.accounts.logIn(
                with: Self.rosa,
                proved: now,
                Self.origin,
                at: now
            )
            let session = try #require(entered?.session)
            #expect(session.authenticated == now && session.person == person)
            let number = ways.identities[0].number
            await #expect(throws: IdentityRefusal.lastWay) {
                try await city.accounts.disconnectIdentity(
                    number,
                    issuers: Self.issuers,
                    by: session,
                    at: now
                )
            }
            try await city.accounts.connect(other, at: "Example", by: session, at: now)
            await #expect(throws: IdentityRefusal.lastWay) {
                try await city.accounts.disconnectIdentity(
                    number,
                    issuers: ["https://another.example"],
                    by: session,
                    at: now
                )
            }
            try await city.accounts.disconnectIdentity(
                number,
                issuers: Self.issuers,
                by: session,
                at: now
            )
            #expect(
                try await city.accounts.logIn(
                    with: Self.rosa,
                    proved: nil,
                    Self.origin,
                    at: now
                ) == nil
            )
            try await city.accounts.eraseAccount(by: session, hasProceeded: true, at: now)
            #expect(
                try await city.accounts.logIn(with: other, proved: nil, Self.origin, at: now) == nil
            )
        }
    }

    @Test(
        "an unverified address waits for its mail, and its identity goes with it",
        arguments: TestEngine.allCases
    )
    func unverified(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let now = TestCity.start
            try await city.accounts.registerUnverified(
                Self.form("rosa"),
                as: Self.rosa,
                Self.origin,
                at: now
            )
            await #expect(throws: AccountFailure.unconfirmed) {
                try await city.accounts.logIn(
                    with: Self.rosa,
                    proved: nil,
                    Self.origin,
                    at: now
                )
            }
            let later = now.adding(seconds: 8 * 86_400)
            #expect(try await city.accounts.sweep(at: later).deleted.count == 1)
            #expect(
                try await city.accounts.logIn(
                    with: Self.rosa,
                    proved: nil,
                    Self.origin,
                    at: later
                ) == nil
            )
        }
    }

    @Test(
        "an answer counts once until it expires, and is then forgotten",
        arguments: TestEngine.allCases
    )
    func spent(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let now = TestCity.start
            let end = now.adding(seconds: 900)
            try await city.accounts.spendAnswer("state", until: end, from: Self.origin, at: now)
            await #expect(throws: AccountFailure.badToken) {
                try await city.accounts.spendAnswer("state", until: end, from: Self.origin, at: now)
            }
            await #expect(throws: AccountFailure.badToken) {
                try await city.accounts.spendAnswer("late", until: end, from: Self.origin, at: end)
            }
            _ = try await city.accounts.sweep(at: end)
            let left = try await city.data.read { transaction in
                try transaction.count("SELECT count(*) AS count FROM spent_sign_in")
            }
            #expect(left == 0)
        }
    }
}
