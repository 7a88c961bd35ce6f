/// What rides cost, as far as a search for journeys within a price needs to know
/// (``PricedSearch``).
///
/// A price is no sum: what a ride costs depends on the tickets that were bought before it. So
/// riders carry a *state*, which is what they have paid and which tickets may still be used.
public protocol RideTariff: Sendable {
    /// What was paid for some rides, and which tickets may still be used.
    associatedtype State: Sendable

    /// The state before the first ride.
    var beginning: State { get }

    /// The state after one more ride; nil where no journey that begins so can keep to the limit.
    ///
    /// Times of rides are seconds from the epoch of the window that is searched.
    func state(_ state: State, after ride: TransitJourney.Ride) -> State?

    /// Whether a journey may end in a state: its price is known and within the limit.
    func keepsToLimit(_ state: State) -> Bool

    /// Whether any rides that may follow are within the limit after one state if they are so after
    /// another one; false where that is not certain.
    ///
    /// - Parameters:
    ///   - state: a state.
    ///   - other: another one.
    ///   - comparesTimes: whether prices depend on times; false within ``timelessSeconds``.
    /// - Returns: whether the first state is certain to be as good.
    func isNoWorse(_ state: State, than other: State, comparesTimes: Bool) -> Bool

    /// For how many seconds prices of journeys do not depend on when rides leave and arrive.
    var timelessSeconds: Int32 { get }

    /// Whether rides of two runs of one pattern cost the same between equal stops, apart from their
    /// times.
    func isAlike(_ run: RunIndex, _ other: RunIndex) -> Bool
}
