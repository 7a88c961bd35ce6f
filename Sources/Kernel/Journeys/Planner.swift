import Chronology
import Streets
import Transit

/// Answers queries for journeys in a city.
///
/// It is the workspace of one thread: it keeps nothing but memory to write to, about 44 bytes for
/// each junction and 430 for each platform, and what its last searches on the streets found.
/// Everything else belongs to its snapshot, which planners share.
public struct Planner {
    /// The latest arrival after the requested departure, in seconds, and the earliest departure
    /// before a requested arrival.
    public static let horizonSeconds: Int32 = 86_400
    /// How many metres people walk at most to the first stop, from the last, and for each change.
    public static let walkMetresLimit: UInt32 = 1_500
    /// How many metres people cycle at most to the first stop.
    static let bicycleMetresLimit = 5_000.0
    /// How many metres people drive at most to the first stop.
    static let carMetresLimit = 20_000.0

    /// The city and overlays that answers refer to.
    public let snapshot: CitySnapshot
    /// The city file of the snapshot.
    public let city: City
    let workspace: StreetWorkspace
    let recentEnds = RecentEnds()
    let recentWays = RecentWays()
    var search = TransitSearch()

    /// Creates a planner for a snapshot.
    public init(_ snapshot: CitySnapshot) {
        self.snapshot = snapshot
        city = snapshot.city
        workspace = StreetWorkspace(for: city.streets)
    }

    /// The best journeys: those that no other beats in both time and number of transfers,
    /// fewest transfers first.
    ///
    /// Each leaves as late as its arrival allows or, if asked by arrival, arrives as early as its
    /// departure allows. A journey entirely on foot, by bicycle or by car has no transfers.
    /// Journeys that are no quicker than it are left out, unless walking or emissions are compared
    /// and they have less of them.
    public mutating func journeys(_ query: JourneyQuery) -> [Itinerary] {
        var query = query
        query.origin = onStreets(query.origin)
        query.destination = onStreets(query.destination)
        let direct = direct(query)
        var span = query.comparesAmounts ? Self.horizonSeconds &+ 1 : Self.span(direct)
        if let longest = query.longestSeconds {
            span = min(span, max(0, min(longest, Self.horizonSeconds)) &+ 1)
        }
        var itineraries =
            query.modes.transit == 0 ? [] : transitJourneys(query, within: span, direct)
        // A trip without transfers that beats the direct way removes it from the answer.
        if let direct = direct.map({ itinerary($0, query) }),
            !itineraries.contains(where: { $0.transfers == 0 && beats($0, direct, query) })
        {
            itineraries.insert(direct, at: 0)
        }
        return itineraries
    }

    /// Whether a ride without transfers is quicker than a direct way and has no more of the amounts
    /// that are compared.
    private func beats(_ ride: Itinerary, _ direct: Itinerary, _ query: JourneyQuery) -> Bool {
        guard query.comparesAmounts else { return true }
        let isQuicker =
            query.isArriveBy
            ? ride.departure >= direct.departure : ride.arrival <= direct.arrival
        if !isQuicker || query.comparesWalking && ride.walkMetres > direct.walkMetres {
            return false
        }
        guard let emissions = query.emissions, emissions.isCompared else { return true }
        guard let least = city.micrograms(of: direct, emissions.rates) else { return true }
        return city.micrograms(of: ride, emissions.rates).map { $0 <= least } ?? false
    }

    /// Replaces an entrance, or a stop without trips, by its position on the map, from which the
    /// streets lead on; returns any other endpoint unchanged.
    func onStreets(_ endpoint: Endpoint) -> Endpoint {
        guard case .stop(let stop) = endpoint, city.hasStreets, platforms(of: stop).isEmpty else {
            return endpoint
        }
        return city.timetable.stops.coordinate(stop).map { .place($0) } ?? endpoint
    }

    /// The last second of a moment's day; the next day has another timetable.
    func lastMoment(ofDay time: Instant) -> Instant {
        let zone = city.timetable.zone
        return zone.instant(zone.local(time).date.adding(days: 1), second: 0).adding(seconds: -1)
    }

    /// The seconds within which a journey must end to be worth listing.
    static func span(_ direct: Direct?) -> Int32 {
        min(direct?.walk.seconds ?? .max, horizonSeconds &+ 1)
    }

    /// The best journeys with rides that end less than the given number of seconds
    /// after the requested time.
    mutating func transitJourneys(
        _ query: JourneyQuery,
        within span: Int32,
        _ direct: Direct? = nil
    ) -> [Itinerary] {
        let day = snapshot.transit.day(firstDate(of: query))
        let (origin, destination) = ends(query, within: span, in: day)
        guard !origin.ways.isEmpty, !destination.ways.isEmpty else { return [] }
        let time = Int32(truncatingIfNeeded: query.time.seconds &- day.epoch.seconds)
        let raptorQuery = Raptor.Query(
            access: origin.sorted(since: day.epoch),
            egress: destination.sorted(since: day.epoch),
            start: time,
            bound: query.isArriveBy ? time &- span : time &+ span,
            maxTrips: query.maxTransfers &+ 1,
            conditions: query.rideConditions(since: day.epoch)
        )
        let criteria = SearchCriteria(
            walking: Self.walking(query, direct),
            emissions: Self.emissions(query, direct)
        )
        return journeys(raptorQuery, query, in: day, criteria).map {
            itinerary($0, origin, destination, day.epoch, query.wheelchair)
        }
    }

