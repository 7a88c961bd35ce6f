import Foundation
import HTTPTypes
import SeededRandom
import Storage
import StorageTestSupport
import Taxi
import TestSupport
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

/// Issue 4, "SQL injection on every field, XSS corpus", on pages about one driver, zone or person.
@Suite("Whatever stands in an address, or is typed on a page about one thing", .serialized)
struct ParameterTests {
    private static let options = [
        "limits.requests_per_second": "100000", "limits.requests_at_once": "100000",
    ]

    /// A site with an existing example for every parameter, and an administrator.
    private static func withExamples(
        on engine: TestEngine,
        _ body: @Sendable (ServedSite, Visitor, RouteExamples) async throws -> Void
    ) async throws {
        try await withSite(options, on: engine, prepare: { $0.safetyBackup = { _ in } }) { site in
            try await site.started()
            let visitor = try await site.enter(.administrator)
            let examples = try await RouteExamples(for: visitor, at: site)
            try await body(site, visitor, examples)
            // One of the queries selects a language.
            visitor.plant("language", "en")
            // The audit log is complete and its chain unbroken.
            #expect(try await visitor.get("/console/audit").text.contains("The log is intact"))
            #expect(try await site.visitor().get("/").status == 200)
        }
    }

    /// A new parameter needs a line in ``RouteExamples``.
    @Test("every parameter of every route has an example, and is attacked therefore")
    func complete() async throws {
        try await Self.withExamples(on: .sqlite) { site, visitor, examples in
            for route in Site(site.installation).pageRoutes {
                let address = examples.address(of: route)
                #expect(address != nil, "\(route.path) has no example")
                guard let address, route.method == .get, !route.parameterNames.isEmpty else {
                    continue
                }
                // The map library may not be installed.
                guard !route.path.contains("leaflet") else { continue }
                let status = try await visitor.get(address).status
                let isExample = RouteExamples.allows(status, of: route)
                #expect(isExample, "\(address) is no example: \(status)")
            }
        }
    }

    @Test("parameters of paths are looked up, nothing else", arguments: TestEngine.allCases)
    func parameters(engine: TestEngine) async throws {
        try await Self.withExamples(on: engine) { site, visitor, examples in
            let before = try await site.rolesOfPeople()
            var random = SeededRandom(seed: 58)
            for route in Site(site.installation).pageRoutes {
                for place in route.parameterNames.indices {
                    for payload in Corpus.some(3, using: &random) {
                        let encoded = payload.addingPercentEncoding(
                            withAllowedCharacters: .alphanumerics
                        )
                        let address = examples.address(
                            of: route,
                            attacking: place,
                            with: encoded ?? ""
                        )
                        guard let address else { continue }
                        let label: Comment = "\(payload) in \(route.method) \(route.path)"
                        let answer =
                            route.method == .get
                            ? try await visitor.get(address)
                            : try await visitor.submit([:], on: "/login", to: address)
                        visitor.expectUnharmed(answer, label)
                        #expect(!answer.text.contains("/problems/forged"), label)
                    }
                }
            }
            #expect(try await site.rolesOfPeople() == before)
            for route in Site(site.installation).pageRoutes
            where route.method == .get && !route.parameterNames.isEmpty {
                guard let address = examples.address(of: route),
                    !route.path.contains("leaflet")
                else { continue }
                let status = try await visitor.get(address).status
                #expect(RouteExamples.allows(status, of: route), "\(address) is gone: \(status)")
            }
        }
    }

    @Test("fields of forms on pages with parameters are text", arguments: TestEngine.allCases)
    func fields(engine: TestEngine) async throws {
        try await Self.withExamples(on: engine) { site, visitor, examples in
            let forms = try await Self.forms(for: visitor, at: site, examples)
            #expect(forms.count >= 10, "\(forms.map(\.action))")
            let before = try await site.rolesOfPeople()
            var random = SeededRandom(seed: 59)
            for form in forms {
                for name in form.fields.keys.sorted() where !["token", "key"].contains(name) {
                    for payload in Corpus.some(2, using: &random) {
                        try await visitor.attack(form, field: name, with: payload)
                    }
                }
            }
            // The forms change only the driver and the traveller of the examples, and nobody
            // becomes an administrator.
            let after = try await site.rolesOfPeople()
            let staff = before.filter { $0.hasSuffix(" administrator") }
            #expect(after.filter { $0.hasSuffix(" administrator") } == staff)
        }
    }

    @Test(
        "what stands behind the question mark is text",
        arguments: TestEngine.allCases,
        [Player.guest, .administrator]
    )
    func queries(engine: TestEngine, player: Player) async throws {
        try await Self.withExamples(on: engine) { site, administrator, examples in
            let visitor = player == .guest ? site.visitor() : administrator
            let queries = try await Self.queries(for: visitor, at: site, examples)
            #expect(queries.count >= (player == .guest ? 1 : 6), "\(queries)")
            let before = try await site.rolesOfPeople()
            var random = SeededRandom(seed: 60)
            for query in queries {
                for name in query.fields.keys.sorted() {
                    for payload in Corpus.some(3, using: &random) {
                        let address = query.address(replacing: name, by: payload)
                        let label: Comment = "\(payload) as \(name) of \(query.path)"
                        visitor.expectUnharmed(try await visitor.get(address), label)
                    }
                }
            }
            #expect(try await site.rolesOfPeople() == before)
        }
    }

    /// The addresses of all pages that a person can see, without assets.
    private static func pages(
        for visitor: Visitor,
        at site: ServedSite,
        _ examples: RouteExamples
    ) async throws -> [(route: Route, address: String, text: String)] {
        var pages: [(route: Route, address: String, text: String)] = []
        for route in Site(site.installation).routes where route.method == .get {
            guard let address = examples.address(of: route) else { continue }
            let page = try await visitor.get(address)
            let type = page.header("content-type") ?? ""
            guard page.status == 200, type.hasPrefix("text/html") else { continue }
            pages.append((route, address, page.text))
        }
        return pages
    }

    /// The forms of pages with parameters; those that delete or end something come last.
    private static func forms(
        for visitor: Visitor,
        at site: ServedSite,
        _ examples: RouteExamples
    ) async throws -> [FoundForm] {
        let pages = try await pages(for: visitor, at: site, examples)
        let forms = Set(
            pages.filter { !$0.route.parameterNames.isEmpty }.flatMap { page in
                FoundForm.all(in: page.text, on: page.address)
            }
        )
        let ends = ["refuse", "revoke", "suspend", "roles", "remove", "file"]
        func rank(_ form: FoundForm) -> Int {
            ends.firstIndex { form.action.contains("/\($0)") } ?? -1
        }
        return forms.filter { $0.action != "/logout" }
            .sorted { (rank($0), $0.page, $0.action) < (rank($1), $1.page, $1.action) }
    }

    /// The queries of links and search forms.
    private static func queries(
        for visitor: Visitor,
        at site: ServedSite,
        _ examples: RouteExamples
    ) async throws -> [FoundQuery] {
        let pages = try await pages(for: visitor, at: site, examples)
        var found: [String: FoundQuery] = [:]
        for query in pages.flatMap({ FoundQuery.all(in: $0.text) }) {
            let kind = query.path + "?" + query.fields.keys.sorted().joined(separator: "&")
            found[kind] = found[kind] ?? query
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }
}
