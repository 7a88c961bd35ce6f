import Foundation
import TestSupport
import Testing

/// Issue 3, "What must be seen" 1 and 2: a simulated day, and queries on its log.
@Suite("The dispatcher on the command line")
struct DispatchTests {
    private let folder: TemporaryFolder
    private let zones: String

    init() throws {
        folder = try TemporaryFolder()
        zones = try folder.write(Self.geoJSON, to: "zones.geojson")
    }

    /// Nine squares of about 1.1 by 0.8 km.
    private static let geoJSON: String = {
        let features = (0..<9).map { index in
            let west = 9.0 + Double(index % 3) * 0.01
            let south = 45.0 + Double(index / 3) * 0.01
            let corners = [(0.0, 0.0), (0.01, 0), (0.01, 0.01), (0, 0.01), (0, 0)].map {
                "[\(west + $0), \(south + $1)]"
            }
            return """
                {"type": "Feature", "properties": {"name": "Zone \(index)", "code": "\(index)"},
                "geometry": {"type": "Polygon",
                "coordinates": [[\(corners.joined(separator: ","))]]}}
                """
        }
        return #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
    }()

    private func simulate(_ arguments: String...) throws -> Program.Run {
        try Program.run(["dispatch", "simulate", "--zones", zones] + arguments)
    }

    /// Simulates a day and returns its log and summary.
    private func day(_ policy: String = "viavai") throws -> (log: String, said: [String: Any]) {
        let log = folder.path("day.log")
        let run = try simulate("--taxis", "120", "--policy", policy, "--log", log, "--json")
        try #require(run.code == 0, "\(run.errors)")
        return (log, try object(run))
    }

    private func object(_ run: Program.Run) throws -> [String: Any] {
        let any = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        return try #require(any as? [String: Any])
    }

