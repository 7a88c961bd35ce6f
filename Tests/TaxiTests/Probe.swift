import Foundation
import StorageTestSupport
import TestSupport

/// A run of the taxi probe, which is described in its README.
struct Probe {
    /// The longest duration of a run in seconds, beyond which it counts as failed.
    static let limit = 120

    let child: ChildProcess
    private let output: String

    /// Starts a server process.
    ///
    /// - Parameters:
    ///   - plan: the command line arguments.
    ///   - address: the address of the database.
    ///   - holder: the name of the lease holder.
    ///   - environment: the environment variables.
    ///   - output: the file for its output.
    /// - Throws: `ChildFailure`.
    init(
        _ plan: String,
        on address: String,
        as holder: String = "probe",
        environment: [String: String] = [:],
        output: String
    ) throws {
        self.output = output
        child = try ChildProcess(
            builtProgram("TaxiProbe"),
            [address, holder] + plan.split(separator: " ").map(String.init),
            environment: environment,
            output: output
        )
    }

    /// The output so far.
    var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// Waits for the exit code; nil if the process took too long and was killed.
    func end() async throws -> Int32? {
        try await onThread { [child] in child.wait(atMost: Self.limit) }
    }

    /// Waits until the output satisfies a condition.
    ///
    /// - Parameters:
    ///   - seconds: the time limit.
    ///   - holds: the condition on the output.
    /// - Throws: `TooLong`.
    func until(within seconds: Int = Probe.limit, _ holds: (String) -> Bool) async throws {
        try await eventually(within: seconds, "\(text.suffix(500))") { holds(text) }
    }
}

/// The error if an awaited condition did not occur.
struct TooLong: Error {
    let seconds: Int
    let text: String
}

/// Waits until a condition holds.
func eventually(
    within seconds: Int,
    _ text: @autoclosure () -> String = "",
    _ holds: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while try await !holds() {
        guard ContinuousClock.now < end else { throw TooLong(seconds: seconds, text: text()) }
        try await Task.sleep(for: .milliseconds(5))
    }
}
