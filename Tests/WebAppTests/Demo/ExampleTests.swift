import API
import Foundation
import Identity
import StorageTestSupport
import Synchronization
import TestClock
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

/// The programs on the page for developers, run as they are shown; issue 34, part one, 1.
@Suite("Examples for developers", .serialized)
struct ExampleTests {
    private static let from = "45.4630, 9.1480"
    private static let to = "45.4570, 9.1560"

    /// Where a tool is installed; nil if it is not.
    private static func path(of tool: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(tool)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// Skips the current test where a tool is not installed; if `CI` is set, it fails instead.
    private static func require(_ tool: String) throws -> String {
        if let path = path(of: tool) { return path }
        let isStrict = !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty
        if !isStrict { try Test.cancel("\(tool) is not installed") }
        return try #require(path(of: tool), "\(tool) is not installed")
    }

    /// Writes an example into a folder.
    private static func write(_ file: String, in folder: String) throws -> String {
        let example = try #require(ExampleProgram.all.first { $0.file == file })
        let path = "\(folder)/\(file)"
        try Data(example.bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// How long a second of the town takes: a program that starts and answers in as long as one of
    /// ours has tokens that last for minutes.
    private static let second = Duration.milliseconds(20)

    /// Runs a program while the taxis of a town drive, second by second.
    private static func run(
        _ tool: String,
        _ arguments: [String],
        _ variables: [String: String],
        in folder: String,
        of town: LivingTown
    ) async throws -> (code: Int32, text: String) {
        let output = "\(folder)/output"
        let child = try ChildProcess(tool, arguments, environment: variables, output: output)
        let ended = Mutex<Int32?>(nil)
        let thread = Thread {
            let code = child.wait(atMost: 300) ?? -1
            ended.withLock { $0 = code }
        }
        thread.start()
        while ended.withLock({ $0 }) == nil {
            try await town.live(seconds: 1)
            try await ContinuousClock().sleep(for: second)
        }
        let code = try #require(ended.withLock { $0 })
        return (code, try String(contentsOfFile: output, encoding: .utf8))
    }

    @Test("the program of forty lines plans, rides by taxi to the end, and adds an event (R107)")
    func trip() async throws {
        let python = try Self.require("python3")
        try await LivingTown.open(taxis: 6) { town in
            try await town.live(seconds: 40)
            let ana = try await town.site.person("ana")
            let app = try await ForeignClient.registered(at: town.site)
            let scopes: Set<Scope> = [.callTaxis, .readCity, .writeCalendar]
            let token = try await app.tokens(of: ana, scopes).access
            try await withTemporaryFolder { folder in
                let file = try Self.write("trip.py", in: folder)
                let source = try String(contentsOfFile: file, encoding: .utf8)
                #expect(source.count { $0 == "\n" } <= 40)
                let (code, text) = try await Self.run(
                    python,
                    [file, Self.from, Self.to],
                    ["VIAVAI_SERVER": town.site.base, "VIAVAI_TOKEN": token],
                    in: folder,
                    of: town
                )
                #expect(code == 0, "\(text)")
                #expect(text.contains("minutes. Taking a taxi."), "\(text)")
                #expect(text.contains("coming ") && text.contains("aboard "), "\(text)")
                #expect(text.contains("Arrived for "), "\(text)")
                let noted = try #require(text.firstMatch(of: /Noted: ([0-9-]+)T/), "\(text)")
                let page = try await ana.get("/calendar/day/\(noted.1)").text
                #expect(page.contains("Second visit"), "\(page)")
            }
        }
    }

    @Test(
        "the same in three languages calls a taxi for a guest and follows it to the end (R107)",
        arguments: ["taxi.sh", "taxi.mjs", "taxi.swift"]
    )
    func taxi(file: String) async throws {
        let tool = try Self.require(
            ["taxi.sh": "curl", "taxi.mjs": "node", "taxi.swift": "swiftc"][file] ?? ""
        )
        try await LivingTown.open(taxis: 6) { town in
            try await town.live(seconds: 40)
            let app = try await ForeignClient.registered(at: town.site, [.callTaxis])
            try await withTemporaryFolder { folder in
                let path = try Self.write(file, in: folder)
                let guest = [Self.from, Self.to, "+39 333 1234567"]
                var command = (tool: tool, arguments: [path] + guest)
                if file == "taxi.sh" { command.tool = "/bin/sh" }
                if file == "taxi.swift" {
                    let made = try ChildProcess(
                        tool,
                        [path, "-o", "\(folder)/taxi"],
                        output: "\(folder)/made"
                    ).wait()
                    let said = try String(contentsOfFile: "\(folder)/made", encoding: .utf8)
                    #expect(made == 0, "\(said)")
                    command = ("\(folder)/taxi", guest)
                }
                let ran = try await Self.run(
                    command.tool,
                    command.arguments,
                    ["VIAVAI_SERVER": town.site.base, "VIAVAI_KEY": app.key],
                    in: folder,
                    of: town
                )
                #expect(ran.code == 0, "\(ran.text)")
                let lines = ran.text.split(separator: "\n").map(String.init)
                #expect(lines.contains { $0.hasPrefix("coming") }, "\(ran.text)")
                #expect(lines.last?.hasPrefix("completed") == true, "\(ran.text)")
                let refused = try await Self.run(
                    command.tool,
                    command.arguments,
                    ["VIAVAI_SERVER": town.site.base, "VIAVAI_KEY": "wrong"],
                    in: folder,
                    of: town
                )
                #expect(refused.code != 0, "\(refused.text)")
            }
        }
    }

    @Test("the page shows each example as it is run, and offers it as a file (R106)")
    func shown() async throws {
        try await withSite(hasTaxis: false) { site in
            let visitor = site.visitor()
            let page = try await visitor.get("/developers").text
            for example in ExampleProgram.all {
                let file = try await visitor.get("/developers/examples/\(example.file)")
                #expect(
                    file.status == 200
                        && file.text == String(decoding: example.bytes, as: UTF8.self)
                )
                let lines = file.text.split(separator: "\n").filter {
                    !$0.contains { "<>&\"'".contains($0) }
                }
                #expect(!lines.isEmpty && lines.allSatisfy { page.contains($0) }, "\(example.file)")
            }
            #expect(try await visitor.get("/developers/examples/none.py").status == 404)
        }
    }
}
