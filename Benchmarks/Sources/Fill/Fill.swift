import Chronology
import Dispatching
import Drivers
import Fares
import Foundation
import Geo
import Glibc
import Identity
import Storage
import Synchronization
import Taxi
import TaxiPages
import WebApp
import Zones

/// Fills an empty installation for the load of `crowd`, and writes the sessions of its people:
/// `fill SESSIONS [accounts=N] [drivers=N] [passengers=N] [squares=N]`; the settings come from the
/// environment.
///
/// Everything is created by the functions that the console uses. Passwords are hashed with a tiny
/// part of the usual work, since security does not matter here and the measurement hashes none.
@main
struct Fill {
    private let installation: Installation
    private let letters: Letters
    private let sessions: String
    private var accounts = 1_000_000
    private var drivers = 10_000
    private var passengers = 20_000

    /// The number of squares on each side of the grid of zones, over the middle of Milan.
    private var squares = 20

    private static let corner = Coordinate(latitude: 454_100_000, longitude: 91_000_000)
    /// The height of a square, in 1e-7 degrees.
    private static let latitudes: Int32 = 50_000
    private static let longitudes: Int32 = 70_000
    /// How many people are imported at once.
    private static let atOnce = 20_000
    private static let password = "Passw0rdOne"

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let file = arguments.first else { fail("name the file of sessions") }
        let settings = try Settings(
            file: nil,
            environment: ProcessInfo.processInfo.environment,
            options: [:]
        )
        var reading = timespec()
        clock_gettime(CLOCK_REALTIME, &reading)
        let start = Moment(milliseconds: Int64(reading.tv_sec) * 1_000)
        let letters = Letters()
        let installation = try await Installation(
            settings,
            clock: ServiceClock.system(startingAt: start),
            outgoing: letters.outgoing,
            workers: .quick()
        )
        defer { installation.close() }
        var fill = Fill(installation: installation, letters: letters, sessions: file)
        for argument in arguments.dropFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let number = Int(parts[1]) else { fail(argument) }
            switch parts[0] {
            case "accounts": fill.accounts = number
            case "drivers": fill.drivers = number
            case "passengers": fill.passengers = number
            case "squares": fill.squares = number
            default: fail(argument)
            }
        }
        let filling = fill
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await filling.installation.taxi.run() }
            group.addTask { try await filling.run() }
            // The filling ends first: the service runs until it is cancelled.
            try await group.next()
            group.cancelAll()
        }
    }

    private static func fail(_ argument: String) -> Never {
        FileHandle.standardError.write(Data("fill: \(argument)\n".utf8))
        exit(2)
    }

    private var now: Moment { installation.clock.now() }

    private func run() async throws {
        let taxi = installation.taxi
        while !taxi.serves { try await Task.sleep(for: .milliseconds(100)) }
        let administrator = try await administrator()
        _ = try await taxi.draw(taxi.plan(zones()))
        note("drivers")
        var lines = try await enterDrivers(administrator)
        note("passengers who call")
        lines += try await enterPassengers(administrator)
        note("other accounts")
        for first in stride(from: 0, to: accounts, by: Self.atOnce) {
            let last = min(first + Self.atOnce, accounts)
            let table = Self.table("other", first..<last)
            try await importPassengers(table, invites: false, administrator)
        }
        note("their passwords")
        try await sharePassword()
        note("the opening")
        let old = try await taxi.dispatch.read { $0.policyHash }
        _ = try await taxi.adopt(.viavai, by: nil, note: "load", replacing: old)
        try await taxi.adoptTariffs(TariffBook.example, by: nil, note: "load")
        try await installation.fleet.reconcile()
        _ = try await taxi.dispatch.give(.completeSetup)
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: sessions))
        note("done")
    }

    /// Creates the administrator and signs in.
    private func administrator() async throws -> SecretToken {
        let form = Registration(
            userName: "loader",
            email: "loader@example.org",
            password: Self.password,
            passwordAgain: Self.password,
            name: "Lara",
            surname: "Carico",
            consent: installation.accounts.settings.consentVersion
        )
        try await installation.accounts.createAdministrator(form, at: now)
        let logIn = LogInForm(
            name: "loader",
            password: Self.password,
            address: ClientAddress("127.0.0.1")
        )
        guard case .session(let grant) = try await installation.accounts.logIn(logIn, at: now)
        else { Self.fail("nobody could sign in") }
        return try await choosePassword(grant, old: Self.password, new: Self.password + "2").token
    }

    /// The administrator's session, with the password confirmed just now: filling takes longer than
    /// such a confirmation lasts (R8).
    private func session(_ administrator: SecretToken) async throws -> Session {
        let accounts = installation.accounts
        try await accounts.reauthenticate(
            administrator,
            password: Self.password + "2",
            from: ClientAddress("127.0.0.1"),
            at: now
        )
        guard let session = try await accounts.session(of: administrator, at: now) else {
            Self.fail("the administrator is signed out")
        }
        return session
    }

    private func choosePassword(
        _ grant: SessionGrant,
        old: String,
        new: String
    ) async throws -> SessionGrant {
        try await installation.accounts.changePassword(
            grant.token,
            old: old,
            new: new,
            again: new,
            from: ClientAddress("127.0.0.1"),
            at: now
        )
    }

    // MARK: People

    private func enterDrivers(_ administrator: SecretToken) async throws -> [String] {
        let zone = installation.settings.zoneTable
        let today = zone.local(Instant(seconds: now.milliseconds / 1_000)).date
        let table = SampleDrivers.csv(count: drivers, seed: 1, defects: 0, today: today)
        _ = try await installation.accounts.drivers.importTable(
            Array(table.utf8),
            .allOrNothing,
            invites: true,
            by: session(administrator),
            at: now
        )
        return try await sessionLines("driver", drivers)
    }

    private func enterPassengers(_ administrator: SecretToken) async throws -> [String] {
        try await importPassengers(
            Self.table("caller", 0..<passengers),
            invites: true,
            administrator
        )
        return try await sessionLines("passenger", passengers)
    }

    private func importPassengers(
        _ table: String,
        invites: Bool,
        _ administrator: SecretToken
    ) async throws {
        _ = try await installation.accounts.importPassengers(
            Array(table.utf8),
            .allOrNothing,
            invites: invites,
            by: session(administrator),
            at: now
        )
    }

    /// Sets a password for all invited people, and writes the resulting sessions.
    private func sessionLines(_ role: String, _ count: Int) async throws -> [String] {
        let invitations = letters.take(.invitation)
        guard invitations.count == count else {
            Self.fail("\(invitations.count) of \(count) were invited")
        }
        var lines: [String] = []
        for (number, letter) in invitations.enumerated() {
            guard let contents = try await installation.accounts.open(letter),
                let token = contents.facts["token"].flatMap(SecretToken.init)
            else { Self.fail("an invitation cannot be opened") }
            let grant = try await installation.accounts.beginReset(token, device: role, at: now)
            let chosen = try await choosePassword(grant, old: "", new: Self.password)
            let zone = number % (squares * squares)
            let place = middle(of: zone)
            lines.append(
                "\(role) \(zone) \(chosen.token.text) \(place.latitudeDegrees) "
                    + "\(place.longitudeDegrees)"
            )
            if number % 1_000 == 999 { note("\(role): \(number + 1) sessions") }
        }
        return lines
    }

    /// Gives the accounts without a password the hash of one.
    ///
    /// It is the same for all, sealed under the key of a passenger, so that it takes the usual
    /// space and matches no password.
    private func sharePassword() async throws {
        let password = PersonField.password.rawValue
        try await installation.database.write(within: .seconds(600)) { transaction in
            _ = try transaction.execute(
                """
                INSERT INTO person_field (person, field, sealed)
                SELECT p.number, \(password), f.sealed FROM person p CROSS JOIN (
                    SELECT sealed FROM person_field WHERE field = \(password) LIMIT 1
                ) f
                WHERE NOT EXISTS (
                    SELECT 1 FROM person_field o
                    WHERE o.person = p.number AND o.field = \(password)
                )
                """
            )
        }
    }

    private static func table(_ name: String, _ numbers: Range<Int>) -> String {
        let lines = numbers.map { "\(name)\($0)@example.org,Pia,Viaggi\n" }
        return "email,name,surname\n" + lines.joined()
    }

    // MARK: Zones

    private func zones() throws -> ZoneSet {
        let zones = try (0..<(squares * squares)).map { number -> Zone in
            let south = Self.corner.latitude + Int32(number / squares) * Self.latitudes
            let west = Self.corner.longitude + Int32(number % squares) * Self.longitudes
            let corners = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)].map { north, east in
                Coordinate(
                    latitude: south + Int32(north) * Self.latitudes,
                    longitude: west + Int32(east) * Self.longitudes
                )
            }
            let area = MultiPolygon([Polygon(outline: try Ring(corners))])
            return Zone(code: "Z\(number)", name: "Z\(number)", area: area)
        }
        return try ZoneDraft(zones).healed()
    }

    private func middle(of zone: Int) -> Coordinate {
        let (row, column) = (Int32(zone / squares), Int32(zone % squares))
        return Coordinate(
            latitude: Self.corner.latitude + row * Self.latitudes + Self.latitudes / 2,
            longitude: Self.corner.longitude + column * Self.longitudes + Self.longitudes / 2
        )
    }

    private func note(_ line: String) {
        FileHandle.standardError.write(Data("fill: \(line)\n".utf8))
    }

    /// The messages that would have been sent.
    private final class Letters: Sendable {
        private let letters = Mutex<[OutgoingMessage]>([])

        var outgoing: Outgoing {
            Outgoing { message, _ in self.letters.withLock { $0.append(message) } }
        }

        /// The messages of a kind, in order; all others are deleted.
        func take(_ kind: MessageKind) -> [OutgoingMessage] {
            letters.withLock { all in
                defer { all = [] }
                return all.filter { $0.kind == kind }
            }
        }
    }
}
