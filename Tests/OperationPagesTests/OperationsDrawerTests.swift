import Dispatching
import Drivers
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebCore
import WebTestSupport

@testable import OperationPages
@testable import TaxiPages
@testable import WebApp

/// Issue 30, 4: list, map and drawer on one screen.
@Suite("The drawer and the zones of live operations", .serialized)
struct OperationsDrawerTests {
    @Test("the address says what the drawer shows, for a request and for a taxi")
    func drawer() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let number = try RideTown.number(try await town.call(try await town.passenger()))
            let closed = try await staff.get("/console/operations").text
            #expect(!closed.contains("class=\"drawer\""))
            let path = "/console/operations?request=\(number.rawValue)"
            let open = try await staff.get(path).text
            let start = try #require(open.firstRange(of: "class=\"drawer\"")).lowerBound
            let drawer = open[start...]
            #expect(drawer.contains("Request \(number.rawValue)</h2>"))
            #expect(drawer.contains("id=\"operations-drawer\" data-live=\"operations\""))
            #expect(drawer.contains("Corso Lungo 5") && drawer.contains("What happened"))
            #expect(drawer.contains("/requests/\(number.rawValue)/cancel\""))
            #expect(drawer.contains("shut\" href=\"/console/operations\""))
            #expect(open.contains("data-selected=\"request-\(number.rawValue)\""))
            let row = "href=\"\(path)\" aria-current=\"true\""
            #expect(open.contains(row), "the row in the list is marked")
            let mark = "<li data-show=\"request-\(number.rawValue)\"><a class=\"row pick\""
            #expect(open.contains(mark), "the row is linked with its marker")
            let taxi = town.taxis[0].rawValue
            let code = try await town.signs(town.taxis[0]).code
            let other = try await staff.get("/console/operations?show=riding&taxi=\(taxi)").text
            #expect(other.contains("Taxi \(code)</h2>"))
            #expect(other.contains("shut\" href=\"/console/operations?show=riding\""))
            for nonsense in ["request=0", "request=999999", "request=x", "taxi=99999", "taxi=-1"] {
                let answer = try await staff.get("/console/operations?" + nonsense)
                #expect(answer.status == 200, "\(nonsense)")
            }
        }
    }

    @Test("a zone is calm while nobody waits, busy while its taxis suffice, and else short of them")
    func levels() {
        let expected: [(waiting: Int, free: Int, level: ZoneLevel)] = [
            (0, 0, .calm), (0, 5, .calm), (1, 1, .busy), (2, 5, .busy), (1, 0, .short),
            (3, 2, .short),
        ]
        for (waiting, free, level) in expected {
            #expect(ZoneLevel(waiting: waiting, free: free) == level, "\(waiting), \(free)")
        }
    }

    @Test("a zone's level and counts are on the map and in words in the list")
    func zones() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let first = town.taxis[0]
            let zone = try #require(try await town.taxi.dispatch.read { $0.taxi(first)?.zone })
            func properties() async throws -> Substring {
                let map = try await staff.get("/console/operations/map.json").text
                let mark = "\"id\":\"zone-\(zone.rawValue)\""
                let start = try #require(map.firstRange(of: mark), "\(map)").lowerBound
                let end = try #require(map[start...].firstRange(of: "}}")).lowerBound
                return map[start..<end]
            }
            let calm = try await properties()
            #expect(calm.contains("\"level\":\"calm\"") && calm.contains("MultiPolygon"))
            #expect(calm.contains("\"waiting\":0,\"free\":1"))
            #expect(calm.contains("0 people waiting, 1 taxi free. Calm"))
            let number = try RideTown.number(try await town.call(try await town.passenger()))
            _ = try await town.taxi.dispatch.give(.park(number, reason: "test"))
            _ = try await town.taxi.dispatch.give(.goOffDuty(first))
            let list = try await staff.get("/console/operations").text
            #expect(list.contains("class=\"level short\">Too few taxis"))
            #expect(list.contains("<tr data-show=\"zone-\(zone.rawValue)\">"))
            let short = try await properties()
            #expect(short.contains("\"level\":\"short\""))
            #expect(short.contains("\"waiting\":1,\"free\":0"))
        }
    }

    @Test("the search finds what the role may see: operators find drivers, administrators people")
    func search() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let chief = try await town.site.person("ada", [.administrator])
            let pia = try await town.passenger("pia")
            let number = try RideTown.number(try await town.call(pia))
            let code = try await town.signs(town.taxis[0]).code
            func found(_ text: String, by visitor: Visitor) async throws -> String {
                let query = text.replacing(" ", with: "+").replacing("#", with: "%23")
                let answer = try await visitor.get("/console/search?q=" + query)
                #expect(answer.status == 200, "\(text)")
                return answer.text
            }
            let request = "/console/operations/requests/\(number.rawValue)\""
            for text in ["\(number.rawValue)", "#\(number.rawValue)"] {
                #expect(try await found(text, by: staff).contains(request), "\(text)")
            }
            let taxi = try await found(code, by: staff)
            #expect(taxi.contains("/console/operations/taxis/\(town.taxis[0].rawValue)\""))
            #expect(taxi.contains("data-focus"), "Enter opens the first result")
            // People are an administrator's business, and so are backups.
            #expect(try await found("pia@example.org", by: chief).contains("/console/person/"))
            let none = try await found("pia@example.org", by: staff)
            #expect(!none.contains("/console/person/") && none.contains("Nothing found"))
            #expect(try await found("backups", by: chief).contains("href=\"/console/backups\""))
            #expect(try await !found("backups", by: staff).contains("/console/backups"))
            #expect(try await found("tariffs", by: staff).contains("href=\"/console/tariffs\""))
            for nonsense in ["", "18446744073709551616", "-18446744073709551616", "%3Cb%3E"] {
                let page = try await found(nonsense, by: staff)
                #expect(!page.contains("data-focus"), "\(nonsense): \(page)")
            }
            #expect(try await pia.get("/console/search?q=1").status == 403)
        }
    }
}
