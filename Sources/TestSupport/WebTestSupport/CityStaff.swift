import Chronology
import Dispatching
package import Identity
import Storage
import Taxi
import TestClock
import Testing
import WebApp
import Zones

package enum CityStaff {
    package static let password = "Passw0rdOne"
    /// The clock stands still in these tests, so that limits by the second would soon be reached.
    package static let limits = [
        "limits.requests_per_second": "100000", "limits.requests_at_once": "100000",
    ]

    /// A signed-in person with the given roles; by then the city's taxis are served.
    package static func person(
        _ roles: Set<Role>,
        at site: ServedSite,
        name: String = "ana"
    ) async throws -> Visitor {
        let end = ContinuousClock.now + .seconds(20)
        while !site.installation.taxi.serves, ContinuousClock.now < end { await Task.yield() }
        let accounts = site.installation.accounts
        let form = Registration(
            userName: name,
            email: "\(name)@city.example",
            password: password,
            passwordAgain: password,
            name: "Carla",
            surname: "Neri",
            consent: nil
        )
        let number = try await accounts.createAdministrator(form, at: site.clock.now)
        try await accounts.data.write { transaction in
            try transaction.execute([
                "UPDATE person SET must_change = 0 WHERE number = \(number)",
                "DELETE FROM person_role WHERE person = \(number)",
            ])
            for role in roles {
                try transaction.execute(
                    "INSERT INTO person_role VALUES (\(number), \(role.rawValue))"
                )
            }
        }
        let visitor = site.visitor()
        let answer = try await visitor.submit(["name": name, "password": password], on: "/login")
        #expect(answer.status == 303)
        return visitor
    }

    package static func administrator(_ site: ServedSite) async throws -> Visitor {
        try await person([.administrator], at: site)
    }

    /// Draws two zones and registers a taxi.
    package static func fill(_ site: ServedSite) async throws {
        let taxi = site.installation.taxi
        try await site.started()
        let zones = try ZoneSet.read(
            Array(zones.utf8),
            file: "town",
            naming: ZoneNaming(codeProperty: "code", nameProperty: "name")
        )
        _ = try await taxi.draw(try await taxi.plan(zones))
        _ = try await taxi.dispatch.give(.register(TaxiForm(code: "MI1234")))
    }

    /// Enters everything that a city needs, and confirms it.
    package static func open(_ site: ServedSite) async throws {
        try await fill(site)
        let taxi = site.installation.taxi
        _ = try await taxi.adopt(.viavai, by: nil, note: "", replacing: Policy.viavai.hash)
        _ = try await taxi.dispatch.give(.completeSetup)
    }

    private static let zones = """
        {"type":"FeatureCollection","features":[\(zone("W", 9.1, 9.2)),\(zone("E", 9.2, 9.3))]}
        """

    private static func zone(_ code: String, _ left: Double, _ right: Double) -> String {
        """
        {"type":"Feature","properties":{"code":"\(code)","name":"\(code)"},"geometry":\
        {"type":"Polygon","coordinates":[[[\(left),45.4],[\(right),45.4],[\(right),45.5],\
        [\(left),45.5],[\(left),45.4]]]}}
        """
    }
}
