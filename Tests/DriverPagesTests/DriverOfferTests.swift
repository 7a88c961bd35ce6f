import Dispatching
import Geo
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 5: offers and the answers to them (R50 to R57, F7, SB6 to SB8).
@Suite("Offers to drivers", .serialized)
struct DriverOfferTests {
    @Test("R50: a driver who looks at another page is called to the one with the answer")
    func called() async throws {
        try await DriverTown.atWork { town, driver in
            let pages = ["/account/papers", "/account/rides", "/drive/where", "/drive/navigation"]
            let home = try await town.page(driver)
            #expect(!home.contains("drive-call"))
            #expect(home.contains("href=\"/account/preferences#devices\""))
            for page in pages {
                let text = try await driver.visitor.get(page).text
                #expect(text.contains("id=\"drive-call\" role=\"alert\" data-live=\"drive\""))
                #expect(!text.contains("You have a ride offer"), "\(page)")
            }
            try await town.call()
            for page in pages {
                let text = try await driver.visitor.get(page).text
                let call = "You have a ride offer. <a href=\"/drive\">Answer</a>"
                #expect(text.contains(call), "\(page)")
            }
            driver.visitor.language = "it"
            let italian = try await driver.visitor.get("/account/papers").text
            #expect(italian.contains("una corsa per te. <a href=\"/drive\">Rispondi</a>"))
            driver.visitor.language = "en"
            _ = try await driver.visitor.press("/drive/offer/accept")
            let after = try await driver.visitor.get("/account/papers").text
            #expect(!after.contains("You have a ride offer"))
            let pia = try await town.site.person("pia")
            #expect(!(try await pia.get("/account").text.contains("drive-call")))
        }
    }

