import Chronology
import Crypto
import HTTPClient
import IdentityTestSupport
import Storage
import StorageTestSupport
import Synchronization
import Testing

@testable import Identity
@testable import Webhooks

/// A hotel with a key, an application of people, a person, and a clock that stands still.
struct WebhookScene: Sendable {
    let city: TestCity
    let register: WebhookRegister
    let hotel: Int64
    let app: Int64
    let admin: Session
    let ana: Session
    let person: PersonNumber
    let clock = StandingClock()

    static let scopes: Set<Scope> = [.callTaxis, .followRides, .followPlans]
    /// The pseudonym of the hotel's guests.
    static let guest = PersonNumber(rawValue: 4_711)

    /// Runs a test with the scene.
    static func with(
        _ engine: TestEngine,
        scope: NetworkScope = .publicOnly,
        _ body: @Sendable (WebhookScene) async throws -> Void
    ) async throws {
        try await TestCity.with(
            engine,
            migrations: Migration.accounts + Migration.webhooks + Migration.webhookStreams,
            erasing: [{ try WebhookRegister.forget($0, in: $1) }]
        ) { city in try await body(try await WebhookScene(city, scope)) }
    }

    private init(_ city: TestCity, _ scope: NetworkScope) async throws {
        self.city = city
        register = WebhookRegister(
            city.accounts,
            key: [UInt8](repeating: 3, count: 32),
            scope: scope
        )
        admin = try await city.administrator()
        var numbers: [Int64] = []
        for name in ["Hotel Centrale", "Rides Plus"] {
            let made = try await city.accounts.registerApplication(
                ApplicationForm(
                    name: name,
                    contact: "office@rides.example.org",
                    redirects: ["https://rides.example.org/back"],
                    scopes: Self.scopes,
                    requestsPerMinute: 60
                ),
                by: admin,
                at: TestCity.start
            )
            numbers.append(made.number)
        }
        (hotel, app) = (numbers[0], numbers[1])
        person = try await city.person("ana")
        ana = try await city.logIn("ana").session
    }

    /// Lets the application act for the person.
    func grant(_ scopes: Set<Scope>) async throws {
        let verifier = "dBjftJeZ4CVP-mBh77eTyPwlNqGr-a1aVW3_AdG5DkM"
        let request = GrantRequest(
            application: app,
            scopes: scopes,
            redirect: "https://rides.example.org/back",
            challenge: Array(SHA256.hash(data: Array(verifier.utf8)))
        )
        let code = try await city.accounts.consent(to: request, by: ana, at: clock.now)
        let found = try #require(try await city.accounts.application(app))
        _ = try await city.accounts.redeem(
            code,
            for: found,
            redirect: request.redirect,
            verifier: verifier,
            at: clock.now
        )
    }

    /// Adds an endpoint for all events.
    func endpoint(
        of application: Int64? = nil,
        _ address: String = "https://hotel.example/taxi?key=planted"
    ) async throws -> Int64 {
        try await register.add(
            WebhookForm(address: address, kinds: Set(WebhookEvent.Kind.chosen)),
            to: application ?? hotel,
            at: clock.now
        )
        .number
    }

    /// Notes that an application made a request.
    func order(
        _ request: Int64,
        by application: Int64? = nil,
        for passenger: PersonNumber = guest
    ) async throws {
        let statement = Accounts.recordingRide(
            request,
            of: application ?? hotel,
            for: passenger,
            isPersonal: passenger != Self.guest,
            at: clock.now
        )
        try await city.data.write { try $0.execute(statement) }
    }

    /// Tells what happens to a ride.
    func tell(
        _ events: [WebhookEvent],
        of passenger: PersonNumber = guest,
        cause: String = "1"
    ) async throws {
        let now = clock.now
        let news = events.enumerated().map { place, event in
            WebhookNews(cause: "\(cause).\(place)", event: event, moment: now, person: passenger)
        }
        try await city.data.write { [register] transaction in
            try register.tellOfRides(news, at: now, in: transaction)
        }
    }

    /// A worker whose receivers do what a function says.
    func worker(_ send: @escaping WebhookWorker.Sending) -> WebhookWorker {
        WebhookWorker(
            register,
            clock: WebhookWorker.Clock(now: { clock.now }) { _ in
                try await ContinuousClock().sleep(for: .milliseconds(2))
            },
            send: send
        )
    }

    /// The messages of an endpoint, the first one first.
    func deliveries(
        _ endpoint: Int64,
        of application: Int64? = nil
    ) async throws -> [WebhookDelivery] {
        try await register.deliveries(to: endpoint, of: application ?? hotel, limit: 1_000)
            .reversed()
    }
}

/// A clock that a test sets.
final class StandingClock: Sendable {
    private let moment = Mutex(TestCity.start)

    var now: Moment { moment.withLock { $0 } }

    func advance(milliseconds: Int64) {
        moment.withLock { $0 = $0.adding(milliseconds: milliseconds) }
    }
}

/// A receiver that remembers what it was sent, and answers as it is told.
final class Receiver: Sendable {
    struct Got: Sendable {
        let id: String
        let address: String
        let body: String
        let answer: WebhookAnswer
    }

    private struct State {
        var got: [Got] = []
        var answer: @Sendable (String) -> WebhookAnswer = { _ in .status(200) }
    }

    private let state = Mutex(State())

    /// All that arrived, in its order.
    var got: [Got] { state.withLock { $0.got } }
    /// The bodies that were acknowledged, in their order.
    var bodies: [String] { got.filter { $0.answer.isSuccess }.map(\.body) }

    func answer(_ answer: @escaping @Sendable (String) -> WebhookAnswer) {
        state.withLock { $0.answer = answer }
    }

    @Sendable
    func take(_ message: WebhookMessage) async -> WebhookAnswer {
        let id = message.headers.first { $0.name == "webhook-id" }?.value ?? ""
        let body = String(decoding: message.body, as: UTF8.self)
        return state.withLock { state in
            let answer = state.answer(body)
            state.got.append(Got(id: id, address: message.address, body: body, answer: answer))
            return answer
        }
    }
}
