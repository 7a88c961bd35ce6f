import Foundation
import Testing

/// Issue 29, "Tests that can be skipped": both test commands end with the number of tests that
/// passed, failed and were skipped, and the reason for each skip (scripts/test-report).
@Suite("The report of a test run")
struct TestReportTests {
    /// One test of a module: its declaration and the events that follow.
    private static func test(_ name: String, _ events: String...) -> [String] {
        let id = "DemoTests.Suite/\(name)()/Suite.swift:1:1"
        let declaration = """
            {"kind":"test","payload":{"kind":"function","id":"\(id)","name":"\(name)()"}}
            """
        return [declaration]
            + events.map { event in
                let parts = event.split(separator: " ", maxSplits: 1).map(String.init)
                let more = parts.count > 1 ? "," + parts[1] : ""
                return """
                    {"kind":"event","payload":{"kind":"\(parts[0])","testID":"\(id)"\(more)}}
                    """
            }
    }

    private static let end = [#"{"kind":"event","payload":{"kind":"runEnded"}}"#]
    private static let passing = test("passing", "testStarted", "testEnded")
    private static let failing = test(
        "failing",
        "testStarted",
        #"issueRecorded "issue":{"isKnown":false}"#,
        #"issueRecorded "issue":{"isKnown":false}"#,
        "testEnded"
    )
    private static let known = test(
        "known",
        "testStarted",
        #"issueRecorded "issue":{"isKnown":true}"#,
        "testEnded"
    )

    private static func skipped(_ name: String, _ reason: String) -> [String] {
        test(name, #"testSkipped "_comments":["\#(reason)"]"#)
    }

    /// The report on a folder with these files, and the exit code.
    private static func report(
        of files: [String: String],
        _ options: [String] = [],
        environment: [String: String] = [:]
    ) throws -> (code: Int32, lines: [String]) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("viavai-report-\(UInt64.random(in: .min ... .max))")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        let process = Process()
        process.executableURL = Checkout.root.appendingPathComponent("scripts/test-report")
        process.arguments = options + [folder.path]
        process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
            .merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        return (process.terminationStatus, text.split(separator: "\n").map(String.init))
    }

    private static func stream(_ parts: [String]...) -> String {
        parts.joined().joined(separator: "\n") + "\n"
    }

    private static let pytest = """
        <testsuites><testsuite name="pytest">
        <testcase classname="test_map" name="test_a"/>
        <testcase classname="test_map" name="test_b"><failure message="no">no</failure></testcase>
        <testcase classname="test_map" name="test_c"/>
        <testcase classname="test_map" name="test_c"><error message="teardown">no</error></testcase>
        <testcase classname="test_text" name="test_d">
        <skipped type="pytest.skip" message="lynx is not installed: apt-get install lynx"/>
        </testcase></testsuite></testsuites>
        """

    @Test("the suites are counted together, each test once, and the last line is the count")
    func together() throws {
        let found = try Self.report(of: [
            "storage.jsonl": Self.stream(Self.passing, Self.failing, Self.known, Self.end),
            "debug/values.jsonl": Self.stream(Self.skipped("a", "real data is absent"), Self.end),
            "pages.xml": Self.pytest,
        ])
        #expect(found.lines.last == "3 passed, 3 failed, 2 skipped")
        #expect(found.code == 1)
        #expect(found.lines.contains("     1  real data is absent"))
        #expect(found.lines.contains("     1  lynx is not installed: apt-get install lynx"))
        for name in ["DemoTests.Suite: failing()", "test_map: test_b", "test_map: test_c"] {
            #expect(found.lines.contains("        " + name))
        }
    }

    @Test("where nothing fails the exit code is 0, and the reasons fit on one line")
    func line() throws {
        let skipped = Self.skipped("a", "real data is absent") + Self.skipped("b", "")
        let files = ["a.jsonl": Self.stream(Self.passing, skipped, Self.end)]
        let found = try Self.report(of: files, ["--line"])
        #expect(
            found.lines == [
                "1 passed, 0 failed, 2 skipped (1: no reason was given; 1: real data is absent)"
            ]
        )
        #expect(found.code == 0)
    }

    @Test("a case that is cancelled is skipped, while the other cases of its test pass")
    func cases() throws {
        let both = Self.test(
            "both",
            "testStarted",
            "testCaseEnded",
            #"testCaseCancelled "_comments":["PostgreSQL is not installed"]"#,
            "testCaseEnded",
            "testEnded"
        )
        let found = try Self.report(of: ["a.jsonl": Self.stream(both, Self.end)])
        #expect(found.lines.last == "1 passed, 0 failed, 1 skipped")
        #expect(found.lines.contains("     1  PostgreSQL is not installed"))
    }

    @Test("a run that is killed has failed, and so has the test in which it was killed")
    func killed() throws {
        let started = Self.test("endless", "testStarted")
        let found = try Self.report(of: [
            "a.jsonl": Self.stream(Self.passing, started) + #"{"kind":"eve"#,
            "b.xml": "",
        ])
        #expect(found.lines.last == "1 passed, 3 failed, 0 skipped")
        #expect(found.lines.contains("        DemoTests.Suite: endless() (did not end)"))
        #expect(found.lines.contains("        b: the run stopped before its end"))
    }

    @Test("under CI a missing tool fails the run; missing data never does")
    func strict() throws {
        let data = Self.skipped("a", "real data is absent: put it in ../shared/data")
        let mail = Self.skipped("b", "Python with aiosmtpd is absent: scripts/prepare-python")
        let zones = Self.skipped("z", "the package tzdata is absent")
        let files = [
            "a.jsonl": Self.stream(data, mail, zones, Self.end), "pages.xml": Self.pytest,
            "missing.tsv": "Playwright\tthe browser tests are skipped.\n",
        ]
        let lenient = try Self.report(of: files)
        #expect(lenient.lines.last == "1 passed, 2 failed, 5 skipped")
        let strict = try Self.report(of: files, environment: ["CI": "true"])
        #expect(strict.lines.last == "1 passed, 6 failed, 1 skipped")
        #expect(strict.code == 1)
        let dataOnly = ["a.jsonl": Self.stream(data, Self.end)]
        #expect(try Self.report(of: dataOnly, environment: ["CI": "true"]).code == 0)
    }
}
