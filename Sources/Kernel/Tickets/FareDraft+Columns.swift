public import Columns

extension SectionWriter {
    /// Adds the columns of fares, which ``FareBook`` reads; none if no feed has any.
    ///
    /// The zones of the stops are the timetable's column `transit.stop.farezone`.
    public mutating func add(fares draft: FareDraft) {
        guard !draft.products.isEmpty else { return }
        addProducts(draft)
        addZoneRules(draft)
        addLegRules(draft)
        addTransfers(draft)
        addFrames(draft)
        add("fares.feed.ranked", draft.feeds.map { $0.isRanked ? UInt8(1) : 0 })
        add("fares.route.network", draft.routeNetworks)
        add("fares.stop.areas", Self.offsets(draft.stopAreas.map { $0.count }))
        add("fares.stop.area", draft.stopAreas.flatMap { $0 })
    }

    private mutating func addProducts(_ draft: FareDraft) {
        let products = draft.products
        add("fares.product.feed", products.map { $0.feed })
        add("fares.product.id", products.map { $0.id })
        add("fares.product.name", products.map { $0.name })
        add("fares.product.agency", products.map { $0.agency })
        add("fares.product.transfers", products.map { $0.transfers })
        add("fares.product.seconds", products.map { $0.seconds })
        add("fares.product.prices", Self.offsets(products.map { $0.prices.count }))
        let prices = products.flatMap { $0.prices }
        add("fares.price.amount", prices.map { $0.amount })
        add("fares.price.currency", prices.map { $0.currency })
        add("fares.price.category", prices.map { $0.category })
        add("fares.currency.code", draft.currencies.map { $0.code })
        add("fares.currency.digits", draft.currencies.map { $0.digits })
        add("fares.category.feed", draft.categories.map { $0.feed })
        add("fares.category.id", draft.categories.map { $0.id })
        add("fares.category.default", draft.categories.map { $0.isDefault ? UInt8(1) : 0 })
    }

    private mutating func addZoneRules(_ draft: FareDraft) {
        let feeds = draft.feeds.map { feed in
            feed.zoneRules.sorted { left, right in
                (left.origin, left.destination, left.product)
                    < (right.origin, right.destination, right.product)
            }
        }
        let rules = feeds.flatMap { $0 }
        add("fares.zone.rules", Self.offsets(feeds.map { $0.count }))
        add("fares.zone.product", rules.map { $0.product })
        add("fares.zone.origin", rules.map { $0.origin })
        add("fares.zone.destination", rules.map { $0.destination })
        add("fares.zone.routes", Self.offsets(rules.map { $0.routes.count }))
        add("fares.zone.route", rules.flatMap { $0.routes })
        add("fares.zone.contains", Self.offsets(rules.map { $0.contains.count }))
        add("fares.zone.contained", rules.flatMap { $0.contains })
    }

    private mutating func addLegRules(_ draft: FareDraft) {
        let rules = draft.feeds.flatMap { $0.legRules }
        add("fares.leg.rules", Self.offsets(draft.feeds.map { $0.legRules.count }))
        add("fares.leg.group", rules.map { $0.group })
        add("fares.leg.network", rules.map { $0.network })
        add("fares.leg.from", rules.map { $0.from })
        add("fares.leg.to", rules.map { $0.to })
        add("fares.leg.fromframe", rules.map { $0.fromFrame })
        add("fares.leg.toframe", rules.map { $0.toFrame })
        add("fares.leg.product", rules.map { $0.product })
        add("fares.leg.priority", rules.map { $0.priority })
    }

    private mutating func addTransfers(_ draft: FareDraft) {
        let joins = draft.feeds.flatMap { $0.joins }
        add("fares.join.rules", Self.offsets(draft.feeds.map { $0.joins.count }))
        add("fares.join.fromnetwork", joins.map { $0.fromNetwork })
        add("fares.join.tonetwork", joins.map { $0.toNetwork })
        add("fares.join.fromstop", joins.map { $0.fromStop })
        add("fares.join.tostop", joins.map { $0.toStop })
        let rules = draft.feeds.flatMap { $0.transfers }
        add("fares.transfer.rules", Self.offsets(draft.feeds.map { $0.transfers.count }))
        add("fares.transfer.from", rules.map { $0.from })
        add("fares.transfer.to", rules.map { $0.to })
        add("fares.transfer.count", rules.map { $0.count })
        add("fares.transfer.seconds", rules.map { $0.seconds })
        add("fares.transfer.span", rules.map { $0.span })
        add("fares.transfer.kind", rules.map { $0.kind })
        add("fares.transfer.product", rules.map { $0.product })
    }

    private mutating func addFrames(_ draft: FareDraft) {
        let frames = draft.feeds.flatMap { $0.frames }
        add("fares.frame.rows", Self.offsets(draft.feeds.map { $0.frames.count }))
        add("fares.frame.group", frames.map { $0.group })
        add("fares.frame.start", frames.map { $0.start })
        add("fares.frame.end", frames.map { $0.end })
        add("fares.frame.first", frames.map { $0.firstDay })
        add("fares.frame.days", Self.offsets(frames.map { $0.days.count }))
        add("fares.frame.word", frames.flatMap { $0.days })
    }

    /// Where each of some lists begins when they are laid one after the other, and the end.
    private static func offsets(_ counts: [Int]) -> [UInt32] {
        var offsets: [UInt32] = [0]
        var end = 0
        for count in counts {
            end += count
            offsets.append(UInt32(end))
        }
        return offsets
    }
}
