/// A criterion by which journeys are compared besides time and number of trips: an amount that
/// riders carry along.
///
/// A journey beats another one only if it is no worse in this amount too.
///
/// There is one engine, ``RaptorScan``, generic over the criterion and specialised for each when
/// the module is compiled. With ``NoCriterion`` a platform has one label, and the compiler removes
/// all code for others; with any other criterion it has a bag of labels (``LabelBags``).
///
/// An amount adds up along a journey and never decreases. It may consist of several numbers;
/// `isNoMore` is then a partial order.
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
    static func amount(changing metres: UInt32) -> Amount
    /// The sum of two amounts; never less than either.
    static func sum(_ one: Amount, _ other: Amount) -> Amount
    /// The greatest amount that is no more than either of two.
    static func least(_ one: Amount, _ other: Amount) -> Amount
    /// Whether an amount is no more than another.
    static func isNoMore(_ one: Amount, than other: Amount) -> Bool

    /// Whether a journey that arrives later is wanted if its amount is less; otherwise amounts only
    /// count against the limit.
    var isCompared: Bool { get }
    /// A journey known beforehand, by its seconds and its amount; the search ignores what it beats.
    var rival: (seconds: Int32, amount: Amount)? { get }
    /// Whether a journey may have this amount.
    func allows(_ amount: Amount) -> Bool
    /// The same criterion with a limit, for the search among journeys like one that was found for
    /// the one that wastes least time.
    func within(_ amount: Amount) -> Self
}

/// No amount: journeys are compared by time and trips only.
struct NoCriterion: Criterion {
    typealias Amount = Void

    static var isCarried: Bool { false }
    static var none: Void { () }
    static func amount(of way: Raptor.AccessEgress) {}
    static func amount(changing metres: UInt32) {}
    static func sum(_ one: Void, _ other: Void) {}
    static func least(_ one: Void, _ other: Void) {}
    static func isNoMore(_ one: Void, than other: Void) -> Bool { true }

    var isCompared: Bool { false }
    var rival: (seconds: Int32, amount: Void)? { nil }
    func allows(_ amount: Void) -> Bool { true }
    func within(_ amount: Void) -> NoCriterion { self }
}

/// The metres walked, within a limit or compared like time and trips.
public struct Walking: Criterion {
    /// The greatest total length of all walks of a journey, in metres.
    public var limit: UInt32
    /// Whether journeys that walk less are wanted even if they arrive later.
    public var isCompared: Bool
    /// The way without rides, by its seconds and metres; no journey is wanted that is as slow and
    /// walks as much.
    public var rival: (seconds: Int32, amount: UInt32)?

    /// Creates a limit on walking, and tells whether walking is compared.
    public init(
        limit: UInt32 = .max,
        isCompared: Bool = false,
        rival: (seconds: Int32, amount: UInt32)? = nil
    ) {
        self.limit = limit
        self.isCompared = isCompared
        self.rival = rival
    }

    static var isCarried: Bool { true }
    static var none: UInt32 { 0 }
    static func amount(of way: Raptor.AccessEgress) -> UInt32 { way.metres }
    static func amount(changing metres: UInt32) -> UInt32 { metres }

    /// Adds two distances; the sum of those of a damaged file may overflow.
    @inline(__always)
    static func sum(_ one: UInt32, _ other: UInt32) -> UInt32 {
        let (sum, isTooMuch) = one.addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }

    static func least(_ one: UInt32, _ other: UInt32) -> UInt32 { min(one, other) }
    static func isNoMore(_ one: UInt32, than other: UInt32) -> Bool { one <= other }

    func allows(_ amount: UInt32) -> Bool { amount <= limit }
    func within(_ amount: UInt32) -> Walking {
        isCompared ? Walking(limit: amount) : self
    }
}
