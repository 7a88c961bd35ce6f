import Foundation
import Identity
import OpenIDConnect
import TestClock
import Testing
import WebTestSupport

/// A site that knows one provider as "Example".
struct ProviderScene {
    let site: ServedSite
    let lying: LyingProvider

    static let rosa = LyingProvider.Person("rosa-1", email: "rosa@example.com")

    /// Serves such a site while the body runs.
    static func with(
        hasTaxis: Bool = false,
        _ body: @Sendable (ProviderScene) async throws -> Void
    ) async throws {
        try await LyingProvider.with { lying in
            try await withSite(
                lying.settings().merging(CityStaff.limits) { $1 },
                hasTaxis: hasTaxis
            ) { site in
                if hasTaxis { try await site.started() }
                lying.follow { [clock = site.clock] in clock.now }
                try await body(ProviderScene(site: site, lying: lying))
            }
        }
    }

    /// Goes to the provider and signs in there.
    ///
    /// - Returns: the path to which the provider sends the browser.
    func leave(
        _ visitor: Visitor,
        as person: LyingProvider.Person = rosa,
        by path: String = "/login/with/test"
    ) async throws -> String {
        let answer = try await visitor.get(path)
        let address = try #require(answer.header("location"), "\(answer.status) \(answer.text)")
        #expect(answer.status == 303 && address.hasPrefix(lying.issuer))
        return try back(person, at: address)
    }

    func back(_ person: LyingProvider.Person, at address: String) throws -> String {
        let answer = try lying.signIn(person, at: address)
        let start = "\(site.base)/login/from/test?"
        #expect(answer.hasPrefix(start), "\(answer)")
        return String(answer.dropFirst(site.base.count))
    }

    /// Signs in with the provider.
    func enter(
        _ visitor: Visitor,
        as person: LyingProvider.Person = rosa,
        by path: String = "/login/with/test"
    ) async throws -> Visitor.Answer {
        try await visitor.get(try await leave(visitor, as: person, by: path))
    }

    /// Registers a new person with the provider, who is signed in then.
    func registered(_ person: LyingProvider.Person = rosa) async throws -> Visitor {
        let visitor = site.visitor()
        let answer = try await enter(visitor, as: person)
        #expect(answer.header("location") == "/register/with", "\(answer.text)")
        let fields = [
            "name": person.name, "surname": person.surname, "user_name": "rosa", "consent": "2",
        ]
        let done = try await visitor.submit(fields, on: "/register/with")
        #expect(done.header("location") == "/dashboard", "\(done.text)")
        return visitor
    }

    /// Connects an identity in the account of somebody who is signed in.
    func connect(
        _ visitor: Visitor,
        _ person: LyingProvider.Person = rosa
    ) async throws -> Visitor.Answer {
        let page = try await visitor.get("/account/sign-ins/test")
        let link = try #require(page.text.firstMatch(of: /href="(http[^"]*authorize[^"]*)"/))
        let address = String(link.1).replacing("&amp;", with: "&")
        return try await visitor.get(try back(person, at: address))
    }

    func isSignedIn(_ visitor: Visitor) async throws -> Bool {
        try await visitor.get("/account").status == 200
    }
}
