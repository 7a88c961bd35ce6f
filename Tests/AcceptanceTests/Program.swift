import Foundation

/// The built program, run as a user runs it: arguments in, exit code and two texts out.
enum Program {
    /// What a run left behind.
    struct Run {
        let code: Int32
        let output: String
        let errors: String

        /// The lines of the output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
        /// The lines on standard error.
        var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    }

    /// The program that was built beside these tests.
    static let url: URL = {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        return folder.appendingPathComponent("viavai")
    }()

    /// Runs the program to its end, with both texts going to files as to a pipe.
    static func run(_ arguments: String...) throws -> Run {
        try run(arguments)
    }

    /// Runs the program to its end.
    static func run(_ arguments: [String]) throws -> Run {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.standardInput = FileHandle.nullDevice
        let output = try folder.handle("output")
        let errors = try folder.handle("errors")
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        try output.close()
        try errors.close()
        return Run(
            code: process.terminationStatus,
            output: try folder.text("output"),
            errors: try folder.text("errors")
        )
    }
}

/// A folder of its own, removed when it is let go.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("viavai-acceptance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in it.
    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// Writes a text to a file in it and returns the path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    /// Writes bytes to a file in it and returns the path.
    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: url.appendingPathComponent(name))
        return path(name)
    }

    /// The text of a file in it.
    func text(_ name: String) throws -> String {
        try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
    }

    /// The names of all files in it, in order.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    fileprivate func handle(_ name: String) throws -> FileHandle {
        try write("", to: name)
        return try FileHandle(forWritingTo: url.appendingPathComponent(name))
    }
}