    /// The ways at both ends of journeys that end less than some seconds after the requested time.
    ///
    /// A vehicle reaches far more stops than are of use. So the walks at the other end are found
    /// first, and from there the least time that is left for the way by vehicle to each stop.
    private func ends(
        _ query: JourneyQuery,
        within span: Int32,
        in day: LaidOutDay
    ) -> (origin: AccessEgressPaths, destination: AccessEgressPaths) {
        let moments = Self.moments(query, within: span)
        func ways(isOrigin: Bool, _ rest: RestOfJourney? = nil) -> AccessEgressPaths {
            accessEgress(
                isOrigin ? query.origin : query.destination,
                query,
                isOrigin: isOrigin,
                during: moments,
                within: span,
                rest
            )
        }
        func rest(_ ways: AccessEgressPaths, isOrigin: Bool) -> RestOfJourney? {
            day.leastSeconds(
                to: ways.sorted(since: day.epoch),
                isMirrored: isOrigin,
                stepFree: query.wheelchair
            ).map { RestOfJourney(leastSeconds: $0, span: span) }
        }
        if query.modes.bicycle || query.modes.car || !query.taxiAccess.isEmpty {
            let destination = ways(isOrigin: false)
            return (ways(isOrigin: true, rest(destination, isOrigin: false)), destination)
        }
        let origin = ways(isOrigin: true)
        guard !query.taxiEgress.isEmpty else { return (origin, ways(isOrigin: false)) }
        return (origin, ways(isOrigin: false, rest(origin, isOrigin: true)))
    }

    /// The journeys of a search, within the limit on money.
    ///
    /// If the best journeys without that limit keep to it, they are the best with it, too.
    private mutating func journeys(
        _ question: Raptor.Query,
        _ query: JourneyQuery,
        in day: LaidOutDay,
        _ criteria: SearchCriteria
    ) -> [TransitJourney] {
        func found(_ question: Raptor.Query) -> [TransitJourney] {
            query.isArriveBy
                ? search.latestDepartures(question, in: day, criteria)
                : search.earliestArrivals(question, in: day, criteria)
        }
        let journeys = found(question)
        guard let money = query.money else { return journeys }
        let tariff = JourneyTariff(city, money, since: day.epoch)
        var known = journeys.filter { tariff.allows($0) }
        if known.count == journeys.count { return journeys }
        // Often the journeys without the dearest vehicles are within the limit, and few others need
        // to be looked at then.
        for mode in tariff.modes(of: journeys.filter { !tariff.allows($0) }) {
            var rest = question
            rest.conditions.modes &= ~mode.bit
            known += found(rest).filter { tariff.allows($0) }
        }
        return query.isArriveBy
            ? search.latestDepartures(
                question,
                in: day,
                criteria,
                within: tariff,
                besides: known
            )
            : search.earliestArrivals(
                question,
                in: day,
                criteria,
                within: tariff,
                besides: known
            )
    }

    /// The role of walking in a search; nil if it does not count.
    private static func walking(_ query: JourneyQuery, _ direct: Direct?) -> Walking? {
        guard query.comparesWalking else { return query.maxWalkMetres.map { Walking(limit: $0) } }
        return Walking(
            limit: query.maxWalkMetres ?? .max,
            isCompared: true,
            rival: direct.map { ($0.walk.seconds, $0.walk.walkedMetres) }
        )
    }

    /// The role of emissions in a search; nil if they do not count.
    private static func emissions(_ query: JourneyQuery, _ direct: Direct?) -> Emissions? {
        guard let terms = query.emissions, terms.limit != nil || terms.isCompared else {
            return nil
        }
        // A way whose emissions are unknown beats nothing.
        let rival = direct.map { ($0.walk.seconds, terms.rates.micrograms($0.walk)) }
        return Emissions(
            rates: terms.rates.transit,
            walkRate: terms.rates.walk ?? Emissions.unknown,
            limit: terms.limit ?? .max,
            isCompared: terms.isCompared,
            rival: rival.flatMap { terms.isCompared && $0.1 < Emissions.unknown ? $0 : nil }
        )
    }

    /// The first day of the window that a query needs.
    private func firstDate(of query: JourneyQuery) -> CivilDate {
        let date = city.timetable.zone.local(query.time).date
        return query.isArriveBy ? date.adding(days: -1) : date
    }
}
