import Chronology
import Dispatching
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// Issue 5, "phone bookings for callers"; taxi.md 3, C2, G9, R68, I15.
@Suite("Taxis for callers", .serialized)
struct CallerTests {
    private static let form = [
        "contact": "+39 333 7654321", "from": RideTown.typed(500), "to": RideTown.typed(1_500),
        "seats": "2", "language": "it",
    ]

    /// Confirms the order that the answer shows.
    private static func confirm(
        _ page: Visitor.Answer,
        _ visitor: Visitor
    ) async throws
        -> Visitor.Answer
    {
        try await visitor.sendForm("/console/operations/call/request", of: page.text)
    }

    @Test("an operator asks what a page would ask, reads it back, and a taxi is called")
    func call() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let check = try await staff.submit(Self.form, on: "/console/operations/call")
            #expect(check.status == 200, "\(check.text)")
            #expect(check.text.contains("Corso Lungo 5"))
            #expect(try await town.taxi.dispatch.read { $0.requestCount } == 0)
            let done = try await Self.confirm(check, staff)
            let request = try #require(try await town.taxi.dispatch.read { $0.requests.first })
            let page = "/console/operations/requests/\(request.number.rawValue)"
            #expect(done.header("location") == page + "?notice=called")
            #expect(request.form.isGuest && request.needs.seats == 2)
            let acts = try await town.site.accounts.audit(limit: 1).map(\.note.act)
            #expect(acts == [AuditAct.callTaxi.rawValue])
            let guest = PersonNumber(passenger: request.form.passenger)
            let contact = try await town.site.accounts.contact(ofGuest: guest)
            #expect(contact?.text == "+393337654321")
            #expect(contact?.language == "it")
            try await town.accept(town.taxis[0])
            let code = try #require(try await town.taxi.ride(of: town.taxis[0])?.code)
            let shown = try await staff.get(page).text
            #expect(!shown.contains(">\(code)<"), "an operator does not see the code (I15)")
        }
    }

    @Test("the same caller has one request at a time (R68), and is led to it")
    func twice() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            for notice in ["called", "already"] {
                let check = try await staff.submit(Self.form, on: "/console/operations/call")
                let done = try await Self.confirm(check, staff)
                #expect(done.header("location")?.hasSuffix("?notice=\(notice)") == true)
            }
            #expect(try await town.taxi.dispatch.read { $0.requestCount } == 1)
        }
    }

    @Test("what is missing or unclear is asked again: contact, place, one of several places")
    func problems() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            for (name, value, words) in [
                ("contact", "", "field-contact-error"), ("contact", "12", "field-contact-error"),
                ("from", "", "field-from-error"),
                ("from", "Zzyzx 1", "field-from-error"),
                ("seats", "77", "field-seats-error"),
                ("from", "lungo", "field-from_place"),
            ] {
                var form = Self.form
                form[name] = value
                let answer = try await staff.submit(form, on: "/console/operations/call")
                #expect(answer.status == 422, "\(name) \(value)")
                #expect(answer.text.contains(words), "\(name) \(value)")
            }
            var form = Self.form
            form["from"] = "lungo"
            let asked = try await staff.submit(form, on: "/console/operations/call").text
            let first = /from_place"[^>]*><option value="([^"]+)"/
            let place = try #require(asked.firstMatch(of: first)?.1, "\(asked)")
            form["from_place"] = String(place)
            let chosen = try await staff.submit(form, on: "/console/operations/call")
            #expect(chosen.status == 200)
        }
    }

    /// The input for a caller who reserves a taxi; the name is that of an account.
    private static func later(_ contact: String = "pia@example.org") -> [String: String] {
        form.merging(RideTown.later()) { $1 }.merging(["contact": contact]) { $1 }
    }

    @Test("issue 5, R72: a caller with an account reserves, and sees it among the reservations")
    func reserve() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let pia = try await town.passenger()
            let check = try await staff.submit(Self.later(), on: "/console/operations/call")
            #expect(check.status == 200, "\(check.text)")
            #expect(check.text.contains("16 January, 06:00"))
            #expect(check.text.contains("Corso Lungo 15"))
            let done = try await Self.confirm(check, staff)
            let request = try #require(try await town.taxi.dispatch.read { $0.requests.first })
            let page = "/console/operations/requests/\(request.number.rawValue)"
            #expect(done.header("location") == page + "?notice=reserved")
            #expect(request.due?.milliseconds == 1_800_075_600_000)
            #expect(!request.form.isGuest)
            #expect(try await staff.get(page + "?notice=reserved").text.contains("is reserved"))
            let own = try await pia.get("/reservations").text
            #expect(own.contains("16 January, 06:00"))
            let act = try #require(try await town.site.accounts.audit(limit: 1).first?.note)
            #expect(act.act == AuditAct.callTaxi.rawValue)
            let person = PersonNumber(passenger: request.form.passenger)
            #expect(act.object == "person \(person.rawValue)")
        }
    }

    @Test("R72, R73, R75, R76: a caller reserves under the rules that hold for everybody")
    func reservingRules() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            _ = try await town.passenger()
            for (name, value, words) in [
                ("contact", "+39 333 7654321", "A reservation needs an account"),
                ("contact", "nobody@example.org", "A reservation needs an account"),
                ("to", "", "field-to-error"), ("date", "", "field-date-error"),
                ("date", "2027-06-16", "field-date-error"), ("time", "25:00", "field-time-error"),
                // The clock shows 9:00 on the previous day.
                ("date", "2027-01-15", "field-time-error"),
            ] {
                var form = Self.later()
                form[name] = value
                let answer = try await staff.submit(form, on: "/console/operations/call")
                #expect(answer.status == 422, "\(name) \(value)")
                #expect(answer.text.contains(words), "\(name) \(value): \(answer.text)")
            }
            #expect(try await town.taxi.dispatch.read { $0.requestCount } == 0)
        }
    }

    @Test("where guests are not served, callers are not either (C2)")
    func refused() async throws {
        try await RideTown.open(.milanoB, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let answer = try await staff.get("/console/operations/call")
            #expect(answer.status == 403)
            #expect(answer.text.contains("Only passengers with an account"))
        }
    }
}
