import Columns
import Transit

/// A product that a leg may be paid with.
struct LegFare {
    /// The group of the leg for transfers.
    let group: UInt32
    let product: FareProductIndex
    let amount: Int64
}

/// How rides are priced: for whom, and in which currency.
struct FareTerms {
    let traveller: FareTraveller
    let currency: FareCurrencyIndex
}

extension FareBook {
    /// No price of a ticket is greater, in minor units: greater numbers come from damaged files.
    static let amountLimit: Int64 = 1_000_000_000_000

    /// The price of a product; nil if the traveller cannot buy it in the currency.
    func amount(_ product: FareProductIndex, _ terms: FareTerms) -> Int64? {
        if terms.traveller.owned.contains(product) { return 0 }
        var least: Int64?
        for row in products.prices.range(product.row, limit: products.amount.count)
        where products.currency[row] == terms.currency.rawValue {
            let category = products.category[row]
            guard category == 0 || isOf(RiderCategoryIndex(rawValue: category &- 1), terms) else {
                continue
            }
            let amount = min(max(products.amount[row], -Self.amountLimit), Self.amountLimit)
            least = min(least ?? amount, amount)
        }
        return least
    }

    /// Whether the traveller belongs to a rider category.
    private func isOf(_ category: RiderCategoryIndex, _ terms: FareTerms) -> Bool {
        let feed = categories.feed[category]
        let stated = terms.traveller.categories
        if stated.contains(category) { return true }
        let isStated = stated.contains { categories.feed[$0] == feed }
        return !isStated && categories.isDefault[category] == 1
    }

    /// The network of a route; 0 for none.
    func network(_ route: RouteIndex) -> UInt32 { routeNetworks[route.row] }

    /// Whether a rule makes one leg of two rides.
    func joins(_ one: FareRide, _ next: FareRide) -> Bool {
        guard one.feed == next.feed else { return false }
        let (before, after) = (network(one.route), network(next.route))
        for row in joins.rows(one.feed) {
            guard joins.fromNetwork[row] == before, joins.toNetwork[row] == after, before != 0,
                after != 0,
                joins.fromStop[row] == 0 || joins.fromStop[row] == one.last.rawValue &+ 1,
                joins.toStop[row] == 0 || joins.toStop[row] == next.first.rawValue &+ 1
            else { continue }
            return true
        }
        return false
    }

    /// The products that a leg of one or more joined rides may be paid with.
    func fares(_ leg: ArraySlice<FareRide>, _ terms: FareTerms) -> [LegFare] {
        guard let first = leg.first, let last = leg.last else { return [] }
        let match = LegMatch(self, leg, first, last)
        var fares: [LegFare] = []
        var priority: UInt32 = 0
        for row in legRules.rows(first.feed) where match.matches(row) {
            if legRules.priority[row] < priority { continue }
            if legRules.priority[row] > priority {
                fares = []
                priority = legRules.priority[row]
            }
            let product = FareProductIndex(rawValue: legRules.product[row])
            guard let amount = amount(product, terms) else { continue }
            fares.append(LegFare(group: legRules.group[row], product: product, amount: amount))
        }
        return fares
    }

    /// The fares of version 1 that are good for some rides, with their prices.
    func fares(
        zonesOf rides: ArraySlice<FareRide>,
        _ terms: FareTerms
    ) -> [(product: FareProductIndex, amount: Int64)] {
        guard let first = rides.first, let last = rides.last else { return [] }
        let origin = stopZones[first.first.row]
        let destination = stopZones[last.last.row]
        let zones = zonesPassed(rides)
        var fares: [(product: FareProductIndex, amount: Int64)] = []
        var pairs = [(origin, destination)]
        if origin != 0 { pairs.append((0, destination)) }
        if destination != 0 { pairs.append((origin, 0)) }
        if origin != 0, destination != 0 { pairs.append((0, 0)) }
        for (start, end) in pairs {
            for row in zoneRules.rows(first.feed, from: start, to: end) {
                let product = FareProductIndex(rawValue: zoneRules.product[row])
                guard zoneRules.isFor(row, zones),
                    rides.allSatisfy({ zoneRules.allows(row, $0.route) }),
                    isValid(product, rides, first, last),
                    let amount = amount(product, terms)
                else { continue }
                fares.append((product, amount))
            }
        }
        return fares
    }

    /// Whether a fare's agency, transfers and duration allow some rides.
    private func isValid(
        _ product: FareProductIndex,
        _ rides: ArraySlice<FareRide>,
        _ first: FareRide,
        _ last: FareRide
    ) -> Bool {
        let agency = products.agency[product]
        guard agency == 0 || rides.allSatisfy({ $0.agency.rawValue &+ 1 == agency }) else {
            return false
        }
        let transfers = products.transfers[product]
        guard transfers == FareDraft.Product.unlimited || rides.count - 1 <= Int(transfers) else {
            return false
        }
        let seconds = products.seconds[product]
        // The limit is one of transfers: a single ride may take longer.
        return seconds == 0 || rides.count == 1
            || last.arrival.seconds - first.departure.seconds <= Int64(seconds)
    }

    /// The zones of all stops that rides call at, ascending.
    private func zonesPassed(_ rides: ArraySlice<FareRide>) -> [UInt32] {
        var zones: [UInt32] = []
        for ride in rides {
            for stop in ride.stops {
                let zone = stopZones[stop.row]
                if zone != 0, !zones.contains(zone) { zones.append(zone) }
            }
        }
        zones.sort()
        return zones
    }
}

/// Which rules for legs match a leg.
///
/// Source: GTFS reference, `fare_leg_rules.txt`. Without `rule_priority`, an empty field stands for
/// whatever the rules of the feed do not list; with it, for anything.
private struct LegMatch {
    private let book: FareBook
    private let leg: ArraySlice<FareRide>
    private let first: FareRide
    private let last: FareRide
    private let takesEmptyNetwork: Bool
    private let takesEmptyFrom: Bool
    private let takesEmptyTo: Bool

    init(_ book: FareBook, _ leg: ArraySlice<FareRide>, _ first: FareRide, _ last: FareRide) {
        self.book = book
        self.leg = leg
        self.first = first
        self.last = last
        var (network, from, to) = (true, true, true)
        if book.isRanked[first.feed.row] == 0 {
            let rules = book.legRules
            for row in rules.rows(first.feed) {
                let wanted = rules.network[row]
                if wanted != 0, leg.contains(where: { book.network($0.route) == wanted }) {
                    network = false
                }
                if rules.from[row] != 0, book.isIn(rules.from[row], first.first) { from = false }
                if rules.to[row] != 0, book.isIn(rules.to[row], last.last) { to = false }
            }
        }
        takesEmptyNetwork = network
        takesEmptyFrom = from
        takesEmptyTo = to
    }

    func matches(_ row: Int) -> Bool {
        let rules = book.legRules
        let (network, from, to) = (rules.network[row], rules.from[row], rules.to[row])
        guard
            network == 0
                ? takesEmptyNetwork : leg.allSatisfy({ book.network($0.route) == network }),
            from == 0 ? takesEmptyFrom : book.isIn(from, first.first),
            to == 0 ? takesEmptyTo : book.isIn(to, last.last)
        else { return false }
        return book.frames.contain(first.departure, rules.fromFrame[row], first.feed)
            && book.frames.contain(last.arrival, rules.toFrame[row], first.feed)
    }
}
