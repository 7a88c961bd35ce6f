import Chronology
import Crypto
import IdentityTestSupport
import StorageTestSupport
import Testing

@testable import Identity

/// An application with a person who may let it act.
struct GrantScene {
    let city: TestCity
    let app: Application
    let other: Application
    let ana: Session
    let person: PersonNumber

    init(_ city: TestCity) async throws {
        self.city = city
        let admin = try await city.administrator()
        var apps: [Application] = []
        for name in ["Rides Plus", "Other"] {
            let (number, _) = try await city.accounts.registerApplication(
                ApplicationForm(
                    name: name,
                    contact: "office@rides.example.org",
                    redirects: [GrantScene.back],
                    scopes: [.callTaxis, .followRides, .readFleet],
                    requestsPerMinute: 60
                ),
                by: admin,
                at: TestCity.start
            )
            apps.append(try #require(try await city.accounts.application(number)))
        }
        (app, other) = (apps[0], apps[1])
        person = try await city.person("ana")
        ana = try await city.logIn("ana").session
    }

    var accounts: Accounts { city.accounts }

    func code(
        _ scopes: Set<Scope> = [.callTaxis, .followRides],
        at now: Moment = TestCity.start
    ) async throws -> GrantSecret {
        let request = GrantRequest(
            application: app.number,
            scopes: scopes,
            redirect: GrantScene.back,
            challenge: Array(SHA256.hash(data: Array(GrantScene.verifier.utf8)))
        )
        return try await accounts.consent(to: request, by: ana, at: now)
    }

    func redeem(
        _ code: GrantSecret,
        for application: Application? = nil,
        redirect: String? = GrantScene.back,
        verifier: String = GrantScene.verifier,
        at now: Moment = TestCity.start
    ) async throws -> IssuedTokens {
        try await accounts.redeem(
            code,
            for: application ?? app,
            redirect: redirect,
            verifier: verifier,
            at: now
        )
    }

    func tokens() async throws -> IssuedTokens { try await redeem(try await code()) }

    func isRefused(_ body: () async throws -> IssuedTokens) async throws -> Bool {
        do {
            _ = try await body()
            return false
        } catch GrantRefusal.invalidGrant {
            return true
        }
    }

    func works(_ token: GrantSecret, at now: Moment = TestCity.start) async throws -> Bool {
        try await accounts.access(with: token, at: now) != nil
    }

    static let verifier = "dBjftJeZ4CVP-mBh77eTyPwlNqGr-a1aVW3_AdG5DkM"
    static let back = "https://rides.example.org/back"

    /// Runs a test with an application and a person.
    static func with(
        _ engine: TestEngine,
        _ body: @Sendable (GrantScene) async throws -> Void
    ) async throws {
        try await TestCity.with(engine) { city in try await body(try await GrantScene(city)) }
    }
}
