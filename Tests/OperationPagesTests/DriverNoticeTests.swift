import Dispatching
import Drivers
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// Issue 5, "notices to drivers of a zone".
@Suite("Notices to drivers", .serialized)
struct DriverNoticeTests {
    private static let page = "/console/operations/notices"

    /// An operator sends a notice.
    private static func give(_ fields: [String: String], _ staff: Visitor) async throws {
        let all = ["hours": "1", "zone": ""].merging(fields) { $1 }
        let answer = try await staff.submit(all, on: page)
        #expect(answer.header("location") == page + "?notice=given", "\(answer.text)")
    }

    @Test(
        "the drivers of the zone read it on their page, those of another do not, until it ends",
        arguments: TestEngine.allCases
    )
    func zones(engine: TestEngine) async throws {
        try await DriverTown.open(drivers: 2, on: engine) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            for driver in town.drivers { try await town.start(driver) }
            try await town.drive(town.drivers[1], to: DriverTown.brera)
            try await Self.give(
                ["zone": "Centro", "text_en": "Road closed", "text_it": "Strada chiusa"],
                staff
            )
            #expect(try await town.page(town.drivers[0]).contains("Road closed"))
            #expect(try await !town.page(town.drivers[1]).contains("Road closed"))
            try await Self.give(["text_en": "Fog"], staff)
            for driver in town.drivers { #expect(try await town.page(driver).contains("Fog")) }
            let acts = try await town.site.accounts.audit(limit: 2).map(\.note.act)
            #expect(acts == Array(repeating: AuditAct.notifyDrivers.rawValue, count: 2))
            town.drivers[0].visitor.language = "it"
            let italian = try await town.page(town.drivers[0])
            #expect(italian.contains("Strada chiusa"))
            #expect(italian.contains("<span lang=\"en\">Fog</span>"))
            let list = try await staff.get(Self.page)
            // Issue 30: each notice is a card.
            #expect(list.text.contains("<ul class=\"cards\">"), "\(list.text)")
            let ended = try await staff.sendForm(Self.page + "/1/end", of: list.text)
            #expect(ended.header("location") == Self.page + "?notice=ended")
            #expect(try await !town.page(town.drivers[0]).contains("Strada chiusa"))
            #expect(try await town.page(town.drivers[0]).contains("Fog"))
        }
    }

    @Test("one driver is told by the taxi's code; nobody is told more than the newest three")
    func oneTaxi() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let code = DriverEntry.numbered(1).papers.taxiCode
            try await Self.give(["code": code, "text_en": "Call the office"], staff)
            #expect(try await town.page(town.drivers[1]).contains("Call the office"))
            #expect(try await !town.page(town.drivers[0]).contains("Call the office"))
            for number in 1...3 { try await Self.give(["text_en": "News \(number)"], staff) }
            let page = try await town.page(town.drivers[1])
            #expect(page.contains("News 3") && page.contains("News 1"))
            #expect(!page.contains("Call the office"))
        }
    }

    @Test("what is missing or cannot be is asked again, and markup is text")
    func problems() async throws {
        try await DriverTown.open(drivers: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            for (name, value) in [
                ("text_en", ""), ("text_en", String(repeating: "x", count: 201)), ("hours", "3"),
                ("zone", "Nowhere"), ("code", "T0000"),
            ] {
                var form = ["text_en": "Fog", "hours": "1", "zone": ""]
                form[name] = value
                let answer = try await staff.submit(form, on: Self.page)
                #expect(answer.status == 422, "\(name)")
                #expect(answer.text.contains("field-\(name)-error"), "\(name)")
            }
            try await Self.give(["text_en": "<script>alert(1)</script>"], staff)
            let page = try await town.page(town.drivers[0])
            #expect(page.contains("&lt;script&gt;alert(1)"))
            #expect(!page.contains("<script>alert"))
        }
    }
}
