/// Measures of an even distribution.
enum Fairness {
    /// Returns the Gini coefficient: 0 if all counts are equal, near 1 if one has all.
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
