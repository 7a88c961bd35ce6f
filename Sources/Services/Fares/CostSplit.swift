/// Who pays how much of a shared ride (R91, spec/taxi.md 1.12).
///
/// Each pays in proportion to what he would have paid alone; what is lost in rounding down goes,
/// one minor unit each, to the largest remainders, at equal remainders to who joined first. The
/// shares and the rest add up to the total, to the last cent.
///
/// Nobody pays more than alone. So where the meter shows more than all would have paid alone
/// together, each pays what he would have paid alone, and the rest is charged to nobody: the
/// detour was the service's proposal, not theirs. The rest is told, for whoever bears it.
package struct CostSplit: Hashable, Sendable {
    /// What each pays, in the order of the sharers.
    package let shares: [Money]
    /// What is charged to nobody; 0 unless the total exceeds the sum of all direct fares.
    package let rest: Money

    /// Splits a fare among sharers; nil where the split is unknown, which is not 0.
    ///
    /// It is unknown where there are no sharers, or where a direct fare is unknown, negative or of
    /// another currency.
    ///
    /// - Parameters:
    ///   - total: what the ride costs; not negative.
    ///   - direct: what each would have paid alone, in the order in which they joined; nil where
    ///     that is unknown.
    package init?(of total: Money, inProportionTo direct: [Money?]) {
        var weights: [Int128] = []
        for fare in direct {
            guard let fare, fare.currency == total.currency, fare.minorUnits >= 0 else {
                return nil
            }
            weights.append(Int128(fare.minorUnits))
        }
        guard !weights.isEmpty, total.minorUnits >= 0 else { return nil }
        let sum = weights.reduce(0, +)
        let charged = min(Int128(total.minorUnits), sum)
        let shares = Self.shares(of: charged, weights, sum)
        self.shares = shares.map { Money(Int64(clamping: $0), total.currency) }
        rest = Money(Int64(clamping: Int128(total.minorUnits) - charged), total.currency)
    }

    /// Shares in proportion to weights, at most the sum of the weights in all.
    ///
    /// As the amount is at most the sum, no exact share exceeds its weight, and as weights are
    /// whole numbers, neither does one that is rounded up.
    private static func shares(of amount: Int128, _ weights: [Int128], _ sum: Int128) -> [Int128] {
        guard sum > 0 else { return weights }
        var shares = weights.map { amount * $0 / sum }
        let left = Int(clamping: amount - shares.reduce(0, +))
        let byRemainder = weights.indices.sorted { first, second in
            let (one, other) = (amount * weights[first] % sum, amount * weights[second] % sum)
            return one != other ? one > other : first < second
        }
        for sharer in byRemainder.prefix(left) { shares[sharer] += 1 }
        return shares
    }
}
