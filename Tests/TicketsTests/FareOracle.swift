import Tickets
import Transit

/// Prices journeys by trying every grouping, straight from the rows of the files.
///
/// It shares no code with the module: it follows the reference row by row, and remembers the whole
/// history of a journey instead of summing it up.
struct FareOracle {
    let fares: SmallFares
    var owned: Set<UInt32> = []

    private var draft: FareDraft { fares.draft }

    /// The least cost of all groupings; nil if there is none.
    func cost(_ rides: [FareRide]) -> Int64? {
        cost(rides, from: 0, chain: [])
    }

    private struct Link {
        let rides: Range<Int>
        let group: UInt32
        /// The sum of the chain up to here.
        let sum: Int64
    }

    private func cost(_ rides: [FareRide], from start: Int, chain: [Link]) -> Int64? {
        guard start < rides.count else { return 0 }
        var best: Int64?
        func consider(_ amount: Int64, _ rest: Int64?) {
            if let rest { best = min(best ?? .max, amount + rest) }
        }
        let feed = draft.feeds[Int(rides[start].feed.rawValue)]
        guard !feed.legRules.isEmpty else {
            for end in (start + 1)...rides.count {
                let part = Array(rides[start..<end])
                guard part.allSatisfy({ $0.feed == part[0].feed }) else { break }
                for rule in feed.zoneRules where matches(rule, part) {
                    consider(price(rule.product), cost(rides, from: end, chain: []))
                }
            }
            return best
        }
        var end = start + 1
        while end < rides.count, isJoined(rides[end - 1], rides[end], feed) { end += 1 }
        let leg = Array(rides[start..<end])
        let all = feed.legRules.filter { matches($0, leg, feed) }
        let top = all.map(\.priority).max() ?? 0
        for rule in all where rule.priority == top {
            let single = price(rule.product)
            let first = Link(rides: start..<end, group: rule.group, sum: single)
            consider(single, cost(rides, from: end, chain: [first]))
            guard let last = chain.last, rides[last.rides.lowerBound].feed == leg[0].feed else {
                continue
            }
            for transfer in transfers(chain, rule.group, leg, rides, feed) {
                let extra = transfer.product == 0 ? 0 : price(transfer.product - 1)
                let sum =
                    switch transfer.kind {
                    case 0: last.sum + extra
                    case 1: last.sum + extra + single
                    default: (chain.count == 1 ? 0 : last.sum) + extra
                    }
                let next = chain + [Link(rides: start..<end, group: rule.group, sum: sum)]
                // What was counted for the chain so far is replaced by its new sum.
                consider(sum - last.sum, cost(rides, from: end, chain: next))
            }
        }
        return best
    }

    private func price(_ product: UInt32) -> Int64 {
        owned.contains(product) ? 0 : draft.products[Int(product)].prices[0].amount
    }

    // MARK: Fares v1

    private func matches(_ rule: FareDraft.ZoneRule, _ rides: [FareRide]) -> Bool {
        let product = draft.products[Int(rule.product)]
        let stops = rides.flatMap { $0.stops.map { Int($0.rawValue) } }
        let zones = Set(stops.map { fares.zones[$0] }).subtracting([0])
        let taken = rides[rides.count - 1].arrival.seconds - rides[0].departure.seconds
        return (rule.origin == 0 || rule.origin == fares.zones[stops[0]])
            && (rule.destination == 0 || rule.destination == fares.zones[stops[stops.count - 1]])
            && (rule.routes.isEmpty || rides.allSatisfy { rule.routes.contains($0.route.rawValue) })
            && (rule.contains.isEmpty || Set(rule.contains) == zones)
            && (product.agency == 0
                || rides.allSatisfy { $0.agency.rawValue == product.agency - 1 })
            && (product.transfers == FareDraft.Product.unlimited
                || rides.count <= Int(product.transfers) + 1)
            && (product.seconds == 0 || rides.count == 1 || taken <= Int64(product.seconds))
    }

    // MARK: Fares v2

