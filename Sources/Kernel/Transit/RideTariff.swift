/// What rides cost, as far as a search for journeys within a price needs to know
/// (``PricedSearch``).
///
/// A price is no sum: what a ride costs depends on the tickets that were bought before it. So
/// riders carry a *state*, which is what they have paid and which tickets may still be used. The
/// tariff keeps the states, and a search knows them by their numbers.
public protocol RideTariff: AnyObject {
    /// Forgets all states.
    ///
    /// - Parameter comparesTimes: whether prices may depend on times; false if all rides that
    ///   follow lie within ``timelessSeconds``.
    /// - Returns: the state before the first ride.
    func begin(comparesTimes: Bool) -> Int32

    /// The state after one more ride; nil where no journey that begins so can keep to the limit.
    ///
    /// Times of rides are seconds from the epoch of the window that is searched.
    func state(_ state: Int32, after ride: TransitJourney.Ride) -> Int32?

    /// Whether a journey may end in a state: its price is known and within the limit.
    func keepsToLimit(_ state: Int32) -> Bool

    /// Whether any rides that may follow are within the limit after one state if they are so after
    /// another one; false where that is not certain.
    func isNoWorse(_ state: Int32, than other: Int32) -> Bool

    /// For how many seconds prices of journeys do not depend on when rides leave and arrive.
    var timelessSeconds: Int32 { get }

    /// Whether rides of two runs of one pattern cost the same between equal stops, apart from their
    /// times.
    func isAlike(_ run: RunIndex, _ other: RunIndex) -> Bool
}
