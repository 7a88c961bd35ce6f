import Dispatching
import Geo
import Identity
import OpenData
import Storage
import StorageTestSupport
import Taxi
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import API
@testable import WebApp
@testable import WebCore

/// What a driver does by a program of another company; taxi.md R14, R32, R50 to R67, R107.
@Suite("Programs of drivers", .serialized)
struct DriverAPITests {
    private static let all: Set<Scope> = [.driverDuty, .driverPosition, .driverRides]

    private static func program(
        _ town: DriverTown,
        _ visitor: Visitor,
        _ scopes: Set<Scope> = all
    ) async throws -> Program {
        let app = try await ForeignClient.registered(at: town.site)
        let token = try await app.tokens(of: visitor, scopes).access
        return Program(visitor: app.visitor, key: token, number: app.number)
    }

    private static func body(_ place: Coordinate) -> JSONValue {
        [
            "latitude": .number(place.latitudeDegrees),
            "longitude": .number(place.longitudeDegrees), "accuracy": 5,
        ]
    }

    /// Forgets the answers to requests of programs, as if the server had been killed before it kept
    /// them; what the dispatcher's log holds stays.
    private static func loseAnswers(_ town: DriverTown) async throws {
        let none: [UInt8] = []
        try await town.site.installation.database.write { transaction in
            let lost = try transaction.execute(
                "UPDATE command_answer SET answer = \(none) WHERE caller LIKE 'application %'"
            )
            #expect(lost > 0)
        }
    }

    /// Reports positions at a place until the dispatcher believes them.
    private static func drive(
        _ town: DriverTown,
        _ program: Program,
        to place: Coordinate
    ) async throws {
        for _ in 0..<4 {
            town.clock.advance(seconds: 9)
            let sent = try await program.post("/api/driver/position", body(place))
            #expect(sent.status == 200 || sent.problem == "position-not-used", "\(sent.text)")
        }
        let number = town.drivers[0].number
        let zone = town.taxi.zone(at: place)
        try await town.site.until("the taxi is seen at the place") {
            let seen = try await town.taxi.dispatch.read { $0.taxi(number) }
            return seen?.isReachable == true && seen?.place == (zone.map { .zone($0) } ?? .outside)
        }
    }

    @Test(
        "a shift by a program: available, offer, boarding code, end, and away again (R107)",
        arguments: TestEngine.allCases
    )
    func shift(engine: TestEngine) async throws {
        try await DriverTown.open(on: engine) { town in
            let driver = town.drivers[0]
            let program = try await Self.program(town, driver.visitor)
            let early = try await program.post("/api/driver/duty", ["available": true])
            #expect(early.status == 409, "\(early.text)")
            #expect(["place-unknown", "out-of-contact"].contains(early.problem), "\(early.text)")
            try await Self.drive(town, program, to: DriverTown.centro)
            for _ in 0..<2 {
                let on = try await program.post("/api/driver/duty", ["available": true])
                #expect(on.status == 200 && on.json["status"] == "available", "\(on.text)")
                #expect(on.json["zone"]?["code"] == "Centro" && on.json["taxis_ahead"] == 0)
            }
            #expect(try await town.page(driver).contains("You are 1st of 1 in Centro"))
            #expect(try await program.get("/api/driver/offer").json["offer"] == .null)
            let request = try await town.call(
                from: DriverTown.near,
                to: DriverTown.brera,
                needs: Capacity(seats: 2)
            )
            let ride = try await Self.acceptance(of: request, town, program)
            try await Self.boarding(ride, town, program)
            let far = try await program.post("/api/driver/ride/end", ["request": .integer(ride)])
            #expect(far.status == 409 && far.problem == "destination-not-reached", "\(far.text)")
            try await Self.drive(town, program, to: DriverTown.brera)
            let extra = try await program.post(
                "/api/driver/ride/end",
                ["request": .integer(ride), "surcharges": ["sofa"]]
            )
            #expect(extra.status == 422 && extra.blamed == ["surcharges"], "\(extra.text)")
            try await town.site.until("the destination is reached") {
                try await town.taxi.ride(of: driver.number)?.ride.isAtDestination == true
            }
            var answers: [JSONValue] = []
            for _ in 0..<3 {
                let ended = try await program.post(
                    "/api/driver/ride/end",
                    ["request": .integer(ride)],
                    once: "end-00000001"
                )
                #expect(ended.status == 200, "\(ended.text)")
                answers.append(ended.json)
                if answers.count == 1 { try await Self.loseAnswers(town) }
            }
            #expect(Set(answers).count == 1, "\(answers)")
            let other = try await program.post(
                "/api/driver/ride/end",
                ["request": .integer(ride)],
                once: "end-00000002"
            )
            #expect(other.status == 409, "a new message ends no ride: \(other.text)")
            #expect(try await program.get("/api/driver/ride").json["ride"] == .null)
            let off = try await program.post("/api/driver/duty", ["available": false])
            #expect(off.json["status"] == "unavailable", "\(off.text)")
            #expect(try await town.status(driver) == .unavailable)
        }
    }

