import Foundation
import TestSupport
import Testing

/// `design.md`, "Commands": an error is one clear line, exit codes are 0 to 3; issue 2, "How sure":
/// never a half-written city file.
@Suite("What goes wrong is said in one line")
struct FailureTests {
    private let folder: TemporaryFolder
    private let target: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        target = try TemporaryFolder()
    }

    /// Expects an import to be refused with a line that contains the texts, and to write nothing.
    private func refuse(
        _ arguments: [String],
        _ texts: String...,
        place: SourceLocation = #_sourceLocation
    ) throws {
        let run = try Program.run(
            ["city", "import", "--out", target.path("x.city")] + arguments
        )
        #expect(run.code == 2, sourceLocation: place)
        #expect(run.output.isEmpty, sourceLocation: place)
        #expect(run.errorLines.count == 1, "\(run.errors)", sourceLocation: place)
        #expect(run.errors.hasPrefix("viavai: "), sourceLocation: place)
        for text in texts {
            #expect(run.errors.contains(text), "\(run.errors)", sourceLocation: place)
        }
        #expect(try target.names().isEmpty, sourceLocation: place)
    }

    @Test("an unknown file, a broken archive and a missing file of a feed are named")
    func feeds() throws {
        try refuse(["--gtfs", "nowhere.zip"], "nowhere.zip: cannot be read")
        let broken = try folder.write("PK\u{3}\u{4} and no more", to: "broken.zip")
        try refuse(["--gtfs", broken], broken, "not a zip archive")
        let north = try SmallTown.write(
            feed: "north",
            in: folder,
            replacing: ["stop_times.txt": nil]
        )
        try refuse(["--gtfs", north], "north: stop_times.txt is missing")
    }

    @Test("a missing column and an unknown time zone are named with file and field")
    func columns() throws {
        let north = try SmallTown.write(
            feed: "north",
            in: folder,
            replacing: ["trips.txt": "trip_id,service_id\nfirst,daily"]
        )
        try refuse(["--gtfs", north], "north: trips.txt: line 1: the column route_id is missing")
        let lost = try SmallTown.write(
            feed: "lost",
            in: folder,
            replacing: [
                "agency.txt": "agency_name,agency_url,agency_timezone\nL,http://l.example,Mars/Base"
            ]
        )
        try refuse(["--gtfs", lost], "lost: agency.txt: agency_timezone: \"Mars/Base\"")
    }

    @Test(
        "a truncated map is refused",
        .enabled(if: RealData.has("newport/newport.osm.pbf"), RealData.advice)
    )
    func truncatedMap() throws {
        let whole = try Data(contentsOf: RealData.url("newport/newport.osm.pbf"))
        for share in [0, 1, 10, whole.count / 2, whole.count - 1] {
            let path = try folder.write(whole.prefix(share), to: "cut.osm.pbf")
            try refuse(["--osm", path], "cut.osm.pbf")
        }
        let text = try folder.write("This is no map.", to: "text.osm.pbf")
        try refuse(["--osm", text], "text.osm.pbf")
    }

    @Test("nothing to import, two feeds of one name and a wrong shift are bad usage")
    func usage() throws {
        try refuse([], "nothing to import")
        let north = try SmallTown.write(feed: "north", in: folder)
        try refuse(["--gtfs", north, north], "two feeds are called north")
        try refuse(["--gtfs", north + "@+9999w"], "@+9999w")
    }

    @Test("a place that cannot be written to is the environment's failure, exit code 3")
    func unwritable() throws {
        let north = try SmallTown.write(feed: "north", in: folder)
        let out = target.path("no/such/folder/x.city")
        let run = try Program.run("city", "import", "--gtfs", north, "--out", out)
        #expect(run.code == 3)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.contains(out))
        #expect(try target.names().isEmpty)
    }

    @Test("a place that cannot be written to is refused before anything is read")
    func placeIsCheckedFirst() throws {
        let outs: [(String, Int32, String)] = [
            (target.path("no/such/folder/x.city"), 3, "there is no folder"),
            ("/proc/x.city", 3, "cannot be written"), (target.url.path, 2, "is no file"),
            (target.path("new") + "/", 2, "is no file"),
        ]
        for (out, code, text) in outs {
            let run = try Program.run("city", "import", "--gtfs", "nowhere.zip", "--out", out)
            #expect(run.code == code, "\(run.errors)")
            #expect(run.errorLines.count == 1)
            #expect(run.errors.contains(out) && run.errors.contains(text), "\(run.errors)")
        }
        #expect(try target.names().isEmpty)
    }

    /// Returns the number of bytes written to the target so far.
    private func writtenBytes() -> Int {
        let names = (try? target.names()) ?? []
        return names.reduce(0) { sum, name in
            let values = try? FileManager.default.attributesOfItem(atPath: target.path(name))
            return sum + (values?[.size] as? Int ?? 0)
        }
    }

    @Test("who ends the program while it writes finds no file but a whole one")
    func interruption() throws {
        // A large fare file is copied verbatim: much to write, and little to do before.
        let fares = "fare_id,price\n" + String(repeating: "x", count: 60_000_000)
        let north = try SmallTown.write(
            feed: "north",
            in: folder,
            replacing: ["fare_attributes.txt": fares]
        )
        for signal in [SIGTERM, SIGINT] {
            let out = target.path("x.city")
            let run = try Program.run(["city", "import", "--gtfs", north, "--out", out]) {
                process in
                // Until a part, or all of it, is written.
                while process.isRunning, writtenBytes() < 1 << 20 {}
                kill(process.processIdentifier, signal)
            }
            let left = try target.names()
            #expect(left.isEmpty || left == ["x.city"], "\(left)")
            #expect(run.code == signal || run.code == 0)
            if left == ["x.city"] {
                #expect(try Program.run("city", "info", out, "--verify").code == 0)
                try FileManager.default.removeItem(atPath: out)
            }
        }
    }

    @Test("what was repaired is said also where the import fails, and comes before the error")
    func repairsOfFailures() throws {
        let north = try SmallTown.write(
            feed: "north",
            in: folder,
            replacing: [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nA,Alba,45,9\nA,Again,45,9",
                "stop_times.txt":
                    "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n"
                    + "nobody,A,1,08:00:00,08:00:00",
            ]
        )
        let out = target.path("x.city")
        let run = try Program.run("city", "import", "--gtfs", north, "--out", out)
        #expect(run.code == 2)
        #expect(run.errorLines.first == "Repaired in north:")
        #expect(run.errors.contains("stops.txt: stop_id: identifier used before"))
        #expect(run.errorLines.last?.hasPrefix("viavai: north: stop_times.txt ") == true)
        #expect(try target.names().isEmpty)
    }

    @Test("of very many kinds of repair the first are named and the rest counted")
    func manyRepairs() throws {
        let width = 60
        let names = (0..<width).map { "note\($0)" }.joined(separator: ",")
        let header = "stop_id,stop_name,stop_lat,stop_lon,\(names)\n"
        // Each row has an unclosed quote in another column.
        let rows = (0..<width).map { row in
            let notes = (0..<width).map { $0 == row ? "\"open" : "" }.joined(separator: ",")
            return "S\(row),Stop,45.0,9.0,\(notes)\n"
        }
        let north = try SmallTown.write(
            feed: "north",
            in: folder,
            replacing: ["stops.txt": header + rows.joined(), "stop_times.txt": "trip_id,stop_id\n"]
        )
        let out = target.path("x.city")
        let run = try Program.run("city", "import", "--gtfs", north, "--out", out)
        #expect(run.code == 2)
        try #require(run.errorLines.count == 43, "\(run.errors)")
        #expect(run.errorLines[41] == "  and 20 more repairs, of 20 other kinds")
    }

    @Test("a city file stays as it was when an import over it fails")
    func oldFileStays() throws {
        let north = try SmallTown.write(feed: "north", in: folder)
        let out = target.path("x.city")
        #expect(try Program.run("city", "import", "--gtfs", north, "--out", out).code == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: out))
        let run = try Program.run("city", "import", "--gtfs", "nowhere.zip", "--out", out)
        #expect(run.code == 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == before)
        #expect(try target.names() == ["x.city"])
    }

    @Test("files that are no city, or half of one, are refused when asked")
    func cityFiles() throws {
        let city = try SmallTown.city(in: folder)
        let whole = try Data(contentsOf: URL(fileURLWithPath: city))
        let half = try target.write(whole.prefix(whole.count / 2), to: "half.city")
        let empty = try target.write("", to: "empty.city")
        let text = try target.write(String(repeating: "no city ", count: 99), to: "text.city")
        for path in [half, empty, text, target.path("nowhere.city"), folder.url.path] {
            for arguments in [
                ["city", "info", path],
                ["plan", "--city", path, "--from", "stop:B", "--to", "stop:C"],
            ] {
                let run = try Program.run(arguments)
                #expect(run.code == 2, "\(arguments)")
                #expect(run.output.isEmpty)
                #expect(run.errorLines.count == 1, "\(run.errors)")
                #expect(run.errors.contains(path))
            }
        }
    }

    @Test("exit codes: 0 with an answer, 1 without, 2 for what cannot be understood")
    func exitCodes() throws {
        let city = try SmallTown.city(in: folder)
        func plan(_ arguments: String...) throws -> Program.Run {
            try Program.run(["plan", "--city", city] + arguments)
        }
        let answered = try plan(
            "--from",
            "stop:B",
            "--to",
            "stop:C",
            "--depart",
            "2014-10-20T08:00"
        )
        #expect(answered.code == 0)
        #expect(answered.errors.isEmpty)
        let none = try plan("--from", "stop:C", "--to", "stop:B", "--depart", "2014-10-20T08:00")
        #expect(none.code == 1)
        #expect(none.output.isEmpty)
        #expect(none.errorLines.count == 1)
        for wrong in [
            ["--from", "stop:B"], ["--from", "stop:B", "--to", "Atlantis"],
            ["--from", "stop:B", "--to", "stop:C", "--depart", "soon"],
            ["--from", "stop:B", "--to", "stop:C", "--modes", "rocket"],
            ["--from", "stop:B", "--to", "stop:C", "--max-transfers", "-1"],
            ["--from", "stop:B", "--to", "stop:C", "--max-transfers", "99"],
            ["--from", "stop:B", "--to", "stop:C", "--window", "soon"],
            [
                "--from", "stop:B", "--to", "stop:C", "--depart", "2014-10-20T08:00",
                "--arrive-by", "2014-10-20T09:00",
            ],
            [
                "--from", "stop:B", "--to", "stop:C", "--arrive-by", "2014-10-20T09:00",
                "--window", "60m",
            ],
        ] {
            let run = try Program.run(["plan", "--city", city] + wrong)
            #expect(run.code == 2, "\(wrong)")
            #expect(run.output.isEmpty, "\(wrong)")
            #expect(!run.errors.isEmpty, "\(wrong)")
        }
        #expect(try Program.run("fly").code == 2)
    }

    @Test("help is an answer, for every command")
    func help() throws {
        for command in [[], ["city"], ["city", "import"], ["city", "info"], ["plan"], ["demo"]] {
            let run = try Program.run(command + ["--help"])
            #expect(run.code == 0)
            #expect(run.output.contains("USAGE: viavai"))
            #expect(run.errors.isEmpty)
        }
    }
}
