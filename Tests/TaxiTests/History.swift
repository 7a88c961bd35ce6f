/// The observations of the clients of a service over all its runs.
///
/// They must be consistent with a service that never crashed (spec/taxi.md 5.7 (5)).
struct History: Sendable {
    /// A command, however often it was sent.
    struct Operation: Sendable {
        /// When it was first sent, which is the earliest time of its effect.
        var given: Int64
        /// When its receipt first arrived, which is the latest time of its effect.
        var answered: Int64?
        /// The sequence number of its log entry.
        var sequence: Int64?
        /// The taxi that it concerns, if relevant.
        var taxi: UInt32?
    }

    /// The commands by idempotency key.
    private(set) var operations: [String: Operation] = [:]
    /// The outbox items that the receiver has seen.
    private(set) var received: Set<String> = []
    /// Contradictions within the observations themselves.
    private(set) var contradictions: [String] = []

    /// The log entries of the acknowledged commands.
    var acknowledged: [String: Int64] { operations.compactMapValues { $0.sequence } }

    /// Parses the output of a run.
    ///
    /// - Parameter text: the output; an incomplete last line is ignored.
    mutating func add(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "give" where words.count >= 3:
                guard let time = Int64(words[1]) else { continue }
                var operation = operations[words[2]] ?? Operation(given: time)
                operation.given = min(operation.given, time)
                if words.count == 4 { operation.taxi = UInt32(words[3]) }
                operations[words[2]] = operation
            case "ack" where words.count == 4:
                guard let time = Int64(words[1]), let sequence = Int64(words[3]) else { continue }
                acknowledge(words[2], at: time, as: sequence)
            case "got" where words.count == 2: received.insert(words[1])
            default: continue
            }
        }
    }

    private mutating func acknowledge(_ key: String, at time: Int64, as sequence: Int64) {
        guard var operation = operations[key] else {
            contradictions.append("\(key) was acknowledged before it was given")
            return
        }
        if let before = operation.sequence, before != sequence {
            contradictions.append("\(key) was acknowledged as entries \(before) and \(sequence)")
        }
        operation.answered = min(operation.answered ?? time, time)
        operation.sequence = operation.sequence ?? sequence
        operations[key] = operation
    }

    /// Returns all violations.
    func violations() -> [String] {
        contradictions + disorder() + rides()
    }

    /// Returns commands whose order in the log contradicts their order in time.
    ///
    /// A command that was answered before another was sent precedes it in the log.
    private func disorder() -> [String] {
        var found: [String] = []
        var latest: (key: String, given: Int64, sequence: Int64)?
        let ordered = operations.filter { $0.value.sequence != nil }
            .sorted { ($0.value.sequence ?? 0, $0.key) < ($1.value.sequence ?? 0, $1.key) }
        for (key, operation) in ordered {
            guard let sequence = operation.sequence, let answered = operation.answered else {
                continue
            }
            if let latest {
                if latest.sequence == sequence {
                    found.append("\(latest.key) and \(key) are one entry")
                }
                if latest.given > answered {
                    found.append("\(latest.key) was given after \(key) was done, and precedes it")
                }
            }
            if operation.given >= latest?.given ?? .min {
                latest = (key, operation.given, sequence)
            } else {
                latest?.sequence = sequence
            }
        }
        return found
    }

    /// Returns taxis in two rides at once, and rides with two taxis.
    ///
    /// A ride lasts at least from the answer to "accept" to the sending of "end".
    private func rides() -> [String] {
        var found: [String] = []
        var taxis: [String: UInt32] = [:]
        var spans: [UInt32: [(passenger: String, from: Int64, to: Int64)]] = [:]
        for (key, operation) in operations.sorted(by: { $0.key < $1.key }) {
            let words = key.split(separator: "-").map(String.init)
            guard words.count == 3, words[0] == "accept", let taxi = operation.taxi,
                let from = operation.answered
            else { continue }
            if let other = taxis[words[1]] {
                found.append("passenger \(words[1]) has taxis \(other) and \(taxi)")
            }
            taxis[words[1]] = taxi
            let end = operations["end-\(words[1])"]?.given ?? .max
            spans[taxi, default: []].append((words[1], from, end))
        }
        for (taxi, all) in spans.sorted(by: { $0.key < $1.key }) {
            let ordered = all.sorted { $0.from < $1.from }
            for (earlier, later) in zip(ordered, ordered.dropFirst()) where later.from < earlier.to
            {
                found.append(
                    "taxi \(taxi) drives passengers \(earlier.passenger) and \(later.passenger)"
                )
            }
        }
        return found
    }
}
