/// Measured values, all of which are kept, so that percentiles are exact.
struct Samples {
    private(set) var values: [Double] = []

    var count: Int { values.count }

    mutating func add(_ value: Double) { values.append(value) }

    /// The value that the given share of all values does not exceed; 0 where there are none.
    func percentile(_ share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let rank = Int((Double(sorted.count) * share).rounded(.up)) - 1
        return sorted[min(max(rank, 0), sorted.count - 1)]
    }

    /// The figures that the table shows, as a JSON object.
    var json: String {
        let shares = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999), ("max", 1)]
        let parts = shares.map { "\"\($0.0)\":\(Figures.rounded(percentile($0.1)))" }
        return "{\"count\":\(count)," + parts.joined(separator: ",") + "}"
    }
}

/// The results of a measurement, in the order in which they were added.
struct Figures {
    private var parts: [String] = []

    mutating func add(_ name: String, _ value: Double) {
        parts.append("\"\(name)\":\(Self.rounded(value))")
    }

    mutating func add(_ name: String, _ value: Int) {
        parts.append("\"\(name)\":\(value)")
    }

    mutating func add(_ name: String, _ samples: Samples) {
        parts.append("\"\(name)\":\(samples.json)")
    }

    /// The results as one line of JSON.
    var json: String { "{" + parts.joined(separator: ",") + "}" }

    static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}

/// How long something takes, in seconds.
func seconds(of work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    return (ContinuousClock.now - start) / .seconds(1)
}

/// The best of several rounds, in items a second, because other processes share the machine.
func rate(of count: Int, rounds: Int = 5, _ work: () throws -> Void) rethrows -> Double {
    var best = 0.0
    for _ in 0..<rounds { best = max(best, Double(count) / (try seconds(of: work))) }
    return best
}
