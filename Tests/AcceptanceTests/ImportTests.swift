import Foundation
import TestSupport
import Testing

/// `design.md`, "Commands": the output of an import besides the city's contents.
@Suite("Importing a small town")
struct ImportTests {
    @Test("--stats says how long each step took, once each, and changes nothing else")
    func statistics() throws {
        let folder = try TemporaryFolder()
        let north = try SmallTown.write(feed: "north", in: folder)
        let out = folder.path("x.city")
        let plain = try Program.run("city", "import", "--gtfs", north, "--out", out)
        let before = try Data(contentsOf: URL(fileURLWithPath: out))
        let run = try Program.run("city", "import", "--gtfs", north, "--out", out, "--stats")
        #expect(run.code == 0)
        #expect(run.output == plain.output)
        #expect(plain.errors.isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == before)
        let steps = run.errorLines.map { $0.split(separator: ":").first.map(String.init) ?? "" }
        #expect(
            steps == [
                "reading north", "building the timetable", "indexing addresses",
                "drawing the map", "writing and checking the file",
            ]
        )
        #expect(run.errorLines.allSatisfy { $0.hasSuffix(" s") })
    }

    @Test("plan --stats says the same of one question as of many")
    func statisticsOfOneQuestion() throws {
        let folder = try TemporaryFolder()
        let run = try Program.run(
            "plan",
            "--city",
            try SmallTown.city(in: folder),
            "--from",
            "stop:B",
            "--to",
            "stop:C",
            "--depart",
            "2014-10-20T08:00",
            "--stats"
        )
        #expect(run.code == 0)
        #expect(run.errorLines.contains("queries 1"))
    }
}
