import Columns
import Transit

/// What some rides, and the tickets bought for them, allow from now on: two lists of rides with
/// equal outlooks cost the same whatever follows.
struct FareOutlook: Hashable {
    /// A ticket for zones that one more ride may share.
    struct Ticket: Hashable {
        /// What was paid before the ticket.
        let cost: Int64
        let rideCount: Int
        /// When its first ride departs; 0 where times do not count.
        let departure: Int64
        let origin: UInt32
        let agencies: Set<AgencyIndex>
        let zones: Set<UInt32>
        let routes: Set<RouteIndex>

        /// Whether it is as good as another one for whatever follows.
        func isNoWorse(than other: Ticket) -> Bool {
            cost <= other.cost && rideCount <= other.rideCount && origin == other.origin
                && departure >= other.departure && zones == other.zones
                && agencies.isSubset(of: other.agencies) && routes.isSubset(of: other.routes)
        }
    }

    /// A leg that a transfer may follow.
    struct Leg: Hashable {
        let group: UInt32
        let count: Int32
        let total: Int64
        let before: Int64?
        /// The departure of the leg that was paid; this and the other times are 0 where times do
        /// not count.
        let paidDeparture: Int64
        let departure: Int64
        let arrival: Int64

        /// Whether it is as good as another one for whatever follows.
        func isNoWorse(than other: Leg) -> Bool {
            guard group == other.group, count == other.count, total <= other.total else {
                return false
            }
            let costsNoMore =
                switch (before, other.before) {
                case (nil, nil): true
                case (let mine?, let theirs?): mine <= theirs
                case (nil, _?), (_?, nil): false
                }
            return costsNoMore && paidDeparture >= other.paidDeparture
                && departure >= other.departure && arrival >= other.arrival
        }
    }

    /// A leg that the next ride may be joined to.
    struct JoinedLeg: Hashable {
        /// What the price of the leg, and whether a ride joins it, depend on.
        struct Terms: Hashable {
            let feed: FeedIndex
            let networks: Set<UInt32>
            let lastNetwork: UInt32
            let areas: [UInt32]
            let lastStop: StopIndex
            /// When its first ride departs; 0 where times do not count.
            let departure: Int64
        }
        let terms: Terms
        /// What was paid before the leg; the greatest number if that is unknown.
        let cost: Int64
        /// The legs before it that a transfer may follow.
        let legs: [Leg]
    }

    /// The price of the rides so far; the greatest number if that is unknown.
    let total: Int64
    /// The feed of the last ride; nil if there is none.
    let feed: FeedIndex?
    let tickets: [Ticket]
    let legs: [Leg]
    let joined: JoinedLeg?

    /// Whether whatever rides follow cost no more than with another outlook; false where that is
    /// not certain.
    func isNoWorse(than other: FareOutlook) -> Bool {
        guard total <= other.total else { return false }
        switch (joined, other.joined) {
        case (nil, nil): break
        case (let mine?, let theirs?):
            // A ride that may be joined must be, so only equal legs are compared.
            guard mine.terms == theirs.terms, mine.cost <= theirs.cost,
                Self.covers(mine.legs, theirs.legs, { $0.isNoWorse(than: $1) })
            else { return false }
        case (nil, _?), (_?, nil): return false
        }
        if other.tickets.isEmpty, other.legs.isEmpty { return true }
        return feed == other.feed
            && Self.covers(tickets, other.tickets) { $0.isNoWorse(than: $1) }
            && Self.covers(legs, other.legs) { $0.isNoWorse(than: $1) }
    }

    /// What the rides cost at least, under each ticket that may be the last one.
    ///
    /// - Parameter traits: the traits of each feed.
    /// - Returns: the amount in minor units; nil if no price is known.
    func leastCost(_ traits: [FareTraits]) -> Int64? {
        let next = feed.map { traits[$0.row].leastPrice } ?? 0
        let open = tickets.map { $0.cost } + [joined?.cost].compactMap { $0 }
        let costs =
            [total] + open.filter { $0 < .max }.map { $0 + next }
            + legs.map { min($0.total, $0.before ?? $0.total) }
        return costs.filter { $0 < .max }.min()
    }

