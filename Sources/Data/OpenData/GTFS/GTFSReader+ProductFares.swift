import Encoding

/// The files of fares v2, each after those that it refers to.
extension GTFSReader {
    mutating func readProductFares(_ numbers: inout FareNumbers) throws(GTFSFailure) {
        let base = feed.fares.products.count
        try readCategories(&numbers)
        try readProducts(&numbers, base)
        guard feed.fares.products.count > base else { return }
        try readNetworks(&numbers)
        try readAreas(&numbers)
        try readFrames(&numbers)
        try readLegRules(&numbers, base)
        try readJoins(numbers)
        try readFareTransfers(numbers, base)
    }

    private mutating func readCategories(_ numbers: inout FareNumbers) throws(GTFSFailure) {
        guard var table = try fareTable("rider_categories.txt", ["rider_category_id"]),
            let id = table.column("rider_category_id")
        else { return }
        let standard = table.column("is_default_fare_category")
        while table.next(&log) {
            guard
                let name = table.identify(id, "rider_category_id", in: &numbers.categories, &log)
            else { continue }
            let isDefault = table.rows.number(standard) == 1
            feed.fares.categories.append(GTFSFares.Category(id: name, isDefault: isDefault))
        }
    }

    private mutating func readProducts(
        _ numbers: inout FareNumbers,
        _ base: Int
    ) throws(GTFSFailure) {
        let required = ["fare_product_id", "amount", "currency"]
        guard var table = try fareTable("fare_products.txt", required) else { return }
        let id = table.column("fare_product_id")
        let name = table.column("fare_product_name")
        let category = table.column("rider_category_id")
        let (amount, currency) = (table.column("amount"), table.column("currency"))
        while table.next(&log) {
            guard !table.rows.isEmpty(id) else {
                table.note("fare_product_id", .missingValue, &log)
                continue
            }
            guard
                var price = price(
                    table,
                    amount: (amount, "amount"),
                    currency: (currency, "currency")
                )
            else { continue }
            if !table.rows.isEmpty(category) {
                // A price for children must not become a price for all.
                guard
                    let known = table.reference(
                        category,
                        "rider_category_id",
                        in: numbers.categories,
                        &log
                    )
                else { continue }
                price.category = known
            }
            if numbers.products.insert(table.rows.raw(id)) != nil {
                var product = GTFSFares.Product(id: table.rows.text(id))
                product.name = table.rows.text(name)
                feed.fares.products.append(product)
            }
            guard let row = numbers.products.number(of: table.rows.raw(id)) else { continue }
            feed.fares.products[base + row].prices.append(price)
        }
    }

    /// Reads the networks of routes, from files of their own or from `routes.txt`.
    private mutating func readNetworks(_ numbers: inout FareNumbers) throws(GTFSFailure) {
        feed.fares.routeNetworks = Array(repeating: 0, count: feed.routes.count)
        if var table = try fareTable("networks.txt", ["network_id"]),
            let id = table.column("network_id")
        {
            while table.next(&log) {
                _ = table.identify(id, "network_id", in: &numbers.networks, &log)
            }
        }
        if var table = try fareTable("route_networks.txt", ["network_id", "route_id"]) {
            let (network, route) = (table.column("network_id"), table.column("route_id"))
            while table.next(&log) {
                guard let row = table.reference(route, "route_id", in: routeNumbers, &log),
                    let name = table.reference(network, "network_id", in: numbers.networks, &log)
                else { continue }
                feed.fares.routeNetworks[row] = UInt32(name + 1)
            }
        }
        // The rows of this file were checked before, so they are not noted again.
        guard let bytes = try source.bytes(of: "routes.txt", in: nested) else { return }
        var silent = DiagnosticLog()
        var table = GTFSTable(feed: feed.name, file: "routes.txt", bytes: bytes, log: &silent)
        guard let network = table.column("network_id"), let id = table.column("route_id") else {
            return
        }
        while table.next(&silent) {
            guard !table.rows.isEmpty(network),
                let row = routeNumbers.number(of: table.rows.raw(id))
            else { continue }
            _ = numbers.networks.insert(table.rows.raw(network))
            if let name = numbers.networks.number(of: table.rows.raw(network)) {
                feed.fares.routeNetworks[row] = UInt32(name + 1)
            }
        }
    }

