import AsyncHTTPClient
import Chronology
import Crypto
import Dispatching
import Drivers
import Fares
import Foundation
import Identity
import OpenData
import Storage
import StorageTestSupport
import Synchronization
import Taxi
import TaxiPages
import TestSupport
import Testing
import WebTestSupport

@testable import WebApp

/// A city in a folder, with an application and a person, whose server a test kills.
final class KilledCity: Sendable {
    private let folder: String
    private let settings: [String: String]
    /// The key of the application, and its token for the person.
    private let key: String
    private let token: String
    private let running = Mutex<ServedProgram?>(nil)

    /// The settings of the server besides its databases, by their names.
    private static let options = RideTown.options.merging(["webhooks.reach": "any"]) { $1 }
    private static let password = "Correct7horse"
    private static let redirect = "https://rides.example.org/back"

    /// Runs a test with such a city, whose server is not started yet.
    static func with(
        _ engine: TestEngine,
        _ body: @Sendable (KilledCity) async throws -> Void
    ) async throws {
        try await withDatabase(on: engine) { place in
            try await withTemporaryFolder { folder in
                let city = try await KilledCity(in: folder, place.address)
                do {
                    try await body(city)
                } catch {
                    try? await city.kill()
                    throw error
                }
                try await city.kill()
            }
        }
    }

    private init(in folder: String, _ database: String) async throws {
        self.folder = folder
        settings = Dictionary(
            uniqueKeysWithValues: Self.options.map { name, value in
                (name.uppercased().replacing(".", with: "_"), value)
            } + [("DATABASE", database)]
        )
        var options = Self.options
        for (name, value) in ServedProgram.environment(in: folder) {
            // VIAVAI_KEYS_DATABASE: keys.database.
            let words = name.dropFirst("VIAVAI_".count).lowercased().split(
                separator: "_",
                maxSplits: 1
            )
            options[words.joined(separator: ".")] = value
        }
        options["database"] = database
        options["log.level"] = "critical"
        let letters = Mutex<[OutgoingMessage]>([])
        let installation = try await Installation(
            try Settings(file: nil, environment: [:], options: options),
            clock: .system(startingAt: Self.now),
            outgoing: Outgoing { message, _ in letters.withLock { $0.append(message) } },
            workers: .quick()
        )
        let serving = Task { try await installation.taxi.run() }
        do {
            (key, token) = try await Self.fill(installation) { letters.withLock { $0 } }
        } catch {
            serving.cancel()
            _ = await serving.result
            installation.close()
            throw error
        }
        serving.cancel()
        _ = await serving.result
        installation.close()
    }

    private static var now: Moment {
        var reading = timespec()
        clock_gettime(CLOCK_REALTIME, &reading)
        return Moment(milliseconds: Int64(reading.tv_sec) * 1_000)
    }

    // MARK: People

    /// Opens the city with an application and a person who lets it act.
    private static func fill(
        _ installation: Installation,
        _ letters: @Sendable () -> [OutgoingMessage]
    ) async throws -> (key: String, token: String) {
        let accounts = installation.accounts
        let taxi = installation.taxi
        while !taxi.serves { try await ContinuousClock().sleep(for: .milliseconds(20)) }
        let number = try await accounts.createAdministrator(form("boss"), at: now)
        try await accounts.data.write { transaction in
            try transaction.execute("UPDATE person SET must_change = 0 WHERE number = \(number)")
        }
        let boss = try await session("boss", accounts)
        try await accounts.drivers.enter(.numbered(0), invites: false, by: boss, at: now)
        try await installation.fleet.reconcile()
        _ = try await taxi.draw(try await taxi.plan(try RideTown.zones()))
        try await taxi.adoptTariffs(TariffBook.example, by: nil, note: "")
        _ = try await taxi.dispatch.give(.adopt(.viavai))
        _ = try await taxi.dispatch.give(.completeSetup)
        let (application, key) = try await accounts.registerApplication(
            ApplicationForm(
                name: "Hotel Centrale",
                contact: "desk@hotel.example",
                redirects: [redirect],
                scopes: Set(Scope.allCases),
                requestsPerMinute: 6_000
            ),
            by: boss,
            at: now
        )
        try await accounts.register(form("ana"), from: ClientAddress("192.0.2.1"), at: now)
        for letter in letters() where letter.kind == .confirmRegistration {
            let contents = try #require(try await accounts.open(letter))
            let token = try #require(contents.facts["token"].flatMap(SecretToken.init))
            try await accounts.confirmRegistration(token, at: now)
        }
        let verifier = SecretToken.random().text
        let code = try await accounts.consent(
            to: GrantRequest(
                application: application,
                scopes: [.readCalendar, .writeCalendar],
                redirect: redirect,
                challenge: Array(SHA256.hash(data: Array(verifier.utf8)))
            ),
            by: try await session("ana", accounts),
            at: now
        )
        let tokens = try await accounts.redeem(
            code,
            for: try #require(try await accounts.application(application)),
            redirect: redirect,
            verifier: verifier,
            at: now
        )
        return (key.text, tokens.access.text)
    }

    private static func form(_ name: String) -> Registration {
        Registration(
            userName: name,
            email: "\(name)@example.org",
            password: password,
            passwordAgain: password,
            name: "Ada",
            surname: "Bianchi",
            consent: AccountSettings().consentVersion
        )
    }