    /// Whether for each element of one list another list has one that is as good.
    private static func covers<Element>(
        _ list: [Element],
        _ other: [Element],
        _ isNoWorse: (Element, Element) -> Bool
    ) -> Bool {
        other.allSatisfy { theirs in list.contains { isNoWorse($0, theirs) } }
    }
}

extension FareProgramme {
    /// What the rides so far allow.
    ///
    /// - Parameters:
    ///   - book: the fares.
    ///   - traits: the traits of each feed.
    ///   - comparesTimes: whether prices may depend on times.
    /// - Returns: the outlook.
    func outlook(_ book: FareBook, _ traits: [FareTraits], comparesTimes: Bool) -> FareOutlook {
        let reader = OutlookReader(programme: self, book: book, comparesTimes: comparesTimes)
        guard let last = rides.last else {
            return FareOutlook(total: total ?? .max, feed: nil, tickets: [], legs: [], joined: nil)
        }
        let own = traits[last.feed.row]
        let hasLegs = own.hasTransfers && own.hasLegRules
        return FareOutlook(
            total: total ?? .max,
            feed: last.feed,
            tickets: openStarts(own).map { reader.ticket($0, own) },
            legs: hasLegs ? reader.legs(at: rides.count) : [],
            joined: own.hasLegRules ? reader.joinedLeg(last, own) : nil
        )
    }

    /// The beginnings of rides that one more ride may share a ticket for zones with.
    private func openStarts(_ traits: FareTraits) -> [Int] {
        guard let last = rides.last, !traits.hasLegRules else { return [] }
        var starts: [Int] = []
        for start in rides.indices.reversed() {
            guard rides[start].feed == last.feed, rides.count - start <= traits.transfers else {
                break
            }
            let taken = last.arrival.seconds - rides[start].departure.seconds
            guard traits.ticketSeconds.map({ taken <= $0 }) ?? true else { break }
            if cost(before: start) != nil { starts.append(start) }
        }
        return starts
    }
}

/// Reads the parts of an outlook from a programme.
private struct OutlookReader {
    let programme: FareProgramme
    let book: FareBook
    let comparesTimes: Bool

    func ticket(_ start: Int, _ traits: FareTraits) -> FareOutlook.Ticket {
        let rides = programme.rides[start...]
        let first = programme.rides[start]
        var zones: Set<UInt32> = []
        if traits.namesZones {
            for ride in rides { for stop in ride.stops { zones.insert(book.stopZones[stop.row]) } }
            zones.remove(0)
        }
        return FareOutlook.Ticket(
            cost: programme.cost(before: start) ?? .max,
            rideCount: rides.count,
            departure: comparesTimes ? first.departure.seconds : 0,
            origin: book.stopZones[first.first.row],
            agencies: Set(rides.map { $0.agency }),
            zones: zones,
            routes: traits.namesRoutes ? Set(rides.map { $0.route }) : []
        )
    }

    func legs(at boundary: Int) -> [FareOutlook.Leg] {
        programme.legs(at: boundary).map { leg in
            let paid = programme.times(leg.label.paid)
            let times = programme.times(leg.label.leg)
            return FareOutlook.Leg(
                group: leg.label.group,
                count: leg.label.count,
                total: leg.total,
                before: leg.before,
                paidDeparture: comparesTimes ? paid.departure : 0,
                departure: comparesTimes ? times.departure : 0,
                arrival: comparesTimes ? times.arrival : 0
            )
        }
    }

    /// The leg of the last ride; nil where no ride can be joined to it.
    func joinedLeg(_ last: FareRide, _ traits: FareTraits) -> FareOutlook.JoinedLeg? {
        let start = programme.legStart
        let first = programme.rides[start]
        let network = book.network(last.route)
        guard !last.isCovered, traits.joinedNetworks.contains(network) else { return nil }
        return FareOutlook.JoinedLeg(
            terms: FareOutlook.JoinedLeg.Terms(
                feed: last.feed,
                networks: Set(programme.rides[start...].map { book.network($0.route) }),
                lastNetwork: network,
                areas: book.areas(of: first.first).map { book.area($0) },
                lastStop: traits.joinsNameStops ? last.last : .zero,
                departure: comparesTimes ? first.departure.seconds : 0
            ),
            cost: programme.cost(before: start) ?? .max,
            legs: traits.hasTransfers ? legs(at: start) : []
        )
    }
}