    /// Waits for the offer, accepts it, and returns the number of the ride.
    private static func acceptance(
        of request: RequestNumber,
        _ town: DriverTown,
        _ program: Program
    ) async throws -> Int64 {
        let shown = try await program.get("/api/driver/offer?seconds=5")
        let offer = try #require(shown.json["offer"]?.object, "\(shown.text)")
        #expect(offer["request"]?.json == "\(request.rawValue)" && offer["seats"] == 2)
        #expect(offer["pickup"]?["name"] == "Via Dante 7", "\(shown.text)")
        let isSeen = try await town.taxi.dispatch.read {
            $0.request(request)?.offer?.isDelivered
        }
        #expect(isSeen == true, "who has seen the offer answers for it")
        let answer: JSONValue = [
            "request": offer["request"] ?? .null, "epoch": offer["epoch"] ?? .null,
        ]
        for key in [nil, nil, "accept-00001", "accept-00001"] {
            let taken = try await program.post("/api/driver/offer/accept", answer, once: key)
            #expect(taken.status == 200 && taken.json["status"] == "riding", "\(taken.text)")
            if key != nil { try await Self.loseAnswers(town) }
        }
        let late = try await program.post("/api/driver/offer/refuse", answer)
        #expect(late.status == 409 && late.problem == "offer-gone", "\(late.text)")
        let ride = try await program.get("/api/driver/ride")
        #expect(ride.json["ride"]?["stage"] == "coming", "\(ride.text)")
        #expect(ride.json["ride"]?["destination"]?["name"] == "Stazione Centrale")
        return try #require(Int64(ride.json["ride"]?["request"]?.json ?? ""))
    }

    private static func boarding(
        _ ride: Int64,
        _ town: DriverTown,
        _ program: Program
    ) async throws {
        let number = town.drivers[0].number
        let named: JSONValue = ["request": .integer(ride)]
        let early = try await program.post("/api/driver/ride/arrived", named)
        #expect(early.status == 409 && early.problem == "meeting-point-not-reached")
        #expect(early.text.contains("600 m away"), "as on the page: \(early.text)")
        try await drive(town, program, to: DriverTown.near)
        let there = try await program.post("/api/driver/ride/arrived", named)
        #expect(there.json["ride"]?["stage"] == "here", "\(there.text)")
        let code = try #require(try await town.taxi.ride(of: number)?.code)
        let wrong = code == "0000" ? "1111" : "0000"
        func board(
            _ code: String?,
            _ aboard: Int64,
            _ key: String? = nil
        ) async throws
            -> Program.Reply
        {
            var members = [
                JSONObject.Member("request", .integer(ride)), .init("aboard", .integer(aboard)),
            ]
            if let code { members.append(.init("code", .text(code))) }
            return try await program.post(
                "/api/driver/ride/board",
                .object(JSONObject(members)),
                once: key
            )
        }
        for _ in 0..<2 {
            let refused = try await board(wrong, 2, "wrong-000001")
            #expect(refused.status == 422 && refused.blamed == ["code"], "\(refused.text)")
            #expect(refused.text.contains("4 more times"), "counted once: \(refused.text)")
        }
        let none = try await board(nil, 2)
        #expect(none.status == 422 && none.blamed == ["code"], "\(none.text)")
        let many = try await board(code, 9)
        #expect(many.status == 422 && many.blamed == ["aboard"], "\(many.text)")
        let other = try await program.post(
            "/api/driver/ride/board",
            ["request": .integer(ride + 1), "aboard": 2, "code": .text(code)]
        )
        #expect(other.status == 409, "a message about another ride: \(other.text)")
        for _ in 0..<2 {
            let done = try await board(code, 2, "right-000001")
            #expect(done.json["ride"]?["stage"] == "aboard", "\(done.text)")
            #expect(done.json["ride"]?["aboard"] == 2)
            #expect(!done.text.contains("\"\(code)\""))
        }
    }

