import Chronology
import Dispatching
import Foundation
import Geo
import Identity
import Localization
import Positions
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import DriverPages
@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// Issue 5 (2): the events that browsers get, over real streams; I27, R130: nobody gets those of
/// others.
@Suite("What open pages are told", .serialized, .timeLimit(.minutes(5)))
struct TaxiEventPublisherTests {
    /// Opens the event stream of each visitor, one after the other.
    private static func withLines(
        _ site: ServedSite,
        _ visitors: [Visitor],
        _ lines: [EventLine] = [],
        _ body: ([EventLine]) async throws -> Void
    ) async throws {
        guard let next = visitors.first else { return try await body(lines) }
        try await site.withEvents(of: next) { line in
            #expect(line.status == 200)
            _ = try await line.read(to: "event: hello\ndata:\n\n")
            try await withLines(site, Array(visitors.dropFirst()), lines + [line], body)
        }
    }

    /// Events for individual people, as a stream carries them; events for everybody give the number
    /// of recipients.
    private static let (ride, drive) = ("event: ride\ndata: 0\n", "event: drive\ndata: 0\n")

    /// Reads a stream to the end of the service; returns the events that came before it.
    private static func heard(_ line: EventLine, after before: String = "") async throws -> String {
        var line = line
        return before + (try await line.read(to: "event: service\n"))
    }

