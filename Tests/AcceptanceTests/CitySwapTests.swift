import Foundation
import Glibc
import SeededRandom
import TestSupport
import Testing

/// Issue 31, 5 and "Verification": "kill -9 at any moment of a swap leaves a working file".
@Suite("City files that are replaced, and several of them")
struct CitySwapTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("kill -9 at any moment of an import over a city file leaves a whole one")
    func kill() throws {
        let out = folder.path("town.city")
        let feeds = [
            try SmallTown.write(feed: "north", in: folder),
            try SmallTown.write(feed: "south", in: folder),
        ]
        let arguments = ["city", "import", "--gtfs"] + feeds + ["--out", out]
        let start = ContinuousClock.now
        try #require(try Program.run(arguments).code == 0)
        let whole = ContinuousClock.now - start
        var random = SeededRandom(seed: 31)
        for attempt in 0..<(Effort.current == .everything ? 300 : 30) {
            let delay = whole * Int.random(in: 0..<1_100, using: &random) / 1_000
            _ = try Program.run(arguments) { process in
                let end = ContinuousClock.now + delay
                // Waits actively, since the exact moment matters.
                while ContinuousClock.now < end {}
                Glibc.kill(process.processIdentifier, SIGKILL)
            }
            let info = try Program.run("city", "info", out, "--verify")
            #expect(info.code == 0, "attempt \(attempt), after \(delay): \(info.errors)")
        }
    }

    @Test("a trip between two cities is refused in a sentence, and as JSON that says which")
    func between() throws {
        var cities: [String] = []
        for feed in ["north", "south"] {
            let out = folder.path("\(feed).city")
            let source = try SmallTown.write(feed: feed, in: folder)
            try #require(
                try Program.run("city", "import", "--gtfs", source, "--out", out).code == 0
            )
            cities += ["--city", out]
        }
        func plan(_ from: String, _ to: String, _ others: [String] = []) throws -> Program.Run {
            let ends = ["--from", from, "--to", to, "--depart", "2014-10-20T08:00"]
            return try Program.run(["plan"] + cities + ends + others)
        }
        for (from, to) in [("stop:B", "stop:C"), ("stop:south/A", "stop:Z")] {
            let within = try plan(from, to)
            #expect(within.code == 0, "\(within.errors)")
        }
        let between = try plan("stop:B", "stop:Z")
        #expect(between.code == 1 && between.output.isEmpty)
        #expect(between.errorLines.count == 1)
        #expect(between.errors.contains("one is in north and the other in south"))
        let json = try plan("stop:B", "stop:Z", ["--json"])
        #expect(json.code == 1)
        #expect(json.output.contains("\"error\" : \"betweenCities\""))
        #expect(json.output.contains("\"city\" : \"south\""))
    }
}
