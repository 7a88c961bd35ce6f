import Dispatching
import HTTPTypes
import Identity
import OpenData
import Storage
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import API
@testable import WebApp
@testable import WebCore

/// Requests that come again with their key because the answer was lost: of a server that died, or
/// on the way; issue 34, "Verification".
@Suite("Requests whose answer was lost", .serialized)
struct RepetitionTests {
    @Test("every operation that changes something can be repeated after a crash (R107)")
    func table() async throws {
        try await RideTown.open(.viavai) { town in
            let operations = Site(town.site.installation).operations.filter {
                $0.route.method == .post
            }
            #expect(operations.count > 25)
            for operation in operations {
                #expect(operation.route.idempotency.tellsOutcome, "\(operation.name)")
            }
        }
    }

    /// What operations create.
    private static let created: [SQL] = [
        "SELECT count(*) AS count FROM webhook_endpoint",
        "SELECT count(*) AS count FROM webhook_delivery WHERE kind = 'webhook.test'",
        "SELECT count(*) AS count FROM person",
        "SELECT count(*) AS count FROM application_ride",
        "SELECT count(*) AS count FROM agenda_entry",
    ]

    private static func counts(_ town: RideTown) async throws -> [Int64] {
        try await town.site.installation.database.read { transaction in
            try transaction.rows(created).map { try $0[0].value("count") }
        }
    }

    /// Does something while the answers to requests cannot be stored: as far as it is done without
    /// its answer, it is as if the server had been killed between the two.
    private static func losingAnswers<Value>(
        _ town: RideTown,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let database = town.site.installation.database
        try await database.write { transaction in
            try transaction.execute(
                """
                CREATE TRIGGER lost_answers BEFORE UPDATE ON command_answer
                BEGIN SELECT RAISE(ABORT, 'lost'); END
                """
            )
        }
        let value = try await body()
        try await database.write { transaction in
            try transaction.execute("DROP TRIGGER lost_answers")
        }
        return value
    }

    @Test("each operation is done once although its first answer was lost (R107)")
    func operations() async throws {
        try await RideTown.open(.viavai, taxis: 3, hasLines: true) { town in
            let program = try await Program.registered(at: town.site)
            let calls = try await OperationTableTests.examples(in: town, program)
            let operations = OperationTableTests.ofKeys(town)
                .filter { $0.route.method == .post && !$0.route.idempotency.isRepeated }
                .sorted { OperationTableTests.rank($0) < OperationTableTests.rank($1) }
            #expect(operations.count > 12)
            for operation in operations {
                let name = operation.name
                func call() async throws -> Program.Reply {
                    let key = "lost-\(name.replacing(".", with: "-"))"
                    return try await calls.call(operation, by: program, once: key)
                }
                let before = try await Self.counts(town)
                let lost = try await Self.losingAnswers(town) { try await call() }
                let meanwhile = try await Self.counts(town)
                let again = try await call()
                #expect([200, 201].contains(again.status), "\(name): \(again.text)")
                let after = try await Self.counts(town)
                if operation.route.idempotency == .onceInTransaction {
                    // Without its answer, nothing is done.
                    #expect(lost.status == 500, "\(name): \(lost.text)")
                    #expect(meanwhile == before, "\(name)")
                } else {
                    #expect([200, 201].contains(lost.status), "\(name): \(lost.text)")
                    #expect(after == meanwhile, "\(name)")
                }
                let third = try await call()
                #expect(third.status == again.status && third.text == again.text, "\(name)")
                #expect(try await Self.counts(town) == after, "\(name)")
            }
        }
    }

    private static let review: JSONValue = [
        "title": "Review", "date": "2027-01-16", "time": "10:00", "minutes": 45,
    ]

    /// Sends a request whose answer cannot be stored, and then twice more.
    private static func lostAndRepeated(
        _ town: RideTown,
        _ program: Program,
        _ path: String,
        _ body: JSONValue = [:],
        _ headers: [String: String] = [:],
        once key: String
    ) async throws -> Program.Reply {
        let lost = try await losingAnswers(town) {
            try await program.post(path, body, once: key, headers: headers)
        }
        #expect(lost.status == 500, "\(path): \(lost.text)")
        let first = try await program.post(path, body, once: key, headers: headers)
        let again = try await program.post(path, body, once: key, headers: headers)
        #expect(again.status == first.status && again.text == first.text, "\(path)")
        #expect(again.header("location") == first.header("location"), "\(path)")
        return first
    }

    @Test("what a program changes for a person is done once, also under a condition (R107)")
    func person() async throws {
        try await RideTown.open(.viavai) { town in
            let app = try await ForeignClient.registered(at: town.site)
            let scopes: Set<Scope> = [.readCalendar, .writeCalendar, .readProfile, .changeProfile]
            func program(_ name: String) async throws -> Program {
                let person = try await town.site.person(name)
                let token = try await app.tokens(of: person, scopes).access
                return Program(visitor: app.visitor, key: token, number: app.number)
            }
            func tag(_ path: String, _ program: Program) async throws -> [String: String] {
                ["if-match": try #require(try await program.get(path).header("etag"))]
            }
            func send(
                _ program: Program,
                _ path: String,
                _ body: JSONValue = [:],
                _ headers: [String: String] = [:],
                once key: String
            ) async throws -> Program.Reply {
                try await Self.lostAndRepeated(town, program, path, body, headers, once: key)
            }
            let events = "/api/calendar/events"
            let list = events + "?first=2027-01-16&last=2027-01-16"
            let ana = try await program("ana")
            let added = try await send(ana, events, Self.review, once: "add-00000001")
            #expect(added.status == 201, "\(added.text)")
            #expect(try await ana.get(list).json["items"]?.list?.count == 1)
            // The key of one person is nothing to the program of another.
            let eva = try await program("eva")
            let hers = try await eva.post(events, Self.review, once: "add-00000001")
            #expect(hers.status == 201 && hers.json["uid"] != added.json["uid"], "\(hers.text)")
            #expect(try await ana.get(list).json["items"]?.list?.count == 1)
            let path = try #require(added.header("location"))
            let changed = try await send(
                ana,
                path + "/change",
                ["title": "Second review"],
                try await tag(path, ana),
                once: "change-00001"
            )
            #expect(changed.status == 200, "\(changed.text)")
            #expect(changed.json["title"] == "Second review", "\(changed.text)")
            let profile = try await send(
                ana,
                "/api/profile",
                ["surname": "Rossi"],
                try await tag("/api/profile", ana),
                once: "profile-0001"
            )
            #expect(profile.status == 200, "\(profile.text)")
            #expect(try await ana.get("/api/profile").json["surname"] == "Rossi")
            let removed = try await send(ana, path + "/remove", once: "remove-00001")
            #expect(removed.status == 200, "\(removed.text)")
            #expect(try await ana.get(path).status == 404)
        }
    }
}
