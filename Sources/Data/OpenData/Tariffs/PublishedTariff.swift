package import Chronology
package import Geo

/// The tariff of an operator that publishes its prices, but not in its feed.
///
/// Inside an area, one ticket is good for any number of rides until its time is over. A ride that
/// begins or ends outside of the area has no price here: it stays unknown.
package struct PublishedTariff: Sendable {
    /// What the operator and its tariff are called.
    package var name: String
    /// The host names, without `www.`, of the addresses that agencies of the operator state.
    package var hosts: [String]
    /// The first day on which the prices apply.
    package var firstDay: CivilDate
    /// Where and when the prices were published.
    package var source: String
    /// The area of the tickets.
    package var area: Polygon
    /// The ISO 4217 code of the prices, a currency with two decimals.
    package var currency: String
    /// How long after the first boarding the last ride of a ticket may begin, in seconds.
    package var seconds: Int32
    /// The products; the first is the single ticket.
    package var products: [Product]

    /// A ticket or pass for the whole area.
    package struct Product: Sendable, Equatable {
        /// The identifier that travellers state (V80).
        package var id: String
        /// The name in the language of the operator.
        package var name: String
        /// The price in minor units.
        package var minorUnits: Int64
        /// For which days it is valid; nil for a ticket of a single journey.
        package var period: PassPeriod?
    }

    /// All tariffs that the program knows.
    package static var all: [PublishedTariff] { milan }

    /// For which days the products of all tariffs are valid, by their identifiers.
    package static var periods: [String: PassPeriod] {
        let known = all.flatMap(\.products).compactMap { product in
            product.period.map { (product.id, $0) }
        }
        return Dictionary(known) { first, _ in first }
    }

    /// The tariff for a feed that states no prices.
    ///
    /// - Parameters:
    ///   - feed: the feed; all of its agencies must be the operator's.
    ///   - day: the last day of its timetable, after it was moved.
    /// - Returns: the tariff in force on that day; nil where the feed has fares of its own, or
    ///   where no tariff of the operator applies.
    package static func tariff(for feed: GTFSFeed, on day: CivilDate) -> PublishedTariff? {
        guard feed.fares.products.isEmpty else { return nil }
        return all.filter { tariff in
            tariff.firstDay <= day
                && feed.agencies.allSatisfy { agency in
                    host(of: agency.url).map { tariff.hosts.contains($0) } ?? false
                }
        }.max { $0.firstDay < $1.firstDay }
    }

    /// The tariff as the fares that the feed would have.
    package func fares(of feed: GTFSFeed) -> GTFSFares {
        var fares = GTFSFares()
        fares.currencies = [GTFSFares.Currency(code: currency, digits: 2)]
        fares.routeNetworks = feed.routes.map { _ in 0 }
        fares.stopAreas = feed.stops.map { stop in
            stop.coordinate.map { area.contains($0) } ?? false ? [Self.inside] : []
        }
        for (row, product) in products.enumerated() {
            var ticket = GTFSFares.Product(id: product.id)
            ticket.name = product.name
            ticket.prices = [GTFSFares.Price(minorUnits: product.minorUnits, currency: 0)]
            fares.products.append(ticket)
            fares.legRules.append(
                GTFSFares.LegRule(
                    group: Self.legs,
                    network: 0,
                    from: Self.inside,
                    to: Self.inside,
                    fromFrame: 0,
                    toFrame: 0,
                    product: row,
                    priority: 0
                )
            )
        }
        // Any number of transfers with the first ticket, counted from boarding to boarding.
        fares.transfers = [
            GTFSFares.TransferRule(
                from: Self.legs,
                to: Self.legs,
                count: -1,
                seconds: seconds,
                span: 1,
                kind: 0
            )
        ]
        return fares
    }

    private static let inside: UInt32 = 1
    private static let legs: UInt32 = 1

    /// The host of an address, in small letters and without `www.`.
    private static func host(of url: String) -> String? {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[0].hasSuffix(":"), parts[1].isEmpty else { return nil }
        let host = parts[2].prefix { !":?#".contains($0) }.lowercased()
        return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    }
}
