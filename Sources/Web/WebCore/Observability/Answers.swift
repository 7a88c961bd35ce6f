extension Measurements {
    /// The number of answered requests, in total and within each bound.
    package struct Answers: Sendable {
        /// The total number of answered requests.
        package internal(set) var count = 0
        /// The number of requests answered within each bound, keyed by the bound in seconds.
        package internal(set) var counts: [Double: Int] = [:]

        /// The number of requests answered within a bound of the histogram.
        package func within(_ seconds: Double) -> Int { counts[seconds] ?? 0 }
    }

    /// The answers of all routes combined.
    package var answers: Answers {
        spreads(named: "viavai_request_seconds").reduce(into: Answers()) { sum, spread in
            let one = spread.answers
            sum.count += one.count
            sum.counts.merge(one.counts, uniquingKeysWith: +)
        }
    }
}
