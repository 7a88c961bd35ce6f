import Dispatching
import Storage
import Taxi
import Testing
import WebCore
import WebTestSupport

@testable import WebApp

/// Issue 29, fault 10: the key of a form is written with the command in the dispatcher's log.
@Suite("An order whose answer got lost", .serialized)
struct RepeatedOrderTests {
    /// The form that confirms the input.
    private static func form(
        _ town: RideTown,
        _ visitor: Visitor,
        _ fields: [String: String],
        on page: String = "/taxi"
    ) async throws -> FoundForm {
        let check = try await town.fill(visitor, fields, on: page)
        return try #require(
            FoundForm.all(in: check.text, on: "").first { $0.action == "/taxi/request" },
            "\(check.text)"
        )
    }

    /// Leaves the state of a server that was killed between writing the log and answering.
    private static func forgetAnswers(_ town: RideTown) async throws {
        try await town.site.installation.database.write { transaction in
            try transaction.execute(
                """
                UPDATE command_answer SET answer = \([UInt8]())
                WHERE caller LIKE 'session %' OR caller LIKE 'guest %'
                """
            )
        }
    }

    @Test("the same form after a crash leads to the ride that it made")
    func ride() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let visitor = try await town.passenger()
            let fields = ["from": RideTown.typed(500), "seats": "1"]
            let form = try await Self.form(town, visitor, fields)
            let first = try await visitor.post(form.action, form.fields)
            let path = try #require(first.header("location"))
            try await Self.forgetAnswers(town)
            let again = try await visitor.post(form.action, form.fields)
            #expect(again.status == 303, "\(again.text)")
            #expect(again.header("location") == path)
            // Even after the ride has ended, an old form brings nobody a second taxi.
            _ = try await town.taxi.dispatch.give(.cancel(RideTown.number(path)))
            try await Self.forgetAnswers(town)
            let late = try await visitor.post(form.action, form.fields)
            #expect(late.header("location") == path)
            #expect(try await town.taxi.dispatch.read { $0.lastRequest } == 1)
        }
    }

    @Test("a reservation and its change are made once, and the old hour is given up")
    func reservation() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let form = try await Self.form(town, visitor, RideTown.later())
            let first = try await visitor.post(form.action, form.fields)
            let path = try #require(first.header("location"))
            try await Self.forgetAnswers(town)
            let again = try await visitor.post(form.action, form.fields)
            #expect(again.header("location") == path, "\(again.text)")

            let ride = String(path.prefix { $0 != "?" })
            let begun = try await visitor.submit([:], on: ride, to: ride + "/change")
            #expect(begun.status == 303)
            let other = try await Self.form(town, visitor, RideTown.later(time: "07:00"))
            let changed = try await visitor.post(other.action, other.fields)
            let new = try #require(changed.header("location"), "\(changed.text)")
            #expect(new.hasSuffix("?notice=changed"))
            try await Self.forgetAnswers(town)
            let late = try await visitor.post(other.action, other.fields)
            #expect(late.header("location") == new, "\(late.text)")
            let open = try await town.taxi.dispatch.read { $0.requests.map(\.number) }
            #expect(open == [try RideTown.number(new)])
        }
    }

    @Test("a form that is sent four times at once makes one ride, and only the log keeps its key")
    func together() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let visitor = try await town.passenger()
            let fields = ["from": RideTown.typed(500), "seats": "1"]
            let form = try await Self.form(town, visitor, fields)
            let database = town.site.installation.database
            func claims() async throws -> Int {
                try await database.read { transaction in
                    try transaction.rows(
                        "SELECT key FROM command_answer WHERE caller LIKE 'session %'"
                    ).count
                }
            }
            let before = try await claims()
            let cookie = try #require(visitor.cookie("session"))
            let told = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let other = town.site.visitor()
                        other.plant("session", cookie)
                        return try await other.post(form.action, form.fields).header("location")
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(told == ["/ride/1", "/ride/1", "/ride/1", "/ride/1"])
            #expect(try await town.taxi.dispatch.read { $0.lastRequest } == 1)
            #expect(try await claims() == before, "issue 29, 1: the key is kept once")
        }
    }

    @Test("the same form after a crash leads to its ride also while the service is suspended")
    func suspended() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let visitor = try await town.passenger()
            let fields = ["from": RideTown.typed(500), "seats": "1"]
            let form = try await Self.form(town, visitor, fields)
            let path = try #require(
                try await visitor.post(form.action, form.fields).header("location")
            )
            try await Self.forgetAnswers(town)
            _ = try await town.taxi.dispatch.give(.suspend(reason: "snow"))
            let again = try await visitor.post(form.action, form.fields)
            #expect(again.header("location") == path, "\(again.text)")
        }
    }

    @Test("a form that made no ride is done when it comes again")
    func refused() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let visitor = try await town.passenger()
            let fields = ["from": RideTown.typed(500), "seats": "1"]
            let form = try await Self.form(town, visitor, fields)
            let other = try await Self.form(town, visitor, fields)
            let path = try #require(
                try await visitor.post(other.action, other.fields).header("location")
            )
            let refused = try await visitor.post(form.action, form.fields)
            #expect(refused.header("location") == path + "?notice=already")
            _ = try await town.taxi.dispatch.give(.cancel(RideTown.number(path)))
            let done = try await visitor.post(form.action, form.fields)
            #expect(done.header("location") == "/ride/2")
        }
    }

    @Test("what could not be written at all is done when the form comes again")
    func fullDisk() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let fields = ["from": RideTown.typed(500), "seats": "1"]
            let form = try await Self.form(town, visitor, fields)
            let database = town.site.installation.database
            // The key can still be claimed, but afterwards nothing can be written or rolled back.
            try await database.write { transaction in
                try transaction.execute(
                    """
                    CREATE TRIGGER full_log BEFORE INSERT ON log_record
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """
                )
                try transaction.execute(
                    """
                    CREATE TRIGGER full_answers BEFORE DELETE ON command_answer
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """
                )
            }
            let refused = try await visitor.post(form.action, form.fields)
            #expect(refused.status >= 500)
            try await database.write { transaction in
                try transaction.execute("DROP TRIGGER full_log")
                try transaction.execute("DROP TRIGGER full_answers")
            }
            let done = try await visitor.post(form.action, form.fields)
            #expect(done.status == 303, "\(done.text)")
            #expect(done.header("location") == "/ride/1")
        }
    }

    @Test("any other form that could not be written is done when it comes again")
    func otherForm() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let page = "/account/preferences"
            let form = try #require(
                FoundForm.all(in: try await visitor.get(page).text, on: page).first {
                    $0.action == page
                }
            )
            let fields = form.fields.merging(["quiet_from": "22:00", "quiet_until": "07:00"]) {
                $1
            }
            let database = town.site.installation.database
            try await database.write { transaction in
                try transaction.execute(
                    """
                    CREATE TRIGGER full_answers BEFORE DELETE ON command_answer
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """
                )
            }
            // Invalid input makes the form come back, and its key has to be released.
            let wrong = fields.merging(["quiet_until": "x"]) { $1 }
            #expect(try await visitor.post(page, wrong).status == 422)
            #expect(try await visitor.post(page, wrong).status == 422)
            try await database.write { transaction in
                try transaction.execute("DROP TRIGGER full_answers")
            }
            #expect(try await visitor.post(page, fields).status == 303)
        }
    }
}
