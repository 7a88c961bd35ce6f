import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A PostgreSQL 15 cluster for the test run.
///
/// It lives in a temporary folder and listens on a free loopback port. A shell that waits for the
/// end of this process stops it and removes the folder, however the process ends.
package final class PostgresCluster: Sendable {
    /// Why there is no cluster.
    package enum Failure: Error {
        /// The server binaries are missing: `apt-get install postgresql-15`.
        case notInstalled
        /// A command failed; `output` is what it printed.
        case failed(command: String, output: String)
    }

    private let binaries: URL
    private let folder: URL
    private let port: Int
    /// Additional environment variables of the server: a preloaded library, for instance.
    private let environment: [String: String]
    /// The writing end of a pipe: the guardian waits while it is open.
    ///
    /// No other program inherits it.
    private let leash: Int32

    /// Creates and starts a cluster.
    ///
    /// - Parameters:
    ///   - environment: variables of the server, from its first start on.
    ///   - folder: an empty folder for it; nil to create one. It is removed at the end.
    /// - Throws: `Failure`.
    package init(environment: [String: String] = [:], in folder: String? = nil) throws {
        self.environment = environment
        binaries = try Self.findBinaries()
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("viavai-postgres-\(UInt64.random(in: .min ... .max))")
        self.folder = folder.map { URL(fileURLWithPath: $0) } ?? place
        port = try Self.freePort()
        try FileManager.default.createDirectory(
            at: self.folder,
            withIntermediateDirectories: true
        )
        leash = try Self.startGuardian(of: self.folder)
        if getuid() == 0 { _ = try Self.run("/bin/chown", ["postgres", self.folder.path]) }
        _ = try command(
            "initdb",
            [
                "--pgdata", data, "--username", "viavai", "--auth", "trust", "--encoding", "UTF8",
                "--locale", "C", "--no-sync",
            ]
        )
        try start()
    }

    deinit {
        close(leash)
    }

    /// The folder with the files of the cluster.
    package var data: String { folder.path + "/data" }

    /// The address of a database of the cluster.
    package func address(of database: String) -> String {
        "postgres://viavai@127.0.0.1:\(port)/\(database)"
    }

    /// Creates an empty database.
    package func makeDatabase(_ name: String) throws {
        let server = ["--host", "127.0.0.1", "--port", "\(port)", "--username", "viavai"]
        _ = try command("createdb", server + ["--template", "template0", name])
    }

    /// Removes a database, even if it is still in use.
    package func dropDatabase(_ name: String) throws {
        let server = ["--host", "127.0.0.1", "--port", "\(port)", "--username", "viavai"]
        _ = try command("dropdb", server + ["--force", name])
    }

    /// Starts the server and waits until it answers.
    package func start() throws {
        let settings = [
            "port=\(port)", "listen_addresses=127.0.0.1", "unix_socket_directories=",
            "max_connections=200", "shared_buffers=64MB", "fsync=on", "synchronous_commit=on",
            "checkpoint_timeout=1h", "max_wal_size=4GB", "log_min_messages=panic",
        ]
        let options = settings.map { "-c '\($0)'" }.joined(separator: " ")
        _ = try command(
            "pg_ctl",
            ["start", "--wait", "--pgdata", data, "--log", folder.path + "/log", "-o", options],
            environment: environment
        )
    }

    /// Kills the server as a crash of the machine would, and waits until all
    /// its processes are gone.
    package func kill() throws {
        // The child processes would notice and exit by themselves, but only after finishing their
        // work.
        for process in try signal(SIGKILL) {
            while Glibc.kill(process, 0) == 0 { sched_yield() }
        }
    }

    /// Freezes the server until `thaw`: it accepts connections and answers nothing.
    package func freeze() throws {
        try signal(SIGSTOP)
    }

    /// Lets a frozen server continue.
    package func thaw() throws {
        try signal(SIGCONT)
    }

    /// Sends a signal to all processes of the server.
    ///
    /// - Returns: the processes.
    @discardableResult
    private func signal(_ number: Int32) throws -> [Int32] {
        guard let pid = postmaster else {
            throw Failure.failed(command: "kill", output: "the server does not run")
        }
        let processes = [pid] + Self.children(of: pid)
        for process in processes { _ = Glibc.kill(process, number) }
        return processes
    }

    /// Whether the server runs.
    package var isRunning: Bool {
        guard let pid = postmaster,
            let state = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        else { return false }
        // A dead process may stay in the process list for a while.
        return !state.contains(") Z ")
    }

    /// Restarts a server that was killed, as soon as its last process has ended.
    ///
    /// - Throws: `Failure` where it cannot be started.
    package func startAgain() throws {
        for attempt in 1... {
            while isRunning { usleep(10_000) }
            do {
                return try start()
            } catch {
                // A process of the old server that has not exited yet keeps its shared memory.
                guard attempt < Self.startAttempts else { throw error }
                usleep(200_000)
            }
        }
    }

    private static let startAttempts = 25

    private var postmaster: Int32? {
        let file = try? String(contentsOfFile: data + "/postmaster.pid", encoding: .utf8)
        return file?.split(separator: "\n").first.flatMap { Int32($0) }
    }

    private func command(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws -> String {
        let path = binaries.appendingPathComponent(name).path
        // The server refuses to run as root.
        return getuid() == 0
            ? try Self.run(
                "/usr/sbin/runuser",
                ["-u", "postgres", "--", path] + arguments,
                environment: environment
            )
            : try Self.run(path, arguments, environment: environment)
    }

    /// Starts the shell that cleans up.
    ///
    /// - Returns: the end of the pipe that keeps it waiting.
    private static func startGuardian(of folder: URL) throws -> Int32 {
        let script = """
            trap '' INT TERM HUP QUIT
            cat >/dev/null
            pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid"
            while [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
            rm -rf "$1"
            """
        var ends: [Int32] = [0, 0]
        // No program that is started now or later may inherit the pipe, whatever its number.
        guard unsafe pipe(&ends) == 0 else {
            throw Failure.failed(command: "pipe", output: "\(errno)")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        _ = try ChildProcess("/bin/sh", ["-c", script, "sh", folder.path], input: ends[0])
        return ends[1]
    }

    private static func children(of pid: Int32) -> [Int32] {
        let path = "/proc/\(pid)/task/\(pid)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { Int32($0) }
    }

    /// Skips the current test, or its current argument, where no PostgreSQL is installed.
    ///
    /// If `CI` is set nothing is skipped: the test goes on, and fails.
    ///
    /// - Throws: what tells the test library that the test is skipped.
    package static func requireInstalled() throws {
        let isStrict = !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty
        if !isStrict, (try? findBinaries()) == nil {
            try Test.cancel("PostgreSQL is not installed: apt-get install postgresql-15")
        }
    }

    private static func findBinaries() throws -> URL {
        let places =
            ["/usr/lib/postgresql/15/bin", "/usr/pgsql-15/bin"]
            + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map(String.init)
        for place in places
        where FileManager.default.isExecutableFile(atPath: place + "/pg_ctl") {
            return URL(fileURLWithPath: place)
        }
        throw Failure.notInstalled
    }

    private static func freePort() throws -> Int {
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<32_000)
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                    unsafe bind(listener, plain, length) == 0
                }
            }
            if isBound { return Int(port) }
        }
        throw Failure.failed(command: "bind", output: "no free port")
    }

    private static func run(
        _ path: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws -> String {
        let output = FileManager.default.temporaryDirectory
            .appendingPathComponent("viavai-output-\(UInt64.random(in: .min ... .max))")
        defer { try? FileManager.default.removeItem(at: output) }
        let code = try ChildProcess(
            path,
            arguments,
            environment: environment,
            output: output.path
        ).wait()
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        guard code == 0 else {
            throw Failure.failed(command: path, output: text)
        }
        return text
    }
}
