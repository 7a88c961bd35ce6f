public import Chronology
public import Columns
public import Geo

/// The timetable of a city: a read-only view of the `transit.*` sections of a city file.
///
/// *Trips* are those of the feeds. A *run* is what one vehicle does without riders having to leave
/// it: usually one trip, several if trips share a block. Runs that serve the same platforms in the
/// same way form a *pattern*. The times of runs are shared: a *timing pattern* holds times from the
/// run's start, and a run consists of a timing pattern and a start. README.md lists the columns.
public struct Timetable: Sendable {
    /// The bytes that the columns point into.
    public let file: SectionFile
    /// All texts, found by number.
    public let texts: Texts

    /// The zone tables, one for each time zone of an agency.
    public let zones: [ZoneTable]
    /// The IANA names of `zones`, as text numbers.
    public let zoneNames: Column<UInt32>

    /// The rows of the feeds.
    public let feeds: Feeds
    /// The rows of the agencies.
    public let agencies: Agencies
    /// The rows of the stops.
    public let stops: Stops
    /// The rows of the routes.
    public let routes: Routes
    /// The rows of the trips.
    public let trips: Trips
    /// On which days services run.
    public let services: Services
    /// Stops as trips serve them.
    public let platforms: Platforms
    /// Stop sequences and their runs.
    public let patterns: Patterns
    private let allFootpaths: Footpaths
    private let allReversed: Footpaths
    private let stepFreeFootpaths: Footpaths
    private let stepFreeReversed: Footpaths
    /// The paths of trips along their shapes.
    public let tripPaths: TripPaths

    /// Reads the timetable in a file; it has no stops if the file has none.
    public init(_ file: SectionFile) {
        self.file = file
        texts = Texts("transit.text", in: file)
        zoneNames = file.column("transit.zone.name")
        zones = Self.zones(file, count: zoneNames.count)
        feeds = Feeds(file)
        agencies = Agencies(file)
        stops = Stops(file)
        routes = Routes(file)
        trips = Trips(file)
        services = Services(file)
        platforms = Platforms(file)
        patterns = Patterns(file)
        allFootpaths = Footpaths(file, "transit.footpath")
        allReversed = Footpaths(file, "transit.reverse")
        stepFreeFootpaths = Footpaths(file, "transit.stepfree.footpath")
        stepFreeReversed = Footpaths(file, "transit.stepfree.reverse")
        tripPaths = TripPaths(file)
    }

    /// The time zone of the city's clocks: that of the first feed.
    public var zone: ZoneTable { zones.first ?? .utc }

    /// The footpaths between platforms, by origin.
    ///
    /// - Parameter stepFree: whether to return only those for wheelchairs, where the
    ///   file distinguishes them.
    /// - Returns: the footpaths.
    public func footpaths(stepFree: Bool = false) -> Footpaths {
        stepFree && stepFreeFootpaths.isKnown ? stepFreeFootpaths : allFootpaths
    }

    /// The same footpaths by destination; their targets are their origins.
    ///
    /// - Parameter stepFree: whether to return only those for wheelchairs, where the
    ///   file distinguishes them.
    /// - Returns: the footpaths.
    public func reverseFootpaths(stepFree: Bool = false) -> Footpaths {
        stepFree && stepFreeReversed.isKnown ? stepFreeReversed : allReversed
    }

    /// Whether the file distinguishes the footpaths for wheelchairs.
    var hasStepFreeFootpaths: Bool { stepFreeFootpaths.isKnown || stepFreeReversed.isKnown }

    private static func zones(_ file: SectionFile, count: Int) -> [ZoneTable] {
        let offsets: Column<UInt32> = file.column("transit.zone.offsets")
        let starts: Column<Int64> = file.column("transit.zone.start")
        let seconds: Column<Int32> = file.column("transit.zone.seconds")
        return (0..<count).map { zone in
            let range = offsets.range(zone, limit: starts.count)
            return ZoneTable(starts: range.map { starts[$0] }, offsets: range.map { seconds[$0] })
        }
    }

