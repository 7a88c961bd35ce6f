import CoreMetrics
import Synchronization

extension Measurements {
    /// A counter that only increases.
    final class Count: CounterHandler {
        private let counted = Atomic<Int64>(0)

        var value: Int64 { counted.load(ordering: .relaxed) }

        func increment(by amount: Int64) {
            counted.wrappingAdd(amount, ordering: .relaxed)
        }

        func reset() { counted.store(0, ordering: .relaxed) }
    }

    /// A gauge that can increase and decrease.
    final class Level: MeterHandler, RecorderHandler {
        private let level = Mutex<Double>(0)

        var value: Double { level.withLock { $0 } }

        func set(_ value: Int64) { set(Double(value)) }
        func set(_ value: Double) { level.withLock { $0 = value } }
        func increment(by amount: Double) { level.withLock { $0 += amount } }
        func decrement(by amount: Double) { level.withLock { $0 -= amount } }
        func record(_ value: Int64) { set(Double(value)) }
        func record(_ value: Double) { set(value) }
    }

    /// A histogram: the number of values up to each bound, and their sum.
    ///
    /// Times are in seconds.
    final class Spread: RecorderHandler, TimerHandler {
        /// The bounds in seconds, from a fast page to one that users give up on.
        private static let bounds = [
            0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
        ]

        private struct State {
            var counts = [Int](repeating: 0, count: Spread.bounds.count)
            var count = 0
            var sum = 0.0
        }

        private let state = Mutex(State())

        func record(_ value: Int64) { record(Double(value)) }

        func record(_ value: Double) {
            state.withLock { state in
                for (index, bound) in Self.bounds.enumerated() where value <= bound {
                    state.counts[index] += 1
                }
                state.count += 1
                state.sum += value
            }
        }

        func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

        /// The number of values up to each bound.
        var answers: Answers {
            let state = state.withLock { $0 }
            let counts = Dictionary(uniqueKeysWithValues: zip(Self.bounds, state.counts))
            return Answers(count: state.count, counts: counts)
        }

        func lines(_ name: String, _ labels: String) -> String {
            let state = state.withLock { $0 }
            let comma = labels.isEmpty ? "" : ","
            var text = ""
            for (bound, count) in zip(Self.bounds, state.counts) {
                text += "\(name)_bucket{\(labels)\(comma)le=\"\(bound)\"} \(count)\n"
            }
            text += "\(name)_bucket{\(labels)\(comma)le=\"+Inf\"} \(state.count)\n"
            let braces = labels.isEmpty ? "" : "{\(labels)}"
            return text
                + "\(name)_sum\(braces) \(state.sum)\n\(name)_count\(braces) \(state.count)\n"
        }
    }
}
