/// Fares while an importer gathers them.
///
/// Networks, areas, leg groups and groups of time frames are named by nonzero numbers, such as text
/// numbers, that are unique within a feed; 0 stands for an empty field.
public struct FareDraft: Sendable {
    /// What the files of a feed say about its fares; one per feed.
    public var feeds: [Feed] = []
    /// The fare products of all feeds; other records refer to them by row.
    public var products: [Product] = []
    /// The currencies of all prices, each once.
    public var currencies: [Currency] = []
    /// All rider categories.
    public var categories: [Category] = []
    /// The network of each route of all feeds; 0 for none.
    public var routeNetworks: [UInt32] = []
    /// The areas of each stop of all feeds.
    public var stopAreas: [[UInt32]] = []

    /// Creates a draft without fares.
    public init() {}

    /// The rules of one feed.
    public struct Feed: Sendable {
        /// The rules of version 1.
        public var zoneRules: [ZoneRule] = []
        /// The rules of version 2 for single legs.
        public var legRules: [LegRule] = []
        /// Whether `rule_priority` exists, so that empty fields match everything.
        public var isRanked = false
        /// The rules that make one leg of two rides.
        public var joins: [JoinRule] = []
        /// The rules that connect legs.
        public var transfers: [TransferRule] = []
        /// The time frames of all groups.
        public var frames: [Frame] = []

        /// A feed without fares.
        public init() {}
    }

    /// A fare of version 1, or a product of version 2 under one identifier.
    public struct Product: Sendable {
        /// The row of the feed.
        public var feed: UInt32
        /// The identifier, as a text number.
        public var id: UInt32
        /// The name, as a text number.
        public var name: UInt32 = 0
        /// The row of the only agency that accepts it, plus 1; 0 for all.
        public var agency: UInt32 = 0
        /// How many transfers are allowed in version 1; ``unlimited`` for any number.
        public var transfers: UInt8 = Product.unlimited
        /// How long it is valid in version 1, in seconds; 0 for any time.
        public var seconds: Int32 = 0
        /// The prices by currency and rider category.
        public var prices: [Price] = []

        /// The value of ``transfers`` that sets no limit.
        public static let unlimited = UInt8.max

        /// A product without prices.
        public init(feed: UInt32, id: UInt32) {
            self.feed = feed
            self.id = id
        }
    }

    /// A price of a product.
    public struct Price: Sendable {
        /// The amount in minor units; negative for the discount of a transfer.
        public var amount: Int64
        /// The row of the currency.
        public var currency: UInt32
        /// The row of the rider category, plus 1; 0 for everybody.
        public var category: UInt32

        /// Creates a price in minor units of the currency with that row.
        public init(amount: Int64, currency: UInt32, category: UInt32 = 0) {
            self.amount = amount
            self.currency = currency
            self.category = category
        }
    }

    /// A currency in which a feed states prices.
    public struct Currency: Sendable {
        /// The ISO 4217 code, as a text number.
        public var code: UInt32
        /// The number of decimals of an amount.
        public var digits: UInt8

        /// Creates a currency from the text number of its code and its number of decimals.
        public init(code: UInt32, digits: UInt8) {
            self.code = code
            self.digits = digits
        }
    }

    /// A rider category.
    public struct Category: Sendable {
        /// The row of the feed.
        public var feed: UInt32
        /// The identifier, as a text number.
        public var id: UInt32
        /// Whether it is that of riders who state none.
        public var isDefault: Bool

        /// A rider category.
        public init(feed: UInt32, id: UInt32, isDefault: Bool) {
            self.feed = feed
            self.id = id
            self.isDefault = isDefault
        }
    }

    /// The rules of `fare_rules.txt` that differ in their routes only.
    public struct ZoneRule: Sendable {
        /// The row of the product.
        public var product: UInt32
        /// The zone of boarding, as a text number; 0 for any.
        public var origin: UInt32
        /// The zone of alighting, as a text number; 0 for any.
        public var destination: UInt32
        /// The rows of the routes that it allows, ascending; empty for all.
        public var routes: [UInt32]
        /// The zones that are passed, ascending, as text numbers; empty for any.
        public var contains: [UInt32]

        /// A rule; by default for all routes and any zones in between.
        public init(
            product: UInt32,
            origin: UInt32 = 0,
            destination: UInt32 = 0,
            routes: [UInt32] = [],
            contains: [UInt32] = []
        ) {
            self.product = product
            self.origin = origin
            self.destination = destination
            self.routes = routes
            self.contains = contains
        }
    }

    /// A row of `fare_leg_rules.txt`.
    public struct LegRule: Sendable {
        /// The group of the leg for transfers.
        public var group: UInt32 = 0
        /// The network of the routes.
        public var network: UInt32 = 0
        /// The area of boarding.
        public var from: UInt32 = 0
        /// The area of alighting.
        public var to: UInt32 = 0
        /// The time frames of boarding.
        public var fromFrame: UInt32 = 0
        /// The time frames of alighting.
        public var toFrame: UInt32 = 0
        /// The row of the product.
        public var product: UInt32
        /// `rule_priority`, the highest of which counts.
        public var priority: UInt32 = 0

        /// A rule without conditions.
        public init(product: UInt32) { self.product = product }
    }

    /// A row of `fare_leg_join_rules.txt`.
    public struct JoinRule: Sendable {
        /// The network before the transfer.
        public var fromNetwork: UInt32
        /// The network after the transfer.
        public var toNetwork: UInt32
        /// The row of the stop before the transfer, plus 1; 0 for any.
        public var fromStop: UInt32 = 0
        /// The row of the stop after the transfer, plus 1; 0 for any.
        public var toStop: UInt32 = 0

        /// A rule for any stops.
        public init(fromNetwork: UInt32, toNetwork: UInt32) {
            self.fromNetwork = fromNetwork
            self.toNetwork = toNetwork
        }
    }

    /// A row of `fare_transfer_rules.txt`.
    public struct TransferRule: Sendable {
        /// The group before the transfer.
        public var from: UInt32 = 0
        /// The group after the transfer.
        public var to: UInt32 = 0
        /// The number of consecutive transfers: -1 for any, 0 if not stated.
        public var count: Int32 = 0
        /// The limit in seconds; 0 for none.
        public var seconds: Int32 = 0
        /// `duration_limit_type`.
        public var span: UInt8 = 0
        /// `fare_transfer_type`.
        public var kind: UInt8
        /// The row of the product, plus 1; 0 for none.
        public var product: UInt32 = 0

        /// A free transfer of a type between any groups.
        public init(kind: UInt8) { self.kind = kind }
    }

    /// A row of `timeframes.txt`.
    public struct Frame: Sendable {
        /// The `timeframe_group_id`, as a text number.
        public var group: UInt32
        /// The first second of the day.
        public var start: Int32
        /// The second of the day before which it ends.
        public var end: Int32
        /// The day of the first bit of ``days``, in days since 1970-01-01.
        public var firstDay: Int32
        /// The days on which it applies, as bits.
        public var days: [UInt64]

        /// Creates a time frame; days are bits, the first one being `firstDay`.
        public init(group: UInt32, start: Int32, end: Int32, firstDay: Int32, days: [UInt64]) {
            self.group = group
            self.start = start
            self.end = end
            self.firstDay = firstDay
            self.days = days
        }
    }
}
