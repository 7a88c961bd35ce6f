extension Measurements {
    /// How many requests were answered, and how many of them within each bound.
    package struct Answers: Sendable {
        /// All that were answered.
        package internal(set) var count = 0
        /// How many of them were answered within so many seconds.
        package internal(set) var counts: [Double: Int] = [:]

        /// How many were answered within a bound of the histogram.
        package func within(_ seconds: Double) -> Int { counts[seconds] ?? 0 }
    }

    /// The answers of all routes together.
    package var answers: Answers {
        spreads(named: "viavai_request_seconds").reduce(into: Answers()) { sum, spread in
            let one = spread.answers
            sum.count += one.count
            sum.counts.merge(one.counts, uniquingKeysWith: +)
        }
    }
}
