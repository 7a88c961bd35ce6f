/// Response times, each counted from the scheduled moment of its request.
struct Latencies {
    private var milliseconds: [Double] = []
    /// The number of responses for each status.
    private(set) var statuses: [Int: Int] = [:]
    /// How many connections broke before a response.
    private(set) var broken = 0
    /// How many of these were never sent, because all connections waited for responses.
    private(set) var unsent = 0
    /// How many refusals had no Retry-After.
    private(set) var refusedWithoutAdvice = 0

    /// Adds the time and the status of a response.
    mutating func add(_ duration: Duration, status: Int, saysWhen: Bool) {
        let (seconds, attoseconds) = duration.components
        statuses[status, default: 0] += 1
        if status == 429 || status == 503 {
            if !saysWhen { refusedWithoutAdvice += 1 }
        } else {
            milliseconds.append(Double(seconds) * 1_000 + Double(attoseconds) / 1e15)
        }
    }

    /// Counts a request without a response.
    ///
    /// - Parameter isSent: whether a connection was free to send it.
    mutating func addBroken(isSent: Bool = true) {
        broken += 1
        if !isSent { unsent += 1 }
    }

    /// One line of JSON: count, statuses, and percentiles of the responses that were not refusals.
    func json(_ name: String, seconds: Double, share: Double) -> String {
        let sorted = milliseconds.sorted()
        func quantile(_ share: Double) -> String {
            guard !sorted.isEmpty else { return "null" }
            let place = min(sorted.count - 1, Int(Double(sorted.count) * share))
            return "\((sorted[place] * 100).rounded() / 100)"
        }
        let total = statuses.values.reduce(0, +)
        let list = statuses.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return """
            {"name":"\(name)","answers":\(total),"perSecond":\(Int(Double(total) / seconds)),\
            "statuses":{\(list.joined(separator: ","))},"broken":\(broken),\
            "unsent":\(unsent),\
            "refusedWithoutAdvice":\(refusedWithoutAdvice),"p50":\(quantile(0.5)),\
            "p95":\(quantile(0.95)),"p99":\(quantile(0.99)),"max":\(quantile(1)),\
            "generatorShare":\((share * 100).rounded() / 100)}
            """
    }
}
