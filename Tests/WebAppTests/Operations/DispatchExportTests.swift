import Dispatching
import Foundation
import Identity
import StorageTestSupport
import Taxi
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// Issue 29, fault 11: `dispatch replay` and `explain` can read the log of an installation.
@Suite("The exported log of an installation", .serialized)
struct DispatchExportTests {
    /// Runs a `viavai dispatch` command until it exits; returns the exit code and all output.
    private static func run(
        _ arguments: [String],
        in folder: String
    ) async throws -> (code: Int32, text: String) {
        try await ServedProgram.run(["dispatch"] + arguments, in: folder)
    }

    @Test(
        "it is exported while the city is served, replayed and explained, and names nobody",
        arguments: TestEngine.allCases
    )
    func export(engine: TestEngine) async throws {
        try await RideTown.open(.viavai, taxis: 2, on: engine) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            let request = try RideTown.number(path)
            _ = try await town.accept(town.taxis[0])
            let why = "Ana Bruni broke her leg"
            _ = try await town.taxi.dispatch.give(.withdraw(request, reason: why))
            let session = try await town.site.session(of: visitor)
            let passenger = try #require(session.person).passenger
            let codes = try await town.taxi.dispatch.read { $0.taxis.map(\.code) }
            let state = try await town.taxi.dispatch.read { ($0.sequence, $0.lastRequest) }

            try await withTemporaryFolder { folder in
                let out = "\(folder)/city.log"
                let database = town.site.installation.settings.database
                let exported = try await Self.run(
                    ["export", "--database", database, "--out", out],
                    in: folder
                )
                #expect(exported.code == 0, "\(exported.text)")
                #expect(exported.text.contains("with 1 requests, without personal data"))

                let replayed = try await Self.run(["replay", out], in: folder)
                #expect(replayed.code == 0, "\(replayed.text)")
                #expect(replayed.text.contains("both as told and as decided anew"))
                let story = try await Self.run(
                    ["explain", out, "--request", "\(request.rawValue)"],
                    in: folder
                )
                #expect(story.code == 0 && story.text.contains("T0001"), "\(story.text)")
                let answer = try await Self.run(
                    ["explain", out, "--request", "\(request.rawValue)", "--taxi", "T0002"],
                    in: folder
                )
                #expect(answer.code == 0 && answer.text.contains("T0002"), "\(answer.text)")

                var told = Dispatcher()
                var passengers: Set<PassengerNumber> = []
                try LogFile.read(out) { entry in
                    try told.replay(entry)
                    for request in told.requests { passengers.insert(request.form.passenger) }
                }
                #expect(told.sequence >= state.0 && told.lastRequest == state.1)
                #expect(told.taxis.map(\.code) == ["T0001", "T0002"])
                #expect(passengers == [PassengerNumber(rawValue: 1)])
                #expect(!passengers.contains(passenger))
                let bytes = try Data(contentsOf: URL(fileURLWithPath: out))
                for secret in codes + [why] {
                    #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
                }
            }
        }
    }

    @Test("where there is no database or no log, one line says so, and no database is made")
    func nothing() async throws {
        try await withTemporaryFolder { folder in
            let out = "\(folder)/city.log"
            let missing = "\(folder)/missing.sqlite"
            let none = try await Self.run(
                ["export", "--database", "sqlite:\(missing)", "--out", out],
                in: folder
            )
            #expect(none.code == 2 && none.text.contains("no such database"), "\(none.text)")
            #expect(!FileManager.default.fileExists(atPath: missing))
            #expect(!FileManager.default.fileExists(atPath: out))
        }
    }
}
