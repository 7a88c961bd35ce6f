import Columns
import Transit

/// The fares of a city with a limit, as a search for journeys needs them: what riders have paid on
/// the way, and what they may still pay.
///
/// What riders have paid is a *state*, which has a number. States that allow the same from then on
/// (``FareOutlook``) are one: a search meets few of them, however many rides it looks at.
public final class FareTariff {
    /// What several travellers pay who ride together.
    public struct Party: Sendable {
        /// Each kind of traveller with how many of them there are.
        public var travellers: [(traveller: FareTraveller, count: Int64)]

        /// A party; those who own passes are travellers of their own.
        public init(_ travellers: [(traveller: FareTraveller, count: Int64)]) {
            self.travellers = travellers
        }
    }

    /// The tickets that some rides need, and what these allow, for each kind of traveller.
    private struct State {
        var programmes: [FareProgramme]
        let outlooks: [FareOutlook]
        /// What all travellers pay for the rides so far; nil if that is unknown.
        let price: Int64?
    }

    private let book: FareBook
    private let counts: [Int64]
    private let limit: Int64
    /// The traits of each feed, for each kind of traveller.
    private let traits: [[FareTraits]]
    private let beginning: [FareProgramme]
    private var states: [State] = []
    private var numbers: [[FareOutlook]: Int32] = [:]
    private var comparesTimes = true

    /// Fares with a limit.
    ///
    /// - Parameters:
    ///   - book: the fares.
    ///   - feedCount: how many feeds the timetable has.
    ///   - party: who travels.
    ///   - currency: the currency of the limit; fares in others keep to no limit.
    ///   - limit: the greatest price for all travellers, in minor units.
    public init(
        _ book: FareBook,
        feedCount: Int,
        _ party: Party,
        _ currency: FareCurrencyIndex,
        limit: Int64
    ) {
        self.book = book
        self.limit = limit
        counts = party.travellers.map { $0.count }
        let terms = party.travellers.map {
            FareTerms(traveller: $0.traveller, currency: currency)
        }
        traits = terms.map { terms in
            (0..<feedCount).map { FareTraits(book, FeedIndex(row: $0), terms) }
        }
        beginning = terms.map { FareProgramme(book, $0) }
    }

    /// Forgets all states.
    ///
    /// - Parameter comparesTimes: whether prices may depend on times; false if all rides that
    ///   follow lie within ``timelessSeconds``.
    /// - Returns: the state before the first ride.
    public func begin(comparesTimes: Bool) -> Int32 {
        states.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        self.comparesTimes = comparesTimes
        return number(of: beginning, outlooks(of: beginning))
    }

    /// The state after one more ride; nil where no journey that begins so can keep to the limit.
    public func state(_ state: Int32, after ride: FareRide) -> Int32? {
        var programmes = states[Int(state)].programmes
        for number in programmes.indices { programmes[number].append(ride) }
        let outlooks = outlooks(of: programmes)
        guard floor(outlooks).map({ $0 <= limit }) ?? false else { return nil }
        return number(of: programmes, outlooks)
    }

    /// What all travellers pay for the rides so far, in minor units; nil if that is unknown.
    public func price(_ state: Int32) -> Int64? { states[Int(state)].price }

    /// Whether the rides so far are known to be within the limit.
    public func keepsToLimit(_ state: Int32) -> Bool { price(state).map { $0 <= limit } ?? false }

    /// For how many seconds prices of journeys do not depend on when rides leave and arrive.
    public var timelessSeconds: Int32 {
        let all = traits.joined()
        if all.contains(where: { $0.namesTimes }) { return 0 }
        return Int32(clamping: all.compactMap { $0.leastSeconds }.min() ?? .max)
    }

    /// Whether whatever rides follow are within the limit after one state if they are so after
    /// another one; false where that is not certain.
    public func isNoWorse(_ state: Int32, than other: Int32) -> Bool {
        if state == other { return true }
        let (one, two) = (states[Int(state)].outlooks, states[Int(other)].outlooks)
        return one.indices.allSatisfy { one[$0].isNoWorse(than: two[$0]) }
    }

    /// The number of the state with some tickets.
    private func number(of programmes: [FareProgramme], _ outlooks: [FareOutlook]) -> Int32 {
        if let known = numbers[outlooks] { return known }
        let number = Int32(truncatingIfNeeded: states.count)
        let price = sum(outlooks) { outlook, _ in outlook.total == .max ? nil : outlook.total }
        states.append(State(programmes: programmes, outlooks: outlooks, price: price))
        numbers[outlooks] = number
        return number
    }

    private func outlooks(of programmes: [FareProgramme]) -> [FareOutlook] {
        programmes.indices.map {
            programmes[$0].outlook(book, traits[$0], comparesTimes: comparesTimes)
        }
    }

    // MARK: Bounds

    private func sum(
        _ outlooks: [FareOutlook],
        _ amount: (FareOutlook, [FareTraits]) -> Int64?
    ) -> Int64? {
        var sum: Int64 = 0
        for number in outlooks.indices {
            guard let part = amount(outlooks[number], traits[number]) else { return nil }
            sum += part * counts[number]
        }
        return sum
    }

    /// No journey that begins so costs less; nil if none has a price.
    private func floor(_ outlooks: [FareOutlook]) -> Int64? {
        sum(outlooks) { outlook, traits in
            // What a later transfer takes off, at most.
            let discount = traits.map { $0.leastPrice }.min().map { min(0, $0) } ?? 0
            let least = outlook.leastCost(traits)
            return least.map { $0 + discount * Int64(Raptor.tripLimit) }
        }
    }
}
