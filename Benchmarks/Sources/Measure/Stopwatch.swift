import SeededRandom

/// Times what is done, in microseconds.
enum Stopwatch {
    /// How long each of some tasks took, by the median of several rounds.
    struct Times {
        /// Each task done for the first time, which is what somebody who asks meets.
        var once: [Double]
        /// Each task done again, when all that is kept from the first time helps.
        var repeated: [Double]

        /// The two lists as members of a JSON object.
        var json: String {
            "\"once_us\":\(Stopwatch.json(once)),\"repeated_us\":\(Stopwatch.json(repeated))"
        }
    }

    static func microseconds(_ work: () -> Void) -> Double {
        let start = ContinuousClock.now
        work()
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    }

    /// Times some tasks, each once and then each again, in every round in new random orders.
    ///
    /// - Parameters:
    ///   - count: how many tasks there are.
    ///   - rounds: how many rounds there are.
    ///   - start: forgets what earlier rounds found, so that each task is new again, and warms up
    ///     with work that is none of the tasks.
    ///   - task: does one of the tasks.
    /// - Returns: the medians of the rounds.
    static func times(
        of count: Int,
        rounds: Int,
        start: () -> Void,
        task: (Int) -> Void
    ) -> Times {
        var random = SeededRandom(seed: 20_141_020)
        var once = Array(repeating: [Double](), count: count)
        var repeated = once
        for _ in 0..<rounds {
            start()
            for number in (0..<count).shuffled(using: &random) {
                once[number].append(microseconds { task(number) })
            }
            for number in (0..<count).shuffled(using: &random) {
                repeated[number].append(microseconds { task(number) })
            }
        }
        return Times(once: once.map(median), repeated: repeated.map(median))
    }

    /// The median time of one task that is done in each of several rounds.
    static func median(rounds: Int, _ task: () -> Void) -> Double {
        median((0..<rounds).map { _ in microseconds(task) })
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Formats numbers as a JSON array with three decimals.
    static func json(_ values: [Double]) -> String {
        "[" + values.map { "\(($0 * 1_000).rounded() / 1_000)" }.joined(separator: ",") + "]"
    }
}
