/// How evenly something fell on many.
enum Fairness {
    /// Gini's coefficient: 0 when all have as many, towards 1 when one has all.
    static func gini(_ counts: [Int]) -> Double {
        let sorted = counts.sorted()
        let total = sorted.reduce(0, +)
        guard total > 0 else { return 0 }
        var weighted = 0
        for (index, count) in sorted.enumerated() {
            weighted += (2 * index + 1 - sorted.count) * count
        }
        return Double(weighted) / Double(sorted.count * total)
    }
}
