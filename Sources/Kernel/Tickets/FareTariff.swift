import Columns
import Transit

/// The fares of a city with a limit, as a search for journeys needs them: what riders have paid on
/// the way, and what they may still pay.
public struct FareTariff: Sendable {
    /// What several travellers pay who ride together.
    public struct Party: Sendable {
        /// Each kind of traveller with how many of them there are.
        public var travellers: [(traveller: FareTraveller, count: Int64)]

        /// A party; those who own passes are travellers of their own.
        public init(_ travellers: [(traveller: FareTraveller, count: Int64)]) {
            self.travellers = travellers
        }
    }

    /// The tickets that some rides need, and those that may still be used, for each kind of
    /// traveller.
    public struct State: Sendable {
        var programmes: [FareProgramme]
    }

    private let book: FareBook
    private let counts: [Int64]
    private let limit: Int64
    /// The traits of each feed, for each kind of traveller.
    private let traits: [[FareTraits]]
    /// The state before the first ride.
    public let beginning: State

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
        beginning = State(programmes: terms.map { FareProgramme(book, $0) })
    }

    /// The state after one more ride; nil where no journey that begins so can keep to the limit.
    public func state(_ state: State, after ride: FareRide) -> State? {
        var state = state
        for number in state.programmes.indices { state.programmes[number].append(ride) }
        return floor(state).map { $0 <= limit } ?? false ? state : nil
    }

    /// What all travellers pay for the rides so far, in minor units; nil if that is unknown.
    public func price(_ state: State) -> Int64? {
        sum(state) { programme, _ in programme.total }
    }

    /// Whether the rides so far are known to be within the limit.
    public func keepsToLimit(_ state: State) -> Bool {
        price(state).map { $0 <= limit } ?? false
    }

    /// For how many seconds prices of journeys do not depend on when rides leave and arrive.
    public var timelessSeconds: Int32 {
        let all = traits.joined()
        if all.contains(where: { $0.namesTimes }) { return 0 }
        return Int32(clamping: all.compactMap { $0.leastSeconds }.min() ?? .max)
    }

    /// Whether whatever rides follow are within the limit after one state if they are so after
    /// another one; false where that is not certain.
    ///
    /// Times count only if told so.
    public func isNoWorse(_ state: State, than other: State, comparesTimes: Bool) -> Bool {
        state.programmes.indices.allSatisfy { number in
            let (one, two) = (state.programmes[number], other.programmes[number])
            return isNoWorse(one, than: two, traits[number], comparesTimes)
        }
    }

    // MARK: Bounds

    private func sum(
        _ state: State,
        _ amount: (FareProgramme, [FareTraits]) -> Int64?
    ) -> Int64? {
        var sum: Int64 = 0
        for number in state.programmes.indices {
            guard let part = amount(state.programmes[number], traits[number]) else { return nil }
            sum += part * counts[number]
        }
        return sum
    }

    /// No journey that begins so costs less; nil if none has a price.
    private func floor(_ state: State) -> Int64? {
        sum(state) { programme, traits in
            // What a later transfer takes off, at most.
            let discount = traits.map { $0.leastPrice }.min().map { min(0, $0) } ?? 0
            let least = openCosts(programme, traits).min()
            return least.map { $0 + discount * Int64(Raptor.tripLimit) }
        }
    }

    /// What the rides cost at least under each ticket that may be the last one.
    private func openCosts(_ programme: FareProgramme, _ traits: [FareTraits]) -> [Int64] {
        var costs = [programme.total].compactMap { $0 }
        guard let last = programme.rides.last else { return costs }
        let own = traits[last.feed.row]
        for start in openStarts(programme, own) {
            if let cost = programme.cost(before: start) { costs.append(cost + own.leastPrice) }
        }
        for leg in programme.openLegs { costs.append(min(leg.total, leg.before ?? leg.total)) }
        if own.joinsRides, let cost = programme.cost(before: programme.legStart) {
            costs.append(cost + own.leastPrice)
        }
        return costs
    }

    /// The beginnings of rides that one more ride may share a ticket for zones with.
    private func openStarts(_ programme: FareProgramme, _ traits: FareTraits) -> [Int] {
        let rides = programme.rides
        guard let last = rides.last, book.legRules.rows(last.feed).isEmpty else { return [] }
        var starts: [Int] = []
        for start in rides.indices.reversed() {
            guard rides[start].feed == last.feed, rides.count - start <= traits.transfers else {
                break
            }
            let taken = last.arrival.seconds - rides[start].departure.seconds
            guard traits.ticketSeconds.map({ taken <= $0 }) ?? true else { break }
            if programme.cost(before: start) != nil { starts.append(start) }
        }
        return starts
    }

    // MARK: Comparison

    private func isNoWorse(
        _ one: FareProgramme,
        than other: FareProgramme,
        _ traits: [FareTraits],
        _ comparesTimes: Bool
    ) -> Bool {
        guard (one.total ?? .max) <= (other.total ?? .max) else { return false }
        guard let last = other.rides.last else { return true }
        let own = traits[last.feed.row]
        let starts = openStarts(other, own)
        if !starts.isEmpty {
            let mine = one.rides.last?.feed == last.feed ? openStarts(one, own) : []
            for start in starts {
                let ticket = ticket(other, start, own)
                let isBeaten = mine.contains {
                    self.ticket(one, $0, own).isNoWorse(than: ticket, comparesTimes)
                }
                guard isBeaten else { return false }
            }
        }
        guard own.joinsRides || own.hasTransfers, !book.legRules.rows(last.feed).isEmpty else {
            return true
        }
        return hasLegs(one, of: other, own, comparesTimes)
    }

    /// A ticket for zones that is open.
    private struct OpenTicket {
        let cost: Int64
        let rideCount: Int
        let departure: Int64
        let origin: UInt32
        let agencies: Set<AgencyIndex>
        let zones: Set<UInt32>
        let routes: Set<RouteIndex>

        /// Whether it is as good as another one for whatever follows.
        func isNoWorse(than other: OpenTicket, _ comparesTimes: Bool) -> Bool {
            cost <= other.cost && rideCount <= other.rideCount && origin == other.origin
                && (!comparesTimes || departure >= other.departure)
                && agencies.isSubset(of: other.agencies) && zones == other.zones
                && routes.isSubset(of: other.routes)
        }
    }

    private func ticket(
        _ programme: FareProgramme,
        _ start: Int,
        _ traits: FareTraits
    ) -> OpenTicket {
        let rides = programme.rides[start...]
        let first = programme.rides[start]
        var zones: Set<UInt32> = []
        if traits.namesZones {
            for ride in rides { for stop in ride.stops { zones.insert(book.stopZones[stop.row]) } }
            zones.remove(0)
        }
        return OpenTicket(
            cost: programme.cost(before: start) ?? .max,
            rideCount: rides.count,
            departure: first.departure.seconds,
            origin: book.stopZones[first.first.row],
            agencies: Set(rides.map { $0.agency }),
            zones: zones,
            routes: traits.namesRoutes ? Set(rides.map { $0.route }) : []
        )
    }

    /// Whether one list of rides may be continued by every transfer, or joined ride, by which
    /// another may, for no more.
    private func hasLegs(
        _ one: FareProgramme,
        of other: FareProgramme,
        _ traits: FareTraits,
        _ comparesTimes: Bool
    ) -> Bool {
        guard one.rides.last?.feed == other.rides.last?.feed else { return false }
        if traits.joinsRides {
            let (mine, theirs) = (one.rides[one.legStart...], other.rides[other.legStart...])
            let isSame = mine.elementsEqual(theirs) { left, right in
                left.route == right.route && left.first == right.first && left.last == right.last
                    && (!comparesTimes || left.departure == right.departure)
                    && left.isCovered == right.isCovered
            }
            // What came before the leg counts too: only equal pasts are compared.
            guard isSame, one.legStart == 0 && other.legStart == 0 || one.rides == other.rides
            else { return false }
        }
        let mine = one.openLegs
        return other.openLegs.allSatisfy { theirs in
            mine.contains { isNoWorse($0, one, than: theirs, other, comparesTimes) }
        }
    }

    private func isNoWorse(
        _ one: (label: FareProgramme.Label, total: Int64, before: Int64?),
        _ programme: FareProgramme,
        than other: (label: FareProgramme.Label, total: Int64, before: Int64?),
        _ otherProgramme: FareProgramme,
        _ comparesTimes: Bool
    ) -> Bool {
        guard one.label.group == other.label.group, one.label.count == other.label.count,
            one.total <= other.total
        else { return false }
        switch (one.before, other.before) {
        case (nil, nil): break
        case (let mine?, let theirs?): if mine > theirs { return false }
        case (nil, _?), (_?, nil): return false
        }
        guard comparesTimes else { return true }
        let (paid, theirPaid) = (
            programme.times(one.label.paid), otherProgramme.times(other.label.paid)
        )
        let (leg, theirLeg) = (
            programme.times(one.label.leg), otherProgramme.times(other.label.leg)
        )
        return paid.departure >= theirPaid.departure && leg.departure >= theirLeg.departure
            && leg.arrival >= theirLeg.arrival
    }
}
