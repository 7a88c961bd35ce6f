import Identity
import Storage
import Taxi
import TestClock
import WebTestSupport

@testable import WebApp

/// All kinds of people whom a route must tell apart.
enum Player: String, CaseIterable, Sendable {
    case guest
    case traveller
    case driver
    case serviceOperator = "operator"
    case administrator
}

extension ServedSite {
    /// The password of every player.
    static let castPassword = "Passw0rdOne"

    /// Signs in as a role; a guest is not signed in.
    func enter(_ player: Player) async throws -> Visitor {
        let visitor = visitor()
        guard player != .guest else { return visitor }
        let name = "cast" + player.rawValue
        if try await installation.accounts.findPerson(name) == nil {
            try await introduce(player, as: name)
        }
        _ = try await visitor.submit(
            ["name": name, "password": Self.castPassword],
            on: "/login"
        )
        return visitor
    }

    /// Creates a person with a role, as if registered and confirmed long ago.
    private func introduce(_ player: Player, as name: String) async throws {
        let form = Registration(
            userName: name,
            email: name + "@example.org",
            password: Self.castPassword,
            passwordAgain: Self.castPassword,
            name: "Cast",
            surname: player.rawValue,
            consent: nil
        )
        let now = clock.now
        let person = try await installation.accounts.createAdministrator(form, at: now)
        try await installation.database.write { transaction in
            try transaction.execute([
                "UPDATE person SET must_change = 0 WHERE number = \(person)",
                "UPDATE person_role SET role = \(player.rawValue) WHERE person = \(person)",
            ])
        }
    }
}
