#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A program that a test runs.
///
/// Foundation's `Process` also waits for processes that the program started and left running; this
/// type waits for the program alone, which inherits nothing but its input and output.
package struct ChildProcess: Sendable {
    /// The process identifier.
    package let pid: Int32

    /// Starts a program as a child process.
    ///
    /// - Parameters:
    ///   - path: the path of the executable.
    ///   - arguments: its command-line arguments.
    ///   - environment: variables in addition to those of the test.
    ///   - input: its standard input; nil for none.
    ///   - output: a file for its standard output and error.
    /// - Throws: `ChildFailure.notStarted`.
    package init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: Int32? = nil,
        output: String = "/dev/null"
    ) throws(ChildFailure) {
        var actions = posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Closing a descriptor that is not open is harmless here.
        for file: Int32 in 3..<1_024 { unsafe posix_spawn_file_actions_addclose(&actions, file) }
        var list = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        var variables =
            unsafe Self.environment(adding: environment).map { unsafe strdup($0) } + [nil]
        defer { unsafe (list + variables).forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let code = unsafe posix_spawn(&pid, path, &actions, nil, &list, &variables)
        guard code == 0 else { throw .notStarted(path: path, code: code) }
        self.pid = pid
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: its exit code, or 128 plus the signal that ended it.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Waits for the end of the program, and kills it when it takes too long.
    ///
    /// - Parameter seconds: the time limit.
    /// - Returns: its exit code, or 128 plus the signal that ended it; nil if it exceeded the
    ///   limit and was killed.
    package func wait(atMost seconds: Int) -> Int32? {
        let end = ContinuousClock.now + .seconds(seconds)
        var status = siginfo_t()
        while ContinuousClock.now < end {
            // The process is left waitable for the final wait.
            let code = unsafe waitid(P_PID, id_t(pid), &status, WEXITED | WNOHANG | WNOWAIT)
            if code == 0, unsafe status.si_signo == SIGCHLD { return wait() }
            usleep(2_000)
        }
        kill(pid, SIGKILL)
        _ = wait()
        return nil
    }

    private static func environment(adding more: [String: String]) -> [String] {
        var variables: [String] = []
        var place = unsafe environ
        while let variable = unsafe place.pointee {
            let text = unsafe String(cString: variable)
            let name = text.prefix { $0 != "=" }
            if more[String(name)] == nil { variables.append(text) }
            unsafe place += 1
        }
        return variables + more.map { "\($0.key)=\($0.value)" }.sorted()
    }
}

/// Why a program did not run.
package enum ChildFailure: Error, Equatable {
    case notStarted(path: String, code: Int32)
}
