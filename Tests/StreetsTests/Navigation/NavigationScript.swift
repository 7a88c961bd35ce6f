import Foundation
import Testing

/// The navigation of the driver's page, `navigation.js`, in a process of node: what it says to
/// positions is what a driver hears.
final class NavigationScript {
    /// What the script makes of a position, or of time that passes.
    struct Told: Decodable {
        /// The number of the next step.
        var next: Int
        /// How far it is to that step, in metres.
        var rest: Double
        /// Whether the car is on the way, or has left it: `new`, `on`, `left`.
        var state: String
        /// What is said now.
        var say: [Announcement]
    }

    /// The announcement of a step.
    struct Announcement: Decodable {
        /// The number of the step.
        var step: Int
        /// 1 for far, 2 for near, 3 for now.
        var stage: Int
        /// How far it is, in metres.
        var rest: Double
        /// Whether the next step is announced with it.
        var then: Bool
    }

    /// A measured position, as a browser reports it.
    struct Fix: Encodable {
        var at: Double
        var latitude: Double
        var longitude: Double
        var accuracy: Double
        var speed: Double?
        var heading: Double?
    }

    /// The reason for skipping a test without node.
    static let advice: Comment = "node is not installed: apt-get install nodejs"
    /// Where node is; nil if it is not installed.
    static let node = ["/usr/bin/node", "/usr/local/bin/node"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var received: [UInt8] = []

    /// Starts the script.
    init() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let script = root.appendingPathComponent("Sources/Web/TaxiPages/Look/Files/navigation.js")
        process.executableURL = URL(fileURLWithPath: try #require(Self.node))
        process.arguments = [
            "-e",
            """
            require("vm").runInThisContext(require("fs").readFileSync(process.argv[1], "utf8"));
            let course;
            require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
              const { way, fix, at } = JSON.parse(line);
              let told = null;
              if (way) {
                course = new Course(way.points, way.steps, way.follows ? course : undefined);
              } else if (fix) told = course.report(fix);
              else told = course.pass(at);
              process.stdout.write(JSON.stringify(told) + "\\n");
            });
            """,
            script.path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private struct Step: Encodable {
        var point: Int
        var key: String
    }

    private struct Way: Encodable {
        var points: [[Double]]
        var steps: [Step]
        var follows: Bool
    }

    /// Gives it a way, of the same drive as the last one or of another.
    func take(points: [[Double]], steps: [(point: Int, key: String)], follows: Bool) throws {
        let steps = steps.map { Step(point: $0.point, key: $0.key) }
        _ = try ask(["way": Way(points: points, steps: steps, follows: follows)])
    }

    /// Reports a position.
    func report(_ fix: Fix) throws -> Told {
        try JSONDecoder().decode(Told.self, from: ask(["fix": fix]))
    }

    /// Lets time pass, to a moment in milliseconds.
    func pass(at moment: Double) throws -> Told {
        try JSONDecoder().decode(Told.self, from: ask(["at": moment]))
    }

    private func ask(_ message: [String: some Encodable]) throws -> Data {
        try input.fileHandleForWriting.write(
            contentsOf: try JSONEncoder().encode(message) + [UInt8(ascii: "\n")]
        )
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(received[..<end])
                received.removeSubrange(...end)
                return line
            }
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the script has ended")
            received += more
        }
    }
}
