import Dispatching
import Geo
import Identity
import Localization
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// ui.md 4.1, 4.3, 4.4; taxi.md C27, R4, R12, R68, I27, R130.
@Suite("Following a ride", .serialized)
struct FollowingTests {
    @Test("C27: until when one may cancel, the consequence is told first")
    func cancelling() async throws {
        for (policy, before, after) in [
            (Policy.milanoA, false, false), (.milanoB, true, false), (.viavai, true, true),
        ] {
            try await RideTown.open(policy) { town in
                let visitor = try await town.passenger()
                let path = try await town.call(visitor, to: policy == .milanoB ? nil : 1_500)
                let asking = try await visitor.get(path)
                #expect(asking.text.contains("\(path)/cancel") == before, "\(policy.name)")
                try await town.accept(town.taxis[0])
                let coming = try await visitor.get(path)
                #expect(coming.text.contains("\(path)/cancel") == after, "\(policy.name)")
                let asked = try await visitor.get(path + "/cancel")
                #expect((asked.status == 200) == after, "\(policy.name)")
                guard after else {
                    #expect(asked.status == 409)
                    #expect(asked.text.contains("It was not cancelled"))
                    return
                }
                #expect(asked.text.contains("already on the way to you"))
                let done = try await visitor.submit([:], on: path + "/cancel")
                #expect(done.header("location") == path)
                #expect(try await visitor.get(path).text.contains("You have cancelled it"))
                #expect(try await town.taxi.dispatch.read { $0.requestCount } == 0)
                // The confirmation page is out of date: it leads to the outcome.
                let again = try await visitor.get(path + "/cancel")
                #expect(again.header("location") == path)
            }
        }
    }

