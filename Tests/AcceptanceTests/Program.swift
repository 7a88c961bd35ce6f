import Foundation
import TestSupport

/// Runs the built program as a user does: arguments in, exit code and two outputs out.
enum Program {
    /// The result of a run.
    struct Run {
        let code: Int32
        let output: String
        let errors: String

        /// The lines of the output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
        /// The lines on standard error.
        var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    }

    /// The program built together with these tests.
    static let url: URL = {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        return folder.appendingPathComponent("viavai")
    }()

    /// Runs the program to its end, with both outputs redirected to files.
    static func run(_ arguments: String...) throws -> Run {
        try run(arguments)
    }

    /// Runs a program to its end: in a given folder or a new one, with additional environment
    /// variables, and with an action while it runs.
    static func run(
        _ arguments: [String],
        of program: URL = url,
        in folder: TemporaryFolder? = nil,
        environment: [String: String] = [:],
        meanwhile: (Process) throws -> Void = { _ in }
    ) throws -> Run {
        let texts = try TemporaryFolder()
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = (folder ?? texts).url
        process.environment = ProcessInfo.processInfo.environment
            .merging(environment, uniquingKeysWith: { $1 })
        process.standardInput = FileHandle.nullDevice
        let output = try texts.handle("output")
        let errors = try texts.handle("errors")
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        defer { process.waitUntilExit() }
        try meanwhile(process)
        process.waitUntilExit()
        try output.close()
        try errors.close()
        return Run(
            code: process.terminationStatus,
            output: try texts.text("output"),
            errors: try texts.text("errors")
        )
    }
}
