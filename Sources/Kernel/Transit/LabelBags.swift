import Columns

/// The labels of a search with a ``Criterion``: for each platform those that no other beats, in
/// flat memory that is reused from search to search.
///
/// A bag is a linked list through the array of all labels, sorted by time (McRAPTOR: Delling,
/// Pajor, Werneck, "Round-Based Public Transit Routing", Transportation Science 49(3), 2015,
/// section 4.1, which uses an array for each bag). A label that another one with more trips beats
/// stays in the list, because the search from the other end asks what was known after a number of
/// trips. A label that another one with as many trips beats is removed.
///
/// A search with two criteria has no bags and an empty value of this type.
struct LabelBags<Carried: Criterion>: Sendable {
    /// The label of a rider at a platform: after alighting, or ready to board.
    struct Label: Sendable {
        let time: Int32
        let amount: Carried.Amount
        let platform: Int32
        /// The number of trips so far.
        let trips: Int32
        /// The number of the label before this one; for a rider who comes from the origin, -1 for
        /// the first way of access, -2 for the second and so on.
        let origin: Int32
        /// The ride that ended here; meaningless in a label of readiness.
        let ride: Raptor.Ride
        /// The next label of the bag; negative at the end.
        var next: Int32 = -1
    }

    /// A rider on a departure of the route that is being ridden.
    struct Rider: Sendable {
        let departure: Int
        /// The kind of the departure.
        let kind: Int32
        /// The amount until the call that the vehicle has come to.
        var amount: Carried.Amount
        /// The call where the rider boarded.
        let board: Int
        /// The label of the rider there.
        let label: Int32
    }

    /// A journey that no other beats in time, number of trips and, if amounts are compared, amount.
    struct End: Sendable {
        let trips: Int
        let arrival: Int32
        let amount: Carried.Amount
        let label: Int32
        let egress: Raptor.AccessEgress
    }

    /// All labels of the search.
    private(set) var labels: [Label] = []
    /// The first label of each bag: first the bags of arrival, then those of readiness; negative if
    /// the bag is empty.
    private(set) var heads: [Int32] = []
    /// The riders on the route that is being ridden.
    var riders: [Rider] = []
    /// The journeys found, fewest trips first.
    private(set) var ends: [End] = []
    /// The current round of the search.
    var round: Int32 = 0
    /// The ways to the first platforms.
    private(set) var access: [Raptor.AccessEgress] = []
    /// The ways from the last platforms, in the order of platforms.
    private(set) var egress: [Raptor.AccessEgress] = []
    /// The least amount that a journey still adds from its last platform on.
    private(set) var least = Carried.none
    /// The least amount of any journey.
    private(set) var floor = Carried.none

    /// The journeys that results must not be beaten by, the earliest first.
    private var rivals: [(arrival: Int32, amount: Carried.Amount)] = []
    private var platformCount = 0

    /// Bags without memory.
    init() {}

    /// Empties the bags for a search.
    mutating func begin(_ query: Raptor.Query, _ criterion: Carried, platformCount: Int) {
        self.platformCount = platformCount
        labels.removeAll(keepingCapacity: true)
        if heads.count != 2 * platformCount {
            heads = Array(repeating: -1, count: 2 * platformCount)
        } else {
            for bag in heads.indices { heads[bag] = -1 }
        }
        ends.removeAll(keepingCapacity: true)
        rivals.removeAll(keepingCapacity: true)
        if let rival = criterion.rival {
            rivals.append((query.start &+ rival.seconds, rival.amount))
        }
        round = 0
        access = query.access
        egress = query.egress.sorted { ($0.platform, $0.seconds) < ($1.platform, $1.seconds) }
        least = Self.least(egress)
        floor = Carried.sum(Self.least(access), least)
    }

    private static func least(_ ways: [Raptor.AccessEgress]) -> Carried.Amount {
        guard let first = ways.first else { return Carried.none }
        return ways.dropFirst().reduce(Carried.amount(of: first)) {
            Carried.least($0, Carried.amount(of: $1))
        }
    }

    /// The bag of the riders who arrived at a platform.
    @inline(__always)
    func arrived(_ platform: Int) -> Int { platform }

    /// The bag of the riders who are ready to board at a platform.
    @inline(__always)
    func ready(_ platform: Int) -> Int { platformCount &+ platform }

