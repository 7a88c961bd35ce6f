/// A zone: its queue of available drivers, the drivers in it with an open offer, and the requests
/// that are held for one of these.
public struct ZoneQueue: Hashable, Sendable {
    /// A driver in the queue with their position.
    public struct Entry: Hashable, Sendable, BitwiseCopyable {
        /// The position of the driver; no two are equal.
        public var rank: Rank
        /// The taxi of the driver.
        public var taxi: TaxiNumber
    }

    /// A held request and its position in the order of arrival.
    struct Waiting: Hashable, Sendable, BitwiseCopyable {
        var arrival: Int64
        var request: RequestNumber
    }

    /// The name that the city gave the zone.
    public internal(set) var name: String
    /// The available drivers, in queue order.
    public private(set) var entries: [Entry] = []
    /// The taxis in the zone with an open offer, sorted by number.
    private(set) var pending: [TaxiNumber] = []
    /// The requests held in the zone, oldest first.
    private(set) var held: [Waiting] = []

    init(name: String) {
        self.name = name
    }

    /// How many drivers are ahead of a rank.
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
        precondition(
            place < entries.count && entries[place].rank == rank,
            "A taxi left a queue in which it was not."
        )
        entries.remove(at: place)
    }

    mutating func addPending(_ taxi: TaxiNumber) {
        let place = pending.firstIndex { taxi < $0 } ?? pending.count
        pending.insert(taxi, at: place)
    }

    mutating func removePending(_ taxi: TaxiNumber) {
        guard let place = pending.firstIndex(of: taxi) else {
            preconditionFailure("A taxi with an open offer was not among those of its zone.")
        }
        pending.remove(at: place)
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
