/// What a label of a search carries besides its time and its number of trips, so that one journey
/// beats another only if it is no worse in that too.
///
/// There is one engine, ``RaptorScan``, generic over the criterion and specialised for each when
/// the module is compiled. Where nothing is carried (``NoCriterion``), a platform has one label and
/// all code for others disappears; where something is, it has a bag of labels (``LabelBags``).
///
/// A criterion adds up along a journey and never decreases. It may be of several amounts at once:
/// `isNoMore` is then a partial order.
protocol Criterion: Sendable {
    /// What is carried.
    associatedtype Amount: Sendable

    /// Whether anything is carried; a constant.
    static var isCarried: Bool { get }
    /// What a journey carries before it begins; no amount is less.
    static var none: Amount { get }
    /// The amount of a way to the first platform, or from the last.
    static func amount(of way: Raptor.AccessEgress) -> Amount
    /// The amount of a way of that many metres between two vehicles.
    static func amount(changing metres: UInt32) -> Amount
    /// Two amounts together; never less than either.
    static func sum(_ one: Amount, _ other: Amount) -> Amount
    /// The greatest amount that is more than neither.
    static func least(_ one: Amount, _ other: Amount) -> Amount
    /// Whether an amount is no more than another.
    static func isNoMore(_ one: Amount, than other: Amount) -> Bool

    /// Whether a later arrival is worth finding where it carries less; if not, amounts count only
    /// against the limit.
    var isCompared: Bool { get }
    /// A journey known beforehand, by its seconds and amount: what it beats is not looked for.
    var rival: (seconds: Int32, amount: Amount)? { get }
    /// Whether journeys may carry so much.
    func allows(_ amount: Amount) -> Bool
    /// The criterion for finding, among the journeys like one that was found, the one that wastes
    /// least time.
    func within(_ amount: Amount) -> Self
}

/// Nothing but time and trips: the search with two criteria.
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

/// The metres walked: within a limit, or as a criterion of its own.
public struct Walking: Criterion {
    /// How many metres a journey walks at the most, in all.
    public var limit: UInt32
    /// Whether journeys that walk less are found even where they arrive later.
    public var isCompared: Bool
    /// A way without rides, by its seconds and metres walked: no journey that is as slow and walks
    /// as much is found.
    public var rival: (seconds: Int32, amount: UInt32)?

    /// Walking within a limit, and compared or not.
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

    /// Two distances together; those of a damaged file may not fit.
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
