/// The split of a shared ride's fare (R91, spec/taxi.md 1.12).
///
/// Parties pay in proportion to their direct fares. The minor units lost by rounding down go, one
/// each, to the largest remainders, and between equal remainders to the party that joined first.
/// The shares and the rest add up exactly to the total.
///
/// No party pays more than its direct fare. If the metered fare exceeds the sum of all direct
/// fares, each pays the direct fare and nobody is charged the rest, because the service proposed
/// the detour. The rest is reported, so that it can be covered otherwise.
package struct CostSplit: Hashable, Sendable {
    /// The amount of each party, in the order of the parties.
    package let shares: [Money]
    /// The amount charged to nobody; 0 unless the total exceeds the sum of all direct fares.
    package let rest: Money

    /// Splits a fare among parties; nil if the split is unknown, which is not 0.
    ///
    /// It is unknown if there are no parties, or if a direct fare is unknown, negative or in
    /// another currency.
    ///
    /// - Parameters:
    ///   - total: the fare of the ride; not negative.
    ///   - direct: the direct fare of each party, in the order of joining; nil if unknown.
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

    /// Computes shares in proportion to weights; their sum is at most the sum of the weights.
    ///
    /// As the amount does not exceed the sum, no exact share exceeds its weight, and since weights
    /// are integers, neither does a share that is rounded up.
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
