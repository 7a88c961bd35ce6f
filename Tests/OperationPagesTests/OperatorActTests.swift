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

/// Issue 5, "assign, hold, recover a driver's turn, override with a reason"; taxi.md C11, I6.
@Suite("What operators do", .serialized)
struct OperatorActTests {
    private static let requests = "/console/operations/requests"
    private static let taxis = "/console/operations/taxis"

    /// An operator performs an act on its page, and the audit log has its entry.
    private static func act(
        _ last: String,
        on page: String,
        _ fields: [String: String] = ["reason": "test"],
        by visitor: Visitor,
        _ town: RideTown
    ) async throws {
        let before = try await town.site.accounts.audit(limit: 1).first?.sequence ?? 0
        let answer = try await visitor.submit(fields, on: "\(page)/\(last)")
        #expect(answer.status == 303, "\(last): \(answer.text)")
        #expect(answer.header("location") == "\(page)?notice=\(last)")
        let new = try await town.site.accounts.audit(limit: 10).filter { $0.sequence > before }
        let kind = page.hasPrefix(requests) ? "\(requests)/{request}" : "\(taxis)/{taxi}"
        let expected = try #require(OperatorActSamples.acts["\(kind)/\(last)"])
        #expect(new.map(\.note.act) == [expected.rawValue], "\(last)")
        #expect(try await visitor.get("\(page)?notice=\(last)").status == 200)
    }

