import Chronology
import Dispatching
import Drivers
import Geo
import Identity
import Localization
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebCore
import WebTestSupport

@testable import OperationPages
@testable import TaxiPages
@testable import WebApp

/// ui.md 4.6, OPS; issue 5, "live table and map of requests, rides, queues and taxis; filters".
@Suite("Live operations", .serialized)
struct LiveOperationsTests {
    @Test("who waits is in the table with the time, whom it asks, and an alert after five minutes")
    func waiting() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let empty = try await staff.get("/console/operations").text
            #expect(empty.contains("Nobody is waiting for a taxi."))
            #expect(empty.contains("data-live=\"operations\""))
            let number = try RideTown.number(try await town.call(try await town.passenger()))
            try await town.refuse(town.taxis[0])
            let code = try await town.signs(town.taxis[1]).code
            try await town.site.until("the tables know since when") {
                try await staff.get("/console/operations").text.contains("waiting 0 s")
            }
            let page = try await staff.get("/console/operations").text
            let drawer = "/console/operations?request=\(number.rawValue)\""
            #expect(page.contains(drawer))
            #expect(page.contains("Asking the 2nd: taxi \(code)"))
            #expect(!page.contains("bad late\""))
            _ = try await town.taxi.dispatch.give(.park(number, reason: "test"))
            town.site.clock.advance(seconds: 360)
            let late = try await staff.get("/console/operations?show=parked").text
            #expect(late.contains("class=\"badge bad late\""))
            #expect(late.contains("waiting 6 min"))
            staff.language = "it"
            let italian = try await staff.get("/console/operations?show=parked").text
            #expect(italian.contains("attende da 6 min"))
        }
    }

    @Test("filters are in the address: kinds of requests, and zones")
    func filters() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let number = try RideTown.number(try await town.call(try await town.passenger()))
            let link = "request=\(number.rawValue)\""
            try await town.accept(town.taxis[0])
            for (show, isThere) in [
                ("waiting", false), ("riding", true), ("parked", false), ("reserved", false),
            ] {
                let page = try await staff.get("/console/operations?show=\(show)").text
                #expect(page.contains(link) == isThere, "\(show)")
            }
            let zone = try await town.taxi.dispatch.read { $0.request(number)?.zone.rawValue }
            let own = "/console/operations?show=riding&zone=\(try #require(zone))"
            #expect(try await staff.get(own).text.contains(link))
            let other = "/console/operations?show=riding&zone=\(1 - (zone ?? 0))"
            #expect(try await !staff.get(other).text.contains(link))
            for nonsense in ["show=x", "zone=x", "zone=99999", "zone=-1"] {
                #expect(try await staff.get("/console/operations?" + nonsense).status == 200)
            }
        }
    }

    @Test("taxis are found by what they do and by their code, in the city's words only (R22)")
    func taxis() async throws {
        try await RideTown.open(.viavai, taxis: 3) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            _ = try await town.call(try await town.passenger())
            try await town.accept(town.taxis[0])
            let codes = try await [town.signs(town.taxis[0]).code, town.signs(town.taxis[1]).code]
            let coming = try await staff.get("/console/operations/taxis?state=coming").text
            #expect(coming.contains(">\(codes[0])<") && !coming.contains(">\(codes[1])<"))
            #expect(coming.contains("To pickup"))
            let free = try await staff.get("/console/operations/taxis?state=free").text
            #expect(free.contains(">\(codes[1])<") && !free.contains(">\(codes[0])<"))
            let found = try await staff.get("/console/operations/taxis?find=\(codes[1])")
            let page = "/console/operations/taxis/\(town.taxis[1].rawValue)"
            #expect(found.header("location") == page)
            let one = try await staff.get(page).text
            #expect(one.contains("1st of 2"))
            #expect(one.contains("Give the turn back"))
            let unknown = try await staff.get("/console/operations/taxis?find=T999")
            #expect(unknown.text.contains("No taxi has this code."))
        }
    }

    @Test("R33: the list of each state has the taxis in it and no other, and a zone its queue")
    func lists() async throws {
        try await RideTown.open(.viavai, taxis: 8) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            var codes: [String] = []
            for taxi in town.taxis { codes.append(try await town.signs(taxi).code) }
            _ = try await town.call(try await town.passenger("pia"))
            try await town.accept(town.taxis[0])
            for command: Command in [
                .goOffDuty(town.taxis[1]), .loseContact(town.taxis[2]),
                .locate(town.taxis[3], .outside),
            ] { _ = try await town.taxi.dispatch.give(command) }
            _ = try await town.call(try await town.passenger("ugo"))
            let expected: [TaxiStand: [Int]] = [
                .coming: [0], .off: [1], .lost: [2], .outside: [3], .offered: [4],
                .free: [5, 6, 7],
            ]
            for state in TaxiStand.allCases {
                let path = "/console/operations/taxis?state=\(state.rawValue)"
                let list = try await staff.get(path).text
                let shown = codes.indices.filter { list.contains(">\(codes[$0])<") }
                #expect(shown == expected[state] ?? [], "\(state)")
            }
            // A taxi that leaves the queue and comes back is last.
            let last = town.taxis[5]
            _ = try await town.taxi.dispatch.give(.goOffDuty(last))
            _ = try await town.taxi.dispatch.give(.goOnDuty(last))
            let zone = try #require(try await town.taxi.dispatch.read { $0.taxi(last)?.zone })
            let queue = try await staff.get("/console/operations/queues/\(zone.rawValue)").text
            let places = codes.map { queue.firstRange(of: ">\($0)</b>")?.lowerBound }
            #expect(places.indices.filter { places[$0] != nil } == [5, 6, 7])
            let order = [6, 7, 5].compactMap { places[$0] }
            #expect(order == order.sorted())
        }
    }

    @Test("issue 5, queues: a zone's queue stands in its order, with since when and whose turn")
    func queue() async throws {
        try await RideTown.open(.viavai, taxis: 3) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let first = town.taxis[0]
            let zone = try #require(try await town.taxi.dispatch.read { $0.taxi(first)?.zone })
            let path = "/console/operations/queues/\(zone.rawValue)"
            let since = town.site.clock.now
            try await town.wait(seconds: 60)
            let overview = try await staff.get("/console/operations").text
            #expect(overview.contains("href=\"\(path)\""), "reached from the row of the zone")
            _ = try await town.taxi.dispatch.give(.restoreTurn(town.taxis[2], reason: "test"))
            // The time since when the taxi waits, and that of its last report, a minute later.
            let times = [since, since.adding(seconds: 60)].map { "datetime=\"\($0.text)\"" }
            try await town.site.until("it is known who waits since when") {
                let page = try await staff.get(path).text
                return times.allSatisfy { page.ranges(of: $0).count == 3 }
            }
            let page = try await staff.get(path).text
            #expect(page.contains("data-live=\"operations\""))
            #expect(page.contains("3 taxis wait"))
            var places: [String.Index] = []
            for number in [town.taxis[2], town.taxis[0], town.taxis[1]] {
                let code = try await town.signs(number).code
                places.append(try #require(page.firstRange(of: ">\(code)</b>")).lowerBound)
            }
            #expect(places == places.sorted())
            #expect(page.ranges(of: "given back").count == 1)
            let mark = "data-show=\"taxi-\(first.rawValue)\""
            #expect(page.contains(mark), "linked with its marker")
            let inZone = "/console/operations/taxis?zone=\(zone.rawValue)"
            #expect(page.contains("href=\"\(inZone)\""))
            let last = try await staff.get(path + "?after=2").text
            let code = try await town.signs(town.taxis[1]).code
            #expect(last.contains(">\(code)</b>") && !last.contains("given back"))
            let other = try await staff.get("/console/operations/queues/\(1 - zone.rawValue)")
            #expect(other.text.contains("No taxi is waiting here."))
            for nonsense in ["2", "-1", "x", "00"] {
                let answer = try await staff.get("/console/operations/queues/" + nonsense)
                #expect(answer.status == 404, "\(nonsense)")
            }
        }
    }

    @Test("the map has the taxis of the table, and nobody else may fetch it (R130)")
    func map() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let page = try await staff.get("/console/operations").text
            #expect(page.contains(" data-map=\"operations\""), "or no script makes it move")
            let code = try await town.signs(town.taxis[0]).code
            let json = try await staff.get("/console/operations/map.json?state=free")
            #expect(json.header("content-type") == "application/geo+json")
            #expect(json.text.contains("\"name\":\"\(code): Free\""))
            let none = try await staff.get("/console/operations/map.json?state=aboard").text
            #expect(none == "{\"type\":\"FeatureCollection\",\"features\":[]}")
            #expect(try await staff.get("/console/operations/map.svg").text.contains("<svg"))
            let passenger = try await town.passenger()
            for last in [
                "", "/map.json", "/map.svg", "/taxis", "/taxis/0", "/requests/1", "/queues/0",
            ] {
                let answer = try await passenger.get("/console/operations" + last)
                #expect(answer.status == 403, "\(last)")
            }
        }
    }

    @Test("issue 5, map of requests and rides: who waits, and the way of the taxi that comes")
    func mapOfRequests() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let path = try await town.call(try await town.passenger(), from: 500, to: 1_500)
            let number = try RideTown.number(path).rawValue
            func mark(_ place: Coordinate) -> String {
                "[\(place.longitudeDegrees),\(place.latitudeDegrees)]"
            }
            let meeting = mark(RideTown.place(500))
            func seen() async throws -> String {
                let map = try await staff.get("/console/operations/map.json").text
                let goal = RideTown.place(1_500).longitudeDegrees
                #expect(!map.contains("\(goal)"), "nobody needs to know the destination (R130)")
                return map
            }
            let page = "/console/operations/requests/\(number)"
            let waiting = try await seen()
            #expect(waiting.contains("\"id\":\"request-\(number)\""))
            #expect(waiting.contains("\"coordinates\":\(meeting)"))
            #expect(waiting.contains("\"name\":\"Request \(number): asking the 1st: taxi "))
            #expect(waiting.contains("\"kind\":\"request waiting\""))
            let drawer = "/console/operations?request=\(number)"
            #expect(waiting.contains("\"page\":\"\(drawer)\""))
            #expect(try await staff.get(drawer).text.contains("href=\"\(page)\""))
            #expect(!waiting.contains("LineString"))
            let table = try await staff.get("/console/operations").text
            #expect(table.contains("data-show=\"request-\(number)\""))
            #expect(table.contains("id=\"operations-map\""))
            try await town.accept(town.taxis[0])
            let coming = try await seen()
            #expect(coming.contains("\"kind\":\"request riding\""))
            let way = "\"LineString\",\"coordinates\":[\(mark(RideTown.place(100))),\(meeting)]"
            #expect(coming.contains(way), "\(coming)")
            #expect(try await staff.get("/console/operations/map.svg").text.contains("<svg"))
            try await town.reach(town.taxis[0])
            try await town.board(town.taxis[0])
            let aboard = try await seen()
            #expect(!aboard.contains("request-") && !aboard.contains("LineString"))
            let taxi = "taxi-\(town.taxis[0].rawValue)"
            #expect(aboard.contains("\"id\":\"\(taxi)\""))
            #expect(aboard.contains("\"page\":\"/console/operations?taxi="))
            let riding = try await staff.get("/console/operations?show=riding").text
            #expect(riding.contains("data-show=\"\(taxi)\""))
        }
    }

    @Test("an operator sees where a passenger waits, no destination, and no place afterwards")
    func places() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let path = try await town.call(try await town.passenger(), from: 500, to: 1_500)
            let number = try RideTown.number(path)
            let page = "/console/operations/requests/\(number.rawValue)"
            let live = try await staff.get(page).text
            #expect(live.contains("Meeting point"))
            #expect(live.contains("Corso Lungo 5"))
            #expect(!live.contains("Corso Lungo 15"))
            _ = try await town.taxi.dispatch.give(.cancel(number))
            let ended = try await staff.get(page).text
            #expect(!ended.contains("Corso Lungo"))
            #expect(ended.contains("The passenger cancelled."))
        }
    }

    @Test("operators' pages are told once a second at most, and after a while though nothing was")
    func throttle() {
        var throttle = OperationsThrottle()
        let start = Moment(milliseconds: 1_000_000)
        let quiet = start.adding(seconds: OperationsThrottle.quietSeconds)
        let later = quiet.adding(seconds: 1)
        let unchanged = [start, start.adding(seconds: 1), quiet, later].map {
            throttle.isDue(at: $0)
        }
        #expect(unchanged == [true, false, true, false])
        for _ in 0..<3 { throttle.noteChange() }
        let changed = [later, later].map { throttle.isDue(at: $0) }
        #expect(changed == [true, false])
    }

    @Test("every state of a taxi and every kind of request has words in both languages")
    func words() {
        let texts =
            TaxiStand.allCases.map(\.label) + RequestFilter.allCases.map(\.label)
            + RequestFilter.allCases.map(\.empty) + ZoneLevel.allCases.map(\.label)
            + RequestAct.allCases.flatMap { [$0.title, $0.lead] }
            + TaxiAct.allCases.flatMap { [$0.title, $0.lead] }
        for language in Language.allCases {
            #expect(Set(texts.map { $0.in(language) }).count == texts.count)
        }
    }
}
