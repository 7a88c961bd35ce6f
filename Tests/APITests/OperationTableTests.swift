import Chronology
import Dispatching
import Drivers
import HTTPTypes
import Identity
import OpenData
import Taxi
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import API
@testable import WebApp
@testable import WebCore

/// Issue 34, part one: tests that visit every operation; taxi.md R5, R106 to R108, R110.
@Suite("All operations of the API", .serialized)
struct OperationTableTests {
    @Test("without a key, or with one that was never issued or is revoked, nothing answers (R5)")
    func keys() async throws {
        try await RideTown.open(.viavai) { town in
            let program = try await Program.registered(at: town.site)
            let calls = ExampleCalls()
            let operations = Site(town.site.installation).operations
            #expect(operations.count >= 40)
            for operation in operations {
                let none = try await calls.call(operation, by: program.with(key: ""))
                #expect(none.status == 401 && none.problem == "key-missing", "\(operation.name)")
                #expect(none.header("www-authenticate")?.hasPrefix("Bearer") == true)
                for key in [String(repeating: "0", count: 64), "x", "Bearer"] {
                    let wrong = try await calls.call(operation, by: program.with(key: key))
                    #expect(wrong.status == 401, "\(operation.name) \(key)")
                }
            }
            let (_, admin) = try await town.site.administrator("chief")
            try await town.site.accounts.revokeApplication(
                program.number,
                by: admin,
                at: town.site.clock.now
            )
            let revoked = try await program.get("/api/application")
            #expect(revoked.status == 401 && revoked.problem == "key-invalid")
        }
    }

    @Test("a person's session opens nothing, even for administrators")
    func sessions() async throws {
        try await RideTown.open(.viavai) { town in
            let (admin, _) = try await town.site.administrator("chief")
            let program = Program(visitor: admin, key: "", number: 0)
            for operation in Site(town.site.installation).operations {
                let answer = try await ExampleCalls().call(operation, by: program)
                #expect(answer.status == 401, "\(operation.name)")
            }
        }
    }

    @Test("each operation is open to its scopes only (R108, R110)", arguments: Scope.allCases)
    func scopes(scope: Scope) async throws {
        try await RideTown.open(.viavai) { town in
            let program = try await Program.registered(at: town.site, [scope])
            for operation in Self.ofKeys(town) {
                let answer = try await ExampleCalls().call(operation, by: program)
                let isOpen = operation.route.scopes.contains(scope)
                #expect((answer.status != 403) == isOpen, "\(operation.name): \(answer.text)")
                if !isOpen { #expect(answer.problem == "scope-missing", "\(operation.name)") }
            }
        }
    }

    @Test("every field that is missing or malformed is named, and an unknown one too")
    func fields() async throws {
        try await RideTown.open(.viavai) { town in
            let ofKey = try await Program.registered(at: town.site)
            let app = try await ForeignClient.registered(at: town.site)
            let ana = try await town.site.person("ana")
            let token = try await app.tokens(of: ana, Scope.personal).access
            let ofPerson = Program(visitor: app.visitor, key: token, number: app.number)
            let calls = ExampleCalls()
            var count = 0
            for operation in Site(town.site.installation).operations {
                let route = operation.route
                let program = route.actors.contains(.application) ? ofKey : ofPerson
                for field in route.fields(in: .query) + route.fields(in: .form) {
                    let name = field.name
                    let wrong = ExampleCalls.wrong(field.kind)
                    let malformed = try await calls.call(operation, by: program, [name: wrong])
                    #expect(malformed.status == 422, "\(operation.name) \(name)")
                    #expect(malformed.blamed == [name], "\(operation.name): \(malformed.text)")
                    count += 1
                    guard field.isRequired else { continue }
                    let missing = try await calls.call(operation, by: program, [name: nil])
                    #expect(missing.status == 422, "\(operation.name) \(name)")
                    #expect(missing.blamed == [name], "\(operation.name): \(missing.text)")
                }
                for field in route.fields(in: .path) {
                    let wrong = ExampleCalls.wrong(field.kind)
                    let answer = try await calls.call(operation, by: program, [field.name: wrong])
                    #expect(answer.status == 404, "\(operation.name) \(field.name)")
                    #expect(
                        answer.header("content-type") == "application/problem+json",
                        "\(operation.name)"
                    )
                }
            }
            #expect(count > 60)
            let unknown = try await ofKey.get("/api/zones?colour=red")
            #expect(unknown.status == 422 && unknown.blamed == ["colour"])
            let deep = try await ofKey.post("/api/rides", ["from": ["a": "b"]])
            #expect(deep.status == 400 && deep.problem == "body-malformed")
        }
    }

