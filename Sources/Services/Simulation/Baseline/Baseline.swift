/// A standard way of dispatching taxis that knows neither zones nor queues, for comparison.
package enum Baseline: String, Sendable, CaseIterable {
    /// A request goes at once to the free taxi that reaches it soonest.
    case nearest
    /// Requests are collected for ten seconds and then assigned to free taxis together, so that
    /// the times to their pickup points have the least sum.
    case batched

    /// The interval between two batches, and between two attempts for a request that found no
    /// free taxi, in seconds.
    static let interval: Int64 = 10
    /// How many of the closest taxis in a straight line are compared by driving time, at least.
    static let candidates = 8
}
