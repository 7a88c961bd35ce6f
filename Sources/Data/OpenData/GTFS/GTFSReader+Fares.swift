import Encoding

/// The numbers of what the files about fares name.
struct FareNumbers {
    var fares = IdentifierTable()
    var products = IdentifierTable()
    var categories = IdentifierTable()
    var zones = IdentifierTable()
    var networks = IdentifierTable()
    var areas = IdentifierTable()
    var groups = IdentifierTable()
    var frames = IdentifierTable()
}

extension GTFSReader {
    /// How many bytes a file about fares may have: seven times the largest known, that of the buses
    /// of Sardinia.
    static let fareFileLimit = 64_000_000

    /// Reads the fares of version 1, and what version 2 shares with the rest of the feed.
    ///
    /// A file without a required column is left out, and the feed stays usable without it.
    mutating func readFares() throws(GTFSFailure) {
        var numbers = FareNumbers()
        _ = numbers.zones.insert([])
        try readFareAttributes(&numbers)
        try readFareRules(&numbers)
        try readProductFares(&numbers)
        // Networks and areas alone are no fares.
        guard feed.fares.products.isEmpty else { return }
        feed.fares = GTFSFares()
    }

    /// The table of a file about fares, if it is there, has the columns and is not too large.
    mutating func fareTable(
        _ file: String,
        _ required: [String]
    ) throws(GTFSFailure) -> GTFSTable? {
        guard let bytes = try source.bytes(of: file, in: nested) else { return nil }
        guard bytes.count <= Self.fareFileLimit else {
            log.note(file, 0, "", .tooLarge)
            return nil
        }
        let table = GTFSTable(feed: feed.name, file: file, bytes: bytes, log: &log)
        for name in required where table.column(name) == nil {
            log.note(file, 1, name, .missingColumn)
            return nil
        }
        return table
    }

    /// The index of the currency in the current row, and the amount in it; nil and noted if either
    /// is invalid.
    mutating func price(
        _ table: GTFSTable,
        amount: (column: Int?, name: String),
        currency: (column: Int?, name: String)
    ) -> GTFSFares.Price? {
        let code = table.rows.text(currency.column)
        guard let digits = CurrencyText.digits(code) else {
            table.note(currency.name, code.isEmpty ? .missingValue : .badValue, &log)
            return nil
        }
        guard
            let units = CurrencyText.minorUnits(table.rows.raw(amount.column), digits: digits)
        else {
            let isMissing = table.rows.isEmpty(amount.column)
            table.note(amount.name, isMissing ? .missingValue : .badValue, &log)
            return nil
        }
        var index = feed.fares.currencies.firstIndex { $0.code == code }
        if index == nil {
            index = feed.fares.currencies.count
            feed.fares.currencies.append(GTFSFares.Currency(code: code, digits: digits))
        }
        return index.map { GTFSFares.Price(minorUnits: units, currency: $0) }
    }

    private mutating func readFareAttributes(_ numbers: inout FareNumbers) throws(GTFSFailure) {
        let required = ["fare_id", "price", "currency_type"]
        guard var table = try fareTable("fare_attributes.txt", required),
            let id = table.column("fare_id")
        else { return }
        let amount = table.column("price")
        let currency = table.column("currency_type")
        let transfers = table.column("transfers")
        let seconds = table.column("transfer_duration")
        let agency = table.column("agency_id")
        while table.next(&log) {
            guard
                let price = price(
                    table,
                    amount: (amount, "price"),
                    currency: (currency, "currency_type")
                )
            else { continue }
            guard price.minorUnits >= 0 else {
                table.note("price", .badValue, &log)
                continue
            }
            guard let name = table.identify(id, "fare_id", in: &numbers.fares, &log) else {
                continue
            }
            var product = GTFSFares.Product(id: name, prices: [price])
            product.agency = table.optionalReference(agency, "agency_id", in: agencyNumbers, &log)
            // The values 0 to 2 are the standard's; some feeds state more.
            product.transfers = table.optionalNumber(transfers, "transfers", in: 0...99, &log)
                .map { UInt8($0) }
            // Some feeds write 0 for no limit.
            product.seconds = table.optionalNumber(
                seconds,
                "transfer_duration",
                in: 0...31_622_400,
                &log
            ).flatMap { $0 == 0 ? nil : $0 }
            feed.fares.products.append(product)
        }
    }

    private mutating func readFareRules(_ numbers: inout FareNumbers) throws(GTFSFailure) {
        var hasRule = [Bool](repeating: false, count: feed.fares.products.count)
        if !hasRule.isEmpty, var table = try fareTable("fare_rules.txt", ["fare_id"]) {
            let id = table.column("fare_id")
            let route = table.column("route_id")
            let zones = ["origin_id", "destination_id", "contains_id"].map { table.column($0) }
            while table.next(&log) {
                guard let product = table.reference(id, "fare_id", in: numbers.fares, &log) else {
                    continue
                }
                hasRule[product] = true
                var index = -1
                if !table.rows.isEmpty(route) {
                    // A rule for a route that is not there must not become a rule for all.
                    guard let known = table.reference(route, "route_id", in: routeNumbers, &log)
                    else { continue }
                    index = known
                }
                let named = zones.map { zone($0.map { table.rows.raw($0) } ?? [], &numbers) }
                feed.fares.zoneRules.append(
                    GTFSFares.ZoneRule(
                        product: Int32(product),
                        route: Int32(index),
                        origin: named[0],
                        destination: named[1],
                        contains: named[2]
                    )
                )
            }
        }
        // A fare without rules applies everywhere.
        for product in hasRule.indices where !hasRule[product] {
            feed.fares.zoneRules.append(
                GTFSFares.ZoneRule(
                    product: Int32(product),
                    route: -1,
                    origin: 0,
                    destination: 0,
                    contains: 0
                )
            )
        }
    }

    /// The number of a zone, which is added if it is new.
    private mutating func zone(_ id: ArraySlice<UInt8>, _ numbers: inout FareNumbers) -> Int32 {
        if let known = numbers.zones.number(of: id) { return Int32(known) }
        guard let new = numbers.zones.insert(id) else { return 0 }
        feed.fares.zones.append(String(decoding: id, as: UTF8.self))
        return Int32(new)
    }
}
