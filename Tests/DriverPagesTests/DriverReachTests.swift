import Dispatching
import Identity
import Notify
import StorageTestSupport
import TestClock
import Testing
import WebCore
import WebTestSupport

@testable import Storage
@testable import Taxi
@testable import TaxiPages
@testable import WebApp

/// R53: the next taxi is asked at once if the driver who is asked sees no page and gets no push.
@Suite("Drivers whom an offer does not reach", .serialized, .timeLimit(.minutes(5)))
struct DriverReachTests {
    /// How an offer may reach the first driver, and whether it does.
    enum Way: String, CaseIterable, Sendable {
        case noDevice
        case goneDevice
        case brokenService
        case push
        case stream
        case recentPage
        case program

        /// What the push service answers; nil if the driver has no device.
        var answer: Outcome? {
            switch self {
            case .noDevice, .stream, .recentPage, .program: nil
            case .goneDevice: .gone
            case .brokenService: .deferred("HTTP 503", pause: nil)
            case .push: .accepted
            }
        }

        var isReached: Bool {
            switch self {
            case .noDevice, .goneDevice, .brokenService: false
            case .push, .stream, .recentPage, .program: true
            }
        }
    }

    private static func office(_ town: DriverTown, _ way: Way) throws -> PostOffice {
        let site = Site(town.site.installation)
        return try PostOffice(
            town.site.installation,
            home: try #require(Link("https://taxi.example.org")),
            channels: Channels(push: { _, _ in way.answer ?? .gone }),
            logger: site.logLevels.logger("post", clock: town.clock.clock.now)
        )
    }

    /// Sends what is due now; the clock stands still.
    private static func deliver(_ office: PostOffice, _ town: DriverTown) async throws {
        let outbox = Outbox(of: town.taxi.dispatch.eventLog)
        try await town.site.until("the outbox is empty") { try await outbox.count() == 0 }
        while try await office.worker.round(at: town.clock.now).taken > 0 {}
    }

    private static func asked(
        _ request: RequestNumber,
        _ town: DriverTown
    ) async throws
        -> TaxiNumber?
    {
        try await town.taxi.dispatch.read { $0.request(request)?.offer?.taxi }
    }

    private static func check(_ way: Way, _ town: DriverTown) async throws {
        let (first, second) = (town.drivers[0], town.drivers[1])
        let office = try office(town, way)
        let request = try await town.call()
        #expect(try await asked(request, town) == first.number)
        let called = town.clock.now
        try await deliver(office, town)
        if way.isReached {
            #expect(town.taxi.undelivered.all.isEmpty == (way == .push))
            // The site decides every second; a driver who is not reached would be passed over.
            for _ in 1...3 {
                town.clock.advance(seconds: 1)
                await town.site.taxiEvents.passOverUnreached()
            }
            #expect(try await asked(request, town) == first.number)
            return
        }
        try await town.site.until("the next driver is asked") {
            try await asked(request, town) == second.number
        }
        #expect(town.clock.now == called, "no time has passed")
        #expect(try await town.page(first).contains("An offer could not reach you"))
        // The second driver's page is open.
        try await deliver(office, town)
        #expect(try await asked(request, town) == second.number)
        #expect(try await second.visitor.press("/drive/offer/accept").status == 303)
        #expect(try await town.page(first).contains("You are 1st of 1 in Centro"))
        try await town.site.until("the story says so") {
            try await town.taxi.store.story(of: request).contains { told in
                guard case .declined(_, .undeliverable) = told.fact else { return false }
                return told.at == called
            }
        }
    }

    @Test(
        "R53: if neither page nor push reaches a driver, the next is asked at once",
        arguments: Way.allCases
    )
    func reached(by way: Way) async throws {
        try await DriverTown.open(drivers: 2) { town in
            let (first, second) = (town.drivers[0], town.drivers[1])
            if way.answer != nil {
                let device = DeviceSamples.keys.merging(["endpoint": "https://push.example/a"]) {
                    $1
                }
                let added = try await first.visitor.submit(
                    device,
                    on: "/account/preferences",
                    to: "/account/device"
                )
                #expect(added.status == 303, "\(added.text)")
            }
            try await town.start(first)
            try await town.start(second)
            let events = town.site.taxiEvents
            try await town.site.until("the site knows that it serves") {
                await events.servesSince != nil
            }
            // A page that was open then would have reloaded itself meanwhile, and the start of the
            // site, at which every driver counts as reached, is over. The drivers send no more
            // positions: `driver.stale_s` must not end during the test.
            town.clock.advance(
                seconds: max(TaxiEventPublisher.pageSeconds, TaxiEventPublisher.startSeconds)
            )
            _ = try await town.page(second)
            switch way {
            case .stream:
                try await town.site.withEvents(of: first.visitor) { line in
                    _ = try await line.read(to: "event: hello\ndata:\n\n")
                    try await Self.check(way, town)
                }
            case .recentPage:
                _ = try await town.page(first)
                try await Self.check(way, town)
            case .program:
                let app = try await ForeignClient.registered(at: town.site)
                let token = try await app.tokens(of: first.visitor, [.driverDuty]).access
                let offer = try await app.visitor.get(
                    "/api/driver/offer",
                    headers: ["authorization": "Bearer \(token)"]
                )
                #expect(offer.status == 200, "\(offer.text)")
                try await Self.check(way, town)
            case .noDevice, .goneDevice, .brokenService, .push: try await Self.check(way, town)
            }
        }
    }
}
