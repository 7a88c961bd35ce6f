/// A zone: its queue of available drivers, the drivers in it who are being asked, and the
/// requests held for one of them.
public struct ZoneQueue: Hashable, Sendable {
    /// A driver and his place.
    public struct Entry: Hashable, Sendable, BitwiseCopyable {
        /// His place; no two are equal.
        public var rank: Rank
        /// The driver.
        public var taxi: TaxiNumber
    }

    /// A request and its place in the order of arrival.
    struct Waiting: Hashable, Sendable, BitwiseCopyable {
        var arrival: Int64
        var request: RequestNumber
    }

    /// What the city calls the zone.
    public internal(set) var name: String
    /// Who is available, first come first.
    public private(set) var entries: [Entry] = []
    /// Who is in the zone and being asked, by number.
    private(set) var pending: [TaxiNumber] = []
    /// Which requests are held here, first come first.
    private(set) var held: [Waiting] = []

    init(name: String) {
        self.name = name
    }

    /// How many are before the place of that rank.
    ///
    /// - Complexity: O(log n).
    public func ahead(of rank: Rank) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].rank < rank { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func insert(_ taxi: TaxiNumber, at rank: Rank) {
        entries.insert(Entry(rank: rank, taxi: taxi), at: ahead(of: rank))
    }

    mutating func remove(_ rank: Rank) {
        let place = ahead(of: rank)
        if place < entries.count, entries[place].rank == rank { entries.remove(at: place) }
    }

    mutating func addPending(_ taxi: TaxiNumber) {
        let place = pending.firstIndex { taxi < $0 } ?? pending.count
        pending.insert(taxi, at: place)
    }

    mutating func removePending(_ taxi: TaxiNumber) {
        if let place = pending.firstIndex(of: taxi) { pending.remove(at: place) }
    }

    mutating func addHeld(_ request: RequestNumber, arrival: Int64) {
        let place = held.firstIndex { arrival < $0.arrival } ?? held.count
        held.insert(Waiting(arrival: arrival, request: request), at: place)
    }

    mutating func removeHeld(_ request: RequestNumber) {
        if let place = held.firstIndex(where: { $0.request == request }) {
            held.remove(at: place)
        }
    }
}