    /// Puts a label into a bag unless another label there is no later and has no greater amount.
    ///
    /// - Returns: the number of the label; nil if another one beats it.
    mutating func keep(_ label: Label, in bag: Int) -> Int32? {
        var before: Int32 = -1
        var here = heads[bag]
        while here >= 0, labels[Int(here)].time < label.time {
            if Carried.isNoMore(labels[Int(here)].amount, than: label.amount) { return nil }
            before = here
            here = labels[Int(here)].next
        }
        var same = here
        while same >= 0, labels[Int(same)].time == label.time {
            if Carried.isNoMore(labels[Int(same)].amount, than: label.amount) { return nil }
            same = labels[Int(same)].next
        }
        let number = Int32(truncatingIfNeeded: labels.count)
        labels.append(label)
        labels[Int(number)].next = here
        if before < 0 { heads[bag] = number } else { labels[Int(before)].next = number }
        removeBeaten(after: number)
        return number
    }

    /// Removes the labels of a bag that one of its labels beats, among those with as many trips.
    private mutating func removeBeaten(after number: Int32) {
        let label = labels[Int(number)]
        var before = number
        var here = label.next
        while here >= 0 {
            let other = labels[Int(here)]
            if other.trips == label.trips, Carried.isNoMore(label.amount, than: other.amount) {
                labels[Int(before)].next = other.next
            } else {
                before = here
            }
            here = other.next
        }
    }

    /// Lets a rider board unless another one with no greater amount is on the same departure or an
    /// earlier one of the same kind.
    mutating func board(_ rider: Rider) {
        var kept = 0
        for number in riders.indices {
            let other = riders[number]
            if other.departure <= rider.departure, isAlike(other, rider),
                Carried.isNoMore(other.amount, than: rider.amount)
            {
                // Whatever the new rider beats, this one beats too, so nothing has been removed
                // yet.
                return
            }
            let isBeaten =
                rider.departure <= other.departure && isAlike(rider, other)
                && Carried.isNoMore(rider.amount, than: other.amount)
            if !isBeaten {
                riders[kept] = other
                kept += 1
            }
        }
        riders.removeLast(riders.count - kept)
        riders.append(rider)
    }

    /// Whether the amounts of two riders grow alike.
    @inline(__always)
    private func isAlike(_ one: Rider, _ other: Rider) -> Bool {
        !Carried.countsRides || one.kind == other.kind
    }

    /// Whether a journey that was found beats one with this arrival and amount.
    func isBeaten(at arrival: Int32, _ amount: Carried.Amount, _ criterion: Carried) -> Bool {
        for rival in rivals {
            if rival.arrival > arrival { return false }
            if criterion.isNoWorse(rival.amount, than: amount) { return true }
        }
        return false
    }

    /// Records a journey, unless one that was found before beats it.
    mutating func reach(_ end: End, _ criterion: Carried) {
        // Only journeys with as many trips can be beaten by it and still be in the list.
        ends.removeAll { other in
            other.trips == end.trips && end.arrival <= other.arrival
                && criterion.isNoWorse(end.amount, than: other.amount)
        }
        ends.append(end)
        guard criterion.isCompared else { return }
        rivals.removeAll {
            end.arrival <= $0.arrival && criterion.isNoWorse(end.amount, than: $0.amount)
        }
        let place = rivals.firstIndex { $0.arrival > end.arrival } ?? rivals.endIndex
        rivals.insert((end.arrival, end.amount), at: place)
    }

    /// Whether some label of readiness after at most `trips` trips is no later than a time and,
    /// with a further amount added, is allowed by a criterion.
    func isReady(
        _ platform: Int,
        by time: Int32,
        trips: Int,
        with amount: Carried.Amount,
        _ criterion: Carried
    ) -> Bool {
        var here = heads[ready(platform)]
        while here >= 0 {
            let label = labels[Int(here)]
            if label.time > time { return false }
            if label.trips <= trips, criterion.allows(Carried.sum(label.amount, amount)) {
                return true
            }
            here = label.next
        }
        return false
    }

    /// A journey of the last search, as ``Raptor/journey(round:of:in:isMirrored:)`` gives it.
    func journey(of end: End, in window: ServiceWindow, isMirrored: Bool) -> TransitJourney? {
        var rides: [Raptor.Ride] = []
        var label = labels[Int(end.label)]
        for _ in 0..<end.trips {
            rides.append(label.ride)
            let boarding = labels[Int(label.origin)]
            if boarding.origin < 0 {
                return window.journey(
                    rides: rides.reversed(),
                    access: access[-1 - Int(boarding.origin)],
                    egress: end.egress,
                    isMirrored: isMirrored
                )
            }
            label = labels[Int(boarding.origin)]
        }
        return nil
    }
}
