import HTTPTypes
import Identity
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

@Suite("All routes", .serialized)
struct RouteTests {
    @Test("who is not signed in is let in nowhere but where everybody is (R9, R124)")
    func guests() async throws {
        try await withSite(CityStaff.limits) { site in
            try await CityStaff.open(site)
            let routes = Site(site.installation).routes
            #expect(routes.count > 20)
            for route in routes where ![.anonymous, .everybody].contains(route.access) {
                let visitor = site.visitor()
                let path = route.path.replacing(/\{[^}]*\}/, with: "1")
                let answer =
                    route.method == .get
                    ? try await visitor.get(path)
                    : try await visitor.submit([:], on: "/login", to: path)
                if route.access == .application {
                    #expect(answer.status == 401, "\(route.path)")
                    continue
                }
                if route.access == .client {
                    // RFC 6749, 5.2: a client that says nothing, or does not say who it is.
                    #expect([400, 401].contains(answer.status), "\(route.path)")
                    continue
                }
                let place = answer.header("location") ?? ""
                #expect(answer.status == 303 && place.hasPrefix("/login?"), "\(route.path)")
            }
        }
    }

    @Test("no two routes answer the same request, and actions are never GET")
    func distinct() async throws {
        try await withSite { site in
            let routes = Site(site.installation).routes
            let names = routes.map { "\($0.method) \($0.path)" }
            #expect(Set(names).count == names.count)
            #expect(routes.allSatisfy { [.get, .post].contains($0.method) })
        }
    }

    @Test("every page that anybody may see is a page, in both languages (R114)")
    func pages() async throws {
        try await withSite { site in
            let open = Site(site.installation).routes.filter {
                $0.method == .get && $0.access == .everybody && $0.parameterNames.isEmpty
            }
            for route in open {
                for language in ["en", "it"] {
                    let visitor = site.visitor()
                    visitor.language = language
                    let answer = try await visitor.get(route.path)
                    guard answer.header("content-type")?.hasPrefix("text/html") == true else {
                        continue
                    }
                    #expect(answer.text.contains("<html lang=\"\(language)\">"), "\(route.path)")
                    #expect(answer.text.ranges(of: "<h1>").count == 1, "\(route.path)")
                    #expect(answer.text.contains("<title>"), "\(route.path)")
                    #expect(!answer.text.contains("&lt;"), "\(route.path) shows markup as text")
                }
            }
        }
    }

    /// What each role can do, as the dashboard must link to it; written by hand.
    private static let functions: [(roles: Set<Role>, paths: [String])] = [
        (
            [.traveller],
            ["/", "/plan", "/reservations", "/account/rides", "/account", "/account/sessions"]
        ),
        ([.driver], ["/drive", "/account/papers", "/account/rides", "/account"]),
        (
            [.serviceOperator],
            [
                "/console", "/console/operations", "/console/statistics", "/console/drivers",
                "/console/policy", "/console/tariffs", "/console/suspension",
                "/console/feedback", "/account",
            ]
        ),
        (
            [.administrator],
            [
                "/console", "/console/operations", "/console/statistics", "/console/setup",
                "/console/zones", "/console/drivers", "/console/import", "/console/policy",
                "/console/tariffs", "/console/suspension", "/console/people",
                "/console/feedback", "/console/apps", "/console/audit", "/console/backups",
                "/console/logging", "/account",
            ]
        ),
    ]

    @Test("R114: the dashboard leads to every function of each role, which leads back to it")
    func dashboard() async throws {
        try await withSite(CityStaff.limits) { site in
            try await CityStaff.open(site)
            for (number, (roles, paths)) in Self.functions.enumerated() {
                let visitor = try await site.person("somebody\(number)", roles)
                let dashboard = try await visitor.get("/dashboard").text
                for path in paths {
                    #expect(dashboard.contains("href=\"\(path)\""), "\(roles): \(path)")
                    // Having the role but no documents, as here, gives access to neither.
                    guard path != "/drive", path != "/account/papers" else { continue }
                    let page = try await visitor.get(path)
                    #expect(page.status == 200, "\(roles): \(path)")
                    #expect(page.text.contains("href=\"/dashboard\""), "\(roles): \(path)")
                }
                #expect(dashboard.contains("href=\"/console\"") == paths.contains("/console"))
            }
        }
    }
}
