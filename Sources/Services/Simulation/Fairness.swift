/// Measures of an even distribution.
enum Fairness {
    /// Returns the Gini coefficient: 0 if all shares are equal, near 1 if one has all.
    static func gini(_ shares: [Double]) -> Double {
        let sorted = shares.sorted()
        let total = sorted.reduce(0, +)
        guard total > 0 else { return 0 }
        var weighted = 0.0
        for (index, share) in sorted.enumerated() {
            weighted += Double(2 * index + 1 - sorted.count) * share
        }
        return weighted / (Double(sorted.count) * total)
    }
}