    private mutating func readAreas(_ numbers: inout FareNumbers) throws(GTFSFailure) {
        feed.fares.stopAreas = Array(repeating: [], count: feed.stops.count)
        guard var table = try fareTable("areas.txt", ["area_id"]), let id = table.column("area_id")
        else { return }
        while table.next(&log) {
            _ = table.identify(id, "area_id", in: &numbers.areas, &log)
        }
        guard var table = try fareTable("stop_areas.txt", ["area_id", "stop_id"]) else { return }
        let (area, stop) = (table.column("area_id"), table.column("stop_id"))
        while table.next(&log) {
            guard let row = table.reference(stop, "stop_id", in: stopNumbers, &log),
                let name = table.reference(area, "area_id", in: numbers.areas, &log)
            else { continue }
            feed.fares.stopAreas[row].append(UInt32(name + 1))
        }
        // The platforms of a station lie in its areas, unless they have areas of their own.
        let stated = feed.fares.stopAreas
        for row in feed.stops.indices where stated[row].isEmpty {
            if let parent = feed.stops[row].parent {
                feed.fares.stopAreas[row] = stated[parent]
            }
        }
    }

    private mutating func readFrames(_ numbers: inout FareNumbers) throws(GTFSFailure) {
        let required = ["timeframe_group_id", "service_id"]
        guard var table = try fareTable("timeframes.txt", required) else { return }
        let group = table.column("timeframe_group_id")
        let service = table.column("service_id")
        let (start, end) = (table.column("start_time"), table.column("end_time"))
        while table.next(&log) {
            guard !table.rows.isEmpty(group) else {
                table.note("timeframe_group_id", .missingValue, &log)
                continue
            }
            _ = numbers.frames.insert(table.rows.raw(group))
            guard let row = table.reference(service, "service_id", in: serviceNumbers, &log),
                let first = frameTime(table, start, "start_time", 0),
                let last = frameTime(table, end, "end_time", 86_400),
                let name = numbers.frames.number(of: table.rows.raw(group))
            else { continue }
            feed.fares.frames.append(
                GTFSFares.Frame(group: UInt32(name + 1), start: first, end: last, service: row)
            )
        }
    }

    /// A time of day; the standard value if it is empty, nil and noted if it is invalid.
    private mutating func frameTime(
        _ table: GTFSTable,
        _ column: Int?,
        _ field: String,
        _ standard: Int32
    ) -> Int32? {
        guard !table.rows.isEmpty(column) else { return standard }
        guard let column, let time = GTFSTime.seconds(table.rows.raw(column)), time <= 86_400 else {
            table.note(field, .badValue, &log)
            return nil
        }
        return time
    }

    private mutating func readLegRules(
        _ numbers: inout FareNumbers,
        _ base: Int
    ) throws(GTFSFailure) {
        guard var table = try fareTable("fare_leg_rules.txt", ["fare_product_id"]) else { return }
        let group = table.column("leg_group_id")
        let product = table.column("fare_product_id")
        let priority = table.column("rule_priority")
        let network = table.column("network_id")
        let (from, to) = (table.column("from_area_id"), table.column("to_area_id"))
        let fromFrame = table.column("from_timeframe_group_id")
        let toFrame = table.column("to_timeframe_group_id")
        feed.fares.isRanked = priority != nil
        while table.next(&log) {
            if !table.rows.isEmpty(group) { _ = numbers.groups.insert(table.rows.raw(group)) }
            guard
                let row = table.reference(product, "fare_product_id", in: numbers.products, &log),
                let network = named(table, network, "network_id", numbers.networks),
                let from = named(table, from, "from_area_id", numbers.areas),
                let to = named(table, to, "to_area_id", numbers.areas),
                let fromFrame = named(table, fromFrame, "from_timeframe_group_id", numbers.frames),
                let toFrame = named(table, toFrame, "to_timeframe_group_id", numbers.frames),
                let group = named(table, group, "leg_group_id", numbers.groups)
            else { continue }
            let rank = table.optionalNumber(priority, "rule_priority", in: 0...Int32.max, &log)
            feed.fares.legRules.append(
                GTFSFares.LegRule(
                    group: group,
                    network: network,
                    from: from,
                    to: to,
                    fromFrame: fromFrame,
                    toFrame: toFrame,
                    product: base + row,
                    priority: UInt32(rank ?? 0)
                )
            )
        }
    }