    @Test("every operation answers as its schema says, in a town with rides and lines (R107)")
    func answers() async throws {
        try await RideTown.open(.viavai, taxis: 3, hasLines: true) { town in
            let program = try await Program.registered(at: town.site)
            let calls = try await Self.examples(in: town, program)
            // What ends a ride or a link comes last.
            let operations = Self.ofKeys(town).sorted { first, second in
                Self.rank(first) < Self.rank(second)
            }
            for operation in operations {
                let answer = try await calls.call(operation, by: program)
                #expect(
                    [200, 201].contains(answer.status),
                    "\(operation.name): \(answer.status) \(answer.text)"
                )
                // A stream is no JSON.
                if operation.isStream { continue }
                let problem = operation.output.problem(in: answer.json)
                #expect(problem == nil, "\(operation.name): \(problem ?? "")")
                #expect(
                    (answer.status == 201) == operation.route.failures.contains(.created),
                    "\(operation.name)"
                )
            }
        }
    }

    /// The operations that need no token of a person (PersonAPITests has the others).
    static func ofKeys(_ town: RideTown) -> [API.Operation] {
        Site(town.site.installation).operations.filter {
            $0.route.actors.contains(.application)
        }
    }

    /// What ends a ride, a link or a webhook comes last.
    static func rank(_ operation: API.Operation) -> Int {
        [
            "rides.share", "rides.link", "rides.unshare", "reservations.change", "rides.cancel",
            "webhooks.remove",
        ]
        .firstIndex(of: operation.name) ?? (operation.name.hasSuffix("cancel") ? 9 : -1)
    }

    private static func addWebhook(
        to calls: inout ExampleCalls,
        _ program: Program
    ) async throws {
        let webhook = try await program.post(
            "/api/webhooks",
            ["address": "https://hotel.example/taxi", "events": ["ride.found", "ride.ended"]]
        )
        let number = try #require(webhook.json["webhook"]?["number"]?.json, "\(webhook.text)")
        calls.values["webhook"] = number
        let test = try await program.post("/api/webhooks/\(number)/test")
        calls.values["message"] = try #require(test.json["id"]?.text, "\(test.text)")
    }

    /// Rides in each state, and the keys of stops, lines and what else is read by its name.
    static func examples(
        in town: RideTown,
        _ program: Program
    ) async throws -> ExampleCalls {
        var calls = ExampleCalls()
        func call(_ contact: String) async throws -> String {
            let called = try await program.post(
                "/api/rides",
                [
                    "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
                    "contact": .text(contact),
                ]
            )
            #expect(called.status == 201, "\(called.text)")
            return called.json["request"]?.json ?? ""
        }
        func reserve(_ contact: String) async throws -> String {
            let made = try await program.post(
                "/api/reservations",
                [
                    "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
                    "contact": .text(contact), "date": "2027-01-17", "time": "12:00",
                ]
            )
            #expect(made.status == 201, "\(made.text)")
            return made.json["request"]?.json ?? ""
        }
        let ended = try await call("+39 333 0000001")
        let taxi = town.taxis[0]
        try await town.accept(taxi)
        try await town.reach(taxi)
        try await town.board(taxi)
        try await town.end(taxi)
        await town.taxi.settled()
        let live = try await call("+39 333 0000002")
        let first = try await reserve("+39 333 0000003")
        let second = try await reserve("+39 333 0000004")
        let third = try await reserve("+39 333 0000005")
        calls.values["request"] = live
        let now = "\(town.site.clock.now.milliseconds)"
        let special = [
            "rides.receipt": ["request": ended],
            "rides.feedback": ["request": ended, "stars": "5"],
            "reservations.read": ["request": first],
            "reservations.change": ["request": second], "reservations.cancel": ["request": third],
            "fleet.requests": ["state": "riding"],
            "mds.recent": ["start_time": now, "end_time": now],
        ]
        calls.special.merge(special) { $1 }
        try await addWebhook(to: &calls, program)
        calls.values["date"] = "2027-01-17"
        calls.values["taxi"] = try await town.signs(taxi).code
        calls.values["stop"] = try #require(
            try await program.get("/api/stops?latitude=45.464&longitude=9.2&metres=5000")
                .json["items"]?.list?.first?["stop"]?["key"]?.text
        )
        calls.values["line"] = try #require(
            try await program.get("/api/lines").json["items"]?.list?.first?["key"]?.text
        )
        let hash = try await town.taxi.dispatch.read { $0.policyHash }
        let adopted = try await town.taxi.adopt(.viavai, by: nil, note: "why", replacing: hash)
        calls.special["policies.read"] = ["number": "\(adopted.sequence)"]
        let day = Site(town.site.installation).web.day(town.site.clock.now).iso8601
        calls.values["day"] = day
        calls.values["first"] = day
        calls.values["last"] = day
        return calls
    }

    @Test("an application reaches no ride of another one, with any operation")
    func strangers() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let owner = try await Program.registered(at: town.site)
            let stranger = try await Program.registered(at: town.site, name: "Clinic")
            let called = try await ExampleCalls().call(
                try #require(
                    Site(town.site.installation).operations.first { $0.name == "rides.call" }
                ),
                by: owner
            )
            #expect(called.status == 201, "\(called.text)")
            var calls = ExampleCalls()
            calls.values["request"] = called.json["request"]?.json
            calls.values["date"] = "2027-01-17"
            calls.special["rides.feedback"] = ["stars": "5"]
            var count = 0
            for operation in Self.ofKeys(town)
            where operation.route.parameterNames.contains("request") {
                let answer = try await calls.call(operation, by: stranger)
                #expect(answer.status == 404, "\(operation.name): \(answer.text)")
                count += 1
            }
            #expect(count > 10)
            #expect(try await stranger.get("/api/rides").json["items"] == [])
            #expect(try await owner.get("/api/rides").json["items"]?.list?.count == 1)
            // A guest's own ride, which no application ordered, is nobody's either.
            let guest = try await town.passenger("pia")
            let path = try await town.call(guest)
            let number = try RideTown.number(path).rawValue
            #expect(try await owner.get("/api/rides/\(number)").status == 404)
        }
    }
}