    @Test("a program acts for its own driver alone, and each permission opens its own part (R108)")
    func scopes() async throws {
        try await DriverTown.atWork(drivers: 2) { town, driver in
            let request = try await town.call(from: DriverTown.near)
            let other = try await Self.program(town, town.drivers[1].visitor)
            #expect(try await other.get("/api/driver/offer").json["offer"] == .null)
            let offer = try await town.taxi.offer(to: driver.number)
            let stolen = try await other.post(
                "/api/driver/offer/accept",
                [
                    "request": JSONValue(request.rawValue),
                    "epoch": .integer(try #require(offer?.epoch)),
                ]
            )
            #expect(stolen.status == 409 && stolen.problem == "offer-gone", "\(stolen.text)")
            #expect(!stolen.text.contains("Dante"))
            #expect(try await town.status(driver) == .pendingConfirmation)
            let opened: [(Scope, String)] = [
                (.driverDuty, "/api/driver/offer"), (.driverRides, "/api/driver/ride"),
            ]
            for scope in Self.all.sorted() {
                let program = try await Self.program(town, driver.visitor, [scope])
                #expect(try await program.get("/api/driver").status == 200, "\(scope)")
                for (needed, path) in opened {
                    let status = try await program.get(path).status
                    #expect(status == (needed == scope ? 200 : 403), "\(scope) \(path)")
                }
                let at = try await program.post(
                    "/api/driver/position",
                    Self.body(DriverTown.centro)
                )
                #expect((at.status == 403) == (scope != .driverPosition), "\(at.text)")
            }
        }
    }

    @Test("who drives no taxi is told so with each operation, in the words of the page (R104)")
    func papers() async throws {
        try await DriverTown.open { town in
            let ana = try await town.site.person("ana")
            let stranger = try await Self.program(town, ana)
            for path in ["/api/driver", "/api/driver/offer", "/api/driver/ride"] {
                let answer = try await stranger.get(path)
                #expect(answer.status == 403 && answer.problem == "may-not-drive", "\(path)")
                #expect(answer.text.contains("This page is for taxi drivers"), "\(answer.text)")
            }
            let position = try await stranger.post(
                "/api/driver/position",
                Self.body(DriverTown.centro)
            )
            #expect(position.problem == "may-not-drive", "\(position.text)")
        }
    }

    @Test("positions: old, vague and impossible ones are refused with the page's reasons (R32)")
    func positions() async throws {
        try await DriverTown.open { town in
            let program = try await Self.program(town, town.drivers[0].visitor)
            let vague = try await program.post(
                "/api/driver/position",
                ["latitude": .number(45.46), "longitude": .number(9.15), "accuracy": 5_000]
            )
            #expect(vague.status == 422 && vague.problem == "position-not-used", "\(vague.text)")
            #expect(vague.json["errors"]?.list?.first?["problem"] == "vague", "\(vague.text)")
            let first = try await program.post("/api/driver/position", Self.body(DriverTown.centro))
            #expect(first.status == 200, "\(first.text)")
            let older = try await program.post(
                "/api/driver/position",
                ["latitude": .number(45.46), "longitude": .number(9.15), "accuracy": 5, "age": 60]
            )
            #expect(older.status == 422, "\(older.text)")
            #expect(older.json["errors"]?.list?.first?["problem"] == "outdated", "\(older.text)")
            let nowhere = try await program.post(
                "/api/driver/position",
                ["latitude": 95, "longitude": .number(9.15)]
            )
            #expect(nowhere.status == 422 && nowhere.blamed == ["latitude"], "\(nowhere.text)")
        }
    }

    @Test("an offer is refused by a program, and the driver is not asked again (R52)")
    func refusing() async throws {
        try await DriverTown.atWork { town, driver in
            let program = try await Self.program(town, driver.visitor)
            let request = try await town.call(from: DriverTown.near)
            let offer = try await program.get("/api/driver/offer")
            #expect(offer.json["offer"]?["request"]?.json == "\(request.rawValue)")
            let answer: JSONValue = [
                "request": JSONValue(request.rawValue),
                "epoch": offer.json["offer"]?["epoch"] ?? .null,
            ]
            for _ in 0..<2 {
                let refused = try await program.post(
                    "/api/driver/offer/refuse",
                    answer,
                    once: "refuse-00001"
                )
                #expect(refused.status == 200, "\(refused.text)")
                try await Self.loseAnswers(town)
            }
            let late = try await program.post("/api/driver/offer/refuse", answer)
            #expect(late.status == 409 && late.problem == "offer-gone", "\(late.text)")
            #expect(try await program.get("/api/driver/offer").json["offer"] == .null)
        }
    }
}