    private func network(_ ride: FareRide) -> UInt32 {
        draft.routeNetworks[Int(ride.route.rawValue)]
    }

    private func isJoined(_ one: FareRide, _ two: FareRide, _ feed: FareDraft.Feed) -> Bool {
        one.feed == two.feed
            && feed.joins.contains { rule in
                rule.fromNetwork != 0 && rule.toNetwork != 0 && rule.fromNetwork == network(one)
                    && rule.toNetwork == network(two)
                    && [0, one.stops[one.stops.count - 1].rawValue + 1].contains(rule.fromStop)
                    && [0, two.stops[0].rawValue + 1].contains(rule.toStop)
            }
    }

    private func matches(
        _ rule: FareDraft.LegRule,
        _ leg: [FareRide],
        _ feed: FareDraft.Feed
    ) -> Bool {
        let last = leg[leg.count - 1]
        let starts = draft.stopAreas[Int(leg[0].stops[0].rawValue)]
        let ends = draft.stopAreas[Int(last.stops[last.stops.count - 1].rawValue)]
        let networks = Set(leg.map(network))
        func isFree(_ listed: [UInt32], _ values: some Sequence<UInt32>) -> Bool {
            feed.isRanked || Set(listed).subtracting([0]).isDisjoint(with: values)
        }
        return
            (rule.network == 0
            ? isFree(feed.legRules.map(\.network), networks) : networks == [rule.network])
            && (rule.from == 0
                ? isFree(feed.legRules.map(\.from), starts) : starts.contains(rule.from))
            && (rule.to == 0 ? isFree(feed.legRules.map(\.to), ends) : ends.contains(rule.to))
            && isIn(rule.fromFrame, leg[0].departure, feed)
            && isIn(rule.toFrame, last.arrival, feed)
    }

    private func isIn(_ group: UInt32, _ time: FareTime, _ feed: FareDraft.Feed) -> Bool {
        group == 0
            || feed.frames.contains { frame in
                frame.group == group && frame.start <= time.secondOfDay
                    && time.secondOfDay < frame.end && frame.firstDay == time.day
                    && frame.days == [1]
            }
    }

    private func transfers(
        _ chain: [Link],
        _ group: UInt32,
        _ leg: [FareRide],
        _ rides: [FareRide],
        _ feed: FareDraft.Feed
    ) -> [FareDraft.TransferRule] {
        let last = chain[chain.count - 1]
        // The legs of this group that end the chain were paid by its first one.
        let row = chain.reversed().prefix { $0.group == group }
        let number = row.isEmpty ? 1 : row.count
        let paid = row.last ?? last
        var found = feed.transfers.filter {
            last.group != 0 && group != 0 && $0.from == last.group && $0.to == group
        }
        if found.isEmpty {
            let listedFrom = Set(feed.transfers.map(\.from)).subtracting([0])
            let listedTo = Set(feed.transfers.map(\.to)).subtracting([0])
            found = feed.transfers.filter {
                ($0.from == 0 ? !listedFrom.contains(last.group) : $0.from == last.group)
                    && ($0.to == 0 ? !listedTo.contains(group) : $0.to == group)
            }
        }
        func limit(_ rule: FareDraft.TransferRule) -> Int {
            rule.count > 0 ? Int(rule.count) : Int(Int32.max)
        }
        found = found.filter { limit($0) >= number }
        let least = found.map(limit).min()
        return found.filter { rule in
            guard limit(rule) == least else { return false }
            let (begin, now) = (rides[paid.rides.lowerBound], rides[last.rides.upperBound - 1])
            let ends = leg[leg.count - 1].arrival.seconds
            let taken =
                switch rule.span {
                case 0: ends - begin.departure.seconds
                case 1: leg[0].departure.seconds - begin.departure.seconds
                case 2: leg[0].departure.seconds - now.arrival.seconds
                default: ends - now.arrival.seconds
                }
            return rule.seconds == 0 || taken <= Int64(rule.seconds)
        }
    }
}
