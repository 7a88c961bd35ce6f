import Chronology
import Dispatching
import Foundation
import Geo
import Identity
import NIOHTTP1
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// Issue 5: where drivers are: measured by devices or stated by drivers (G1, G3, G8, F12).
@Suite("Where drivers are", .serialized)
struct DriverPlaceTests {
    @Test("a batch is used, and each fault is answered in words (F12)")
    func faults() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            #expect(try await town.send(DriverTown.centro, of: driver).status == 204)
            let again = try await town.send(DriverTown.centro, of: driver, accuracy: 3_000)
            #expect(again.status == 422 && again.text.contains("\"fault\":\"vague\""))
            #expect(again.header("content-type") == "application/problem+json")
            let null = try await town.send(Coordinate(latitude: 0, longitude: 0), of: driver)
            #expect(null.text.contains("A position was not a place on Earth."))
            let leap = try await town.send(DriverTown.suburb, of: driver)
            #expect(leap.text.contains("\"fault\":\"leap\""))
            driver.visitor.language = "it"
            let italian = try await town.send(DriverTown.brera, of: driver)
            #expect(italian.text.contains("troppo lontana"))
        }
    }

    @Test("what is no batch, or none that can be, is refused with the reason and changes nothing")
    func bad() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let now = town.clock.now.milliseconds
            func batch(
                _ at: String,
                _ latitude: String = "45.46",
                accuracy: String = "5"
            ) -> String {
                """
                {"sentAt":\(now),"positions":[{"at":\(at),"latitude":\(latitude),\
                "longitude":9.15,"accuracy":\(accuracy)}]}
                """
            }
            let many = (0..<513).map { _ in "{\"at\":\(now),\"latitude\":45,\"longitude\":9}" }
            let cases = [
                ("", "positions-unreadable"), ("[]", "positions-unreadable"),
                ("{\"sentAt\":1e99,\"positions\":[]}", "positions-unreadable"),
                ("{\"sentAt\":\(now),\"positions\":[]}", "positions-empty"),
                (
                    "{\"sentAt\":\(now),\"positions\":[\(many.joined(separator: ","))]}",
                    "positions-too-many"
                ),
                (batch("\(now - 3_600_001)"), "position-bad-time"),
                (batch("\(now + 1)"), "position-bad-time"),
                (batch("-9223372036854775808"), "position-bad-time"),
                (batch("\(now)", "91"), "position-bad-place"),
                (batch("\(now)", accuracy: "-1"), "position-bad-place"),
            ]
            for (json, name) in cases {
                let answer = try await driver.visitor.sendJSON(json, to: "/drive/positions")
                #expect(answer.text.contains("\"type\":\"/problems/\(name)\""), "\(answer.text)")
                #expect([400, 422].contains(answer.status))
            }
            let large = String(repeating: " ", count: 70_000)
            let tooLarge = try await driver.visitor.sendJSON(large, to: "/drive/positions")
            #expect(tooLarge.status == 413)
            #expect(try await town.page(driver).contains("Your position is unknown"))
            // Without the token of one of our pages nothing is accepted, and other pages accept no
            // JSON.
            let forged = try await driver.visitor.send(
                .POST,
                "/drive/positions",
                headers: ["content-type": "application/json"],
                body: Array(batch("\(now)").utf8)
            )
            #expect(forged.status == 403)
            let other = try await driver.visitor.sendJSON("{}", to: "/drive/duty")
            #expect(other.status == 400)
        }
    }

    @Test("a tunnel's batch comes with its own times, also from a wrong clock (defect 5)")
    func tunnel() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            // The phone's clock is an hour ahead.
            let sent = town.clock.now.milliseconds + 3_600_000
            let positions = (0..<12).map { number in
                """
                {"at":\(sent - Int64(60 - 5 * number) * 1_000),"latitude":45.46,\
                "longitude":9.\(1_500 + number)}
                """
            }
            let json = """
                {"sentAt":\(sent),"positions":[\(positions.reversed().joined(separator: ","))]}
                """
            let answer = try await driver.visitor.sendJSON(json, to: "/drive/positions")
            #expect(answer.status == 204, "\(answer.text)")
            let seen = try await town.taxi.position(
                of: driver.number,
                for: .driver(driver.number)
            )
            #expect(seen?.place.longitude == 91_511_000)
            #expect(seen?.at == town.clock.now.adding(seconds: -5))
        }
    }

    @Test("without scripts or location: an address or degrees, confirmed, count as a report")
    func stated() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let none = try await driver.visitor.get("/drive/where?q=Via%20Dante%207")
            #expect(none.text.contains("Nothing was found"))
            let found = try await driver.visitor.get("/drive/where?q=45.46,%209.15")
            #expect(found.text.contains("45.46000, 9.15000"))
            let done = try await driver.visitor.sendForm("/drive/where", of: found.text.postForm)
            #expect(done.status == 303)
            #expect(try await town.page(driver).contains("(to about 50 m)"))
            try await town.untilHeard(driver)
            #expect(try await driver.visitor.press("/drive/duty", ["wish": "on"]).status == 303)
            // An open page counts as contact for as long as it reloads, and no longer.
            for _ in 0..<10 {
                town.clock.advance(seconds: 20)
                #expect(try await town.page(driver).contains("You are 1st of 1 in Centro"))
            }
            town.clock.advance(seconds: 91)
            try await town.site.until("no position has come for a while") {
                try await town.status(driver) == .outOfContact
            }
            try await town.until(driver, sees: "You are 1st of 1 in Centro")
        }
    }

    @Test("a place that was stated half an hour ago is asked for again")
    func statedLongAgo() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let found = try await driver.visitor.get("/drive/where?q=45.46,9.15")
            _ = try await driver.visitor.sendForm("/drive/where", of: found.text.postForm)
            town.clock.advance(seconds: DriverCache.statedSeconds)
            #expect(try await town.page(driver).contains("enter it again"))
            let where_ = try await driver.visitor.get("/drive/where")
            #expect(where_.text.contains("I am still there"))
            _ = try await driver.visitor.sendForm("/drive/where", of: where_.text.postForm)
            #expect(!(try await town.page(driver).contains("enter it again")))
        }
    }

    @Test("a press on the still map is a place, shown and confirmed")
    func pointing() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let page = try await driver.visitor.get("/drive/where").text
            #expect(page.contains("type=\"image\" name=\"point\""))
            let box = try #require(page.firstMatch(of: /name="box" value="([^"]*)"/)).1
            let middle = "/drive/where?box=\(box)&point.x=140&point.y=140"
            let check = try await driver.visitor.get(middle)
            #expect(check.text.contains("<h1>Are you here?</h1>"))
            // A click by keyboard has no coordinates: the middle of the picture counts.
            let pressed = try await driver.visitor.get(
                "/drive/where?box=\(box)&point.x=0&point.y=0"
            )
            #expect(pressed.text.contains("<h1>Are you here?</h1>"))
            let latitude = /name="latitude" value="([^"]*)"/
            let both = [pressed, check].map { $0.text.firstMatch(of: latitude)?.1 }
            #expect(both[0] != nil && both[0] == both[1])
            let done = try await driver.visitor.sendForm("/drive/where", of: check.text.postForm)
            #expect(done.status == 303)
            let seen = try #require(
                try await town.taxi.position(of: driver.number, for: .driver(driver.number))
            )
            // The middle of the two zones together.
            let middlePlace = Coordinate(latitude: 454_500_000, longitude: 92_000_000)
            #expect(seen.place.distanceMetres(to: middlePlace) < 200)
            for query in [
                "box=1,2,3&point.x=1&point.y=1", "box=x&point.x=9999999999999999999&point.y=1",
                "box=900000001,0,900000002,1&point.x=-5&point.y=5", "point.x=280&point.y=0",
            ] {
                #expect(try await driver.visitor.get("/drive/where?\(query)").status == 200)
            }
            let picture = try await driver.visitor.get("/drive/where.svg?box=\(box)&here=1,2")
            #expect(picture.header("content-type") == "image/svg+xml")
        }
    }

    @Test("a driver who is located cannot state another place")
    func measured() async throws {
        try await DriverTown.atWork { town, driver in
            let found = try await driver.visitor.get("/drive/where?q=45.46,9.25")
            let refused = try await driver.visitor.sendForm("/drive/where", of: found.text.postForm)
            #expect(refused.status == 409 && refused.text.contains("measured your position"))
            #expect(try await town.page(driver).contains("You are 1st of 1 in Centro"))
            for bad in [["latitude": "x"], ["latitude": "2000000000"], ["longitude": ""]] {
                let answer = try await driver.visitor.sendForm(
                    "/drive/where",
                    of: found.text.postForm,
                    bad
                )
                #expect(answer.status == 400)
            }
        }
    }

    @Test("a device that begins to measure counts at once, also after a stated place")
    func measuredAfterStated() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let found = try await driver.visitor.get("/drive/where?q=45.46,9.15")
            _ = try await driver.visitor.sendForm("/drive/where", of: found.text.postForm)
            let near = Coordinate(latitude: 454_600_000, longitude: 91_501_000)
            for _ in 0..<2 { #expect(try await town.send(near, of: driver).status == 204) }
            #expect(try await town.page(driver).contains("±5 m"))
            // The page no longer repeats the stated place.
            town.clock.advance(seconds: 20)
            _ = try await town.page(driver)
            let seen = try await town.taxi.position(of: driver.number, for: .driver(driver.number))
            #expect(seen?.place == near)
        }
    }

    @Test("a device whose reports are not used keeps no driver from stating a place (F12)")
    func uselessDevice() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let now = town.clock.now.milliseconds
            let vague = [now - 1_000, now].map {
                "{\"at\":\($0),\"latitude\":45.46,\"longitude\":9.15,\"accuracy\":3000}"
            }
            let json = "{\"sentAt\":\(now),\"positions\":[\(vague.joined(separator: ","))]}"
            let unused = try await driver.visitor.sendJSON(json, to: "/drive/positions")
            #expect(unused.status == 422 && unused.text.contains("\"fault\":\"vague\""))
            let found = try await driver.visitor.get("/drive/where?q=45.46,9.15")
            let stated = try await driver.visitor.sendForm("/drive/where", of: found.text.postForm)
            #expect(stated.status == 303, "\(stated.text)")
            #expect(try await town.page(driver).contains("(to about 50 m)"))
        }
    }

    @Test("R64, R65: too vague a position proves no arrival; a statement does, seen by operators")
    func vagueArrival() async throws {
        try await DriverTown.atWork { town, driver in
            town.clock.advance(seconds: 60)
            let request = try await town.call(from: DriverTown.near)
            _ = try await driver.visitor.press("/drive/offer/accept")
            #expect(try await town.send(DriverTown.near, of: driver, accuracy: 900).status == 204)
            let vague = try await driver.visitor.press("/drive/ride/arrived")
            #expect(vague.status == 409 && vague.text.contains("only accurate to 900 m"))
            let found = try await driver.visitor.get("/drive/where?q=45.46,9.1577")
            let stated = try await driver.visitor.sendForm("/drive/where", of: found.text.postForm)
            #expect(stated.status == 303)
            #expect(try await driver.visitor.press("/drive/ride/arrived").status == 303)
            try await town.until(driver, sees: "You are there: Via Dante 7")
            let staff = try await town.site.person("olga", [.serviceOperator])
            let page = "/console/operations/requests/\(request.rawValue)"
            try await town.site.until("operators read that the driver stated it") {
                try await staff.get(page).text.contains("no device measured where taxi")
            }
            staff.language = "it"
            #expect(try await staff.get(page).text.contains("nessun dispositivo ha misurato"))
        }
    }

    @Test("R64: under milano-a a stated place proves no arrival; a measured one does")
    func statementProvesNothing() async throws {
        try await DriverTown.atWork(.milanoA) { town, driver in
            town.clock.advance(seconds: 60)
            try await town.call(from: DriverTown.near, to: DriverTown.brera)
            _ = try await driver.visitor.press("/drive/offer/accept")
            #expect(try await town.send(DriverTown.near, of: driver, accuracy: 900).status == 204)
            let found = try await driver.visitor.get("/drive/where?q=45.46,9.1577")
            let stated = try await driver.visitor.sendForm("/drive/where", of: found.text.postForm)
            #expect(stated.status == 303)
            let refused = try await driver.visitor.press("/drive/ride/arrived")
            #expect(refused.status == 409)
            #expect(refused.text.contains("a position that you enter does not prove your arrival"))
            town.clock.advance(seconds: 10)
            try await town.send(DriverTown.near, of: driver)
            try await town.until(driver, sees: "You are there: Via Dante 7")
        }
    }

    @Test("a driver without a device goes to another zone by saying so: the page repeats it")
    func anotherZone() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            for longitude in ["9.15", "9.25"] {
                let found = try await driver.visitor.get("/drive/where?q=45.46,\(longitude)")
                _ = try await driver.visitor.sendForm("/drive/where", of: found.text.postForm)
                if longitude == "9.15" {
                    try await town.untilHeard(driver)
                    _ = try await driver.visitor.press("/drive/duty", ["wish": "on"])
                }
                for _ in 0..<4 {
                    town.clock.advance(seconds: 20)
                    _ = try await town.page(driver)
                }
            }
            try await town.until(driver, sees: "You are 1st of 1 in Brera")
        }
    }
}

extension String {
    /// The page from the form that posts a place: the form of a match where there is one.
    fileprivate var postForm: String {
        let matches = range(of: "class=\"choices\"")?.lowerBound ?? startIndex
        let form = "<form method=\"post\" action=\"/drive/where\""
        return self[matches...].range(of: form).map { String(self[$0.lowerBound...]) } ?? self
    }
}