    /// The columns of the feeds.
    public struct Feeds: Sendable {
        /// The feed's name, as a text number.
        public let name: IndexedColumn<FeedIndex, UInt32>
        /// Its publisher, as a text number.
        public let publisher: IndexedColumn<FeedIndex, UInt32>
        /// Its version, as a text number.
        public let version: IndexedColumn<FeedIndex, UInt32>
        /// By how many weeks its service days were moved.
        public let shiftWeeks: IndexedColumn<FeedIndex, Int32>
        /// The first service day, in days since 1970-01-01.
        public let firstDay: IndexedColumn<FeedIndex, Int32>
        /// The last service day, in days since 1970-01-01.
        public let lastDay: IndexedColumn<FeedIndex, Int32>
        /// How many feeds there are.
        public var count: Int { name.count }
        /// The rows of all feeds.
        public var indices: Range<FeedIndex> { name.indices }

        init(_ file: SectionFile) {
            name = file.column("transit.feed.name")
            publisher = file.column("transit.feed.publisher")
            version = file.column("transit.feed.version")
            shiftWeeks = file.column("transit.feed.shift")
            firstDay = file.column("transit.feed.first")
            lastDay = file.column("transit.feed.last")
        }
    }

    /// The columns of the agencies.
    public struct Agencies: Sendable {
        /// The name, as a text number.
        public let name: IndexedColumn<AgencyIndex, UInt32>
        /// The website, as a text number.
        public let url: IndexedColumn<AgencyIndex, UInt32>
        /// The time zone's row in `zones`.
        public let zone: IndexedColumn<AgencyIndex, UInt32>
        private let ids: IndexedColumn<AgencyIndex, UInt32>
        private let feeds: IndexedColumn<AgencyIndex, FeedIndex>
        /// How many agencies there are.
        public var count: Int { name.count }
        /// The rows of all agencies.
        public var indices: Range<AgencyIndex> { name.indices }

        init(_ file: SectionFile) {
            name = file.column("transit.agency.name")
            url = file.column("transit.agency.url")
            zone = file.column("transit.agency.zone")
            ids = file.column("transit.agency.id")
            feeds = file.column("transit.agency.feed")
        }

        /// The feed's identifier of an agency, as a text number; nil in a file of an earlier
        /// version.
        public func id(_ agency: AgencyIndex) -> UInt32? {
            ids.count == count ? ids[agency] : nil
        }

        /// The feed that contains an agency; nil in a file of an earlier version.
        public func feed(_ agency: AgencyIndex) -> FeedIndex? {
            feeds.count == count ? feeds[agency] : nil
        }
    }

    /// The columns of the stops.
    public struct Stops: Sendable {
        /// `stop_id`, as a text number.
        public let id: IndexedColumn<StopIndex, UInt32>
        /// The feed that contains the stop.
        public let feed: IndexedColumn<StopIndex, FeedIndex>
        /// The name, as a text number.
        public let name: IndexedColumn<StopIndex, UInt32>
        /// The platform's number or letter, as a text number.
        public let platformCode: IndexedColumn<StopIndex, UInt32>
        /// Latitude in 1e-7 degrees; 0, like the longitude, if the feed states no position.
        private let latitude: IndexedColumn<StopIndex, Int32>
        /// Longitude in 1e-7 degrees.
        private let longitude: IndexedColumn<StopIndex, Int32>
        /// The `location_type` of GTFS.
        public let kind: IndexedColumn<StopIndex, UInt8>
        /// The parent station; the stop itself if it has none.
        public let parent: IndexedColumn<StopIndex, StopIndex>
        /// 0 unknown, 1 accessible by wheelchair, 2 not accessible.
        public let wheelchair: IndexedColumn<StopIndex, UInt8>
        /// How many stops there are.
        public var count: Int { id.count }
        /// The rows of all stops.
        public var indices: Range<StopIndex> { id.indices }

        init(_ file: SectionFile) {
            id = file.column("transit.stop.id")
            feed = file.column("transit.stop.feed")
            name = file.column("transit.stop.name")
            platformCode = file.column("transit.stop.platform")
            latitude = file.column("transit.stop.latitude")
            longitude = file.column("transit.stop.longitude")
            kind = file.column("transit.stop.kind")
            parent = file.column("transit.stop.parent")
            wheelchair = file.column("transit.stop.wheelchair")
        }

