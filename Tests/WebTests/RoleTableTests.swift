import Accounts
import Foundation
import Testing

@testable import Web

/// taxi.md R9, R124; issue 4: "role escalation on every route (a table test over all routes and
/// roles)".
@Suite("Every route as every role", .serialized)
struct RoleTableTests {
    /// Whether somebody with these roles may use a route at all.
    private static func allows(_ access: Access, _ roles: Set<Role>) -> Bool {
        switch access {
        case .anonymous, .everybody, .person, .changingPassword, .grave: true
        case .staff: roles.contains(.serviceOperator) || roles.contains(.administrator)
        case .administrator, .graveAdministrator: roles.contains(.administrator)
        }
    }

    private static func needsPassword(_ access: Access) -> Bool {
        access == .grave || access == .graveAdministrator
    }

    /// A route's path with numbers that nobody has in the place of its parameters.
    static func path(_ route: Route) -> String {
        route.path.replacing(/\{[^}]*\}/, with: "1")
    }

    @Test(
        "each role gets what its routes allow and is refused all others",
        arguments: [
            [Role.traveller], [.driver], [.serviceOperator], [.administrator],
            [.traveller, .driver],
        ] as [Set<Role>]
    )
    func table(roles: Set<Role>) async throws {
        try await withSite(
            ["limits.requests_per_second": "100000", "limits.requests_at_once": "100000"]
        ) { site in
            for route in Site(site.installation).routes where !Self.endsSession(route) {
                let visitor = try await site.person("p\(UInt32.random(in: 0...99_999_999))", roles)
                // As long after the log-in that grave acts ask for the password again.
                site.clock.advance(seconds: 601)
                let path = Self.path(route)
                let answer =
                    route.method == .get
                    ? try await visitor.get(path)
                    : try await visitor.submit([:], on: "/login/again", to: path)
                let place = answer.header("location") ?? ""
                let isAsked = place.hasPrefix("/login/again")
                if !Self.allows(route.access, roles) {
                    #expect(answer.status == 403, "\(route.method) \(route.path)")
                } else if Self.needsPassword(route.access) {
                    #expect(isAsked, "\(route.method) \(route.path)")
                } else {
                    #expect(!isAsked && !place.hasPrefix("/login?"), "\(route.path)")
                    #expect(answer.status != 500, "\(route.method) \(route.path)")
                }
            }
        }
    }

    /// What ends the session, or never ends itself.
    private static func endsSession(_ route: Route) -> Bool {
        ["/logout", "/events"].contains(route.path)
    }
}
