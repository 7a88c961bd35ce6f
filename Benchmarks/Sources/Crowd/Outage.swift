import Foundation
import Synchronization

/// An outage under load: the script that runs the crowd kills and restarts the server, all clients
/// reconnect by themselves, and what they show is compared with the state of the server.
///
/// During the outage no decisions are taken, so that pages stay comparable;
/// positions are still reported.
final class Outage: Sendable {
    /// The number of seconds after which all clients should be back.
    private static let goal = 15.0
    /// How long to wait for clients that have not come back, in seconds.
    private static let patience = 60.0
    /// Pages of drivers at the end of a queue learn of their position only every twenty seconds; a
    /// page that still differs after this many seconds is wrong.
    private static let settling = 25.0
    /// How many clients compare at the same time.
    private static let atOnce = 40

    private struct State {
        var isOver = true
        var pages: [Int: LivePage] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Registers an open page.
    ///
    /// - Returns: the number to pass to `closed`.
    func opened(_ page: LivePage) -> Int {
        state.withLock { state in
            state.next += 1
            state.pages[state.next] = page
            return state.next
        }
    }

    /// Removes a page that was closed.
    func closed(_ number: Int) { state.withLock { $0.pages[number] = nil } }

    /// Returns when decisions may be taken: at once, unless there is an outage.
    func isOver() async throws {
        while !state.withLock({ $0.isOver }) { try await Task.sleep(for: .milliseconds(200)) }
    }

    /// Runs the outage: prints `ready` on standard output, and waits until standard input says
    /// that the server is back.
    ///
    /// - Returns: the observations, as JSON.
    /// - Throws: `CancellationError`.
    func happens() async throws -> String {
        state.withLock { $0.isOver = false }
        defer { state.withLock { $0.isOver = true } }
        // Earlier decisions have been answered by then.
        try await Task.sleep(for: .seconds(3))
        for page in pages.values { await page.noteComeback() }
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        guard await Self.line() != nil else { return "null" }
        let begun = ContinuousClock.now
        let clients = pages.count
        var missing = clients
        repeat {
            try await Task.sleep(for: .seconds(1))
            missing = 0
            for page in pages.values where await page.comeback == nil { missing += 1 }
        } while missing > 0 && begun.duration(to: .now) < .seconds(Self.patience)
        try await Task.sleep(until: begun + .seconds(Self.goal), clock: .continuous)
        var times: [Double] = []
        for page in pages.values {
            guard let at = await page.comeback else { continue }
            let (seconds, attoseconds) = begun.duration(to: at).components
            times.append(Double(seconds) + Double(attoseconds) / 1e18)
        }
        let first = try await differences(pages)
        let late = try await settled(first)
        let list = times.map { String(format: "%.2f", $0) }.joined(separator: ",")
        let examples = late.values.sorted().prefix(5).map { "\"\($0)\"" }.joined(separator: ",")
        return """
            {"clients":\(clients),"missing":\(missing),"seconds":[\(list)],\
            "rightLater":\(first.count - late.count),"wrong":\(late.count),\
            "wrongs":[\(examples)]}
            """
    }

    /// The pages that are open now.
    private var pages: [Int: LivePage] { state.withLock { $0.pages } }

    /// The pages that still differ after the rare updates have arrived.
    private func settled(_ differing: [Int: String]) async throws -> [Int: String] {
        guard !differing.isEmpty else { return [:] }
        try await Task.sleep(for: .seconds(Self.settling))
        return try await differences(pages.filter { differing[$0.key] != nil })
    }

    private func differences(_ pages: [Int: LivePage]) async throws -> [Int: String] {
        var found: [Int: String] = [:]
        var rest = pages.makeIterator()
        try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            func compareNext() {
                guard let (number, page) = rest.next() else { return }
                group.addTask {
                    do {
                        return (number, try await page.difference())
                    } catch {
                        return (number, "no answer")
                    }
                }
            }
            for _ in 0..<Self.atOnce { compareNext() }
            while let (number, difference) = try await group.next() {
                found[number] = difference
                compareNext()
            }
        }
        return found
    }

    /// The next line of standard input, read on a separate thread; nil at its end.
    private static func line() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: readLine()) }
        }
    }
}
