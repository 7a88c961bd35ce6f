package import AsyncHTTPClient
import Foundation
import StorageTestSupport
import TestSupport
import WebCore

/// The program itself, run in a folder of its own as an operator runs it.
package struct ServedProgram: Sendable {
    /// Why a program cannot be used.
    package enum Failure: Error {
        /// It ended, or said nothing in time; with what it said.
        case notReady(String)
    }

    private let child: ChildProcess
    private let output: String
    /// The address that it printed when it was ready: `https://127.0.0.1:12345`.
    package let base: String

    /// Starts `viavai serve` and waits until it is ready.
    ///
    /// - Parameters:
    ///   - folder: where it keeps all its files.
    ///   - settings: by the names of environment variables without `VIAVAI_`.
    ///   - config: a file of further settings.
    ///   - openFiles: its limits on open files at startup; nil for the test's own.
    /// - Throws: ``Failure``.
    package init(
        in folder: String,
        _ settings: [String: String] = [:],
        config: String? = nil,
        openFiles: (soft: Int, hard: Int)? = nil
    ) async throws {
        output = "\(folder)/output-\(UInt32.random(in: .min ... .max))"
        let program = try builtProgram("viavai")
        let arguments = ["serve"] + (config.map { ["--config", $0] } ?? [])
        let limiting = openFiles.map { "ulimit -Sn \($0.soft) && ulimit -Hn \($0.hard) && " }
        child = try ChildProcess(
            limiting == nil ? program : "/bin/sh",
            limiting.map { ["-c", $0 + "exec \"$0\" \"$@\"", program] + arguments } ?? arguments,
            environment: Self.environment(in: folder, settings),
            output: output
        )
        let (child, output) = (child, output)
        base = try await onThread {
            try Self.wait(for: /Serving .* at (https?:\/\/[^ ,]+),/, of: child, in: output)
        }
    }

    /// Starts `viavai demo` and waits until its city is running.
    ///
    /// - Parameters:
    ///   - folder: where the city is created and kept.
    ///   - options: further command-line options.
    /// - Throws: ``Failure``.
    package init(ofDemoIn folder: String, _ options: [String]) async throws {
        output = "\(folder)/output"
        child = try ChildProcess(
            try builtProgram("viavai"),
            ["demo", "--folder", "\(folder)/demo"] + options,
            output: output
        )
        let (child, output) = (child, output)
        base = try await onThread {
            let alive = /passengers call them\.\s+(http:\/\/\S+)/
            return try Self.wait(for: alive, of: child, in: output, atMost: 120)
        }
    }

    /// The environment variables for an installation in a folder.
    package static func environment(
        in folder: String,
        _ settings: [String: String] = [:]
    ) -> [String: String] {
        var all = [
            "DATABASE": "sqlite:\(folder)/city.sqlite",
            "KEYS_DATABASE": "sqlite:\(folder)/keys.sqlite",
            "KEYS_SECRET": "\(folder)/secret", "BACKUPS_FOLDER": "\(folder)/backups",
            "BACKUPS_KEYS_FOLDER": "\(folder)/backups-keys", "LISTEN": "127.0.0.1:0",
        ]
        all.merge(settings) { $1 }
        return Dictionary(uniqueKeysWithValues: all.map { ("VIAVAI_" + $0.key, $0.value) })
    }

    /// Runs a command of the program until it exits.
    ///
    /// - Returns: its exit code and output.
    package static func run(
        _ arguments: [String],
        in folder: String,
        _ settings: [String: String] = [:],
        more: [String: String] = [:]
    ) async throws -> (code: Int32, text: String) {
        let output = "\(folder)/output-\(UInt32.random(in: .min ... .max))"
        let program = try builtProgram("viavai")
        let variables = environment(in: folder, settings).merging(more) { $1 }
        let code = try await onThread {
            try ChildProcess(program, arguments, environment: variables, output: output).wait()
        }
        return (code, try String(contentsOfFile: output, encoding: .utf8))
    }

    /// Runs the body with a visitor that has a browser of its own.
    package func withVisitor(
        _ configuration: HTTPClient.Configuration = HTTPClient.Configuration(),
        _ body: (Visitor) async throws -> Void
    ) async throws {
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        let client = HTTPClient(configuration: configuration)
        do {
            try await body(Visitor(base, client: client))
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }

    /// The port on which it listens.
    package var port: Int { URL(string: base)?.port ?? 0 }

    /// Its output so far, including the log.
    package var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// Sends a signal to the process.
    package func signal(_ number: Int32) { kill(child.pid, number) }

    /// Waits until the output contains a text.
    @discardableResult
    package func said(_ pattern: Regex<(Substring, Substring)>) async throws -> String {
        nonisolated(unsafe) let pattern = pattern
        let (child, output) = (child, output)
        return try await onThread { try Self.wait(for: pattern, of: child, in: output) }
    }

    /// Asks the program to stop and waits until it has.
    ///
    /// - Returns: its exit code; nil if it had to be killed.
    package func end() async throws -> Int32? {
        kill(child.pid, SIGTERM)
        return try await ended()
    }

    /// Waits until the program has ended.
    package func ended() async throws -> Int32? {
        let child = child
        return try await onThread { child.wait(atMost: 30) }
    }

    private static func wait(
        for pattern: Regex<(Substring, Substring)>,
        of child: ChildProcess,
        in output: String,
        atMost seconds: Int = 30
    ) throws -> String {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            if let match = text.firstMatch(of: pattern) { return String(match.1) }
            var status = siginfo_t()
            let code = waitid(P_PID, id_t(child.pid), &status, WEXITED | WNOHANG | WNOWAIT)
            if code == 0, status.si_signo == SIGCHLD { throw Failure.notReady(text) }
            usleep(5_000)
        }
        kill(child.pid, SIGKILL)
        throw Failure.notReady((try? String(contentsOfFile: output, encoding: .utf8)) ?? "")
    }
}
