import TestSupport
import Testing

@testable import Dispatching

@Suite("Towns that live long")
struct LongRunTests {
    /// spec/taxi.md 5.7: one million in `make test`, ten million in `make test-everything`.
    private static let wanted = Effort.instances(1_000_000, everything: 10_000_000)
    private static let each = 10_000

    @Test(
        """
        in a million events of towns of all sizes, under all policies and with all faults, no \
        invariant is broken (I1 to I14, I16 to I19, I22, I24, I25, I27 to I30)
        """
    )
    func million() async {
        let runs = LongRun.runs(events: Self.wanted, each: Self.each, from: 20_261_121)
        var events = 0
        var restarts = 0
        var failures: [String] = []
        await withTaskGroup(of: LongRun.Result.self) { group in
            for run in runs { group.addTask { run.live() } }
            for await result in group {
                events += result.events
                restarts += result.restarts
                if let failure = result.failure { failures.append(failure) }
            }
        }
        #expect(failures.isEmpty, "\(failures.prefix(3).joined(separator: "\n"))")
        #expect(events >= Self.wanted)
        #expect(restarts >= runs.count)
        Notes.say("\(events) events in \(runs.count) towns, \(restarts) restarts: all is well")
    }
}
