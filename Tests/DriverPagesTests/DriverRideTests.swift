import Dispatching
import Fares
import Geo
import Identity
import Markup
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import DriverPages
@testable import WebApp

/// Issue 5: the ride, from accepting to rejoining the queue (R57 to R67, R89, SA4, SA6, SB9, UA4).
@Suite("A driver's ride", .serialized)
struct DriverRideTests {
    @Test(
        "from the shift's start to the queue again: each step where the policy allows it",
        arguments: Policy.shipped
    )
    func whole(policy: Policy) async throws {
        try await DriverTown.atWork(policy) { town, driver in
            town.clock.advance(seconds: 60)
            let isA = policy.name == "milano-a"
            let isB = policy.name == "milano-b"
            // Document B asks for no destination.
            let destination = isB ? nil : DriverTown.brera
            let request = try await town.call(
                from: DriverTown.near,
                to: destination,
                needs: Capacity(seats: 2)
            )
            _ = try await driver.visitor.press("/drive/offer/accept")
            let way = try await town.page(driver)
            #expect(
                way.contains("<h1 class=\"target\">Pick up: Via Dante 7</h1>")
                    && way.contains("2 people")
            )
            #expect(way.contains("600 m in a straight line"))
            #expect(way.contains("Stazione Centrale") == (destination != nil))
            #expect(way.contains("directions?to=45.4600000,9.1577000\""))
            let code = try await town.taxi.ride(of: driver.number)?.code
            #expect((code == nil) == isB)
            if isB {
                #expect(way.contains("/drive/ride/board") && !way.contains("name=\"code\""))
                #expect(way.contains("content=\"60\""), "time to type how many are aboard")
            } else {
                #expect(!way.contains("/drive/ride/board"))
                let early = try await driver.visitor.press("/drive/ride/arrived")
                #expect(early.status == 409 && early.text.contains("600 m away"))
                #expect(early.text.contains("100 m counts as there"))
                let finish = try await driver.visitor.get("/drive/ride/finish")
                #expect(finish.text.contains("You have not reached the meeting point"))
                #expect(!finish.text.contains("The ride ends here"))
                #expect(finish.text.contains("600 m away; you must be within 100 m."))
                try await town.drive(driver, to: DriverTown.near)
                #expect(try await driver.visitor.press("/drive/ride/arrived").status == 303)
                let (there, shown) = (try await town.page(driver), "<b>\(code ?? "")</b>")
                #expect(there.contains("You are there: Via Dante 7"))
                #expect(way.contains(shown) && !there.contains(shown), "the driver asks for it")
            }
            try await Self.board(town, driver, code: code, isA: isA)
            try await Self.finish(town, driver, request, destination)
        }
    }

    private static func board(
        _ town: DriverTown,
        _ driver: TownDriver,
        code: String?,
        isA: Bool
    ) async throws {
        if let code {
            let wrong = code == "0000" ? "1111" : "0000"
            let page = try await town.page(driver)
            for _ in 0..<2 {
                let refused = try await driver.visitor.sendForm(
                    "/drive/ride/board",
                    of: page,
                    ["code": wrong, "aboard": "2"]
                )
                #expect(refused.status == 422)
                #expect(refused.text.contains("You can try 4 more times."), "counted once")
                #expect(refused.text.contains("value=\"\(wrong)\""))
                // Issue 30: the page that is loaded again still says so.
                let again = try await town.page(driver)
                #expect(again.contains("The last code was wrong. You can try"), "\(again)")
            }
            let none = try await driver.visitor.press("/drive/ride/board", ["aboard": "2"])
            #expect(none.status == 422)
        }
        for count in ["0", "5", "", "x", "256"] {
            let refused = try await driver.visitor.press(
                "/drive/ride/board",
                ["code": code ?? "", "aboard": count]
            )
            #expect(refused.status == 422 && refused.text.contains("from 1 to 4"), "\(count)")
        }
        let page = try await town.page(driver)
        for _ in 0..<2 {
            let aboard = try await driver.visitor.sendForm(
                "/drive/ride/board",
                of: page,
                ["code": code ?? "", "aboard": "2"]
            )
            #expect(aboard.status == 303 && aboard.header("location") == "/drive")
        }
        let shown = try await town.taxi.ride(of: driver.number)
        #expect(shown?.ride.stage == .aboard && shown?.ride.aboard == 2)
    }

    private static func finish(
        _ town: DriverTown,
        _ driver: TownDriver,
        _ request: RequestNumber,
        _ destination: Coordinate?
    ) async throws {
        let ride = try await town.page(driver)
        #expect(ride.contains("href=\"/drive/ride/finish\""))
        if destination != nil {
            #expect(ride.contains("Drive to Stazione Centrale"))
            let early = try await driver.visitor.get("/drive/ride/finish")
            #expect(early.text.contains("You have not reached the destination"))
            #expect(early.text.contains("ask the operator to end the ride"))
            #expect(!early.text.contains("The ride ends here"))
            let forced = try await driver.visitor.submit(
                ["ride": "\(request.rawValue)"],
                on: "/drive/navigation",
                to: "/drive/ride/finish"
            )
            #expect(forced.status == 409)
            try await town.drive(driver, to: DriverTown.brera)
            try await town.until(driver, sees: "Drive to")
            #expect(try await town.page(driver).contains("You are there"))
        }
        let page = try await driver.visitor.get("/drive/ride/finish").text
        #expect(page.contains("The ride ends here"))
        let done = try await driver.visitor.sendForm("/drive/ride/finish", of: page)
        let again = try await driver.visitor.sendForm("/drive/ride/finish", of: page)
        #expect(done.status == 303 && done.header("location") == again.header("location"))
        let told = try await driver.visitor.get(try #require(done.header("location"))).text
        #expect(told.contains("The ride has ended."))
        #expect(told.contains("You are 1st of 1 in \(destination == nil ? "Centro" : "Brera")"))
        // The page waits until the tables are written, since no later event would make it reload.
        #expect(told.contains("1 ride") && told.contains("completed"))
    }

    @Test("SA6, SA7: the ride ends outside: out of city; the driver re-enters and is queued (R66)")
    func outside() async throws {
        try await DriverTown.atWork { town, driver in
            try await town.call()
            _ = try await driver.visitor.press("/drive/offer/accept")
            _ = try await driver.visitor.press("/drive/ride/arrived")
            let code = try #require(try await town.taxi.ride(of: driver.number)?.code)
            _ = try await driver.visitor.press("/drive/ride/board", ["code": code, "aboard": "1"])
            try await town.drive(driver, to: DriverTown.suburb)
            let done = try await driver.visitor.press(
                "/drive/ride/finish",
                on: "/drive/ride/finish"
            )
            let told = try await driver.visitor.get(try #require(done.header("location"))).text
            #expect(told.contains("<h1>You are outside the city</h1>"))
            #expect(told.contains("When you come back, you join the end of the queue"))
            try await town.drive(driver, to: DriverTown.brera)
            try await town.until(driver, sees: "You are 1st of 1 in Brera")
        }
    }

    @Test(
        "R64: nobody came is refused with the reason until it may be said, then done once",
        arguments: Policy.shipped
    )
    func noShow(policy: Policy) async throws {
        try await DriverTown.atWork(policy) { town, driver in
            let isA = policy.name == "milano-a"
            try await town.call(from: DriverTown.near, to: isA ? DriverTown.brera : nil)
            _ = try await driver.visitor.press("/drive/offer/accept")
            let early = try await driver.visitor.get("/drive/ride/no-show")
            #expect(early.status == 409)
            if policy.name == "milano-b" {
                #expect(early.text.contains("only the operator can end a ride"))
                return
            }
            #expect(early.text.contains("You have not reached the meeting point"))
            try await town.drive(driver, to: DriverTown.near)
            _ = try await driver.visitor.press("/drive/ride/arrived")
            if !isA {
                let waiting = try await driver.visitor.get("/drive/ride/no-show")
                #expect(waiting.status == 409 && waiting.text.contains("Wait a little longer"))
                #expect(waiting.text.contains(/report from \d\d:\d\d:\d\d that nobody/))
                for _ in 0..<5 {
                    town.clock.advance(seconds: 60)
                    try await town.send(DriverTown.near, of: driver)
                }
            }
            let page = try await driver.visitor.get("/drive/ride/no-show")
            let place = isA ? "go to the end of the queue" : "You go to the front of the queue"
            #expect(page.status == 200 && page.text.contains(place))
            for _ in 0..<2 {
                let done = try await driver.visitor.sendForm(
                    "/drive/ride/no-show",
                    of: page.text
                )
                #expect(done.status == 303)
            }
            #expect(try await town.page(driver).contains("You are 1st of 1 in Centro"))
        }
    }

    @Test("I15: after five wrong codes only the operator can help, and the driver is told")
    func locked() async throws {
        try await DriverTown.atWork { town, driver in
            let request = try await town.call()
            _ = try await driver.visitor.press("/drive/offer/accept")
            _ = try await driver.visitor.press("/drive/ride/arrived")
            let code = try #require(try await town.taxi.ride(of: driver.number)?.code)
            // One page has one key, but that must not limit it to a single attempt.
            let form = try await town.page(driver)
            let wrong = (0..<6).map { String(repeating: "\($0)", count: 4) }.filter { $0 != code }
            for (tries, wrong) in wrong.prefix(5).enumerated() {
                let answer = try await driver.visitor.sendForm(
                    "/drive/ride/board",
                    of: form,
                    ["code": wrong, "aboard": "1"]
                )
                #expect(answer.status == (tries < 4 ? 422 : 409))
                #expect(answer.text.contains("You can try once more.") == (tries == 3))
            }
            let page = try await town.page(driver)
            #expect(page.contains("Too many wrong codes") && !page.contains("name=\"code\""))
            let right = try await driver.visitor.submit(
                ["code": code, "aboard": "1", "ride": "\(request.rawValue)"],
                on: "/drive/where",
                to: "/drive/ride/board"
            )
            #expect(right.status == 409 && right.text.contains("The operator can cancel"))
        }
    }

    @Test("F6: forms of a ride that has ended do nothing to the next one")
    func formsOfBefore() async throws {
        try await DriverTown.atWork { town, driver in
            var forms: [(action: String, page: String)] = []
            for round in 1...2 as ClosedRange<UInt64> {
                try await town.call(round)
                _ = try await driver.visitor.press("/drive/offer/accept")
                _ = try await driver.visitor.press("/drive/ride/arrived")
                let code = try #require(try await town.taxi.ride(of: driver.number)?.code)
                let there = try await town.page(driver)
                if round == 2 { break }
                // This form cannot be sent while the first ride lasts.
                forms.append(("/drive/ride/board", there))
                _ = try await driver.visitor.press(
                    "/drive/ride/board",
                    ["code": code, "aboard": "1"]
                )
                let finish = try await driver.visitor.get("/drive/ride/finish").text
                forms.append(("/drive/ride/finish", finish))
                _ = try await driver.visitor.press(
                    "/drive/ride/finish",
                    on: "/drive/ride/finish"
                )
            }
            let code = try #require(try await town.taxi.ride(of: driver.number)?.code)
            for (action, page) in forms {
                let fields = action.hasSuffix("board") ? ["code": code, "aboard": "1"] : [:]
                let late = try await driver.visitor.sendForm(action, of: page, fields)
                #expect(late.status == 409 && late.text.contains("The request has changed"))
            }
            let fields = ["code": code, "aboard": "1"]
            _ = try await driver.visitor.press("/drive/ride/board", fields)
            let last = try await driver.visitor.sendForm(forms[1].action, of: forms[1].page)
            #expect(last.status == 409)
            #expect(try await town.status(driver) == .riding)
            let unnamed = try await driver.visitor.submit(
                [:],
                on: "/drive/navigation",
                to: "/drive/ride/finish"
            )
            #expect(unnamed.status == 400)
        }
    }

    @Test("C11: where the policy allows it, a driver ends a ride against the checks, with a reason")
    func override() async throws {
        let text = "name: free\nbased_on: viavai\nend.override: reason\n"
        try await DriverTown.atWork(try Policy(text: text)) { town, driver in
            try await town.call(from: DriverTown.near)
            _ = try await driver.visitor.press("/drive/offer/accept")
            let page = try await driver.visitor.get("/drive/ride/finish").text
            #expect(page.contains("You have not reached the meeting point"))
            #expect(page.contains("with a reason that the operator reads"))
            let without = try await driver.visitor.sendForm("/drive/ride/finish", of: page)
            #expect(without.status == 422 && without.text.contains("href=\"#field-reason\""))
            let with = try await driver.visitor.sendForm(
                "/drive/ride/finish",
                of: page,
                ["reason": "the street is closed"]
            )
            #expect(with.status == 303)
            #expect(try await town.status(driver) == .available)
        }
    }

    @Test("with tariffs the meter runs on the page, and surcharges are added at the end")
    func meter() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            _ = try await town.taxi.adoptTariffs(TariffBook.example, by: nil, note: "")
            try await town.start(driver)
            try await town.call()
            _ = try await driver.visitor.press("/drive/offer/accept")
            _ = try await driver.visitor.press("/drive/ride/arrived")
            let code = try #require(try await town.taxi.ride(of: driver.number)?.code)
            _ = try await driver.visitor.press("/drive/ride/board", ["code": code, "aboard": "1"])
            try await town.site.until("the meter runs") {
                try await town.taxi.meterReading(of: driver.number) != nil
            }
            try await town.drive(driver, to: DriverTown.near)
            let page = try await driver.visitor.get("/drive/ride/finish").text
            #expect(page.contains("Initial charge") && page.contains("extra-luggage"))
            // Issue 30: the parts and their sum before the driver confirms, the receipt after.
            let sum = page.firstMatch(of: /The ride ends here <small>(€\d+\.\d\d)<\/small>/)
            #expect(page.contains("class=\"total\"") && sum != nil, "\(page)")
            let bad = try await driver.visitor.sendForm(
                "/drive/ride/finish",
                of: page,
                ["extra-luggage": "many"]
            )
            #expect(bad.status == 422 && bad.text.contains("value=\"many\""))
            let done = try await driver.visitor.sendForm(
                "/drive/ride/finish",
                of: page,
                ["extra-luggage": "3"]
            )
            let told = try await driver.visitor.get(try #require(done.header("location"))).text
            #expect(told.contains(/The fare was €\d+\.\d\d/))
            #expect(told.contains("<summary>Receipt</summary>"), "\(told)")
            #expect(told.contains("Initial charge") && told.contains("luggage × 2"))
            let request = try #require(
                try await town.taxi.store.history(of: driver.number).first
            ).request
            let fare = try #require(try await town.taxi.store.fare(of: request)).fare
            #expect(fare.lines.contains { $0.kind == .surcharge("luggage", count: 2) })
        }
    }

    @Test(
        "R60: what a device opens is something that it has: not every one knows `geo:`",
        arguments: [
            ("Mozilla/5.0 (Linux; Android 14; Pixel 7) Chrome/130.0 Mobile", "geo:45.46"),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)", "https://maps.apple.com/"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "https://maps.apple.com/"),
            ("Mozilla/5.0 (X11; Linux x86_64)", "https://www.openstreetmap.org/"),
            ("", "https://www.openstreetmap.org/"),
        ]
    )
    func device(agent: String, start: String) throws {
        let found = Preferences.Navigation.device.found(on: agent)
        #expect(try #require(found.address(of: DriverTown.near)).text.hasPrefix(start))
        #expect(Preferences.Navigation.waze.found(on: agent) == .waze)
    }

    @Test("the program that shows the way is the driver's choice, and other choices stay (R60)")
    func navigation() async throws {
        try await DriverTown.atWork { town, driver in
            try await town.call(from: DriverTown.near)
            _ = try await driver.visitor.press("/drive/offer/accept")
            for (program, start) in [
                ("waze", "https://waze.com/ul?"), ("google", "https://www.google.com/maps/dir/?"),
                ("osm", "https://www.openstreetmap.org/directions?"),
                ("apple", "https://maps.apple.com/?"),
                ("tomtom", "tomtomgo://x-callback-url/navigate?destination=45.46"),
                ("device", "https://www.openstreetmap.org/directions?"),
            ] {
                let saved = try await driver.visitor.press(
                    "/drive/navigation",
                    on: "/drive/navigation",
                    ["program": program]
                )
                #expect(saved.status == 303)
                let page = try await town.page(driver)
                #expect(page.contains("href=\"\(start)") && !page.contains("data-opens"), "\(page)")
            }
            let itself = ["program": "device", "opens": "itself"]
            let form = "/drive/navigation"
            let saved = try await driver.visitor.press(form, on: form, itself)
            #expect(saved.status == 303)
            #expect(try await town.page(driver).contains("data-opens"))
            let shown = try await driver.visitor.get(form).text
            #expect(shown.contains("value=\"itself\" checked"), "\(shown)")
            let bad = try await driver.visitor.press(
                "/drive/navigation",
                on: "/drive/navigation",
                ["program": "stars"]
            )
            #expect(bad.status == 400)
        }
    }
}