    @Test(
        "an offer says where, how far, who and until when; what is hidden depends on the policy",
        arguments: Policy.shipped
    )
    func facts(policy: Policy) async throws {
        try await DriverTown.atWork(policy) { town, driver in
            let isA = policy.name == "milano-a"
            try await town.call(
                to: isA ? DriverTown.brera : nil,
                needs: Capacity(seats: 3)
            )
            let page = try await town.page(driver)
            #expect(page.contains("<h1>New ride: answer before"))
            #expect(page.contains(">\(isA ? 120 : 60) s</b>"))
            #expect(page.contains("3 people"))
            #expect(
                page.contains("If you decline or do not answer, you go to the end of the queue")
            )
            // Under document B the exact place is shown only after accepting (R58).
            #expect(page.contains("Via Dante 7") == (policy.name != "milano-b"))
            #expect(page.contains("in Centro") == (policy.name == "milano-b"))
            #expect(!page.contains("Stazione Centrale"))
            let isDelivered = try await town.taxi.dispatch.read { state in
                state.requests.first?.offer?.isDelivered
            }
            #expect(isDelivered == true)
            town.clock.advance(seconds: 55)
            let late = try await town.page(driver)
            #expect(late.contains("content=\"\(isA ? 20 : 6)\""))
        }
    }

    @Test("issue 30: an offer fills the screen, in either language, and leaves the frame in place")
    func takeover() async throws {
        try await DriverTown.atWork { town, driver in
            #expect(try await town.page(driver).contains("<body class=\"map-sheet has-tabs\""))
            try await town.call(from: DriverTown.near)
            let page = try await town.page(driver)
            #expect(page.contains("<body class=\"takeover\">") && page.contains("id=\"scene\""))
            #expect(page.contains("class=\"languages\"") && page.contains("back=%2Fdrive"))
            // The ride that follows needs the header, and the page is not loaded again.
            #expect(page.contains("class=\"top\"") && page.contains("class=\"tabs\""))
            let fresh = try await driver.visitor.get("/drive", headers: ["x-page-refresh": "1"])
            #expect(fresh.text.contains("<body class=\"takeover\">"))
            // Accept comes first, and the driver's sheet is on the driver's pages only.
            let (accept, refuse) = ("/drive/offer/accept", "/drive/offer/refuse")
            let order = page.firstRange(of: accept).map { found in
                page[found.upperBound...].contains(refuse)
            }
            #expect(order == true && page.contains("drive.css"))
            // The language is not chosen by mistake for Accept: it stands with Decline.
            let corner = page.firstRange(of: "class=\"decline\"").map { page[$0.upperBound...] }
            #expect(corner?.contains("class=\"languages\"") == true)
            #expect(!(try await driver.visitor.get("/account").text.contains("drive.css")))
            _ = try await driver.visitor.press("/drive/offer/accept")
            #expect(try await town.page(driver).contains("<body class=\"map-sheet has-tabs\""))
        }
    }

    @Test("SB7, F7: accepting twice is answered the same, and there is one ride (R57)")
    func twice() async throws {
        try await DriverTown.atWork { town, driver in
            let request = try await town.call()
            let page = try await town.page(driver)
            let first = try await driver.visitor.sendForm("/drive/offer/accept", of: page)
            let second = try await driver.visitor.sendForm("/drive/offer/accept", of: page)
            #expect(first.status == 303 && second.status == 303)
            #expect(first.header("location") == second.header("location"))
            let refused = try await driver.visitor.sendForm("/drive/offer/refuse", of: page)
            #expect(refused.status == 409)
            let riders = try await town.taxi.dispatch.read { $0.request(request)?.ride?.taxi }
            #expect(riders == driver.number)
            #expect(try await town.page(driver).contains("You are there: Via Dante 7"))
        }
    }

    @Test("R53: while a driver who is asked cannot be reached, the next is asked, who accepts")
    func unreachable() async throws {
        // An offer stays open for 120 s, but after 90 s without a report a driver is out of
        // contact.
        try await DriverTown.open(.milanoA, drivers: 3) { town in
            let (first, second, third) = (town.drivers[0], town.drivers[1], town.drivers[2])
            // A GPS receiver never reports exactly the same position twice.
            func place(_ step: Int32) -> Coordinate {
                var place = DriverTown.centro
                place.latitude += step * 10
                return place
            }
            for driver in town.drivers { try await town.drive(driver, to: place(0)) }
            for driver in town.drivers {
                try await town.send(place(1), of: driver)
                try await town.untilHeard(driver)
                #expect(try await driver.visitor.press("/drive/duty", ["wish": "on"]).status == 303)
            }
            try await town.call(to: DriverTown.brera)
            #expect(try await town.page(first).contains("New ride"))
            for step: Int32 in 1...3 {
                town.clock.advance(seconds: 30)
                for driver in [second, third] { try await town.send(place(1 + step), of: driver) }
            }
            try await town.until(second, sees: "New ride")
            #expect(!(try await town.page(first).contains("<h1>New ride")))
            #expect(try await second.visitor.press("/drive/offer/accept").status == 303)
            #expect(try await town.status(second) == .riding)
            // A driver who is back in contact queues behind those who stayed.
            try await town.drive(first, to: place(0))
            try await town.until(first, sees: "You are 2nd of 2 in Centro")
            try await town.until(third, sees: "You are 1st of 2 in Centro")
        }
    }

    @Test(
        "SB6, SB8: the first refuses and goes to the tail, the second accepts; each is told",
        arguments: [Policy.milanoA, .milanoB]
    )
    func refusing(policy: Policy) async throws {
        try await DriverTown.open(policy, drivers: 2) { town in
            let (first, second) = (town.drivers[0], town.drivers[1])
            try await town.start(first)
            try await town.start(second)
            try await town.call(to: policy.name == "milano-a" ? DriverTown.brera : nil)
            let page = try await town.page(first)
            let refused = try await first.visitor.sendForm("/drive/offer/refuse", of: page)
            let again = try await first.visitor.sendForm("/drive/offer/refuse", of: page)
            #expect(again.status == 303, "\(again.text)")
            #expect(refused.header("location") == again.header("location"))
            let told = try await first.visitor.get(try #require(refused.header("location")))
            #expect(told.text.contains("You declined the ride"))
            #expect(told.text.contains("You are 1st of 1 in Centro"))
            #expect(try await town.page(second).contains("New ride"))
            #expect(try await second.visitor.press("/drive/offer/accept").status == 303)
            #expect(try await town.status(second) == .riding)
        }
    }

    @Test("a late answer gets a definite one: whose the ride is, and the driver's place (I11)")
    func late() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let (first, second) = (town.drivers[0], town.drivers[1])
            try await town.start(first)
            try await town.start(second)
            try await town.call()
            let page = try await town.page(first)
            town.clock.advance(seconds: 30)
            // A driver who sent no reports would be out of contact by the end.
            for driver in [first, second] { try await town.send(DriverTown.centro, of: driver) }
            town.clock.advance(seconds: 28)
            try await town.until(second, sees: "New ride")
            for action in ["accept", "refuse"] {
                let late = try await first.visitor.sendForm("/drive/offer/\(action)", of: page)
                #expect(late.status == 409)
                #expect(late.text.contains("<h1>This ride went to another driver</h1>"))
                #expect(late.text.contains("You are 1st of 1 in Centro."))
            }
            try await town.until(first, sees: "You did not answer an offer")
            #expect(try await town.page(first).contains("1 of 3 in a row"))
        }
    }

    @Test("who is asked alone and answers too late is told that the offer is over")
    func over() async throws {
        try await DriverTown.atWork { town, driver in
            try await town.call()
            let page = try await town.page(driver)
            town.clock.advance(seconds: 60)
            try await town.until(driver, sees: "You did not answer an offer")
            let late = try await driver.visitor.sendForm("/drive/offer/accept", of: page)
            #expect(late.status == 409)
            #expect(late.text.contains("This offer is no longer open"))
            driver.visitor.language = "it"
            let italian = try await driver.visitor.sendForm("/drive/offer/accept", of: page)
            #expect(italian.text.contains("Questa offerta non è più aperta"))
            for wrong in [["request": "x"], ["epoch": ""], ["request": "-1"]] {
                let bad = try await driver.visitor.sendForm("/drive/offer/accept", of: page, wrong)
                #expect(bad.status == 400)
            }
        }
    }

    @Test("G4: three offers ignored in a row make unavailable, with a warning before the third")
    func strikes() async throws {
        try await DriverTown.atWork { town, driver in
            for round in 1...3 {
                try await town.call(UInt64(round))
                let page = try await town.page(driver)
                #expect(page.contains("If you do not answer this one either") == (round == 3))
                town.clock.advance(seconds: 30)
                try await town.send(DriverTown.centro, of: driver)
                town.clock.advance(seconds: 31)
                try await town.until(driver, sees: round < 3 ? "You are 1st" : "3 offers in a row")
            }
            #expect(try await town.status(driver) == .unavailable)
        }
    }

    @Test("F9: the passenger cancels; the driver has the place again and is told")
    func cancelled() async throws {
        try await DriverTown.atWork { town, driver in
            let request = try await town.call()
            let page = try await town.page(driver)
            _ = try await town.taxi.dispatch.give(.cancel(request))
            let gone = try await driver.visitor.sendForm("/drive/offer/accept", of: page)
            #expect(gone.status == 409 && gone.text.contains("This offer is no longer open"))
            try await town.until(driver, sees: "The offer was withdrawn")
            // Once the driver has arrived, the passenger can no longer cancel.
            let second = try await town.call(8, from: DriverTown.near)
            _ = try await driver.visitor.press("/drive/offer/accept")
            _ = try await town.taxi.dispatch.give(.cancel(second))
            try await town.until(driver, sees: "The passenger cancelled the ride")
            #expect(try await town.page(driver).contains("You are 1st of 1 in Centro"))
        }
    }
}
