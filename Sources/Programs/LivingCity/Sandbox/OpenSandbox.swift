import Chronology
import CityData
import Crypto
import Geo
import Identity
import Taxi
import TaxiPages
import TripPlanning
import WebApp
import WebCore
import Zones

/// A sandbox while it is open: its city, and who has a key of it.
///
/// Only the actor ``SandboxCity`` uses it, whose isolation every method inherits.
final class OpenSandbox {
    /// The installation, which belongs to the sandbox alone.
    let installation: Installation
    /// The site, of which only the operations are reached.
    let site: Site
    /// When it ends, by our clock.
    let ends: Moment
    /// How many developers have keys.
    var issued = 0
    /// The keys of applications as the installation knows them, by those that developers have.
    private var keys: [String: String] = [:]
    /// What people let applications do, by the tokens that developers have.
    private var grants: [String: Grant] = [:]

    /// A person's consent, whose tokens are renewed as an application would.
    private struct Grant {
        let application: Application
        var tokens: IssuedTokens
        var ends: Moment
        /// The exchange in progress: a refresh token works once.
        var renewal: Task<IssuedTokens, any Error>?
    }

    /// Creates a sandbox of which nobody has a key yet.
    init(_ installation: Installation, _ site: Site, ends: Moment) {
        self.installation = installation
        self.site = site
        self.ends = ends
    }

    private var accounts: Accounts { installation.accounts }
    private var now: Moment { installation.clock.now() }
    /// How long before its end a token is renewed, in seconds.
    private static let margin: Int64 = 60

    /// Invents a person with an application of their own.
    ///
    /// - Parameter visitor: a number that no other one has.
    /// - Returns: the keys of the application, and of the person who lets it do everything.
    /// - Throws: any error of the accounts.
    func admit(visitor: Int) async throws -> SandboxKeys {
        let session = try await session(ofVisitor: visitor)
        let redirect = "https://app.sandbox.example/"
        let form = ApplicationForm(
            name: "Sandbox \(visitor)",
            contact: "office@sandbox.example",
            redirects: [redirect],
            scopes: Set(Scope.allCases),
            requestsPerMinute: ApplicationForm.rates.upperBound
        )
        let (number, key) = try await accounts.registerApplication(form, by: session, at: now)
        guard let application = try await accounts.application(number) else {
            preconditionFailure("an application was registered and is not there")
        }
        let tokens = try await tokens(of: session, for: application, redirect)
        let issued = SandboxKeys(
            key: SandboxKeys.prefix + key.text,
            token: SandboxKeys.prefix + tokens.access.text,
            ends: ends
        )
        keys[issued.key] = key.text
        grants[issued.token] = Grant(
            application: application,
            tokens: tokens,
            ends: end(of: tokens)
        )
        return issued
    }

    /// The tokens that a person gives to an application.
    private func tokens(
        of session: Session,
        for application: Application,
        _ redirect: String
    ) async throws -> IssuedTokens {
        let verifier = SecretToken.random().text
        let request = GrantRequest(
            application: application.number,
            scopes: Scope.personal,
            redirect: redirect,
            challenge: Array(SHA256.hash(data: Array(verifier.utf8)))
        )
        let code = try await accounts.consent(to: request, by: session, at: now)
        return try await accounts.redeem(
            code,
            for: application,
            redirect: redirect,
            verifier: verifier,
            at: now
        )
    }

    /// The session of a new person, who administers this sandbox and has entered the password.
    private func session(ofVisitor visitor: Int) async throws -> Session {
        func password() -> String { "Vv-" + SecretToken.random().text.prefix(24) }
        let (first, own) = (password(), password())
        let name = "visitor\(visitor)"
        try await accounts.createAdministrator(
            Registration(
                userName: name,
                email: "\(name)@sandbox.example",
                password: first,
                passwordAgain: first,
                name: "Vera",
                surname: "Visitor",
                consent: accounts.settings.consentVersion
            ),
            at: now
        )
        let address = ClientAddress("127.0.0.1")
        let form = LogInForm(name: name, password: first, address: address, device: "sandbox")
        guard case .session(let granted) = try await accounts.logIn(form, at: now) else {
            throw DemoFailure.noAdministrator
        }
        return try await accounts.changePassword(
            granted.token,
            old: first,
            new: own,
            again: own,
            from: address,
            at: now
        ).session
    }

    /// Values of fields with which operations work: places, a zone, and days of its own time.
    var examples: [String: String] {
        let zones = installation.taxi.zonesInForce?.zones ?? []
        let today = LocalTime(Instant(now), in: installation.settings.zoneTable).date
        let places = zones.lazy.compactMap { [city = installation.city] zone in
            zone.area.bounds.flatMap { city?.addresses.reverse($0.centre)?.match }
        }.prefix(2)
        var values = [
            "day": today.iso8601, "first": today.iso8601, "last": today.iso8601,
            "date": today.adding(days: 1).iso8601, "time": "10:00", "minutes": "45",
            "title": "Meeting", "zone": zones.first?.code ?? "",
            // A guest has one ride at a time, and developers share the city.
            "contact": "+39 333 \(Int.random(in: 1_000_000...9_999_999))",
        ]
        for (name, place) in zip(["from", "to"], places) {
            let (latitude, longitude) = (
                place.coordinate.latitudeDegrees, place.coordinate.longitudeDegrees
            )
            values[name] = "\(latitude), \(longitude)"
            values["latitude"] = "\(latitude)"
            values["longitude"] = "\(longitude)"
            values["text"] = place.label
        }
        return values
    }

    /// The key or token as the installation knows it; nil for one that was never issued.
    func own(_ text: String) async throws -> String? {
        if let key = keys[text] { return key }
        guard let grant = grants[text] else { return nil }
        guard now >= grant.ends else { return grant.tokens.access.text }
        guard let refresh = grant.tokens.refresh else { return nil }
        let (accounts, application, now) = (accounts, grant.application, now)
        let renewal =
            grant.renewal
            ?? Task { try await accounts.refresh(refresh, for: application, at: now) }
        grants[text]?.renewal = renewal
        let tokens: IssuedTokens
        do {
            tokens = try await renewal.value
        } catch {
            // The next call tries again.
            if grants[text]?.renewal == renewal { grants[text]?.renewal = nil }
            throw error
        }
        if grants[text]?.renewal == renewal {
            grants[text] = Grant(
                application: application,
                tokens: tokens,
                ends: end(of: tokens)
            )
        }
        return tokens.access.text
    }

    private func end(of tokens: IssuedTokens) -> Moment {
        now.adding(seconds: tokens.seconds - Self.margin)
    }
}
