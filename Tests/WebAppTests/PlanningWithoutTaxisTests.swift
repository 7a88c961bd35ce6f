import StorageTestSupport
import TestSupport
import Testing
import WebTestSupport

/// Issue 31, 1: "What needs no taxis works before the city has opened its taxis (R4) and on a
/// standby server", tested on the program itself.
@Suite("Planning trips without taxis", .serialized)
struct PlanningWithoutTaxisTests {
    /// The settings of a city with a street and two lines.
    private static func settings(in folder: String) throws -> [String: String] {
        let city = try RideTown.cityFile(in: folder, hasLines: true, hasFares: false)
        return ["CITY_FILE": city, "CITY_TIME_ZONE": "Europe/Rome"]
    }

    /// Waits until a server says whether it serves the taxis.
    private static func wait(for status: Int, of program: ServedProgram) async throws {
        try await program.withVisitor { visitor in
            let end = ContinuousClock.now + .seconds(60)
            while try await visitor.get("/health/writer").status != status {
                let isLate = ContinuousClock.now >= end
                try #require(!isLate, "no \(status) within a minute: \(program.text)")
                try await ContinuousClock().sleep(for: .milliseconds(50))
            }
        }
    }

    /// Plans a walk and a way by the other means along the street, and returns the path of the
    /// answer.
    private static func plan(_ visitor: Visitor) async throws -> String {
        let sent = try await visitor.submit(
            [
                "from": RideTown.typed(20), "to": RideTown.typed(1_980), "when": "now",
                "options": "",
            ],
            on: "/plan"
        )
        let path = try #require(sent.header("location"), "\(sent.status): \(sent.text)")
        #expect(sent.status == 303 && path.hasPrefix("/plan/"), "\(path)")
        let page = try await visitor.get(path)
        #expect(page.status == 200)
        #expect(page.text.contains("<title>Arrive at "), "\(page.text)")
        #expect(!page.text.contains("\(path)/order"), "a taxi cannot be ordered")
        return path
    }

    @Test("R4: a new installation plans trips before the city has opened its taxis")
    func beforeOpening() async throws {
        try await withTemporaryFolder { folder in
            let program = try await ServedProgram(in: folder, try Self.settings(in: folder))
            try await Self.wait(for: 200, of: program)
            try await program.withVisitor { visitor in
                #expect(try await visitor.get("/taxi").status == 503)
                let home = try await visitor.get("/")
                #expect(home.status == 200 && home.text.contains("href=\"/plan\""))
                _ = try await Self.plan(visitor)
            }
            #expect(try await program.end() == 0)
        }
    }

    @Test(
        "a standby server plans trips, and either server shows the other's answer",
        arguments: TestEngine.allCases
    )
    func standby(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { database in
            try await withTemporaryFolder { folder in
                var settings = try Self.settings(in: folder)
                settings["DATABASE"] = database.address
                let writer = try await ServedProgram(in: folder, settings)
                try await Self.wait(for: 200, of: writer)
                let standby = try await ServedProgram(in: folder, settings)
                try await Self.wait(for: 503, of: standby)
                var paths: [String] = []
                for program in [standby, writer] {
                    try await program.withVisitor { visitor in
                        paths.append(try await Self.plan(visitor))
                    }
                }
                for (program, path) in zip([writer, standby], paths) {
                    try await program.withVisitor { visitor in
                        let shared = try await visitor.get(path)
                        #expect(shared.status == 200)
                    }
                }
                // Planning there has taken nothing from the writer.
                try await Self.wait(for: 503, of: standby)
                try await Self.wait(for: 200, of: writer)
                #expect(try await standby.end() == 0)
                #expect(try await writer.end() == 0)
            }
        }
    }
}
