import Columns
import Transit

/// What the prices of a feed depend on, so that searches compare no more than that.
struct FareTraits: Sendable {
    /// Whether rules for zones name all zones that a ticket passes.
    let namesZones: Bool
    /// Whether rules for zones name routes.
    let namesRoutes: Bool
    /// The greatest number of transfers with one ticket for zones.
    let transfers: Int
    /// The longest time for transfers with one ticket for zones, in seconds; nil for no limit.
    let ticketSeconds: Int64?
    /// The shortest time that some ticket, or transfer, is limited to, in seconds; nil if there is
    /// none.
    let leastSeconds: Int64?
    /// Whether rules name times of day.
    let namesTimes: Bool
    /// Whether rules give prices to legs, rather than to zones.
    let hasLegRules: Bool
    /// The networks whose rides others may be joined to.
    let joinedNetworks: Set<UInt32>
    /// Whether rules join rides at certain stops only.
    let joinsNameStops: Bool
    /// Whether rules for transfers exist.
    let hasTransfers: Bool
    /// The least price of any product, owned ones included, and at most 0 if there is a discount.
    let leastPrice: Int64

    /// The traits of a feed for a traveller.
    init(_ book: FareBook, _ feed: FeedIndex, _ terms: FareTerms) {
        let zones = book.zoneRules.rows(feed)
        let products = Set(zones.map { book.zoneRules.product[$0] })
            .map { FareProductIndex(rawValue: $0) }
        namesZones = zones.contains {
            !book.zoneRules.contains.range($0, limit: book.zoneRules.contained.count).isEmpty
        }
        namesRoutes = zones.contains {
            !book.zoneRules.routes.range($0, limit: book.zoneRules.route.count).isEmpty
        }
        let counts = products.map { product in
            book.products.transfers[product] == FareDraft.Product.unlimited
                ? Int.max : Int(book.products.transfers[product])
        }
        transfers = counts.max() ?? 0
        let seconds = products.map { Int64(book.products.seconds[$0]) }
        ticketSeconds = seconds.contains(0) ? nil : seconds.max()
        let rows = book.transfers.rows(feed)
        hasTransfers = !rows.isEmpty
        let limits = rows.map { Int64(book.transfers.seconds[$0]) }
        leastSeconds = (seconds + limits).filter { $0 > 0 }.min()
        let legs = book.legRules.rows(feed)
        namesTimes = legs.contains {
            book.legRules.fromFrame[$0] != 0 || book.legRules.toFrame[$0] != 0
        }
        hasLegRules = !legs.isEmpty
        let joins = book.joins.rows(feed)
        joinedNetworks = Set(joins.map { book.joins.fromNetwork[$0] })
        joinsNameStops = joins.contains {
            book.joins.fromStop[$0] != 0 || book.joins.toStop[$0] != 0
        }
        let prices = book.products.indices.filter { book.products.feed[$0] == feed }
            .compactMap { book.amount($0, terms) }
        leastPrice = prices.min() ?? 0
    }
}
