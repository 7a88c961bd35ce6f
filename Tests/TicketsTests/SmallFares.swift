import Columns
import Testing
import Tickets
import Transit

/// A small fare system and rides under it, for tests.
struct SmallFares {
    /// The fares.
    var draft = FareDraft()
    /// The zone of each stop; 0 for none.
    var zones: [UInt32] = []
    /// The agency of each route.
    var agencies: [UInt32] = []
    /// The feed of each route.
    var feeds: [UInt32] = []

    /// The fares as a city file holds them.
    func book(texts: [String] = [""]) throws -> FareBook {
        var writer = SectionWriter()
        writer.add("transit.stop.farezone", zones)
        writer.add("transit.text", texts: texts)
        writer.add(fares: draft)
        return FareBook(try writer.opened())
    }

    /// Adds a product with one price in the first currency.
    mutating func product(_ amount: Int64, feed: UInt32 = 0, id: UInt32 = 0) -> UInt32 {
        if draft.currencies.isEmpty {
            draft.currencies = [FareDraft.Currency(code: 0, digits: 2)]
        }
        var product = FareDraft.Product(feed: feed, id: id)
        product.prices = [FareDraft.Price(amount: amount, currency: 0)]
        draft.products.append(product)
        return UInt32(draft.products.count - 1)
    }

    /// A ride on a route, from one minute of Monday 2026-03-02 to another.
    func ride(_ route: UInt32, _ stops: [UInt32], _ begin: Int32, _ end: Int32) -> FareRide {
        FareRide(
            feed: FeedIndex(rawValue: feeds[Int(route)]),
            route: RouteIndex(rawValue: route),
            agency: AgencyIndex(rawValue: agencies[Int(route)]),
            stops: stops.map { StopIndex(rawValue: $0) },
            departure: Self.time(begin),
            arrival: Self.time(end)
        )
    }

    /// A minute of Monday 2026-03-02.
    static func time(_ minute: Int32) -> FareTime {
        FareTime(
            seconds: Int64(day) * 86_400 + Int64(minute) * 60,
            day: day,
            secondOfDay: minute * 60
        )
    }

    /// 2026-03-02 in days since 1970-01-01.
    static let day: Int32 = 20_514
}
