/// A criterion by which journeys are compared besides time and number of trips: an amount that
/// riders carry along.
///
/// A journey beats another one only if it is no worse in this amount too.
///
/// There is one engine, ``RaptorScan``, generic over the criterion and specialised for each when
/// the module is compiled. With ``NoCriterion`` a platform has one label, and the compiler removes
/// all code for others; with any other criterion it has a bag of labels (``LabelBags``).
///
/// An amount adds up along a journey and never decreases. It may consist of several numbers
/// (``Pair``); `isNoMore` is then a partial order.
///
/// Where rides have an amount, departures of one route may differ in it, so that waiting for a
/// later one may pay. They are divided into *kinds* of which all departures are alike; a rider
/// boards the first departure of each kind.
protocol Criterion: Sendable {
    /// The amount that riders carry.
    associatedtype Amount: Sendable

    /// Whether there is an amount at all; a constant.
    static var isCarried: Bool { get }
    /// The amount of a journey before it begins; no amount is less.
    static var none: Amount { get }
    /// The amount of a way to the first platform, or from the last.
    static func amount(of way: Raptor.AccessEgress) -> Amount
    /// The amount of a change with a way of that many metres.
    func amount(changing metres: UInt32) -> Amount
    /// Whether rides have an amount; a constant.
    static var countsRides: Bool { get }
    /// The sum of two amounts; never less than either.
    static func sum(_ one: Amount, _ other: Amount) -> Amount
    /// The greatest amount that is no more than either of two.
    static func least(_ one: Amount, _ other: Amount) -> Amount
    /// Whether an amount is no more than another.
    static func isNoMore(_ one: Amount, than other: Amount) -> Bool

    /// Whether a journey that arrives later is wanted if its amount is less; otherwise amounts only
    /// count against the limit.
    var isCompared: Bool { get }
    /// Whether an amount is no more than another as far as amounts are compared; always true where
    /// they only count against a limit.
    func isNoWorse(_ one: Amount, than other: Amount) -> Bool
    /// A journey known beforehand, by its seconds and its amount; the search ignores what it beats.
    var rival: (seconds: Int32, amount: Amount)? { get }
    /// Whether a journey may have this amount.
    func allows(_ amount: Amount) -> Bool
    /// The same criterion with a limit, for the search among journeys like one that was found for
    /// the one that wastes least time.
    func within(_ amount: Amount) -> Self

    /// The same criterion with what it needs to know about the rides of a window.
    func bound(to space: LaidOutWindow) -> Self
    /// The kind of a departure, given by its number in the window.
    func kind(of departure: Int) -> Int32
    /// The next departure of the same route that is of another kind, as a number in the route; the
    /// number of the route's departures if there is none.
    func otherKind(after departure: Int) -> Int32
    /// The amount of a rider who stays aboard a departure of some kind until a position of its
    /// route, given the amount at the position before.
    func amount(_ amount: Amount, riding kind: Int32, to position: Int) -> Amount
}

/// Criteria for which all rides are alike.
extension Criterion {
    static var countsRides: Bool { false }
    func bound(to space: LaidOutWindow) -> Self { self }
    func kind(of departure: Int) -> Int32 { 0 }
    func otherKind(after departure: Int) -> Int32 { .max }
    func amount(_ amount: Amount, riding kind: Int32, to position: Int) -> Amount { amount }
}

/// No amount: journeys are compared by time and trips only.
struct NoCriterion: Criterion {
    typealias Amount = Void

    static var isCarried: Bool { false }
    static var none: Void { () }
    static func amount(of way: Raptor.AccessEgress) {}
    func amount(changing metres: UInt32) {}
    static func sum(_ one: Void, _ other: Void) {}
    static func least(_ one: Void, _ other: Void) {}
    static func isNoMore(_ one: Void, than other: Void) -> Bool { true }

    var isCompared: Bool { false }
    func isNoWorse(_ one: Void, than other: Void) -> Bool { true }
    var rival: (seconds: Int32, amount: Void)? { nil }
    func allows(_ amount: Void) -> Bool { true }
    func within(_ amount: Void) -> NoCriterion { self }
}
