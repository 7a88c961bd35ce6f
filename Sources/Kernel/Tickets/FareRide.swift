import Columns
public import Transit

/// A moment as fares see it: absolute, and on the clocks of the city.
public struct FareTime: Sendable, Equatable {
    /// Seconds since 1970.
    public var seconds: Int64
    /// The local date, in days since 1970-01-01.
    public var day: Int32
    /// The local time of day in seconds.
    public var secondOfDay: Int32

    /// A moment with its local date and time.
    public init(seconds: Int64, day: Int32, secondOfDay: Int32) {
        self.seconds = seconds
        self.day = day
        self.secondOfDay = secondOfDay
    }
}

/// A ride on one trip of the timetable, with everything that its fare depends on.
public struct FareRide: Sendable, Equatable {
    /// The feed of the trip.
    public var feed: FeedIndex
    /// The route of the trip.
    public var route: RouteIndex
    /// The agency of the route.
    public var agency: AgencyIndex
    /// The stops from boarding to alighting; at least two.
    public var stops: [StopIndex]
    /// When it leaves the first stop.
    public var departure: FareTime
    /// When it arrives at the last stop.
    public var arrival: FareTime
    /// Whether a pass that no feed describes covers it, so that it costs nothing.
    public var isCovered: Bool

    /// A ride that no pass covers unless stated otherwise.
    public init(
        feed: FeedIndex,
        route: RouteIndex,
        agency: AgencyIndex,
        stops: [StopIndex],
        departure: FareTime,
        arrival: FareTime,
        isCovered: Bool = false
    ) {
        self.feed = feed
        self.route = route
        self.agency = agency
        self.stops = stops
        self.departure = departure
        self.arrival = arrival
        self.isCovered = isCovered
    }

    var first: StopIndex { stops.first ?? .zero }
    var last: StopIndex { stops.last ?? .zero }
}

/// Who travels: the rider categories that they belong to, and the products that they own.
public struct FareTraveller: Sendable, Equatable {
    /// The categories of the rider, of all feeds; in feeds without one of them, the rider belongs
    /// to the default categories.
    public var categories: [RiderCategoryIndex]
    /// The products that cost nothing wherever they are valid.
    public var owned: [FareProductIndex]

    /// A traveller; by default of the default categories and without products.
    public init(categories: [RiderCategoryIndex] = [], owned: [FareProductIndex] = []) {
        self.categories = categories
        self.owned = owned
    }
}

/// The cheapest price of a journey.
public struct JourneyFare: Sendable, Equatable {
    /// The total in minor units of the currency.
    public var minorUnits: Int64
    /// The currency of the total.
    public var currency: FareCurrencyIndex
    /// The tickets whose prices add up to the total, in order of use.
    public var tickets: [FareTicket]

    /// A price and its tickets.
    public init(minorUnits: Int64, currency: FareCurrencyIndex, tickets: [FareTicket]) {
        self.minorUnits = minorUnits
        self.currency = currency
        self.tickets = tickets
    }
}

/// One product that is bought or used for consecutive rides.
public struct FareTicket: Sendable, Equatable {
    /// The fare product that is bought or used.
    public var product: FareProductIndex
    /// The rides that it was bought for, as positions in the journey.
    public var rides: Range<Int>
    /// The price in minor units; 0 for a product that the rider owns, and negative for the discount
    /// of a transfer.
    public var minorUnits: Int64

    /// A product for some rides.
    public init(product: FareProductIndex, rides: Range<Int>, minorUnits: Int64) {
        self.product = product
        self.rides = rides
        self.minorUnits = minorUnits
    }
}