    @Test("a request is set aside, taken up again, assigned and cancelled, each with a reason")
    func requestActs() async throws {
        try await RideTown.open(.viavai, taxis: 3) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let path = try await town.call(try await town.passenger())
            let number = try RideTown.number(path)
            let page = "\(Self.requests)/\(number.rawValue)"
            try await Self.act("hold", on: page, by: staff, town)
            let parked = try await town.taxi.dispatch.read { $0.request(number)?.phase }
            #expect(parked == .parked)
            let list = try await staff.get("/console/operations?show=parked").text
            #expect(list.contains("request=\(number.rawValue)"))
            try await Self.act("release", on: page, [:], by: staff, town)
            let chosen = town.taxis[2]
            let fields = ["reason": "he lives there", "taxi": "\(chosen.rawValue)"]
            try await Self.act("assign", on: page, fields, by: staff, town)
            let asked = try await town.taxi.dispatch.read { $0.request(number)?.offer?.taxi }
            #expect(asked == chosen)
            let story = try await staff.get(page).text
            let code = try await town.signs(chosen).code
            #expect(story.contains("The dispatcher chose taxi \(code): he lives there."))
            try await Self.act("cancel", on: page, by: staff, town)
            let isOver = try await town.taxi.dispatch.read { $0.request(number) == nil }
            #expect(isOver)
            #expect(try await staff.get(page).text.contains("The dispatcher cancelled it: test."))
        }
    }

    @Test("a taxi is assigned by its code too, and a code that nobody has is told")
    func byCode() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let number = try RideTown.number(try await town.call(try await town.passenger()))
            let page = "\(Self.requests)/\(number.rawValue)"
            let wrong = try await staff.submit(
                ["reason": "test", "code": "T9999999"],
                on: page + "/assign"
            )
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("No taxi has this code."))
            let code = try await town.signs(town.taxis[1]).code
            try await Self.act(
                "assign",
                on: page,
                ["reason": "test", "code": code],
                by: staff,
                town
            )
            let asked = try await town.taxi.dispatch.read { $0.request(number)?.offer?.taxi }
            #expect(asked == town.taxis[1])
        }
    }

    @Test("a ride is ended by override (R65, C11); once it has ended that is no longer possible")
    func endRide() async throws {
        try await RideTown.open(.viavai) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let number = try RideTown.number(try await town.call(try await town.passenger()))
            try await town.accept(town.taxis[0])
            let page = "\(Self.requests)/\(number.rawValue)"
            try await Self.act("end", on: page, by: staff, town)
            let status = try await town.taxi.dispatch.read { $0.taxi(town.taxis[0])?.status }
            #expect(status == .available)
            #expect(try await staff.get(page).text.contains("The ride is over: test."))
            // The confirmation page is out of date by now.
            let again = try await staff.get(page + "/end")
            #expect(again.status == 409)
            #expect(again.text.contains("Nothing was changed"))
        }
    }

    @Test("another taxi is sent for one that cannot come, as long as nobody is aboard (ui.md 4.6)")
    func replaceTaxi() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let number = try RideTown.number(try await town.call(try await town.passenger()))
            let page = "\(Self.requests)/\(number.rawValue)"
            // While the request has no taxi, there is none to replace.
            #expect(try await staff.get(page + "/replace").status == 409)
            try await town.accept(town.taxis[0])
            try await Self.act("replace", on: page, by: staff, town)
            let (asked, first) = try await town.taxi.dispatch.read { state in
                (state.request(number)?.offer?.taxi, state.taxi(town.taxis[0])?.status)
            }
            #expect(asked == town.taxis[1] && first == .unavailable)
            let code = try await town.signs(town.taxis[0]).code
            let story = try await staff.get(page).text
            #expect(story.contains("sends another in the place of taxi \(code): test."))
            try await town.accept(town.taxis[1])
            // An operator whose page still shows the first taxi cannot take the ride from the
            // second.
            for act in ["replace", "end"] {
                let stale = try await staff.submit(
                    ["reason": "test", "driving": "\(town.taxis[0].rawValue)"],
                    on: "\(page)/\(act)"
                )
                #expect(stale.status == 409, "\(act)")
            }
            #expect(
                try await town.taxi.dispatch.read { $0.taxi(town.taxis[1])?.status } == .riding
            )
            try await town.reach(town.taxis[1])
            try await town.board(town.taxis[1])
            let late = try await staff.get(page + "/replace")
            #expect(late.status == 409)
        }
    }

    @Test("a driver gets a turn back, and another is taken off duty")
    func taxiActs() async throws {
        try await RideTown.open(.viavai, taxis: 3) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let last = town.taxis[2]
            try await Self.act("turn", on: "\(Self.taxis)/\(last.rawValue)", by: staff, town)
            #expect(try await town.taxi.dispatch.read { $0.taxisAhead(of: last) } == 0)
            try await Self.act("off", on: "\(Self.taxis)/\(last.rawValue)", by: staff, town)
            let status = try await town.taxi.dispatch.read { $0.taxi(last)?.status }
            #expect(status == .unavailable)
            let refused = try await staff.submit(
                ["reason": "test"],
                on: "\(Self.taxis)/\(last.rawValue)/turn"
            )
            #expect(refused.status == 409)
            #expect(refused.text.contains("The taxi is not in a queue"))
        }
    }

    @Test("without a reason, or with a very long one, nothing is done")
    func reasons() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let number = try RideTown.number(try await town.call(try await town.passenger()))
            let page = "\(Self.requests)/\(number.rawValue)"
            for (reason, words) in [
                ("", "Enter a reason."), ("  \n ", "Enter a reason."),
                (String(repeating: "x", count: 201), "Write at most 200 characters."),
            ] {
                for last in ["hold", "cancel", "assign"] {
                    let answer = try await staff.submit(
                        ["reason": reason, "taxi": "1"],
                        on: "\(page)/\(last)"
                    )
                    #expect(answer.status == 422, "\(last)")
                    #expect(answer.text.contains(words), "\(last)")
                }
            }
            let offer = try await town.taxi.dispatch.read { $0.request(number)?.offer }
            #expect(offer?.taxi == town.taxis[0])
            let acts = try await town.site.accounts.audit(limit: 50).map(\.note.act)
            #expect(!OperatorActSamples.acts.values.contains { acts.contains($0.rawValue) })
        }
    }
}
