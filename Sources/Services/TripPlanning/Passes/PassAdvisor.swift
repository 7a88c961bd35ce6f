package import Chronology
package import OpenData

/// Finds the passes that would have cost less than the tickets of some weeks (V98).
///
/// Every journey is priced again under each set of passes (``PassFares``), so a pass is compared
/// with what its owner would still buy. Of all sets of passes and first days the cheapest is found
/// by going through the days of travel: a label knows what was paid so far, and until when each
/// pass is valid. One label makes another superfluous that has paid as much as both cost together:
/// it and what the other has beyond it, bought on the next day of travel, when it lasts at least as
/// long. A pass is bought on a day of travel on which none of its kind is valid: bought earlier, it
/// would cover no more.
///
/// A pass for more than a month would never pay within weeks. It counts with its share of the price
/// for the days looked at, on all of them, as if people travelled like this until its end.
package struct PassAdvisor: Sendable {
    /// A pass that may be bought.
    package struct Product: Sendable, Hashable {
        /// The identifier of the fare product.
        package var id: String
        /// The price in minor units.
        package var minorUnits: Int64
        /// For which days it is valid.
        package var period: PassPeriod

        /// A pass with its price and its days.
        package init(_ id: String, minorUnits: Int64, _ period: PassPeriod) {
            self.id = id
            self.minorUnits = minorUnits
            self.period = period
        }
    }

    /// A journey on a day.
    package struct Journey: Sendable, Hashable {
        /// The day on which it began.
        package var day: CivilDate
        /// The passes that its traveller owned anyway.
        package var owned: Set<String>
        /// What its tickets cost.
        package var fares: PassFares

        /// Creates a journey; `owned` are the passes with which its price was computed.
        package init(on day: CivilDate, owned: Set<String> = [], _ fares: PassFares) {
            self.day = day
            self.owned = owned
            self.fares = fares
        }
    }

    /// The most passes that are compared.
    package static let productLimit = TripCosting.passLimit

    /// The days looked at.
    private let days: ClosedRange<CivilDate>
    private let products: [Product]
    /// The journeys whose prices are known, by day.
    private let travel: [(day: CivilDate, journeys: [Journey])]
    private let journeyCount: Int
    private let unknownCount: Int

    /// An advisor on some days.
    ///
    /// - Parameters:
    ///   - days: the days looked at; journeys of other days do not count.
    ///   - journeys: the journeys, in any order.
    ///   - products: the passes that may be bought, in one currency; those that no journey can use,
    ///     and then those beyond ``productLimit``, are left out.
    ///   - currency: the ISO 4217 code of that currency; journeys in another one count as those
    ///     without a price.
    package init(
        on days: ClosedRange<CivilDate>,
        journeys: [Journey],
        products: [Product],
        currency: String
    ) {
        self.days = days
        let all = journeys.filter { days.contains($0.day) }
        let known = all.filter {
            $0.fares.currency == currency && $0.fares.minorUnits(owning: $0.owned) != nil
        }
        let useful = Set(known.flatMap { $0.fares.ways.flatMap(\.passes) })
        self.products = Array(
            products.filter { useful.contains($0.id) }.sorted { $0.id < $1.id }
                .prefix(Self.productLimit)
        )
        travel = Dictionary(grouping: known, by: \.day).sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
        journeyCount = known.count
        unknownCount = all.count - known.count
    }

    /// What would have been cheaper.
    package var advice: PassAdvice {
        let paid = travel.reduce(Int64(0)) { sum, day in sum + Self.cost(day.journeys, with: []) }
        var plans = products.map { cheapest(of: [$0]) }
        if products.count > 1 { plans.append(cheapest(of: products)) }
        var kept: [PassPlan] = []
        for plan in plans.sorted(by: PassPlan.precedes)
        where plan.total < paid && !kept.contains(where: { $0.purchases == plan.purchases }) {
            kept.append(plan)
        }
        return PassAdvice(
            days: days,
            journeyCount: journeyCount,
            unknownCount: unknownCount,
            paid: paid,
            plans: kept
        )
    }

    /// What was paid until some day, and until when each pass is valid.
    private struct Label {
        var cost: Int64 = 0
        /// The last valid day of each product; nil if it is over.
        var ends: [CivilDate?]
        var purchases: [PassPurchase] = []

        /// Whether another label is of no use beside this one, whose owner can buy what is missing.
        ///
        /// A season is bought for all days or not at all.
        func makesSuperfluous(_ other: Label, _ products: [Product]) -> Bool {
            var cost = cost
            for (number, product) in products.enumerated() {
                guard let end = other.ends[number], ends[number].map({ $0 < end }) ?? true else {
                    continue
                }
                guard product.period.seasonDays == nil else { return false }
                cost += product.minorUnits
            }
            return cost <= other.cost
        }
    }

    /// The cheapest way to travel with these products and none other.
    private func cheapest(of products: [Product]) -> PassPlan {
        var labels = [Label(ends: products.map { _ in nil })]
        for (number, product) in products.enumerated() {
            guard let season = product.period.seasonDays else { continue }
            // The number of days looked at is far below that of a season's price.
            let count = Int64(days.upperBound.daysSince1970 - days.lowerBound.daysSince1970) + 1
            let share = (product.minorUnits * count + Int64(season) - 1) / Int64(season)
            labels += labels.map { label in
                var label = label
                label.cost += share
                label.ends[number] = days.upperBound
                label.purchases.append(
                    PassPurchase(product: product.id, days: days, minorUnits: share, isShare: true)
                )
                return label
            }
        }
        for (day, journeys) in travel {
            labels = Self.kept(
                labels.flatMap { label in
                    Self.choices(label, products, on: day).map { choice in
                        var choice = choice
                        let valid = products.indices.filter { choice.ends[$0] != nil }
                        choice.cost += Self.cost(journeys, with: valid.map { products[$0].id })
                        return choice
                    }
                },
                products
            )
        }
        let best = labels.min { ($0.cost, $0.purchases.count) < ($1.cost, $1.purchases.count) }
        guard let best else { preconditionFailure("without passes one travels as well") }
        return PassPlan(purchases: best.purchases, total: best.cost)
    }

    /// The label with every set of products that may be bought on a day.
    private static func choices(
        _ label: Label,
        _ products: [Product],
        on day: CivilDate
    ) -> [Label] {
        var label = label
        label.ends = label.ends.map { end in end.flatMap { $0 >= day ? $0 : nil } }
        var choices = [label]
        for (number, product) in products.enumerated()
        where label.ends[number] == nil && product.period.seasonDays == nil {
            choices += choices.map { choice in
                var choice = choice
                let last = product.period.lastDay(from: day)
                choice.cost += product.minorUnits
                choice.ends[number] = last
                choice.purchases.append(
                    PassPurchase(
                        product: product.id,
                        days: day...last,
                        minorUnits: product.minorUnits,
                        isShare: false
                    )
                )
                return choice
            }
        }
        return choices
    }

    /// The labels without those that others make superfluous.
    private static func kept(_ labels: [Label], _ products: [Product]) -> [Label] {
        var kept: [Label] = []
        let ordered = labels.enumerated().sorted { one, other in
            (one.element.cost, one.element.purchases.count, one.offset)
                < (other.element.cost, other.element.purchases.count, other.offset)
        }
        for (_, label) in ordered
        where !kept.contains(where: { $0.makesSuperfluous(label, products) }) {
            kept.append(label)
        }
        return kept
    }

    /// What the tickets of journeys cost under some passes besides those owned anyway.
    private static func cost(_ journeys: [Journey], with passes: [String]) -> Int64 {
        journeys.reduce(0) { sum, journey in
            sum + (journey.fares.minorUnits(owning: journey.owned.union(passes)) ?? 0)
        }
    }
}