    /// The number of what a field names; 0 if it is empty, nil and noted if it does not exist: a
    /// rule for something that is not there must not become a rule for all.
    private mutating func named(
        _ table: GTFSTable,
        _ column: Int?,
        _ field: String,
        _ numbers: IdentifierTable
    ) -> UInt32? {
        guard !table.rows.isEmpty(column) else { return 0 }
        return table.reference(column, field, in: numbers, &log).map { UInt32($0 + 1) }
    }

    private mutating func readJoins(_ numbers: FareNumbers) throws(GTFSFailure) {
        let required = ["from_network_id", "to_network_id"]
        guard var table = try fareTable("fare_leg_join_rules.txt", required) else { return }
        let (from, to) = (table.column("from_network_id"), table.column("to_network_id"))
        let (fromStop, toStop) = (table.column("from_stop_id"), table.column("to_stop_id"))
        while table.next(&log) {
            guard let before = table.reference(from, "from_network_id", in: numbers.networks, &log),
                let after = table.reference(to, "to_network_id", in: numbers.networks, &log),
                let start = named(table, fromStop, "from_stop_id", stopNumbers),
                let end = named(table, toStop, "to_stop_id", stopNumbers)
            else { continue }
            feed.fares.joins.append(
                GTFSFares.JoinRule(
                    fromNetwork: UInt32(before + 1),
                    toNetwork: UInt32(after + 1),
                    fromStop: start == 0 ? nil : Int(start) - 1,
                    toStop: end == 0 ? nil : Int(end) - 1
                )
            )
        }
    }

    private mutating func readFareTransfers(
        _ numbers: FareNumbers,
        _ base: Int
    ) throws(GTFSFailure) {
        guard var table = try fareTable("fare_transfer_rules.txt", ["fare_transfer_type"]) else {
            return
        }
        let (from, to) = (table.column("from_leg_group_id"), table.column("to_leg_group_id"))
        let count = table.column("transfer_count")
        let seconds = table.column("duration_limit")
        let span = table.column("duration_limit_type")
        let kind = table.column("fare_transfer_type")
        let product = table.column("fare_product_id")
        while table.next(&log) {
            guard let kind = table.rows.number(kind), (0...2).contains(kind) else {
                table.note("fare_transfer_type", .badValue, &log)
                continue
            }
            guard let from = named(table, from, "from_leg_group_id", numbers.groups),
                let to = named(table, to, "to_leg_group_id", numbers.groups),
                let row = named(table, product, "fare_product_id", numbers.products)
            else { continue }
            let limit = table.optionalNumber(seconds, "duration_limit", in: 1...Int32.max, &log)
            let type = table.optionalNumber(span, "duration_limit_type", in: 0...3, &log)
            // A limit that cannot be read must not become an unlimited transfer.
            guard table.rows.isEmpty(seconds) || (limit != nil && type != nil) else { continue }
            feed.fares.transfers.append(
                GTFSFares.TransferRule(
                    from: from,
                    to: to,
                    count: table.optionalNumber(count, "transfer_count", in: -1...999, &log) ?? 0,
                    seconds: limit,
                    span: UInt8(type ?? 0),
                    kind: UInt8(kind),
                    product: row == 0 ? nil : base + Int(row) - 1
                )
            )
        }
    }
}
