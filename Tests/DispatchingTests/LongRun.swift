import Chronology
import TestSupport

@testable import Dispatching

/// A town that lives for weeks, drawn from one seed, until so many events have happened.
///
/// People ask, answer, drive and change their minds; signals are lost, clocks jump, timers are
/// late, the service is down, suspended and redrawn (spec/taxi.md 5.6). What becomes due is done
/// one moment at a time. Each event is judged in the state that it met, and the whole state after
/// each entry of the log (``Invariants``).
struct LongRun: Sendable {
    let seed: UInt64
    let policy: Policy
    let size: TownSize
    /// Stops at the first step with so many events or more.
    let wanted: Int

    /// The result of a run.
    struct Result: Sendable {
        var events = 0
        var steps = 0
        var restarts = 0
        /// What went wrong, and how to see it again.
        var failure: String?
    }

    /// Some runs of all sizes and policies with so many events together.
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

    /// Lives the town through.
    func live() -> Result {
        var subject = Subject()
        var invariants = Invariants()
        var result = Result()
        var random = SeededRandom(seed: seed)
        var latest: [Step] = []
        /// - Returns: whether all was well.
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
        for step in generator.beginning() where !take(step) { return result }
        while result.events < wanted {
            var draw = CommandGenerator(random.next())
            draw.size = size
            draw.onlyPolicy = policy
            draw.licencesFrom = subject.core.now
            let step = draw.step(&subject.core)
            // A machine that slept does all at once what became due meanwhile (F22).
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

    /// The process ends, and another one goes on with what was stored (I22).
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