/// What would have been cheaper than the tickets of some days.
package struct PassAdvice: Sendable, Equatable {
    /// The days looked at.
    package var days: ClosedRange<CivilDate>
    /// The journeys by public transport whose prices are known.
    package var journeyCount: Int
    /// The journeys by public transport that do not count because their prices are unknown.
    package var unknownCount: Int
    /// What the tickets of the former cost, in minor units.
    package var paid: Int64
    /// What would have cost less, the cheapest first: each product alone, and the best set of all;
    /// empty if nothing would have.
    package var plans: [PassPlan]
}

/// Passes, and what travelling costs with them.
package struct PassPlan: Sendable, Hashable {
    /// The passes in the order in which they are bought.
    package var purchases: [PassPurchase]
    /// The price of the passes and of all further tickets, in minor units.
    package var total: Int64

    /// The order of plans: by cost, then by the number of passes.
    static func precedes(_ one: PassPlan, _ other: PassPlan) -> Bool {
        (one.total, one.purchases.count) < (other.total, other.purchases.count)
    }
}

/// A pass that is bought.
package struct PassPurchase: Sendable, Hashable {
    /// The identifier of the fare product.
    package var product: String
    /// The days on which it is valid; of a season, the days looked at.
    package var days: ClosedRange<CivilDate>
    /// The price in minor units; of a season, the share for the days looked at.
    package var minorUnits: Int64
    /// Whether only a share of the price counts.
    package var isShare: Bool
}
