import Dispatching
import Drivers
import Geo
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// taxi.md 6, the passenger's side, on pages without scripts, under both presets; what a preset
/// forbids is refused with its reason.
@Suite("Rides on pages", .serialized)
struct RideScenarioTests {
    /// A code as the page of a ride shows it, one box for each digit.
    static func boxes(_ code: String) -> String { code.map { "<b>\($0)</b>" }.joined() }

    /// Takes the first taxi's ride to its end, checking the passenger's page at each step.
    private static func ride(
        _ town: RideTown,
        _ visitor: Visitor,
        _ path: String,
        by taxi: TaxiNumber,
        _ policy: Policy
    ) async throws {
        try await town.accept(taxi)
        let found = try await visitor.get(path)
        #expect(found.text.contains("Your taxi arrives in about"), "\(found.text)")
        let signs = try await town.signs(taxi)
        for sign in [signs.code, signs.plate, "Dario"] {
            #expect(found.text.contains(">\(sign)<"), "\(sign)")
        }
        #expect(found.text.contains("<noscript><meta http-equiv=\"refresh\""))
        let code = try await town.taxi.ride(of: taxi)?.code
        #expect((code != nil) == (policy[.pinDigits] != 0))
        if let code { #expect(found.text.contains(boxes(code))) }
        // Issue 30: the route on the streets, the minutes as a figure, sharing first.
        #expect(found.text.contains("data-kind=\"approach\""))
        #expect(found.text.contains("data-kind=\"route\"") == (policy == .milanoA))
        #expect(found.text.contains("<span data-minutes=\""))
        let share = try #require(found.text.firstRange(of: path + "/link"))
        if let cancel = found.text.firstRange(of: path + "/cancel") {
            #expect(share.lowerBound < cancel.lowerBound)
        }
        let ends = policy == .milanoA ? "Pickup, Destination" : "Pickup"
        #expect(found.text.contains("alt=\"Map: \(ends), Taxi\""))
        let picture = try await visitor.get(path + "/map.svg")
        #expect(picture.status == 200 && picture.text.contains("<circle"))
        try await town.reach(taxi)
        let here = try await visitor.get(path)
        #expect(here.text.contains("Your taxi is here"))
        try await town.board(taxi)
        let aboard = try await visitor.get(path)
        #expect(aboard.text.contains("You are on board"))
        if let code { #expect(!aboard.text.contains(boxes(code))) }
        // Issue 30: the time counts down aboard too, where the destination is known.
        #expect(aboard.text.contains("<span data-minutes=\"") == (policy == .milanoA))
        // From here on the destination matters, and the ride can no longer be cancelled.
        let shown = policy == .milanoA ? "Map: Destination, Taxi" : "Map: Taxi"
        #expect(aboard.text.contains("alt=\"\(shown)\""))
        #expect(try await visitor.get(path + "/map.svg").text.contains("<circle"))
        #expect(!aboard.text.contains("cancelled"))
        try await town.end(taxi)
        let done = try await visitor.get(path)
        #expect(done.text.contains("You have arrived"), "\(done.text)")
        #expect(done.text.contains("€"))
        // The driver's name is shown only from accepting to the end.
        #expect(!done.text.contains("Dario") && !done.text.contains(signs.plate))
        let receipt = try await visitor.get(path.replacing("/ride/", with: "/receipt/"))
        #expect(receipt.status == 200)
        #expect(receipt.text.contains("viavai receipt 1") && receipt.text.contains("€"))
        // Issue 30: the breakdown, the plate and the way; but not the driver.
        for part in ["Initial charge", signs.plate, signs.code, "Corso Lungo 5"] {
            #expect(receipt.text.contains(part), "\(part)")
        }
        #expect(!receipt.text.contains("Dario"))
        let way = try await visitor.get(path.replacing("/ride/", with: "/receipt/") + "/map.svg")
        #expect(way.status == 200 && way.text.contains("<circle"))
        // The ride is over: another one may be called.
        #expect(try await visitor.get("/taxi").text.contains("Where are you going?"))
    }

    @Test(
        "SA1: a guest calls from GPS; the first taxi accepts; codes match; the guest boards (R40)"
    )
    func sa1() async throws {
        try await RideTown.open(.milanoA, taxis: 2) { town in
            let guest = town.site.visitor()
            let home = try await guest.get("/")
            #expect(home.text.contains("Where are you going?"))
            let place = RideTown.place(500)
            let check = try await town.fill(
                guest,
                [
                    "from": "", "latitude": "\(place.latitudeDegrees)",
                    "longitude": "\(place.longitudeDegrees)", "accuracy": "12.5",
                    "to": RideTown.typed(1_500), "seats": "2",
                ]
            )
            #expect(check.text.contains("A taxi in about"), "\(check.text)")
            #expect(check.text.contains("Corso Lungo 5"))
            #expect(check.text.contains("€"))
            let sent = try await town.confirm(guest)
            let path = try #require(sent.header("location"), "\(sent.text)")
            let asking = try await guest.get(path)
            #expect(asking.text.contains("Asking the first taxi in line"))
            // Other pages show it too, in the banner and the top bar.
            let other = try await guest.get("/privacy")
            #expect(other.text.contains("class=\"banner\"") && other.text.contains(path))
            try await Self.ride(town, guest, path, by: town.taxis[0], .milanoA)
        }
    }

    @Test("R114 under [B]: the first page asks visitors to sign in before anything else")
    func signInFirst() async throws {
        try await RideTown.open(.milanoB) { town in
            let guest = town.site.visitor()
            let home = try await guest.get("/").text
            let heading = try #require(home.firstRange(of: "<h1>"))
            let main = home[heading.upperBound...]
            let button = /<a class="button ([^"]*)" href="([^"]*)">/
            let first = try #require(main.firstMatch(of: button))
            #expect(first.1.contains("primary") && first.2 == "/login", "\(first.0)")
            #expect(home.contains("href=\"/register\"") && home.contains("href=\"/plan\""))
            #expect(!home.contains("name=\"from\""))
            // Signed-in passengers are asked where to go.
            let pia = try await town.passenger()
            #expect(try await pia.get("/").text.contains("name=\"from\""))
        }
        try await RideTown.open(.milanoA) { town in
            let home = try await town.site.visitor().get("/").text
            #expect(home.contains("name=\"from\""))
        }
    }

    @Test("SA1 under [B]: a guest is refused with the reason, on the first page and on each form")
    func sa1Refused() async throws {
        try await RideTown.open(.milanoB) { town in
            let guest = town.site.visitor()
            let home = try await guest.get("/")
            #expect(!home.text.contains("Where are you going?"))
            #expect(home.text.contains("href=\"/login"))
            for path in ["/taxi", "/taxi/check", "/taxi/guest", "/taxi/point/from"] {
                let refused = try await guest.get(path)
                #expect(refused.status == 403, "\(path)")
                #expect(refused.text.contains("you need an account to call a taxi"), "\(path)")
            }
            let page = try await guest.get("/login")
            let token = page.text.firstMatch(of: /name="token" value="([^"]*)"/)?.1 ?? ""
            for path in ["/taxi", "/taxi/guest", "/taxi/point/from"] {
                let answer = try await guest.post(path, ["token": String(token)])
                #expect(answer.status == 403, "\(path)")
            }
            let request = try await guest.post("/taxi/request", ["token": String(token)])
            #expect(request.header("location") == "/taxi")
            #expect(try await town.taxi.dispatch.read { $0.requestCount } == 0)
        }
    }

    @Test(
        "SB5: call from GPS, check on the map, confirm, ETA, aboard, finish",
        arguments: [Policy.milanoA, .milanoB, .viavai]
    )
    func sb5(policy: Policy) async throws {
        try await RideTown.open(policy) { town in
            let visitor = try await town.passenger()
            let place = RideTown.place(500)
            var fields = [
                "from": "", "latitude": "\(place.latitudeDegrees)",
                "longitude": "\(place.longitudeDegrees)", "accuracy": "49", "seats": "1",
            ]
            if policy == .milanoA { fields["to"] = RideTown.typed(1_500) }
            let form = try await visitor.get("/taxi")
            #expect(form.text.contains("name=\"to\"") == (policy != .milanoB))
            let check = try await town.fill(visitor, fields)
            #expect(check.text.contains("Corso Lungo 5"), "\(check.text)")
            let picture = try await visitor.get("/taxi/check/map.svg")
            #expect(picture.status == 200 && picture.text.contains("<circle"))
            let sent = try await town.confirm(visitor)
            let path = try #require(sent.header("location"), "\(sent.text)")
            try await Self.ride(town, visitor, path, by: town.taxis[0], policy)
        }
    }

    @Test("R45: a position vaguer than 50 m is not taken under [B]; the address is asked and kept")
    func vague() async throws {
        for (policy, isTaken) in [(Policy.milanoA, true), (.milanoB, false), (.viavai, false)] {
            try await RideTown.open(policy) { town in
                let visitor = try await town.passenger()
                let place = RideTown.place(500)
                var fields = [
                    "from": "", "latitude": "\(place.latitudeDegrees)",
                    "longitude": "\(place.longitudeDegrees)", "accuracy": "50.1", "seats": "1",
                ]
                if policy == .milanoA { fields["to"] = RideTown.typed(1_500) }
                let answer = try await visitor.submit(fields, on: "/taxi")
                #expect((answer.status == 303) == isTaken)
                if !isTaken {
                    #expect(answer.status == 422)
                    #expect(answer.text.contains("50 m or better"))
                    #expect(answer.text.contains("value=\"Corso Lungo 5\""))
                }
            }
        }
    }

    @Test(
        "SB6, SB8: the first refuses and goes to the tail, the second is asked and accepts",
        arguments: [Policy.milanoA, .milanoB]
    )
    func sb6(policy: Policy) async throws {
        try await RideTown.open(policy, taxis: 2) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor, to: policy == .milanoB ? nil : 1_500)
            try await town.refuse(town.taxis[0])
            let asking = try await visitor.get(path)
            #expect(asking.text.contains("Asking the 2nd taxi in line"), "\(asking.text)")
            visitor.language = "it"
            #expect(try await visitor.get(path).text.contains("Chiediamo al 2º taxi in coda"))
            visitor.language = "en"
            try await town.accept(town.taxis[1])
            let found = try await visitor.get(path)
            let signs = try await town.signs(town.taxis[1])
            #expect(found.text.contains(signs.code))
            let tail = try await town.taxi.dispatch.read { $0.taxisAhead(of: town.taxis[0]) }
            #expect(tail == 0)
        }
    }

    @Test(
        "SB7: a driver at night accepts within the time; one who does not answer is passed over",
        arguments: [(Policy.milanoA, Int64(120)), (.milanoB, 60)]
    )
    func sb7(policy: Policy, timeout: Int64) async throws {
        try await RideTown.open(policy, taxis: 2) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor, to: policy == .milanoB ? nil : 1_500)
            let request = try RideTown.number(path)
            try await town.wait(seconds: timeout)
            let taxi = town.taxi
            try await town.site.until("the next is asked") {
                try await taxi.dispatch.read { $0.request(request)?.asked.count == 2 }
            }
            #expect(try await visitor.get(path).text.contains("Asking the 2nd taxi"))
            try await town.wait(seconds: timeout - 1)
            try await town.accept(town.taxis[1])
            let signs = try await town.signs(town.taxis[1])
            #expect(try await visitor.get(path).text.contains(signs.code))
        }
    }

    @Test("UA1: all refuse, and the passenger is told; no taxi, and the same (R54, R55)")
    func nobody() async throws {
        try await RideTown.open(.milanoA, taxis: 2) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            for taxi in town.taxis { try await town.refuse(taxi) }
            let told = try await visitor.get(path)
            #expect(told.text.contains("No driver could take it"))
            #expect(told.text.contains("href=\"/taxi\""))
            #expect(!told.text.contains("Dario"))
            // The other zone has no taxi at all.
            let check = try await town.fill(
                visitor,
                ["from": RideTown.typed(1_500), "to": RideTown.typed(100), "seats": "1"]
            )
            #expect(check.text.contains("No taxi is waiting in your zone"))
            let sent = try await town.confirm(visitor)
            let none = try await visitor.get(try #require(sent.header("location")))
            #expect(none.text.contains("No taxi is free near you"))
        }
    }

    @Test("UA1: the passenger does not come, is dropped and told (R64)")
    func noShow() async throws {
        try await RideTown.open(.milanoA) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await town.accept(town.taxis[0])
            try await town.reach(town.taxis[0])
            _ = try await town.taxi.dispatch.give(.reportNoShow(town.taxis[0]))
            let told = try await visitor.get(path)
            #expect(told.text.contains("The taxi left without you"))
        }
    }

    @Test("UA1: no position and no address, and the page asks for one (R43)")
    func noPosition() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            for fields in [
                ["from": "", "seats": "1"],
                ["from": "", "latitude": "denied", "longitude": "", "seats": "1"],
                ["from": "", "latitude": "45.464", "longitude": "9.2", "seats": "1"],
            ] {
                let asked = try await visitor.submit(fields, on: "/taxi")
                #expect(asked.status == 422)
                #expect(asked.text.contains("href=\"#field-from\""))
            }
        }
    }

    @Test("R41: a meeting point outside the city is told on the check page, and never requested")
    func outside() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let check = try await town.fill(visitor, ["from": "45.9, 9.9", "seats": "1"])
            #expect(check.text.contains("The meeting point is outside the city"))
            #expect(!check.text.contains("/taxi/request"))
            let inside = try await town.fill(visitor, ["from": RideTown.typed(500), "seats": "1"])
            #expect(inside.text.contains("/taxi/request"))
        }
    }

    @Test("a request that is held says so, and is served when the taxi refuses the other (R56)")
    func held() async throws {
        try await RideTown.open(.milanoA) { town in
            let first = try await town.passenger("pia")
            let second = try await town.passenger("ugo")
            _ = try await town.call(first)
            let path = try await town.call(second)
            let waits = try await second.get(path)
            #expect(waits.text.contains("All nearby taxis are busy"))
            try await town.refuse(town.taxis[0])
            let taxi = town.taxi
            let request = try RideTown.number(path)
            town.site.clock.advance(seconds: 10)
            try await town.site.until("it is asked for the second") {
                try await taxi.dispatch.read { $0.request(request)?.offer != nil }
            }
            try await town.accept(town.taxis[0])
            #expect(try await second.get(path).text.contains("Your taxi arrives in about"))
        }
    }
}
