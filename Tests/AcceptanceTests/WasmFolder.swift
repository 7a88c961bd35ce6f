import Foundation

/// A folder of its own in which `scripts/wasm` is run; removed when it is let go.
final class WasmFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("viavai-wasm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in it.
    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// Writes a text to a file in it.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url.appendingPathComponent(name))
    }

    /// What a run left behind.
    struct Run {
        let code: Int32
        let output: String
        let errors: String
    }

    /// Runs `scripts/wasm`, which compares with the program that was built beside these tests.
    func run(_ arguments: [String]) throws -> Run {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let built = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let process = Process()
        process.executableURL = root.appendingPathComponent("scripts/wasm")
        process.arguments = arguments
        process.currentDirectoryURL = url
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["VIAVAI": built.appendingPathComponent("viavai").path],
            uniquingKeysWith: { $1 }
        )
        try write("", to: "output")
        try write("", to: "errors")
        let output = try FileHandle(forWritingTo: url.appendingPathComponent("output"))
        let errors = try FileHandle(forWritingTo: url.appendingPathComponent("errors"))
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        try output.close()
        try errors.close()
        return Run(
            code: process.terminationStatus,
            output: try String(contentsOfFile: path("output"), encoding: .utf8),
            errors: try String(contentsOfFile: path("errors"), encoding: .utf8)
        )
    }
}
