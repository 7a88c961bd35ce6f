import Chronology
import SeededRandom
import TestSupport

@testable import Dispatching

/// A random run of a town over weeks, drawn from one seed, until a number of events is reached.
///
/// Passengers and drivers act and change their minds, contact is lost, clocks jump, timers are
/// late, and the service is down, suspended and redrawn (spec/taxi.md 5.6). Deadlines fire one at a
/// time. Each event is checked against the state before it, and the whole state after each entry of
/// the log (``Invariants``).
struct LongRun: Sendable {
    let seed: UInt64
    let policy: Policy
    let size: TownSize
    /// The number of events after which the run stops.
    let wanted: Int

    /// The result of a run.
    struct Result: Sendable {
        var events = 0
        var steps = 0
        var restarts = 0
        /// The failure and how to reproduce it.
        var failure: String?
    }

    /// Returns runs of all sizes and policies with a total number of events.
    static func runs(events: Int, each: Int, from seed: UInt64) -> [LongRun] {
        let sizes: [TownSize] = [.small, .small, .medium, .small, .small, .medium, .large]
        return (0..<(events + each - 1) / each).map { index in
            LongRun(
                seed: seed + UInt64(index),
                policy: Policy.shipped[index % Policy.shipped.count],
                size: sizes[index % sizes.count],
                wanted: each
            )
        }
    }

    func live() -> Result {
        var subject = Subject()
        var invariants = Invariants()
        var result = Result()
        var random = SeededRandom(seed: seed)
        var latest: [Step] = []
        /// Takes a step.
        ///
        /// - Returns: whether there was no violation.
        func take(_ step: Step) -> Bool {
            latest = latest.suffix(11) + [step]
            let before = subject.core
            let (outcome, events) = subject.take(step)
            result.steps += 1
            result.events += events.count
            let found = invariants.check(step, before, events, outcome.refusal, subject.core)
            if !found.isEmpty { result.failure = report(result.steps, latest, found) }
            return found.isEmpty
        }
        var generator = CommandGenerator(random.next())
        generator.size = size
        generator.onlyPolicy = policy
        generator.withNeighbours = true
        generator.doubtsStatements = true
        for step in generator.beginning() where !take(step) { return result }
        while result.events < wanted {
            var draw = CommandGenerator(random.next())
            draw.size = size
            draw.onlyPolicy = policy
            draw.withNeighbours = true
            draw.doubtsStatements = true
            draw.licencesFrom = subject.core.now
            let step = draw.step(&subject.core)
            // A machine that was suspended performs at once what became due meanwhile (F22).
            let isAwake = draw.chance(80)
            while isAwake, let due = subject.core.nextDeadline(), due <= step.moment {
                if !take(Step(moment: due, action: .nothing)) { return result }
            }
            if step.action == .restart {
                result.restarts += 1
                if let problem = restart(&subject.core) {
                    result.failure = report(result.steps, latest, [problem])
                    return result
                }
            }
            if !take(step) { return result }
        }
        return result
    }

    /// Simulates a restart that continues from the stored state (I22).
    private func restart(_ core: inout Dispatcher) -> String? {
        guard let restored = try? Dispatcher(snapshot: core.snapshot) else {
            return "I22: the snapshot cannot be read"
        }
        let isSame =
            restored.stateHash == core.stateHash && restored.zones == core.zones
            && restored.now == core.now
        core = restored
        return isSame ? nil : "I22: the snapshot holds another state"
    }

    private func report(_ count: Int, _ latest: [Step], _ found: [String]) -> String {
        let story = latest.map { step in
            let seconds = Double(step.moment.milliseconds - Town.start.milliseconds) / 1_000
            return "  +\(seconds) s  \(step.action)"
        }
        let head = "seed \(seed), \(policy.name), \(size), step \(count); the last steps:"
        return ([head] + story + found).joined(separator: "\n")
    }
}
