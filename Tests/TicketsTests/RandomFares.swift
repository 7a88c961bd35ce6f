import SeededRandom
import Tickets

/// Small random fare systems in which all rules often meet.
enum RandomFares {
    /// A system of one or two feeds, each with fares v1 or v2.
    static func system(_ random: inout SeededRandom) -> SmallFares {
        var fares = SmallFares()
        let feedCount = 1 + random.below(2)
        for feed in 0..<feedCount {
            for _ in 0..<4 {
                fares.zones.append(UInt32(random.below(4)))
                fares.draft.stopAreas.append((1...3).filter { _ in random.happens(0.4) })
            }
            for _ in 0..<3 {
                fares.feeds.append(UInt32(feed))
                fares.agencies.append(UInt32(random.below(2)))
                fares.draft.routeNetworks.append(UInt32(random.below(3)))
            }
            fares.draft.feeds.append(FareDraft.Feed())
            if random.happens(0.35) {
                addZones(feed, &fares, &random)
            } else {
                addLegs(feed, &fares, &random)
            }
        }
        return fares
    }

    /// A journey of one to five rides under a system.
    static func journey(_ fares: SmallFares, _ random: inout SeededRandom) -> [FareRide] {
        var minute = Int32(random.below(600))
        return (0...random.below(5)).map { _ in
            let route = UInt32(random.below(fares.feeds.count))
            let base = fares.feeds[Int(route)] * 4
            let stops = (0...(1 + random.below(2))).map { _ in base + UInt32(random.below(4)) }
            minute += Int32(random.below(30))
            let begin = minute
            minute += Int32(1 + random.below(40))
            return fares.ride(route, stops, begin, minute)
        }
    }

    private static func addZones(
        _ feed: Int,
        _ fares: inout SmallFares,
        _ random: inout SeededRandom
    ) {
        for _ in 0...random.below(4) {
            let product = fares.product(Int64(random.below(40)) * 10, feed: UInt32(feed))
            let row = Int(product)
            if random.happens(0.5) { fares.draft.products[row].transfers = UInt8(random.below(3)) }
            if random.happens(0.4) {
                fares.draft.products[row].seconds = Int32(60 * (10 + random.below(90)))
            }
            if random.happens(0.3) {
                fares.draft.products[row].agency = UInt32(1 + random.below(2))
            }
            for _ in 0...random.below(3) {
                let some = (0..<3).filter { _ in random.happens(0.7) }
                fares.draft.feeds[feed].zoneRules.append(
                    FareDraft.ZoneRule(
                        product: product,
                        origin: random.happens(0.4) ? UInt32(random.below(4)) : 0,
                        destination: random.happens(0.4) ? UInt32(random.below(4)) : 0,
                        routes: random.happens(0.4) ? some.map { UInt32(feed * 3 + $0) } : [],
                        contains: random.happens(0.3)
                            ? (1...3).filter { _ in random.happens(0.5) } : []
                    )
                )
            }
        }
    }

    private static func addLegs(
        _ feed: Int,
        _ fares: inout SmallFares,
        _ random: inout SeededRandom
    ) {
        var rules = FareDraft.Feed()
        rules.isRanked = random.happens(0.4)
        func maybe(_ chance: Double, _ limit: Int) -> UInt32 {
            random.happens(chance) ? UInt32(1 + random.below(limit)) : 0
        }
        let products = (0..<4).map { _ in
            fares.product(Int64(random.below(40)) * 10, feed: UInt32(feed))
        }
        let rebate = fares.product(-50, feed: UInt32(feed))
        for _ in 0...random.below(6) {
            var rule = FareDraft.LegRule(product: random.pick(products))
            rule.group = maybe(0.8, 3)
            rule.network = maybe(0.4, 2)
            rule.from = maybe(0.3, 3)
            rule.to = maybe(0.3, 3)
            rule.fromFrame = maybe(0.2, 2)
            rule.toFrame = maybe(0.1, 2)
            if rules.isRanked { rule.priority = maybe(0.4, 2) }
            rules.legRules.append(rule)
        }
        for _ in 0..<random.below(6) {
            var rule = FareDraft.TransferRule(kind: UInt8(random.below(3)))
            rule.from = maybe(0.8, 3)
            rule.to = random.happens(0.5) ? rule.from : maybe(0.8, 3)
            if rule.from == rule.to, rule.from != 0 {
                rule.count = random.happens(0.4) ? -1 : Int32(1 + random.below(2))
            }
            if random.happens(0.5) { rule.seconds = Int32(60 * (5 + random.below(90))) }
            rule.span = UInt8(random.below(4))
            if random.happens(0.5) { rule.product = random.pick(products + [rebate]) + 1 }
            rules.transfers.append(rule)
        }
        for _ in 0..<random.below(2) {
            var join = FareDraft.JoinRule(
                fromNetwork: UInt32(1 + random.below(2)),
                toNetwork: UInt32(1 + random.below(2))
            )
            if random.happens(0.3) { join.toStop = UInt32(feed * 4 + random.below(4)) + 1 }
            rules.joins.append(join)
        }
        for group in 1...2 {
            let start = Int32(random.below(500) * 60)
            rules.frames.append(
                FareDraft.Frame(
                    group: UInt32(group),
                    start: start,
                    end: start + Int32(random.below(400) * 60),
                    firstDay: SmallFares.day - (random.happens(0.2) ? 1 : 0),
                    days: [1]
                )
            )
        }
        fares.draft.feeds[feed] = rules
    }
}
