import HTTPTypes
import TestClock
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

/// Issue 4, "role escalation on every route (a table test over all routes and roles)"; R9, R124.
@Suite("All routes and all roles", .serialized)
struct RouteRoleTests {
    /// What an answer reveals about the rights of the person asking.
    private enum Verdict: String {
        case letIn
        case mustSignIn
        case notAllowed
        case mustProve
        /// A driver's page refuses a person who drives no taxi.
        case doesNotDrive
    }

    @Test("the rights that are written by hand name no route that is gone")
    func hand() async throws {
        try await withSite { site in
            let paths = Site(site.installation).routes.map(\.path)
            #expect(RouteRights.leftOver(by: paths).isEmpty)
        }
    }

    @Test("nobody gets further than the role allows, on any route", arguments: Player.allCases)
    func table(player: Player) async throws {
        let many = ["limits.requests_per_second": "100000", "limits.requests_at_once": "100000"]
        try await withSite(many) { site in
            try await CityStaff.open(site)
            for route in Site(site.installation).pageRoutes where route.path != "/logout" {
                // The empty form may have counted as a wrong password, after which there is a delay
                // (R99).
                site.clock.advance(seconds: 11)
                let visitor = try await site.enter(player)
                let found = try await Self.verdict(on: route, visitor)
                let expected = Self.expected(route.path, player, isFresh: true)
                #expect(found == expected, "\(player) on \(route.method) \(route.path)")
            }
        }
    }

    @Test(
        "grave routes ask the password again, of those only who may use them (R8)",
        arguments: Player.allCases
    )
    func grave(player: Player) async throws {
        let many = ["limits.requests_per_second": "100000", "limits.requests_at_once": "100000"]
        try await withSite(many) { site in
            let visitor = try await site.enter(player)
            site.clock.advance(seconds: 601)
            let routes = Site(site.installation).routes
            for route in routes where Self.mayBeGrave(route) {
                let found = try await Self.verdict(on: route, visitor)
                let expected = Self.expected(route.path, player, isFresh: false)
                #expect(found == expected, "\(player) on \(route.method) \(route.path)")
            }
        }
    }

    /// Whether a route asks for the password again, according to the table or to its declaration.
    private static func mayBeGrave(_ route: Route) -> Bool {
        RouteRights.isGrave(route.path) || [.grave, .graveAdministrator].contains(route.access)
    }

    private static func expected(_ path: String, _ player: Player, isFresh: Bool) -> Verdict {
        let circle = RouteRights.circle(of: path)
        if circle == .everybody { return .letIn }
        if player == .guest { return .mustSignIn }
        let isAdministrator = player == .administrator
        if circle == .administrators, !isAdministrator { return .notAllowed }
        if circle == .staff, !isAdministrator, player != .serviceOperator { return .notAllowed }
        if !isFresh, RouteRights.isGrave(path) { return .mustProve }
        // None of the players has a taxi.
        return path == "/drive" || path.hasPrefix("/drive/") ? .doesNotDrive : .letIn
    }

    private static func verdict(on route: Route, _ visitor: Visitor) async throws -> Verdict {
        let path = route.parameterNames.reduce(route.path) { path, name in
            path.replacing("{\(name)}", with: "1")
        }
        // Programs get as status codes what people get as pages.
        let json = ["accept": "application/problem+json"]
        let answer: Visitor.Answer
        if route.method == .get {
            answer = try await visitor.get(path, headers: json)
        } else {
            // A form with nothing in it but its CSRF token.
            let page = try await visitor.get("/login")
            let token = page.text.firstMatch(of: /name="token" value="([^"]*)"/)?.1 ?? ""
            answer = try await visitor.post(path, ["token": String(token)], headers: json)
        }
        #expect(answer.status < 500 || answer.status == 503, "\(route.path): \(answer.text)")
        for (name, verdict) in [
            ("not-signed-in", Verdict.mustSignIn), ("not-allowed", .notAllowed),
            ("password-needed", .mustProve), ("may-not-drive", .doesNotDrive),
        ] where answer.text.contains("/problems/\(name)\"") {
            return verdict
        }
        #expect(!answer.text.contains("/problems/forged"), "\(route.path)")
        return .letIn
    }
}
