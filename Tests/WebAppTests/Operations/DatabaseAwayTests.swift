import Foundation
import Storage
import StorageTestSupport
import TestSupport
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 29, fault 6: what people and operators see while the database is unavailable or full.
@Suite("A server whose database is away", .serialized)
struct DatabaseAwayTests {
    private static let ana = [
        "name": "Ana", "surname": "Bruni", "email": "ana@example.org", "user_name": "anab",
        "password": "Passw0rdOne", "password_again": "Passw0rdOne", "consent": "2",
    ]

    /// Runs the program on a PostgreSQL server of its own.
    private static func withCluster(
        _ body: @Sendable (PostgresCluster, _ settings: [String: String]) async throws -> Void
    ) async throws {
        try PostgresCluster.requireInstalled()
        let cluster = try await onThread { try PostgresCluster() }
        let place = try TestDatabase(of: cluster)
        try await body(cluster, ["DATABASE": place.address])
    }

    /// Waits until an address answers as wanted.
    ///
    /// - Returns: how long it took.
    @discardableResult
    private static func wait(
        for status: Int,
        at path: String,
        _ visitor: Visitor,
        atMost seconds: Int = 20
    ) async throws -> Duration {
        let start = ContinuousClock.now
        while try await visitor.get(path).status != status {
            guard start + .seconds(seconds) > .now else {
                Issue.record("\(path) does not answer \(status) within \(seconds) s")
                break
            }
            try await ContinuousClock().sleep(for: .milliseconds(50))
        }
        return start.duration(to: .now)
    }

    /// Expects the page that people get while the database is unavailable.
    private static func expectAway(_ answer: Visitor.Answer, _ title: String) {
        #expect(answer.status == 503)
        #expect(answer.header("retry-after") == "5")
        #expect(answer.text.contains(title), "\(answer.text)")
    }

    @Test("pages and forms answer 503 at once, nothing is lost, and one line tells it (fault 6)")
    func away() async throws {
        try await Self.withCluster { cluster, settings in
            try await withTemporaryFolder { folder in
                let program = try await ServedProgram(in: folder, settings)
                try await program.withVisitor { visitor in
                    try await Self.wait(for: 200, at: "/health/writer", visitor)
                    let page = try await visitor.get("/register")
                    let form = try #require(
                        FoundForm.all(in: page.text, on: "/register").first {
                            $0.action == "/register"
                        }
                    )
                    let fields = form.fields.merging(Self.ana) { $1 }
                    try await onThread { try cluster.kill() }
                    let english = "The service is not available at the moment"
                    let clock = ContinuousClock()
                    let first = try await clock.measure {
                        Self.expectAway(try await visitor.get("/register"), english)
                    }
                    #expect(first < .seconds(3))
                    let later = try await clock.measure {
                        Self.expectAway(try await visitor.post("/register", fields), english)
                        visitor.language = "it"
                        let italian = "Il servizio al momento non è disponibile"
                        Self.expectAway(try await visitor.get("/register"), italian)
                        Self.expectAway(try await visitor.post("/register", fields), italian)
                        visitor.language = "en"
                        #expect(try await visitor.get("/health/live").status == 200)
                        let ready = try await visitor.get("/health/ready")
                        #expect(ready.status == 503)
                        #expect(ready.text == "the database does not answer\n")
                    }
                    #expect(later < .seconds(3))
                    // Longer than the dispatcher's lease and several rounds of the workers.
                    try await ContinuousClock().sleep(for: .seconds(7))
                    Self.expectAway(try await visitor.get("/register"), english)
                    try await onThread { try cluster.startAgain() }
                    let back = try await Self.wait(for: 200, at: "/register", visitor)
                    #expect(back < .seconds(3))
                    let done = try await visitor.post("/register", fields)
                    #expect(done.status == 200)
                    #expect(done.text.contains("Check your e-mail"))
                    try await Self.wait(for: 200, at: "/health/writer", visitor)
                }
                #expect(try await program.end() == 0)
                let lines = program.text.split(separator: "\n")
                func count(_ text: String) -> Int { lines.filter { $0.contains(text) }.count }
                // What failed first may have been a change.
                let told = ["a database does not answer", "a database accepts no changes"]
                #expect(told.map(count).reduce(0, +) == 1, "\(program.text)")
                #expect(count("a database can be used again") == 1, "\(program.text)")
                let others = [
                    "request failed", "database failed", "messages wait", "notices wait",
                    "not registered",
                ]
                #expect(others.map(count) == [0, 0, 0, 0, 0], "\(program.text)")
                let database = try await Database.open(settings["DATABASE"] ?? "")
                defer { database.close() }
                let people = try await database.read { transaction in
                    try transaction.rows("SELECT number FROM person").count
                }
                #expect(people == 1, "the form was done once")
            }
        }
    }

    @Test("a server whose database is killed just after its start goes on (fault 6)")
    func killedEarly() async throws {
        try await Self.withCluster { cluster, settings in
            try await withTemporaryFolder { folder in
                for milliseconds in [0, 20, 80, 300] {
                    let program = try await ServedProgram(in: folder, settings)
                    try await ContinuousClock().sleep(for: .milliseconds(milliseconds))
                    try await onThread { try cluster.kill() }
                    try await ContinuousClock().sleep(for: .seconds(3))
                    try await onThread { try cluster.startAgain() }
                    try await program.withVisitor { visitor in
                        try await Self.wait(for: 200, at: "/health/writer", visitor)
                    }
                    let code = try await program.end()
                    #expect(code == 0, "after \(milliseconds) ms: \(program.text)")
                }
            }
        }
    }

    @Test("a server whose database is full is not ready until something was written (fault 6)")
    func full() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let database = site.installation.database
            #expect(try await visitor.get("/health/ready").status == 200)
            try await database.write { transaction in
                try transaction.execute("CREATE TABLE filler (bytes BLOB) STRICT")
                _ = try transaction.rows("PRAGMA max_page_count = 1")
            }
            let fill: @Sendable (Transaction) throws -> Void = { transaction in
                let bytes = [UInt8](repeating: 7, count: 200_000)
                try transaction.execute("INSERT INTO filler VALUES (\(bytes))")
            }
            for _ in 0..<3 {
                await #expect(throws: DatabaseFailure.self) { try await database.write(fill) }
                let ready = try await visitor.get("/health/ready")
                #expect(ready.status == 503)
                #expect(ready.text == "the database accepts no changes\n")
                #expect(try await visitor.get("/health/writer").status == 503)
                #expect(try await visitor.get("/health/live").status == 200)
                #expect(try await visitor.get("/login").status == 200, "reading goes on")
                try await ContinuousClock().sleep(for: .milliseconds(500))
            }
            _ = try await database.write { try $0.rows("PRAGMA max_page_count = 100000") }
            // On a server whose clock is not a test's, the dispatcher's lease does this.
            let writing = Task {
                while !Task.isCancelled {
                    try await database.write(fill)
                    try await ContinuousClock().sleep(for: .milliseconds(500))
                }
            }
            defer { writing.cancel() }
            try await Self.wait(for: 200, at: "/health/ready", visitor, atMost: 10)
        }
    }
}
