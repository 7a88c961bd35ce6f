/// Two criteria at once: an amount is no more than another only if it is so in both.
///
/// Rides may have an amount by one of them; kinds of departures are then those of this one.
struct Pair<One: Criterion, Other: Criterion>: Criterion {
    typealias Amount = (one: One.Amount, other: Other.Amount)

    /// The first criterion.
    var one: One
    /// The second criterion.
    var other: Other

    /// Both criteria of a search.
    init(_ one: One, _ other: Other) {
        precondition(!One.countsRides || !Other.countsRides, "Departures have one kind each.")
        self.one = one
        self.other = other
    }

    static var isCarried: Bool { true }
    static var countsRides: Bool { One.countsRides || Other.countsRides }
    static var none: Amount { (One.none, Other.none) }

    @inline(__always)
    static func amount(of way: Raptor.AccessEgress) -> Amount {
        (One.amount(of: way), Other.amount(of: way))
    }

    @inline(__always)
    func amount(changing metres: UInt32) -> Amount {
        (one.amount(changing: metres), other.amount(changing: metres))
    }

    @inline(__always)
    static func sum(_ first: Amount, _ second: Amount) -> Amount {
        (One.sum(first.one, second.one), Other.sum(first.other, second.other))
    }

    @inline(__always)
    static func least(_ first: Amount, _ second: Amount) -> Amount {
        (One.least(first.one, second.one), Other.least(first.other, second.other))
    }

    @inline(__always)
    static func isNoMore(_ first: Amount, than second: Amount) -> Bool {
        One.isNoMore(first.one, than: second.one) && Other.isNoMore(first.other, than: second.other)
    }

    var isCompared: Bool { one.isCompared || other.isCompared }

    func isNoWorse(_ first: Amount, than second: Amount) -> Bool {
        one.isNoWorse(first.one, than: second.one)
            && other.isNoWorse(first.other, than: second.other)
    }

    /// The way that is known beforehand; nil if its amount is unknown by a criterion that compares.
    var rival: (seconds: Int32, amount: Amount)? {
        if one.isCompared && one.rival == nil || other.isCompared && other.rival == nil {
            return nil
        }
        guard let seconds = one.rival?.seconds ?? other.rival?.seconds else { return nil }
        // What is not compared does not matter.
        return (seconds, (one.rival?.amount ?? One.none, other.rival?.amount ?? Other.none))
    }

    func allows(_ amount: Amount) -> Bool { one.allows(amount.one) && other.allows(amount.other) }

    func within(_ amount: Amount) -> Pair {
        Pair(one.within(amount.one), other.within(amount.other))
    }

    func bound(to space: LaidOutWindow) -> Pair {
        Pair(one.bound(to: space), other.bound(to: space))
    }

    func kind(of departure: Int) -> Int32 {
        One.countsRides ? one.kind(of: departure) : other.kind(of: departure)
    }

    func otherKind(after departure: Int) -> Int32 {
        One.countsRides ? one.otherKind(after: departure) : other.otherKind(after: departure)
    }

    func amount(_ amount: Amount, riding kind: Int32, to position: Int) -> Amount {
        (
            one.amount(amount.one, riding: kind, to: position),
            other.amount(amount.other, riding: kind, to: position)
        )
    }
}