    @Test("a form that asks to cancel what may no longer be cancelled changes nothing")
    func tooLate() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            let page = try await visitor.get(path + "/cancel")
            let form = try #require(
                FoundForm.all(in: page.text, on: path).first { $0.action.hasSuffix("/cancel") }
            )
            try await town.accept(town.taxis[0])
            try await town.reach(town.taxis[0])
            let refused = try await visitor.post(form.action, form.fields)
            #expect(refused.status == 409)
            #expect(refused.text.contains("too late to cancel"))
            #expect(try await visitor.get(path).text.contains("Your taxi is here"))
        }
    }

    @Test("R68: one request at a time, whatever window asks; a form sent twice asks once")
    func one() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let visitor = try await town.passenger()
            let check = try await town.fill(visitor, ["from": RideTown.typed(500), "seats": "1"])
            let form = try #require(
                FoundForm.all(in: check.text, on: "").first { $0.action == "/taxi/request" }
            )
            let first = try await visitor.post(form.action, form.fields)
            let second = try await visitor.post(form.action, form.fields)
            let path = try #require(first.header("location"))
            #expect(second.header("location") == path)
            var other = form.fields
            other["key"] = "anotherkey"
            let third = try await visitor.post(form.action, other)
            #expect(third.header("location") == path + "?notice=already")
            let shown = try await visitor.get(path + "?notice=already")
            #expect(shown.text.contains("You already have this ride"))
            for page in ["/taxi", "/taxi/check"] {
                let away = try await visitor.get(page)
                #expect(away.header("location") == path + "?notice=already", "\(page)")
            }
            #expect(try await visitor.get("/").text.contains(path))
            #expect(try await town.taxi.dispatch.read { $0.requestCount } == 1)
        }
    }

    @Test("what is confirmed is what was shown, whatever another window has filled in since (R46)")
    func twoWindows() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let shown = try await town.fill(visitor, ["from": RideTown.typed(300), "seats": "1"])
            let form = try #require(
                FoundForm.all(in: shown.text, on: "").first { $0.action == "/taxi/request" }
            )
            _ = try await town.fill(visitor, ["from": RideTown.typed(900), "seats": "1"])
            let sent = try await visitor.post(form.action, form.fields)
            let number = try RideTown.number(try #require(sent.header("location")))
            let session = try await town.site.session(of: visitor)
            let passenger = try #require(session.person).passenger
            let view = try await town.taxi.view(number, for: passenger)
            #expect(view?.meeting == RideTown.place(300))
        }
    }

    @Test("I27, R130: nobody sees another's ride, neither page nor map nor receipt nor banner")
    func privacy() async throws {
        try await RideTown.open(.milanoA) { town in
            let owner = try await town.passenger("pia")
            let other = try await town.passenger("ugo")
            let guest = town.site.visitor()
            let path = try await town.call(owner)
            let receipt = path.replacing("/ride/", with: "/receipt/")
            let paths =
                ["", "/map.svg", "/cancel"].map { path + $0 } + [receipt, receipt + "/map.svg"]
            func check(_ when: Comment) async throws {
                for visitor in [other, guest] {
                    for path in paths {
                        let answer = try await visitor.get(path)
                        #expect(answer.status == 404, "\(when) \(path)")
                        #expect(!answer.text.contains("Corso") && !answer.text.contains("Dario"))
                    }
                    let page = try await visitor.get("/privacy")
                    #expect(!page.text.contains("class=\"banner\""))
                }
            }
            try await check("asking")
            try await town.accept(town.taxis[0])
            try await check("coming")
            let login = try await other.get("/account")
            let token = login.text.firstMatch(of: /name="token" value="([^"]*)"/)?.1 ?? ""
            let stolen = try await other.post(path + "/cancel", ["token": String(token)])
            #expect(stolen.status == 404)
            try await town.reach(town.taxis[0])
            try await town.board(town.taxis[0])
            try await town.end(town.taxis[0])
            #expect(try await owner.get(path).text.contains("You have arrived"))
            try await check("done")
            for odd in ["/ride/0", "/ride/01", "/ride/-1", "/ride/x", "/ride/99999999999999999999"]
            {
                #expect(try await owner.get(odd).status == 404, "\(odd)")
            }
        }
    }

    @Test("R4, R12: a service that is not open yet, or suspended, says so kindly")
    func closed() async throws {
        try await RideTown.open(.viavai, isOpen: false) { town in
            try await town.site.installation.taxi.dispatch.started()
            let early = try await town.site.visitor().get("/taxi")
            #expect(early.status == 503)
            #expect(early.text.contains("come back soon"))
            #expect(!(try await town.site.visitor().get("/").text.contains("name=\"from\"")))
        }
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let check = try await town.fill(visitor, ["from": RideTown.typed(500), "seats": "1"])
            let form = try #require(
                FoundForm.all(in: check.text, on: "").first { $0.action == "/taxi/request" }
            )
            _ = try await town.taxi.dispatch.give(.suspend(reason: "Snow"))
            for path in ["/taxi", "/taxi/check"] {
                let told = try await visitor.get(path)
                #expect(told.status == 503 && told.text.contains("Snow"), "\(path)")
            }
            let sent = try await visitor.post(form.action, form.fields)
            #expect(sent.status == 503 && sent.text.contains("Snow"))
            let home = try await town.site.visitor().get("/")
            #expect(home.text.contains("Snow") && !home.text.contains("name=\"from\""))
        }
    }

    @Test("a taxi out of contact is shown as such, with what was last known (F9)")
    func stale() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await town.accept(town.taxis[0])
            let fresh = try await visitor.get(path)
            #expect(fresh.text.contains(">Updated 0 s ago<"))
            #expect(!fresh.text.contains("may be out of date"))
            town.site.clock.advance(seconds: 31)
            let old = try await visitor.get(path)
            #expect(old.text.contains(">Updated 31 s ago<"))
            #expect(old.text.contains("may be out of date"))
        }
    }

    @Test("the pages are in both languages, with one h1, and every text has a translation")
    func languages() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            visitor.language = "it"
            #expect(try await visitor.get("/taxi").text.contains("Dove vuoi andare?"))
            let check = try await town.fill(visitor, ["from": RideTown.typed(500), "seats": "1"])
            #expect(check.text.contains("<span>Ordina <small>· 1 min"))
            let path = try #require(try await town.confirm(visitor).header("location"))
            for page in ["/", "/taxi/point/from", path, path + "/cancel"] {
                var said: [Set<String>] = []
                for language in ["en", "it"] {
                    visitor.language = language
                    let shown = try await visitor.get(page)
                    #expect(shown.text.split(separator: "<h1").count == 2, "\(page)")
                    #expect(shown.text.contains("<html lang=\"\(language)\">"), "\(page)")
                    said.append(shown.sentences)
                }
                #expect(!said[0].isEmpty, "\(page)")
                #expect(said[0].intersection(said[1]).isEmpty, "\(page) is not translated")
            }
        }
    }
}
