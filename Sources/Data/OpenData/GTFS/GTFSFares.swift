/// The fares of a feed: version 1 (`fare_attributes.txt`, `fare_rules.txt`) and version 2
/// (`fare_products.txt`, `fare_leg_rules.txt` and what they refer to).
///
/// Networks, areas, groups of legs and of time frames are numbers from 1 that are unique within the
/// feed; 0 stands for an empty field. Media are not kept, because prices do not depend on them
/// here: the cheapest counts.
package struct GTFSFares: Sendable, Equatable {
    /// The fares of version 1, then the products of version 2.
    package var products: [Product] = []
    /// The currencies of all prices.
    package var currencies: [Currency] = []
    /// The rider categories.
    package var categories: [Category] = []
    /// The zones that rules name; the first is "", for an empty field.
    package var zones = [""]
    /// The rules of version 1, in file order.
    package var zoneRules: [ZoneRule] = []
    /// The rules of version 2 for legs.
    package var legRules: [LegRule] = []
    /// Whether `fare_leg_rules.txt` has the column `rule_priority`.
    package var isRanked = false
    /// The rules that join rides to legs.
    package var joins: [JoinRule] = []
    /// The rules for transfers between legs.
    package var transfers: [TransferRule] = []
    /// The rows of `timeframes.txt`, in the order of the file.
    package var frames: [Frame] = []
    /// The network of each route; empty if no file states any.
    package var routeNetworks: [UInt32] = []
    /// The areas of each stop, including those of its station; empty if no file states any.
    package var stopAreas: [[UInt32]] = []

    /// Creates fares without any product.
    package init() {}

    /// A fare of version 1, or a product of version 2 with all its prices.
    package struct Product: Sendable, Equatable {
        /// `fare_id` or `fare_product_id`.
        package var id: String
        /// The name; "" for none.
        package var name = ""
        /// The index of the only agency that accepts it; nil for all.
        package var agency: Int?
        /// The number of transfers that version 1 allows; nil for any.
        package var transfers: UInt8?
        /// How long it is valid in version 1, in seconds; nil for any time.
        package var seconds: Int32?
        /// The prices; one in version 1.
        package var prices: [Price] = []
    }

    /// A price in minor units.
    package struct Price: Sendable, Equatable {
        /// The amount; negative for the discount of a transfer.
        package var minorUnits: Int64
        /// The index of the currency.
        package var currency: Int
        /// The index of the rider category; nil for everybody.
        package var category: Int?
    }

    /// A currency in which the feed states prices.
    package struct Currency: Sendable, Equatable {
        /// The ISO 4217 code.
        package var code: String
        /// The number of decimals.
        package var digits: Int
    }

    /// A rider category.
    package struct Category: Sendable, Equatable {
        /// `rider_category_id`.
        package var id: String
        /// Whether it is that of riders who state none.
        package var isDefault: Bool
    }

    /// A row of `fare_rules.txt`.
    package struct ZoneRule: Sendable, Equatable {
        /// The index of the product.
        package var product: Int32
        /// The index of the route; -1 for any.
        package var route: Int32
        /// The index of the zone of boarding; 0 for any.
        package var origin: Int32
        /// The index of the zone of alighting; 0 for any.
        package var destination: Int32
        /// The index of a zone that is passed; 0 for any.
        package var contains: Int32
    }

    /// A row of `fare_leg_rules.txt`.
    package struct LegRule: Sendable, Equatable {
        /// The group of the leg.
        package var group: UInt32
        /// The network of the route.
        package var network: UInt32
        /// The area of boarding.
        package var from: UInt32
        /// The area of alighting.
        package var to: UInt32
        /// The group of time frames of boarding.
        package var fromFrame: UInt32
        /// The group of time frames of alighting.
        package var toFrame: UInt32
        /// The index of the product.
        package var product: Int
        /// The priority; 0 if the file states none.
        package var priority: UInt32
    }

    /// A row of `fare_leg_join_rules.txt`.
    package struct JoinRule: Sendable, Equatable {
        /// The network before the transfer.
        package var fromNetwork: UInt32
        /// The network after the transfer.
        package var toNetwork: UInt32
        /// The index of the stop before the transfer; nil for any.
        package var fromStop: Int?
        /// The index of the stop after the transfer; nil for any.
        package var toStop: Int?
    }

    /// A row of `fare_transfer_rules.txt`.
    package struct TransferRule: Sendable, Equatable {
        /// The group before the transfer.
        package var from: UInt32
        /// The group after the transfer.
        package var to: UInt32
        /// The number of consecutive transfers: -1 for any, 0 if not stated.
        package var count: Int32
        /// The limit in seconds; nil for none.
        package var seconds: Int32?
        /// `duration_limit_type`.
        package var span: UInt8
        /// `fare_transfer_type`.
        package var kind: UInt8
        /// The index of the product; nil for none.
        package var product: Int?
    }

    /// A row of `timeframes.txt`.
    package struct Frame: Sendable, Equatable {
        /// The `timeframe_group_id`, as a text number.
        package var group: UInt32
        /// The first second of the day.
        package var start: Int32
        /// The second of the day before which it ends.
        package var end: Int32
        /// The index of the service on whose days it applies.
        package var service: Int
    }
}
