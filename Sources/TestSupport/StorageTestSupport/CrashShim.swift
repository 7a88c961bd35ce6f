import Foundation
import TestSupport

/// The preloaded library that makes the nth system call of a program fail, built for a test.
package struct CrashShim: Sendable {
    /// The ways in which a call fails.
    package enum Fault: String, CaseIterable, Sendable {
        /// SIGKILL before the call is made.
        case kill
        /// SIGKILL after the call is made.
        case killafter
        /// SIGKILL after half of the data is written.
        case short
        /// ENOSPC at this call and every later one.
        case ENOSPC
        /// EIO at this call and every later one.
        case EIO
        /// EIO at this call only.
        case once
        /// The connection is reset.
        case reset

        /// Whether the fault kills the program.
        package var isDeath: Bool {
            switch self {
            case .kill, .killafter, .short: true
            case .ENOSPC, .EIO, .once, .reset: false
            }
        }

        /// The faults that apply to an engine: those of a disk, or those of a connection.
        package static func of(_ engine: TestEngine) -> [Fault] {
            switch engine {
            case .sqlite: [.kill, .killafter, .short, .ENOSPC, .EIO, .once]
            case .postgres: [.kill, .killafter, .short, .reset]
            }
        }
    }

    /// A fault at a specific call.
    package struct Trial: Sendable, CustomStringConvertible {
        /// The fault to inject.
        package let fault: Fault
        /// The number of the call at which it occurs, from 1.
        package let call: Int

        /// The fault and the call, for test messages.
        package var description: String { "\(fault) at call \(call)" }
    }

    /// The path of the library.
    package let path: String

    /// Compiles the library into a folder.
    ///
    /// - Parameter folder: the output folder.
    /// - Throws: `PostgresCluster.Failure.failed` with the output of the compiler.
    package init(in folder: String) async throws {
        let source = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Tests/CrashShim/CrashShim.c").path
        let path = folder + "/shim.so"
        let arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"]
        let code = try await onThread {
            try ChildProcess("/usr/bin/env", arguments, output: folder + "/clang").wait()
        }
        guard code == 0 else {
            let text = try String(contentsOfFile: folder + "/clang", encoding: .utf8)
            throw PostgresCluster.Failure.failed(command: "clang", output: text)
        }
        self.path = path
    }

    /// The variables that make a program count its calls to an engine.
    ///
    /// - Parameters:
    ///   - engine: the files of SQLite, or the connection to PostgreSQL.
    ///   - more: further variables of the shim.
    /// - Returns: the environment variables.
    package func environment(
        on engine: TestEngine,
        _ more: [String: String] = [:]
    ) -> [String: String] {
        let counted =
            switch engine {
            case .sqlite:
                [
                    "CRASH_CALLS": "write,pwrite,writev,pwritev,fsync,fdatasync,rename",
                    "CRASH_PATH": ".sqlite",
                ]
            case .postgres: ["CRASH_CALLS": "send,recv", "CRASH_PATH": "socket:"]
            }
        return counted.merging(more) { $1 }.merging(["LD_PRELOAD": path]) { $1 }
    }

    /// The variables that inject a fault into a program.
    package func environment(on engine: TestEngine, _ trial: Trial) -> [String: String] {
        environment(on: engine, ["CRASH_AT": "\(trial.call)", "CRASH_HOW": trial.fault.rawValue])
    }

    /// Trials at every call, or at an even selection of calls; the faults alternate.
    ///
    /// One fault at every call of a run takes long; every fault at every call
    /// takes most of an hour.
    ///
    /// - Parameters:
    ///   - faults: the faults to use.
    ///   - calls: how many calls a run makes.
    ///   - limit: about how many trials, evenly spread over the run; nil for one at every call.
    /// - Returns: the trials.
    package static func trials(of faults: [Fault], calls: Int, limit: Int?) -> [Trial] {
        let step = limit.map { max(1, calls / $0) } ?? 1
        return stride(from: 0, to: calls, by: step).enumerated().map { turn, call in
            Trial(fault: faults[turn % faults.count], call: call + 1)
        }
    }

    /// How many calls a program counted that ended normally.
    package static func count(in file: String) throws -> Int {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }
}

/// Runs a function for each item, several at a time.
///
/// - Parameters:
///   - items: the items.
///   - width: how many run at a time.
///   - body: the function to run.
/// - Throws: the first error that `body` throws.
package func forEach<Item: Sendable>(
    _ items: [Item],
    atOnce width: Int,
    _ body: @escaping @Sendable (Item) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        var rest = items.makeIterator()
        for _ in 0..<width {
            if let item = rest.next() { group.addTask { try await body(item) } }
        }
        while try await group.next() != nil {
            if let item = rest.next() { group.addTask { try await body(item) } }
        }
    }
}

/// The path of a program that is built beside the tests.
///
/// - Throws: `ChildFailure.notStarted` where it does not exist.
package func builtProgram(_ name: String) throws(ChildFailure) -> String {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0])
    let places = [bundle.deletingLastPathComponent(), Bundle.main.bundleURL]
    let found = places.map { $0.appendingPathComponent(name).path }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else { throw .notStarted(path: name, code: ENOENT) }
    return found
}