    @Test("request, offer, acceptance and the end are told to passenger and driver, to no one else")
    func whom() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let (own, other) = (town.drivers[0], town.drivers[1])
            try await town.start(own)
            try await town.drive(other, to: DriverTown.brera)
            _ = try await town.page(own)
            _ = try await town.page(other)
            let pia = try await town.site.person("pia")
            let ugo = try await town.site.person("ugo")
            let staff = try await CityStaff.person([.serviceOperator], at: town.site, name: "olga")
            let person = try #require(try await town.site.session(of: pia).person)
            let everybody = [pia, own.visitor, ugo, other.visitor, staff]
            try await Self.withLines(town.site, everybody) { lines in
                var (passenger, driver) = (lines[0], lines[1])
                var told = ("", "")
                func both() async throws {
                    told.0 += try await passenger.read(to: Self.ride)
                    told.1 += try await driver.read(to: Self.drive)
                }
                // The streams carry the request and the offer, then the acceptance, and the rest.
                // Away from the taxi: once the driver has reached the passenger, the ride can no
                // longer be cancelled.
                let number = person.passenger.rawValue
                let request = try await town.call(number, from: DriverTown.near)
                try await both()
                #expect(try await town.page(own).contains("New ride"))
                _ = try await own.visitor.press("/drive/offer/accept")
                try await both()
                _ = try await town.taxi.dispatch.give(.cancel(request))
                try await both()
                _ = try await town.taxi.dispatch.give(.suspend(reason: "the end"))
                town.clock.advance(seconds: 1)
                for line in lines[2...] {
                    let heard = try await Self.heard(line)
                    #expect(!heard.contains(Self.ride) && !heard.contains(Self.drive))
                }
                let last = try await (Self.heard(passenger), Self.heard(driver))
                #expect(!(told.0 + last.0).contains(Self.drive))
                #expect(!(told.1 + last.1).contains(Self.ride))
            }
        }
    }

    @Test("R32, R50: the window that looks again first knows that its driver has gone to work")
    func otherWindow() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            try await town.drive(driver, to: DriverTown.centro)
            _ = try await town.page(driver)
            let pia = try await town.site.person("pia")
            func papers() async throws -> String {
                try await driver.visitor.get("/account/papers").text
            }
            #expect(try await papers().contains("data-duty=\"off\""))
            try await Self.withLines(town.site, [pia]) { lines in
                var line = lines[0]
                // The driver's page, on which the button was pressed, has not reloaded yet. What
                // everybody gets afterwards proves that the shift was processed.
                let person = driver.person.rawValue
                _ = try await town.taxi.beginShift(driver.number, person)
                _ = try await town.taxi.dispatch.give(.suspend(reason: "for a moment"))
                _ = try await line.read(to: "event: drive\n")
                _ = try await town.taxi.dispatch.give(.resume)
                _ = try await line.read(to: "event: drive\n")
            }
            try #require(try await papers().contains("data-duty=\"on\""))
            try await Self.withLines(town.site, [driver.visitor]) { lines in
                var line = lines[0]
                try await town.call()
                _ = try await line.read(to: Self.drive)
                #expect(try await papers().contains("You have a ride offer"))
            }
        }
    }

    @Test("a guest gets events of their own ride, and of no other")
    func guest() async throws {
        try await DriverTown.atWork { town, driver in
            var guests: [Visitor] = []
            var numbers: [PersonNumber] = []
            for _ in 0..<2 {
                let guest = town.site.visitor()
                _ = try await guest.get("/login")
                let secret = try #require(guest.cookie("session").flatMap(SecretToken.init))
                let made = try await town.site.accounts.beginGuest(
                    secret,
                    language: .english,
                    from: ClientAddress("127.0.0.1"),
                    at: town.clock.now
                )
                guests.append(guest)
                numbers.append(made.number)
            }
            try await Self.withLines(town.site, guests) { lines in
                var first = lines[0]
                var order = RideOrder(numbers[0].passenger, from: DriverTown.centro)
                order.isGuest = true
                _ = try await town.taxi.call(order)
                _ = try await first.read(to: Self.ride)
                _ = try await town.taxi.dispatch.give(.suspend(reason: "the end"))
                town.clock.advance(seconds: 1)
                #expect(!(try await Self.heard(lines[1])).contains(Self.ride))
            }
        }
    }

    @Test("a passenger is shown that the taxi moves, every five seconds at most, aboard 15 (R61)")
    func moving() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            let taxi = town.taxis[0]
            try await town.accept(taxi)
            let start = town.site.clock.now
            try await Self.hears(of: taxi, town, visitor, since: start, times: 3)
            let session = try await town.site.session(of: visitor)
            let passenger = try #require(session.person).passenger
            let view = try await town.taxi.view(try RideTown.number(path), for: passenger)
            #expect(view?.position != nil)
            // On board, the passenger follows the taxi to the destination. Boarding may be
            // announced late: at most two events; all others are about the route.
            _ = try? await town.taxi.dispatch.give(.reachMeetingPoint(taxi))
            try await town.board(taxi)
            #expect(try await visitor.get(path).text.contains("You are on board"))
            try await Self.hears(of: taxi, town, visitor, since: start, times: 5)
        }
    }

    /// Drives a taxi east until its passenger has got a number of events about it.
    private static func hears(
        of taxi: TaxiNumber,
        _ town: RideTown,
        _ visitor: Visitor,
        since start: Moment,
        times: Int
    ) async throws {
        try await town.site.withEvents(of: visitor) { line in
            _ = try await line.read(to: "event: hello\ndata:\n\n")
            let clock = town.site.clock
            let driving = Task {
                while !Task.isCancelled {
                    clock.advance(seconds: 1)
                    let seconds = (clock.now.milliseconds - start.milliseconds) / 1_000
                    let place = RideTown.place(110 + 5 * Double(seconds))
                    try Self.report(taxi, at: place, clock.now, to: town.taxi)
                    // Waits for each tick of the clock, so that hours do not pass in one tick.
                    _ = try await town.taxi.dispatch.read { $0.now }
                }
            }
            defer { driving.cancel() }
            for _ in 0..<times { _ = try await line.read(to: Self.ride) }
        }
    }

    /// A phone reports its position.
    private static func report(
        _ number: TaxiNumber,
        at place: Coordinate,
        _ now: Moment,
        to taxi: TaxiService
    ) throws {
        let report = PositionReport(at: now, place: place, accuracyMetres: 5)
        _ = try taxi.report(PositionBatch(taxi: number, sentAt: now, reports: [report]))
    }

    @Test("drivers are told that they moved up in the queue: the first ones within seconds")
    func queue() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let (first, second) = (town.drivers[0], town.drivers[1])
            try await town.start(first)
            try await town.start(second)
            _ = try await town.page(second)
            try await town.site.withEvents(of: second.visitor) { line in
                _ = try await line.read(to: "event: hello\ndata:\n\n")
                _ = try await first.visitor.press("/drive/duty", ["wish": "off"])
                let passing = Task {
                    [clock = town.clock, taxi = town.taxi, number = second.number] in
                    while !Task.isCancelled {
                        clock.advance(seconds: 1)
                        // The driver waits in the same place, and does not count as out of contact.
                        try Self.report(number, at: DriverTown.centro, clock.now, to: taxi)
                        // Waits for each tick of the clock, so that hours do not pass in one tick.
                        _ = try await taxi.dispatch.read { $0.now }
                    }
                }
                defer { passing.cancel() }
                _ = try await line.read(to: "event: place\n")
                let told = try await line.read(to: "\n\n")
                passing.cancel()
                #expect(told.contains("data: {\"at\":"))
                let english = #""en":["You are 1st of 1 in Centro","Available: 1st"]"#
                let italian = #""it":["Sei 1º di 1 in Centro","Disponibile: 1º"]"#
                #expect(told.contains(english) && told.contains(italian), "\(told)")
                // The event says what the page says, as of the same entry or a later one.
                let page = try await town.page(second)
                let shown = page.firstMatch(of: /data-place="([0-9]+)">You are (<[^>]*>)?1st/)
                let at = told.firstMatch(of: /"at":([0-9]+)/)
                let sequences = try (#require(at), #require(shown))
                #expect(try #require(Int(sequences.0.1)) <= #require(Int(sequences.1.1)))
            }
        }
    }

    @Test("the driver in front is told how many wait behind")
    func behind() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let (first, second) = (town.drivers[0], town.drivers[1])
            try await town.start(first)
            #expect(try await town.page(first).contains("You are 1st of 1 in Centro"))
            try await town.site.withEvents(of: first.visitor) { line in
                _ = try await line.read(to: "event: hello\ndata:\n\n")
                try await town.start(second)
                let numbers = [first.number, second.number]
                let passing = Task { [clock = town.clock, taxi = town.taxi] in
                    while !Task.isCancelled {
                        clock.advance(seconds: 1)
                        for number in numbers {
                            try Self.report(number, at: DriverTown.centro, clock.now, to: taxi)
                        }
                        // Waits for each tick of the clock, so that hours do not pass in one tick.
                        _ = try await taxi.dispatch.read { $0.now }
                    }
                }
                defer { passing.cancel() }
                _ = try await line.read(to: #""en":["You are 1st of 2 in Centro""#)
            }
        }
    }

    @Test("the queues of a city, and its rides after a restart, are not all told of at once")
    func turns() throws {
        for now in [1_700_000_000_000, 1_700_000_019_999, 1_700_000_013_377] as [Int64] {
            let begin = Moment(milliseconds: now)
            var told: [Int64: Int] = [:]
            for zone in 0..<100 as Range<UInt64> {
                let turn = TaxiEventPublisher.turn(of: zone, every: 20, after: begin)
                #expect(begin < turn && turn <= begin.adding(seconds: 20))
                // The next turn comes after the same interval, whenever in between one asks.
                let next = TaxiEventPublisher.turn(of: zone, every: 20, after: turn)
                #expect(next == turn.adding(seconds: 20))
                #expect(
                    TaxiEventPublisher.turn(of: zone, every: 20, after: turn.adding(seconds: 7))
                        == next
                )
                told[turn.milliseconds, default: 0] += 1
            }
            #expect(told.count == 20 && told.values.allSatisfy { $0 == 5 })
        }
    }

    @Test("the scripts of every page stay within 15 kB together, without the map's library")
    func budget() throws {
        let assets = Assets()
        func size(_ some: [Asset]) -> Int {
            some.map { $0.compressed?.count ?? $0.bytes.count }.reduce(0, +)
        }
        let always = [assets.script, assets.liveScript]
        #expect(size(always + [assets.driveScript]) <= 15_000)
        #expect(size(always + [assets.placeScript]) <= 15_000)
        #expect(size(always + [assets.placeScript, assets.pushScript]) <= 15_000)
        // What maps add comes after the page is drawn, as the library does (ui.md 1).
        for script in [assets.zonesScript, assets.pinScript] {
            #expect(size([assets.mapScript, script]) <= 13_500)
        }
        #expect(size([assets.mapScript, assets.navigationScript]) <= 15_000)
        #expect(size([assets.style, assets.mapStyle]) <= 12_000)
    }

    @Test("the script knows the faults that are nobody's business, by their names")
    func faultNames() {
        let script = String(decoding: Assets().driveScript.bytes, as: UTF8.self)
        for fault in [PositionFault.outdated, .tooOften] {
            #expect(script.contains("\"\(fault.name)\""))
        }
        for (name, text) in DeviceStateTexts.forScript {
            #expect(text.in(.english) != text.in(.italian))
            let isUsed = script.contains("\"\(name)\"") || script.contains("words.\(name)")
            #expect(
                isUsed
                    || ["off", "seeking", "denied", "none", "both", "screen", "vibration"].contains(
                        name
                    ),
                "\(name)"
            )
        }
    }
}
