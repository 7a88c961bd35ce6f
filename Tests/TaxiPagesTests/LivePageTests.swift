import Dispatching
import Foundation
import Identity
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 5 (2); ui.md 4.1, 4.4 and 4.5: the pages of a ride as scripts find them.
@Suite("Pages that follow a ride", .serialized)
struct LivePageTests {
    /// The content of the element with an id, up to its first closing tag.
    private static func said(_ id: String, in page: String) -> String? {
        guard let start = page.range(of: "id=\"\(id)\"")?.upperBound else { return nil }
        let rest = page[start...].drop { $0 != ">" }.dropFirst()
        return rest.range(of: "</div>").map { String(rest[..<$0.lowerBound]) }
    }

    @Test("what is read out changes with the state and the arrival, not as minutes pass (R62)")
    func announced() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            let asking = try await visitor.get(path).text
            #expect(Self.said("ride-said", in: asking) == "We are looking for a taxi")
            try await town.accept(town.taxis[0])
            let coming = try await visitor.get(path).text
            let first = try #require(Self.said("ride-said", in: coming))
            #expect(first.hasPrefix("Your taxi is on its way: <time"))
            // The same arrival, twenty seconds closer.
            town.site.clock.advance(seconds: 20)
            try await town.report(town.taxis[0], at: 100)
            let later = try await visitor.get(path).text
            #expect(Self.said("ride-said", in: later) == first)
            try await town.reach(town.taxis[0])
            let here = try await visitor.get(path).text
            #expect(Self.said("ride-said", in: here) == "Your taxi is here")
        }
    }

    @Test("every live element has an id, the title is the answer, and the end has none of them")
    func elements() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await town.accept(town.taxis[0])
            let page = try await visitor.get(path).text
            for id in ["ride-said", "ride", "scene", "ride-actions"] {
                #expect(page.contains("id=\"\(id)\" data-live=\"ride\""), "\(id)")
            }
            #expect(page.contains("role=\"status\" id=\"ride-said\""))
            #expect(page.contains("data-kind=\"meeting\"") && page.contains("data-kind=\"taxi\""))
            #expect(page.contains("data-names=\"service ride drive operations calendar\""))
            #expect(page.contains("http-equiv=\"refresh\" content=\"20\""))
            try await town.reach(town.taxis[0])
            try await town.board(town.taxis[0])
            let aboard = try await visitor.get(path).text
            #expect(aboard.contains("data-kind=\"destination\""))
            #expect(!aboard.contains("data-kind=\"meeting\""))
            try await town.end(town.taxis[0])
            let ended = try await visitor.get(path).text
            #expect(ended.contains("You have arrived"))
            #expect(!ended.contains("data-live=\"ride\""))
            // The way that was driven remains on the map, without the taxi.
            #expect(ended.contains("data-kind=\"route\"") && !ended.contains("data-kind=\"taxi\""))
        }
    }

    /// Checks that a page which reloads by itself gets everything that `live.js` takes from it.
    private static func looksAgain(_ visitor: Visitor, _ path: String) async throws {
        let whole = try await visitor.get(path)
        let again = try await visitor.get(path, headers: ["x-page-refresh": "1"])
        #expect(again.status == 200 && whole.status == 200, "\(path)")
        let (page, fresh) = (whole.text, again.text)
        let ids = page.matches(of: /id="([^"]+)"[^>]* data-live="/).map { String($0.1) }
        #expect(ids.count > 1, "\(path)")
        for id in ids { #expect(plain(id, in: fresh) == plain(id, in: page), "\(path) \(id)") }
        let title = page.firstMatch(of: /<title>.*<\/title>/)
        #expect(title != nil && fresh.firstMatch(of: /<title>.*<\/title>/)?.0 == title?.0)
        for mark in ["<html lang=\"en\">", "id=\"live-script\"", "data-session=\"", "data-after="] {
            #expect(page.contains(mark) && fresh.contains(mark), "\(path) \(mark)")
        }
        // The page frame is already there, and going back never shows a page without it.
        #expect(page.contains("</footer>") && !fresh.contains("</footer>"))
        #expect(page.contains("action=\"/logout\"") && !fresh.contains("action=\"/logout\""))
        #expect(again.header("cache-control") == "no-store")
        #expect(whole.header("cache-control") == "private, no-cache")
    }

    /// The same, without the parts that change in each form.
    private static func plain(_ id: String, in page: String) -> String? {
        said(id, in: page)?.replacing(/name="(token|key)" value="[^"]*"/, with: "")
    }

    @Test("a page that looks again by itself gets what it takes from the answer, and no frame")
    func fresh() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await Self.looksAgain(visitor, path)
            try await town.accept(town.taxis[0])
            try await Self.looksAgain(visitor, path)
        }
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            try await town.start(driver)
            try await Self.looksAgain(driver.visitor, "/drive")
            try await Self.looksAgain(driver.visitor, "/account/papers")
            _ = try await town.call(from: DriverTown.near)
            try await Self.looksAgain(driver.visitor, "/drive")
            // Any other page of the driver links to this one.
            let away = try await driver.visitor.get(
                "/account/papers",
                headers: ["x-page-refresh": "1"]
            )
            #expect(away.text.contains("You have a ride offer"), "\(away.text)")
            let staff = try await town.site.person("olga", [.serviceOperator])
            try await Self.looksAgain(staff, "/console/operations")
        }
    }

    @Test("reservations, offers to share and a followed ride are live, each by its own means")
    func others() async throws {
        try await RideTown.open(.viavai) { town in
            let pia = try await town.passenger("pia")
            let lea = try await town.passenger("lea")
            let path = try await SharingSamples.own(town, pia, by: town.taxis[0])
            let reserved = try await town.reserve(lea)
            let one = try await lea.get(reserved).text
            for id in ["reservation", "reservation-change"] {
                #expect(one.contains("id=\"\(id)\" data-live=\"ride\""), "\(id)")
            }
            let list = try await lea.get("/reservations").text
            #expect(list.contains("id=\"reservations\" data-live=\"ride\""))
            // Even if nothing happens for hours, the page reloads without scripts.
            #expect(list.contains("http-equiv=\"refresh\" content=\"120\""))

            _ = try await town.fill(lea, SharingSamples.fields(510, 1_700))
            let offers = try await lea.get("/taxi/shared").text
            #expect(offers.contains("id=\"shared-rides\" data-live=\"ride\""))
            #expect(offers.contains("id=\"join-\(try RideTown.number(path).rawValue)\""))
            #expect(offers.contains("http-equiv=\"refresh\" content=\"20\""))

            // Strangers get no events: their page reloads by itself, even with scripts.
            _ = try await pia.press(path + "/link", on: path + "/link")
            let shown = try await pia.get(path + "/link").text
            let link = try #require(shown.firstMatch(of: /href="(\/trip\/[0-9a-f]{40})"/)).1
            let trip = try await town.site.visitor().get(String(link)).text
            #expect(trip.contains("id=\"trip\" data-live=\"ride\""))
            #expect(trip.contains("data-every=\"20\""))
            #expect(!list.contains("data-every") && !offers.contains("data-every"))
        }
    }

    @Test("where the taxi is stands on no page before a driver has accepted (R61)")
    func places() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let asking = try await visitor.get(try await town.call(visitor)).text
            #expect(asking.contains("data-kind=\"meeting\""))
            #expect(!asking.contains("data-kind=\"taxi\""))
        }
    }

    @Test("a driver's page says what its script needs, and the time of an offer by the server")
    func driver() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let off = try await town.page(driver)
            #expect(off.contains("id=\"drive\" data-live=\"drive\" data-duty=\"off\""))
            #expect(off.contains("data-moving=\"5\" data-standing=\"15\""))
            #expect(off.contains("data-most=\"512\""))
            try await town.start(driver)
            let request = try await town.call()
            town.clock.advance(seconds: 7)
            let page = try await town.page(driver)
            #expect(page.contains("data-duty=\"on\""))
            #expect(page.contains("role=\"timer\" aria-live=\"off\""))
            #expect(page.contains("data-left=\"53000\""))
            #expect(page.contains("data-offer=\"\(request.rawValue)."))
            #expect(page.contains("drive.js"))
            // Input in progress is not lost: a page with an open question does not reload.
            _ = try await driver.visitor.press("/drive/offer/accept")
            _ = try await town.taxi.dispatch.give(.reachMeetingPoint(driver.number))
            let wrong = try await driver.visitor.press(
                "/drive/ride/board",
                ["aboard": "1", "code": "x"]
            )
            #expect(!wrong.text.contains("id=\"drive\""), "\(wrong.status)")
            // The driver's position still matters while the error is on screen.
            #expect(wrong.text.contains("id=\"drive-call\"") && wrong.text.contains("drive.js"))
            driver.visitor.language = "it"
            #expect(try await town.page(driver).contains("data-online=\"Connesso.\""))
        }
    }

    @Test("R43, R45: the device's place may be asked for, with what is said where it is too vague")
    func locating() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let page = try await visitor.get("/taxi").text
            #expect(page.contains("id=\"place-script\" data-allowed=\"50\""))
            #expect(page.contains("place.js") && page.contains("name=\"accuracy\""))
            visitor.language = "it"
            #expect(try await visitor.get("/taxi").text.contains("Usa la mia posizione"))
        }
    }

    @Test("who has lost the seat is told so as a problem, which the script heeds")
    func seats() async throws {
        try await DriverTown.open { town in
            let pia = try await town.site.person("pia")
            let answer = try await pia.sendJSON("{}", to: "/drive/positions")
            #expect(answer.status == 403)
            #expect(answer.header("content-type") == "application/problem+json")
            let nobody = try await town.site.visitor().sendJSON("{}", to: "/drive/positions")
            #expect([401, 403].contains(nobody.status))
        }
    }

    @Test("ui.md 4.1 (7): a ride that runs may be kept to be read offline; nothing else may")
    func kept() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            func isKept(_ page: String) async throws -> Bool {
                try await visitor.get(page).header("x-page-keep") != nil
            }
            #expect(try await isKept(path))
            #expect(try await isKept("/account/rides") == false)
            #expect(try await isKept("/account/profile") == false)
            #expect(try await visitor.get(path).text.contains("Tell me when the taxi arrives"))
            try await town.accept(town.taxis[0])
            #expect(try await isKept(path))
            try await town.reach(town.taxis[0])
            try await town.board(town.taxis[0])
            try await town.end(town.taxis[0])
            #expect(try await isKept(path) == false)
        }
    }
}
