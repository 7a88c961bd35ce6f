/// Times what is done, in microseconds.
enum Stopwatch {
    static func microseconds(_ work: () -> Void) -> Double {
        let start = ContinuousClock.now
        work()
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    }

    /// For each of some tasks the median of several rounds; all tasks are done in each round, so
    /// that none finds its data still in the cache.
    static func medians(of count: Int, rounds: Int, _ task: (Int) -> Void) -> [Double] {
        var times = Array(repeating: [Double](), count: count)
        for _ in 0..<rounds {
            for number in 0..<count {
                times[number].append(microseconds { task(number) })
            }
        }
        return times.map { $0.sorted()[$0.count / 2] }
    }

    /// Numbers as JSON.
    static func json(_ values: [Double]) -> String {
        "[" + values.map { "\(($0 * 1_000).rounded() / 1_000)" }.joined(separator: ",") + "]"
    }
}