        /// The position of a stop; nil if the feed states none.
        public func coordinate(_ stop: StopIndex) -> Coordinate? {
            let place = Coordinate(latitude: latitude[stop], longitude: longitude[stop])
            return place.latitude == 0 && place.longitude == 0 ? nil : place
        }
    }

    /// The columns of the routes.
    public struct Routes: Sendable {
        /// `route_id`, as a text number.
        public let id: IndexedColumn<RouteIndex, UInt32>
        /// The agency that runs the route.
        public let agency: IndexedColumn<RouteIndex, AgencyIndex>
        /// The short name, as a text number.
        public let shortName: IndexedColumn<RouteIndex, UInt32>
        /// The long name, as a text number.
        public let longName: IndexedColumn<RouteIndex, UInt32>
        /// The raw value of the ``TransitMode``.
        public let mode: IndexedColumn<RouteIndex, UInt8>
        /// The colour as 0xRRGGBB; `UInt32.max` where unstated.
        public let color: IndexedColumn<RouteIndex, UInt32>
        /// The colour of text on it; `UInt32.max` where unstated.
        public let textColor: IndexedColumn<RouteIndex, UInt32>
        /// How many routes there are.
        public var count: Int { id.count }
        /// The rows of all routes.
        public var indices: Range<RouteIndex> { id.indices }

        init(_ file: SectionFile) {
            id = file.column("transit.route.id")
            agency = file.column("transit.route.agency")
            shortName = file.column("transit.route.short")
            longName = file.column("transit.route.long")
            mode = file.column("transit.route.mode")
            color = file.column("transit.route.color")
            textColor = file.column("transit.route.textcolor")
        }

        /// The mode of a route's vehicles.
        public func mode(_ route: RouteIndex) -> TransitMode {
            TransitMode(rawValue: mode[route]) ?? .other
        }
    }

    /// The columns of the trips.
    public struct Trips: Sendable {
        /// `trip_id`, as a text number.
        public let id: IndexedColumn<TripIndex, UInt32>
        /// The route that the trip belongs to.
        public let route: IndexedColumn<TripIndex, RouteIndex>
        /// The headsign, as a text number.
        public let headsign: IndexedColumn<TripIndex, UInt32>
        /// The short name, as a text number.
        public let shortName: IndexedColumn<TripIndex, UInt32>
        /// 0 unknown, 1 accommodates wheelchairs, 2 does not.
        public let wheelchair: IndexedColumn<TripIndex, UInt8>
        /// 0 unknown, 1 allows bicycles, 2 does not.
        public let bikes: IndexedColumn<TripIndex, UInt8>
        /// The first stop in ``TripPaths``; the trip's next stops follow.
        public let path: IndexedColumn<TripIndex, TripPathIndex>
        /// How many trips there are.
        public var count: Int { id.count }
        /// The rows of all trips.
        public var indices: Range<TripIndex> { id.indices }

        init(_ file: SectionFile) {
            id = file.column("transit.trip.id")
            route = file.column("transit.trip.route")
            headsign = file.column("transit.trip.headsign")
            shortName = file.column("transit.trip.short")
            wheelchair = file.column("transit.trip.wheelchair")
            bikes = file.column("transit.trip.bikes")
            path = file.column("transit.trip.course")
        }
    }

    /// Sets of days, each stored once.
    public struct Services: Sendable {
        /// The day of each set's first bit, in days since 1970-01-01.
        public let firstDay: IndexedColumn<ServiceIndex, Int32>
        private let offsets: Column<UInt32>
        private let words: Column<UInt64>
        /// How many sets there are.
        public var count: Int { firstDay.count }
        /// The rows of all sets.
        public var indices: Range<ServiceIndex> { firstDay.indices }

        init(_ file: SectionFile) {
            firstDay = file.column("transit.service.first")
            offsets = file.column("transit.service.offsets")
            words = file.column("transit.service.word")
        }

        /// Whether a service runs on a day.
        public func runs(_ service: ServiceIndex, on date: CivilDate) -> Bool {
            let range = offsets.range(service.row, limit: words.count)
            let bit = Int64(date.daysSince1970) - Int64(firstDay[service])
            guard bit >= 0, bit / 64 < Int64(range.count) else { return false }
            return words[range.lowerBound + Int(bit / 64)] >> UInt64(bit % 64) & 1 == 1
        }
    }
}
