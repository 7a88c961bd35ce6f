import Foundation
import StorageTestSupport

/// A run of the taxi probe; its README says what it does.
struct Probe {
    /// How long a run may take, in seconds, before something is wrong with it.
    static let limit = 120

    let child: ChildProcess
    private let output: String

    /// Starts a server process.
    ///
    /// - Parameters:
    ///   - plan: what it does, as on its command line.
    ///   - address: on which database.
    ///   - holder: who it is.
    ///   - environment: its variables.
    ///   - output: the file for what it says.
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

    /// What it has said so far.
    var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// Waits for its end; nil where it took too long and was killed.
    func end() async throws -> Int32? {
        try await onThread { [child] in child.wait(atMost: Self.limit) }
    }

    /// Waits for what it does.
    ///
    /// - Parameters:
    ///   - seconds: how long at most.
    ///   - holds: what must hold of what it has said.
    /// - Throws: `TooLong`.
    func until(within seconds: Int = Probe.limit, _ holds: (String) -> Bool) async throws {
        try await eventually(within: seconds, "\(text.suffix(500))") { holds(text) }
    }
}

/// What was waited for did not happen.
struct TooLong: Error {
    let seconds: Int
    let text: String
}

/// Waits until something holds.
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