    private static func session(_ name: String, _ accounts: Accounts) async throws -> Session {
        let form = LogInForm(
            name: name,
            password: password,
            address: ClientAddress("192.0.2.1"),
            device: "Firefox"
        )
        guard case .session(let grant) = try await accounts.logIn(form, at: now) else {
            throw AccountFailure.wrongCredentials
        }
        return grant.session
    }

    // MARK: The server

    /// Starts the server.
    ///
    /// - Returns: where it is.
    func start() async throws -> String {
        let program = try await ServedProgram(in: folder, settings)
        running.withLock { $0 = program }
        return program.base
    }

    /// Kills the server with SIGKILL, and waits for its end.
    func kill() async throws {
        let program = running.withLock { program in
            defer { program = nil }
            return program
        }
        program?.signal(SIGKILL)
        _ = try await program?.ended()
    }

    /// Waits until something holds that the server brings about.
    func until(_ comment: Comment, _ holds: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(150)
        while try await !holds() {
            guard ContinuousClock.now < end else {
                Issue.record(comment)
                throw CancellationError()
            }
            try await ContinuousClock().sleep(for: .milliseconds(100))
        }
    }

    // MARK: Requests

    /// An answer, as it was sent.
    struct Reply: Sendable {
        let status: Int
        let json: JSONValue
        let location: String?
        let problem: String

        init(_ reply: Program.Reply) {
            status = reply.status
            json = reply.json
            location = reply.header("location")
            problem = reply.problem
        }
    }

    /// A request with a key of its own, by which it can be repeated.
    struct Order: Sendable {
        let path: String
        let body: JSONValue
        let key: String
        let once = "kill-\(UInt64.random(in: .min ... .max))"

        /// Sends it once.
        ///
        /// - Throws: if no answer arrives.
        func send(to base: String) async throws -> Reply {
            let program = Program(visitor: Visitor(base, client: .shared), key: key, number: 0)
            return Reply(try await program.post(path, body, once: once))
        }

        /// Sends it until a server answers that has started completely.
        func answer(at base: String) async throws -> Reply {
            let end = ContinuousClock.now + .seconds(60)
            while true {
                let reply = try await send(to: base)
                guard reply.status == 503, ContinuousClock.now < end else { return reply }
                try await ContinuousClock().sleep(for: .milliseconds(100))
            }
        }
    }

    /// Calls a taxi for a guest.
    func call(_ guest: Int) -> Order {
        let body: JSONValue = [
            "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
            "contact": .text("guest\(guest)@example.org"),
        ]
        return Order(path: "/api/rides", body: body, key: key)
    }

    /// Adds an event to the person's calendar, in a January.
    func event(_ day: Int) -> Order {
        let body: JSONValue = [
            "title": "Visit", "date": .text(Self.date(day)), "time": "10:00", "minutes": 45,
        ]
        return Order(path: "/api/calendar/events", body: body, key: token)
    }

    private static func date(_ day: Int) -> String { "2099-01-\(day < 10 ? "0" : "")\(day)" }

    /// Adds a receiver of the application's webhooks.
    func webhook(_ address: String) -> Order {
        let body: JSONValue = ["address": .text(address), "events": ["ride.found"]]
        return Order(path: "/api/webhooks", body: body, key: key)
    }

    /// Does something with a receiver, such as sending a message to it.
    func message(_ path: String) -> Order { Order(path: path, body: [:], key: key) }

    /// Gives an event of the person's calendar another title.
    func title(_ event: String, _ title: String) -> Order {
        Order(path: event + "/change", body: ["title": .text(title)], key: token)
    }

    /// Removes an event from the person's calendar.
    func removal(_ event: String) -> Order {
        Order(path: event + "/remove", body: [:], key: token)
    }

    /// The number of events on a day of that January.
    func events(of day: Int, at base: String) async throws -> Int {
        let days = "first=\(Self.date(day))&last=\(Self.date(day))"
        let listed = try await read("/api/calendar/events?\(days)", at: base, key: token)
        return try #require(listed.json["items"]?.list, "\(listed.json)").count
    }

    /// The number of receivers at an address.
    func webhooks(_ address: String, at base: String) async throws -> Int {
        let listed = try await read("/api/webhooks", at: base)
        let items = try #require(listed.json["items"]?.list, "\(listed.json)")
        return items.count { $0["address"] == .text(address) }
    }

    /// An event of the person's calendar.
    func readEvent(_ event: String, at base: String) async throws -> Reply {
        try await read(event, at: base, key: token)
    }

    /// The number of messages to a receiver.
    func messages(_ webhook: String, at base: String) async throws -> Int {
        let listed = try await read(webhook + "/messages?limit=100", at: base)
        return try #require(listed.json["items"]?.list, "\(listed.json)").count
    }

    /// Reads something, with the application's own key unless another one is given.
    func read(_ path: String, at base: String, key: String? = nil) async throws -> Reply {
        let visitor = Visitor(base, client: .shared)
        let program = Program(visitor: visitor, key: key ?? self.key, number: 0)
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let reply = try await program.get(path)
            guard reply.status == 503, ContinuousClock.now < end else { return Reply(reply) }
            try await ContinuousClock().sleep(for: .milliseconds(100))
        }
    }
}
