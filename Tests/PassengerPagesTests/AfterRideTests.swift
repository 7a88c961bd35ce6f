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
@testable import WebCore

/// Issue 5, R111: what passengers report afterwards, and the consequences of not coming.
@Suite("After the ride", .serialized)
struct AfterRideTests {
    /// A ride whose passenger does not come.
    private static func miss(_ town: RideTown, _ visitor: Visitor) async throws {
        let path = try await town.call(visitor)
        try await town.untilAsked(town.taxis[0])
        try await town.accept(town.taxis[0])
        try await town.reach(town.taxis[0])
        try await town.wait(seconds: 300)
        _ = try await town.taxi.dispatch.give(.reportNoShow(town.taxis[0]))
        // The limit is counted from the tables.
        let (taxi, number) = (town.taxi, try RideTown.number(path))
        try await town.site.until("it is noted") {
            try await taxi.store.record(of: number)?.outcome == .noShow
        }
    }

    @Test("stars and words go to the operators; a report says so; neither is anybody else's")
    func feedback() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let other = try await town.passenger("ugo")
            let path = try await town.call(visitor)
            #expect(try await visitor.get(path + "/feedback").status == 404)
            try await town.accept(town.taxis[0])
            try await town.reach(town.taxis[0])
            try await town.board(town.taxis[0])
            try await town.end(town.taxis[0])
            #expect(try await visitor.get(path).text.contains("href=\"\(path)/feedback\""))
            #expect(try await other.get(path + "/feedback").status == 404)
            let empty = try await visitor.submit(["words": " "], on: path + "/feedback")
            #expect(empty.status == 422 && empty.text.contains("href=\"#field-stars\""))
            let bad = try await visitor.submit(["stars": "6"], on: path + "/feedback")
            #expect(bad.status == 422)
            let sent = try await visitor.submit(
                ["stars": "2", "words": "He <b>smoked</b>.", "wrong": "report"],
                on: path + "/feedback"
            )
            let thanks = try await visitor.get(try #require(sent.header("location")))
            #expect(thanks.text.contains("Thank you. The operators have received it"))
            #expect(thanks.text.contains("value=\"2\" checked"))
            let (boss, _) = try await town.site.administrator("boss")
            let list = try await boss.get("/console/feedback").text
            let signs = try await town.signs(town.taxis[0])
            #expect(list.contains("He &lt;b&gt;smoked&lt;/b&gt;.") && list.contains(signs.code))
            #expect(list.contains("</svg> report</span>"))
            #expect(try await visitor.get("/console/feedback").status == 403)
            // It is all in the data export of the passenger who reported it (R105).
            let export = try await visitor.get("/account/export").text
            for words in ["smoked", "\"isReport\" : true", "\"links\""] {
                #expect(export.contains(words), "\(words): \(export)")
            }
        }
    }

    @Test("who misses as many rides as the policy says waits or appeals; granted, nothing counts")
    func appeal() async throws {
        let policy = try Policy.viavai.with(.maxMissed, "2")
        try await RideTown.open(policy) { town in
            let visitor = try await town.passenger()
            try await Self.miss(town, visitor)
            let first = try await visitor.get("/reliability").text
            #expect(first.contains("You can ask for taxis"))
            #expect(first.contains("you did not come"))
            try await Self.miss(town, visitor)
            let second = try await visitor.get("/reliability").text
            #expect(second.contains("You cannot ask for a taxi until"), "\(second)")
            let sent = try await visitor.submit(
                ["from": RideTown.typed(500), "seats": "1"],
                on: "/taxi"
            )
            #expect(sent.header("location") == "/taxi/check")
            let told = try await visitor.get("/taxi/check")
            #expect(told.header("location") == "/reliability?notice=refused")
            // Nor by going around the page: the service itself refuses (R111).
            let person = try #require(try await town.site.session(of: visitor).person)
            await #expect(throws: TaxiService.Failure.self) {
                try await town.taxi.call(
                    RideOrder(person.passenger, from: RideTown.place(500))
                )
            }
            let empty = try await visitor.submit(["words": ""], on: "/reliability")
            #expect(empty.status == 422)
            _ = try await visitor.submit(["words": "I was there."], on: "/reliability")
            _ = try await visitor.submit(["words": "Again."], on: "/reliability")
            let waits = try await visitor.get("/reliability").text
            #expect(waits.contains("your appeal is waiting for an operator"))
            #expect(!waits.contains("<textarea"))

            let (boss, _) = try await town.site.administrator("boss")
            let list = try await boss.get("/console/feedback").text
            #expect(list.contains("1 appeal is waiting for you") && list.contains("I was there."))
            #expect(list.contains("<h1>Ratings, reports, appeals</h1>"))
            let done = try await boss.press(
                "/console/feedback",
                on: "/console/feedback",
                ["decision": "grant"]
            )
            #expect(done.status == 303)
            #expect(try await boss.get("/console/audit").text.contains("Decided an appeal"))
            let free = try await visitor.get("/reliability").text
            #expect(free.contains("You can ask for taxis"))
            #expect(free.contains("your appeal was granted"))
            #expect(try await visitor.get("/taxi/check").status == 200)
        }
    }

    @Test("nobody decides their own appeal; where nothing counts there is none (R111)")
    func ownAppeal() async throws {
        try await RideTown.open(.viavai) { town in
            let staff = try await CityStaff.person([.serviceOperator], at: town.site, name: "olga")
            let form = try await staff.get("/reliability").text
            #expect(!form.contains("<textarea"))
            // Posted by hand all the same.
            _ = try await staff.submit(
                ["words": "Nothing."],
                on: "/account",
                to: "/reliability"
            )
            #expect(try await town.taxi.openAppeals().isEmpty)
            try await Self.miss(town, staff)
            _ = try await staff.submit(["words": "I was there."], on: "/reliability")
            let list = try await staff.get("/console/feedback").text
            #expect(list.contains("1 appeal is waiting for you"))
            #expect(list.contains("Your own: someone else decides it"))
            #expect(!list.contains("name=\"decision\""))
            let appeal = try #require(try await town.taxi.openAppeals().first)
            let sent = try await staff.submit(
                ["appeal": "\(appeal.number)", "decision": "grant"],
                on: "/account",
                to: "/console/feedback"
            )
            #expect(sent.header("location") == "/console/feedback?notice=not")
            #expect(try await town.taxi.openAppeals().count == 1)
        }
    }

    @Test("where the policy has no limit nothing follows, and it says so")
    func noLimit() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            try await Self.miss(town, visitor)
            let page = try await visitor.get("/reliability").text
            #expect(page.contains("missed rides have no consequence"))
            #expect(page.contains("You can ask for taxis"))
        }
    }
}
