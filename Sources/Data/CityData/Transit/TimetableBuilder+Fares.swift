import Chronology
import Columns
import OpenData
import Tickets

extension TimetableBuilder {
    /// Writes the fares of all feeds.
    mutating func writeFares(_ writer: inout SectionWriter) {
        var draft = FareDraft()
        let stopBases = Self.stopBases(inputs)
        var (routeBase, agencyBase) = (0, 0)
        for (number, input) in inputs.enumerated() {
            let feed = input.feed
            let bases = FareBases(
                feed: UInt32(number),
                product: draft.products.count,
                category: draft.categories.count,
                route: routeBase,
                agency: agencyBase,
                stop: stopBases[number]
            )
            addProducts(feed.fares, bases, &draft)
            var rules = FareDraft.Feed()
            rules.zoneRules = zoneRules(feed.fares, bases)
            rules.legRules = Self.legRules(feed.fares, bases)
            rules.isRanked = feed.fares.isRanked
            rules.joins = Self.joins(feed.fares, bases)
            rules.transfers = Self.transfers(feed.fares, bases)
            rules.frames = feed.fares.frames.map { frame in
                let days = feed.services[frame.service].days.shifted(days: input.shiftWeeks * 7)
                return FareDraft.Frame(
                    group: frame.group,
                    start: frame.start,
                    end: frame.end,
                    firstDay: days.firstDay,
                    days: days.words
                )
            }
            draft.feeds.append(rules)
            let networks = feed.fares.routeNetworks
            draft.routeNetworks += networks.isEmpty ? feed.routes.map { _ in 0 } : networks
            let areas = feed.fares.stopAreas
            draft.stopAreas += areas.isEmpty ? feed.stops.map { _ in [] } : areas
            routeBase += feed.routes.count
            agencyBase += feed.agencies.count
        }
        writer.add(fares: draft)
    }

    /// The first rows of a feed among those of all feeds.
    private struct FareBases {
        let feed: UInt32
        let product: Int
        let category: Int
        let route: Int
        let agency: Int
        let stop: Int
    }

    private mutating func addProducts(
        _ fares: GTFSFares,
        _ bases: FareBases,
        _ draft: inout FareDraft
    ) {
        // Feeds that share a currency share its row, so that their prices can be added up.
        let currencies = fares.currencies.map { currency -> UInt32 in
            let code = texts.number(of: currency.code)
            if let row = draft.currencies.firstIndex(where: { $0.code == code }) {
                return UInt32(row)
            }
            draft.currencies.append(
                FareDraft.Currency(code: code, digits: UInt8(currency.digits))
            )
            return UInt32(draft.currencies.count - 1)
        }
        for category in fares.categories {
            draft.categories.append(
                FareDraft.Category(
                    feed: bases.feed,
                    id: texts.number(of: category.id),
                    isDefault: category.isDefault
                )
            )
        }
        for product in fares.products {
            var row = FareDraft.Product(feed: bases.feed, id: texts.number(of: product.id))
            row.name = texts.number(of: product.name)
            row.agency = product.agency.map { UInt32(bases.agency + $0 + 1) } ?? 0
            row.transfers = product.transfers ?? FareDraft.Product.unlimited
            row.seconds = product.seconds ?? 0
            row.prices = product.prices.map { price in
                FareDraft.Price(
                    amount: price.minorUnits,
                    currency: currencies[price.currency],
                    category: price.category.map { UInt32(bases.category + $0 + 1) } ?? 0
                )
            }
            draft.products.append(row)
        }
    }

    /// What rules of version 1 have in common that differ in their routes or zones passed.
    private struct RuleKey: Hashable {
        let product: Int32
        let origin: Int32
        let destination: Int32
        /// The route while zones are gathered; 0 afterwards.
        let route: Int32
        /// The zones passed, once they are gathered.
        let contains: [Int32]
    }

    /// The rules of version 1: rows that name a zone each become one rule for all of these zones,
    /// and rows that name a route each become one rule for any of these routes.
    private mutating func zoneRules(
        _ fares: GTFSFares,
        _ bases: FareBases
    ) -> [FareDraft.ZoneRule] {
        var zones: [RuleKey: Set<Int32>] = [:]
        var order: [RuleKey] = []
        for rule in fares.zoneRules {
            let key = RuleKey(
                product: rule.product,
                origin: rule.origin,
                destination: rule.destination,
                route: rule.route,
                contains: []
            )
            if zones[key] == nil { order.append(key) }
            zones[key, default: []].formUnion(rule.contains == 0 ? [] : [rule.contains])
        }
        var routes: [RuleKey: Set<Int32>] = [:]
        var groups: [RuleKey] = []
        for rule in order {
            let key = RuleKey(
                product: rule.product,
                origin: rule.origin,
                destination: rule.destination,
                route: 0,
                contains: (zones[rule] ?? []).sorted()
            )
            if routes[key] == nil { groups.append(key) }
            routes[key, default: []].insert(rule.route)
        }
        let names = fares.zones.map { texts.number(of: $0) }
        return groups.map { key in
            let allowed = routes[key] ?? []
            return FareDraft.ZoneRule(
                product: UInt32(bases.product) + UInt32(key.product),
                origin: names[Int(key.origin)],
                destination: names[Int(key.destination)],
                routes: allowed.contains(-1)
                    ? [] : allowed.sorted().map { UInt32(bases.route + Int($0)) },
                contains: key.contains.map { names[Int($0)] }.sorted()
            )
        }
    }

    private static func legRules(
        _ fares: GTFSFares,
        _ bases: FareBases
    ) -> [FareDraft.LegRule] {
        fares.legRules.map { rule in
            var row = FareDraft.LegRule(product: UInt32(bases.product + rule.product))
            (row.group, row.network) = (rule.group, rule.network)
            (row.from, row.to) = (rule.from, rule.to)
            (row.fromFrame, row.toFrame) = (rule.fromFrame, rule.toFrame)
            row.priority = rule.priority
            return row
        }
    }

    private static func joins(_ fares: GTFSFares, _ bases: FareBases) -> [FareDraft.JoinRule] {
        fares.joins.map { rule in
            var row = FareDraft.JoinRule(fromNetwork: rule.fromNetwork, toNetwork: rule.toNetwork)
            row.fromStop = rule.fromStop.map { UInt32(bases.stop + $0 + 1) } ?? 0
            row.toStop = rule.toStop.map { UInt32(bases.stop + $0 + 1) } ?? 0
            return row
        }
    }

    private static func transfers(
        _ fares: GTFSFares,
        _ bases: FareBases
    ) -> [FareDraft.TransferRule] {
        fares.transfers.map { rule in
            var row = FareDraft.TransferRule(kind: rule.kind)
            (row.from, row.to, row.count) = (rule.from, rule.to, rule.count)
            (row.seconds, row.span) = (rule.seconds ?? 0, rule.span)
            row.product = rule.product.map { UInt32(bases.product + $0 + 1) } ?? 0
            return row
        }
    }
}
