import Chronology
import Foundation
import HTTPTypes
import Identity
import IdentityTestSupport
import Localization
import Logging
import Markup
import Notify
import StorageTestSupport
import Testing

@testable import LiveUpdates
@testable import WebCore

/// Issue 29, point 2: "live events are open to new products by protocol".
@Suite("Events of new products", .serialized)
struct LiveProductTests {
    /// The events of a calendar, which the server does not have yet.
    private enum CalendarEvent: String, RefreshEvent {
        case agenda, reminder
    }

    /// An event that carries its news.
    private struct DepartureEvent: LiveEvent {
        let minutes: Int
        var name: String { "departure" }
        var payload: String { "{\"minutes\":\(minutes)}" }
    }

    private struct Calendar: LiveProduct {
        typealias Refresh = CalendarEvent

        static func topic(_ person: PersonNumber) -> Topic { Topic("calendar/\(person.rawValue)") }

        func topics(for follower: EventFollower) -> Set<Topic> {
            switch follower {
            case .session(let standing): Set(standing.person.map { [Self.topic($0)] } ?? [])
            case .guest, .visitor: []
            }
        }
    }

    private enum WeatherEvent: String, RefreshEvent { case forecast }

    private struct Weather: LiveProduct {
        typealias Refresh = WeatherEvent

        static let topic = Topic("weather")

        func topics(for follower: EventFollower) -> Set<Topic> { [Self.topic] }
    }

    private static func withUpdates(
        _ body: @Sendable (TestCity, LiveUpdates) async throws -> Void
    ) async throws {
        try await TestCity.with(.sqlite) { city in
            let zone = try #require(TimeZone(identifier: "UTC"))
            let asset = Asset("live.js", type: "text/javascript", [])
            let web = WebEnvironment(
                WebEnvironment.Settings(
                    name: "Calendar",
                    timeZone: zone,
                    zoneTable: .utc,
                    publicAddress: nil,
                    hasTLS: false,
                    bodyLimit: 1_024,
                    trustedProxies: [],
                    brand: .list
                ),
                now: { TestCity.start },
                accounts: city.accounts,
                database: city.data,
                frame: FrameAssets(style: asset, font: asset, script: asset, icon: asset),
                addressRate: RequestRate(perSecond: 1, atOnce: 1),
                accountRate: RequestRate(perSecond: 1, atOnce: 1)
            )
            let updates = LiveUpdates(
                web,
                products: [Calendar(), Weather()],
                script: asset,
                sleep: { _ in throw CancellationError() }
            )
            try await body(city, updates)
        }
    }

    /// The request of a browser for its stream.
    private static func request(_ session: Session?) -> RequestContext {
        var context = RequestContext(
            method: .get,
            path: "/events",
            query: Form(),
            host: "localhost",
            headers: [.accept: "text/event-stream"],
            address: "192.0.2.1",
            now: TestCity.start,
            logger: Logger(label: "test")
        )
        context.secret = SecretToken.random()
        context.session = session
        return context
    }

    private static func stream(_ response: Response) throws -> AsyncStream<[UInt8]> {
        guard case .stream(let stream) = response.body else { throw Failure.badRequest }
        return stream
    }

    @Test("products declare their events and topics, and each stream has those of all products")
    func products() async throws {
        try await Self.withUpdates { city, updates in
            try await city.person("ana")
            let session = try await city.logIn("ana").session
            let ana = try #require(session.person)
            let own = try Self.stream(updates.listen(Self.request(session)))
            let other = try Self.stream(updates.listen(Self.request(nil)))
            updates.publish(CalendarEvent.agenda, on: Calendar.topic(ana), within: 20_000)
            updates.publish(DepartureEvent(minutes: 7), on: Calendar.topic(ana))
            updates.publish(WeatherEvent.forecast, on: Weather.topic)
            updates.close()
            func text(_ stream: AsyncStream<[UInt8]>) async -> String {
                await stream.reduce(into: "") { $0 += String(decoding: $1, as: UTF8.self) }
            }
            let heard = await text(own)
            #expect(heard.contains("event: agenda\ndata: 10000\n\n"))
            #expect(heard.contains("event: departure\ndata: {\"minutes\":7}\n\n"))
            #expect(heard.contains("event: forecast\ndata: 0\n\n"))
            let strange = await text(other)
            #expect(!strange.contains("agenda") && !strange.contains("departure"))
            #expect(strange.contains("event: forecast\ndata: 0\n\n"))
        }
    }

    @Test("a page's script learns the names of all events that refresh its parts")
    func names() async throws {
        try await Self.withUpdates { city, updates in
            try await city.person("ana")
            let context = Self.request(try await city.logIn("ana").session)
            let page = Page(Text(same: "Agenda"), body: "<p id=\"day\" data-live=\"agenda\"></p>")
            let head = try #require(updates.head(page, context)).text
            #expect(head.contains("data-names=\"agenda reminder forecast\""))
        }
    }

    private enum StreamEvent: String, RefreshEvent { case end }

    private struct Stream: LiveProduct {
        typealias Refresh = StreamEvent

        func topics(for follower: EventFollower) -> Set<Topic> { [] }
    }

    @Test("two products cannot share the name of an event, nor take one of the stream's own")
    func clashes() {
        #expect(LiveUpdates.sharedName(of: [Weather(), Calendar(), Weather()]) == "forecast")
        #expect(LiveUpdates.sharedName(of: [Stream()]) == "end")
        #expect(LiveUpdates.sharedName(of: [Weather(), Calendar()]) == nil)
    }
}