    @Test(
        "a day says all that was asked of it, and its sums are right",
        arguments: ["milano-a", "milano-b", "viavai"]
    )
    func summary(policy: String) throws {
        let (_, said) = try day(policy)
        func number(_ key: String) throws -> Int { try #require(said[key] as? Int, "\(key)") }
        let ends = ["served", "unserved", "cancelled", "noShow", "outsideCity", "pending"]
        #expect(try number("requests") == ends.map(number).reduce(0, +))
        // Scaled from 25,000 for 4,855 taxis.
        #expect(try number("requests") == 618)
        for key in ["overtakings", "doubleAssignments", "invariantViolations"] {
            #expect(try number(key) == 0)
        }
        #expect(try number("events") > 5_000)
        let waits = try #require(said["waitSeconds"] as? [String: Double])
        #expect(Set(waits.keys) == ["mean", "p50", "p95"])
        let shared = try #require(said["shared"] as? [String: Int])
        #expect(Set(shared.keys) == ["asked", "joined", "refused"])
        let gini = try #require(said["ridesPerDriverGini"] as? Double)
        #expect((0...1).contains(gini))
        #expect(said["overtakingsByRule"] is [String: Int])
        #expect((said["stateHash"] as? String)?.count == 16)
        #expect(said["offers"] is Int && said["offStreetDrives"] is Int)
    }

    @Test("how others dispatch is said in the same words", arguments: ["nearest", "batched"])
    func baselines(baseline: String) throws {
        let (_, ours) = try day()
        let run = try simulate("--taxis", "120", "--baseline", baseline, "--json")
        try #require(run.code == 0, "\(run.errors)")
        let theirs = try object(run)
        #expect(Set(theirs.keys) == Set(ours.keys))
        #expect(theirs["requests"] as? Int == ours["requests"] as? Int)
        let logged = try simulate("--baseline", baseline, "--log", folder.path("none.log"))
        #expect(logged.code == 2 && logged.errors.contains("--log"))
    }

    @Test("zones of any file are identified by a guess that is shown, or by a named property")
    func zoneId() throws {
        let text = Self.geoJSON.replacing("\"name\"", with: "\"Bezirk\"")
            .replacing("\"code\"", with: "\"KENN_NR\"")
        let foreign = try folder.write(text, to: "bezirke.geojson")
        let arguments = [
            "dispatch", "simulate", "--zones", foreign, "--taxis", "5", "--hours", "1",
        ]
        let guessed = try Program.run(arguments)
        #expect(guessed.code == 0)
        #expect(guessed.errors.contains("identified by the property \"KENN_NR\""))
        let named = try Program.run(arguments + ["--zone-id", "Bezirk"])
        #expect(named.code == 0 && !named.errors.contains("identified by"))
        let wrong = try Program.run(arguments + ["--zone-id", "Nummer"])
        #expect(wrong.code == 2 && wrong.errors.contains("the file has Bezirk, KENN_NR"))
    }

    @Test("so many people call as are asked for, and the day is the same for the same seed")
    func requests() throws {
        let first = try simulate("--taxis", "50", "--requests", "777", "--json")
        #expect(try object(first)["requests"] as? Int == 777)
        let again = try simulate("--taxis", "50", "--requests", "777", "--json")
        #expect(first.output == again.output)
        let other = try simulate("--taxis", "50", "--requests", "777", "--json", "--seed", "2")
        #expect(first.output != other.output)
    }

    @Test("a log is replayed to the state that was said, in any process (I22, F23)")
    func replay() throws {
        let (log, said) = try day()
        for seed in ["0", "1"] {
            let run = try Program.run(
                ["dispatch", "replay", log, "--json"],
                environment: ["SWIFT_DETERMINISTIC_HASHING": seed]
            )
            let replayed = try object(run)
            #expect(run.code == 0 && run.errors.isEmpty)
            #expect(replayed["stateHash"] as? String == said["stateHash"] as? String)
            #expect(replayed["events"] as? Int == said["events"] as? Int)
        }
        let text = try Program.run("dispatch", "replay", log)
        #expect(text.lines.count == 1 && text.output.contains("both as told and as decided anew"))
    }

    @Test("a log tells who was asked and why, and why not me")
    func explain() throws {
        let (log, _) = try day()
        let story = try Program.run("dispatch", "explain", log, "--request", "5")
        #expect(story.code == 0)
        #expect(story.output.contains("1st in the queue"))
        let answer = try Program.run(
            "dispatch",
            "explain",
            log,
            "--request",
            "5",
            "--taxi",
            "T0001"
        )
        #expect(answer.code == 0 && answer.output.contains("T0001"))
        let none = try Program.run("dispatch", "explain", log, "--request", "999999")
        #expect(none.code == 1 && none.errorLines.count == 1)
        let nobody = try Program.run(
            "dispatch",
            "explain",
            log,
            "--request",
            "5",
            "--taxi",
            "X"
        )
        #expect(nobody.code == 2 && nobody.errors.contains("no taxi of that code"))
    }

    @Test("the same policy gives the same log again, another one other figures")
    func whatIf() throws {
        let (log, said) = try day("milano-a")
        let same = try object(
            try Program.run("dispatch", "whatif", log, "--policy", "milano-a", "--json")
        )
        #expect(same["isSame"] as? Bool == true)
        #expect(same["stateHash"] as? String == said["stateHash"] as? String)
        let out = folder.path("other.log")
        let other = try object(
            try Program.run(
                "dispatch",
                "whatif",
                log,
                "--policy",
                "milano-b",
                "--out",
                out,
                "--json"
            )
        )
        #expect(other["isSame"] as? Bool == false)
        let replayed = try Program.run("dispatch", "replay", out, "--json")
        #expect(try object(replayed)["stateHash"] as? String == other["stateHash"] as? String)
    }

    @Test("what is wrong with a log, a policy or an option is said in one line")
    func failures() throws {
        let (log, _) = try day()
        func refuse(_ arguments: [String], _ texts: String...) throws {
            let run = try Program.run(["dispatch"] + arguments)
            #expect(run.code == 2, "\(arguments)")
            #expect(run.output.isEmpty && run.errorLines.count == 1, "\(run.errors)")
            for text in texts { #expect(run.errors.contains(text), "\(run.errors)") }
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: log))
        let torn = folder.path("torn.log")
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: torn))
        bytes[bytes.count / 2] ^= 1
        let changed = folder.path("changed.log")
        try bytes.write(to: URL(fileURLWithPath: changed))
        let wrong = try folder.write("offer.timeout_s: soon\n", to: "wrong.yaml")
        let unknown = try folder.write("offer.timeout: 60\n", to: "unknown.yaml")
        for (path, text) in [
            ("nowhere.log", "no such file"), (torn, "ends in the middle"),
            (changed, "is not what was written"), (zones, "no dispatch log"),
        ] {
            try refuse(["replay", path], path, text)
            try refuse(["explain", path, "--request", "1"], path, text)
            try refuse(["whatif", path, "--policy", "viavai"], path, text)
        }
        for (policy, text) in [
            ("milano-c", "milano-a, milano-b, viavai"), (wrong, "offer.timeout_s"),
            (unknown, "offer.timeout"),
        ] {
            try refuse(["whatif", log, "--policy", policy], policy, text)
            try refuse(["simulate", "--zones", zones, "--policy", policy], policy, text)
        }
        try refuse(["simulate", "--zones", "nowhere.geojson"], "nowhere.geojson", "no such file")
        try refuse(["simulate", "--zones", zones, "--taxis", "0"], "--taxis 0", "1 to 100000")
        try refuse(["simulate", "--zones", zones, "--requests=-1"], "--requests -1")
    }
}
