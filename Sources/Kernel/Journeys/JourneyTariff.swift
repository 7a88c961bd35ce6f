public import Chronology
import Columns
public import Tickets
public import Transit

/// A limit on what the tickets of a journey cost.
public struct MoneyTerms: Sendable {
    /// The fares of the city.
    public var book: FareBook
    /// The travellers, with their rider categories and passes.
    public var party: FareTariff.Party
    /// The currency of the limit.
    public var currency: FareCurrencyIndex
    /// The greatest price for all travellers, in minor units.
    public var limit: Int64

    /// A limit for some travellers.
    public init(
        _ book: FareBook,
        _ party: FareTariff.Party,
        _ currency: FareCurrencyIndex,
        limit: Int64
    ) {
        self.book = book
        self.party = party
        self.currency = currency
        self.limit = limit
    }
}

/// The fares of a city as a search in a window of its timetable reads them.
final class JourneyTariff: RideTariff {
    /// A ride after a state, where times do not count.
    private struct Step: Hashable {
        let state: Int32
        let route: RouteIndex
        let pattern: PatternIndex
        let board: Int32
        let alight: Int32
    }

    private let city: City
    private let tariff: FareTariff
    /// The states after steps that were asked for before; nil while times count.
    private var known: [Step: Int32?]?
    /// The moment from which the window's times count.
    private let epoch: Instant

    init(_ city: City, _ terms: MoneyTerms, since epoch: Instant) {
        self.city = city
        self.epoch = epoch
        tariff = FareTariff(
            terms.book,
            feedCount: city.timetable.feeds.count,
            terms.party,
            terms.currency,
            limit: terms.limit
        )
    }

    var timelessSeconds: Int32 { tariff.timelessSeconds }

    func begin(comparesTimes: Bool) -> Int32 {
        known = comparesTimes ? nil : [:]
        return tariff.begin(comparesTimes: comparesTimes)
    }

    func state(_ state: Int32, after ride: TransitJourney.Ride) -> Int32? {
        guard known != nil else {
            return tariff.state(state, after: city.fareRide(ride, since: epoch))
        }
        let step = Step(
            state: state,
            route: city.fareRoute(ride),
            pattern: ride.pattern,
            board: ride.boardPosition,
            alight: ride.alightPosition
        )
        if let next = known?[step] { return next }
        let next = tariff.state(state, after: city.fareRide(ride, since: epoch))
        known?[step] = .some(next)
        return next
    }

    func keepsToLimit(_ state: Int32) -> Bool { tariff.keepsToLimit(state) }

    func isNoWorse(_ state: Int32, than other: Int32) -> Bool {
        tariff.isNoWorse(state, than: other)
    }

    func isAlike(_ run: RunIndex, _ other: RunIndex) -> Bool {
        if run == other { return true }
        let patterns = city.timetable.patterns
        let (mine, theirs) = (patterns.segments(run), patterns.segments(other))
        return mine.count == theirs.count
            && zip(mine, theirs).allSatisfy { one, two in
                patterns.segmentPosition[one] == patterns.segmentPosition[two]
                    && city.timetable.trips.route[patterns.segmentTrip[one]]
                        == city.timetable.trips.route[patterns.segmentTrip[two]]
            }
    }

    /// The modes of the vehicles of some journeys.
    func modes(of journeys: [TransitJourney]) -> Set<TransitMode> {
        Set(
            journeys.flatMap { $0.rides }.map { ride in
                let trip = city.timetable.patterns.trip(ride.run, at: Int(ride.boardPosition))
                return city.timetable.routes.mode(city.timetable.trips.route[trip])
            }
        )
    }

    /// Whether the tickets of a journey keep to the limit.
    func allows(_ journey: TransitJourney) -> Bool {
        var state = begin(comparesTimes: true)
        for ride in journey.rides {
            guard let next = self.state(state, after: ride) else { return false }
            state = next
        }
        return keepsToLimit(state)
    }
}

extension City {
    /// A ride as fares see it: what riders stay seated for is one ride of the first trip's line.
    ///
    /// - Parameters:
    ///   - route: the route of the first trip.
    ///   - stops: the stops from boarding to alighting.
    ///   - departure: when it leaves the first stop.
    ///   - arrival: when it arrives at the last stop.
    /// - Returns: the ride.
    public func fareRide(
        _ route: RouteIndex,
        _ stops: [StopIndex],
        _ departure: Instant,
        _ arrival: Instant
    ) -> FareRide {
        FareRide(
            feed: stops.first.map { timetable.stops.feed[$0] } ?? .zero,
            route: route,
            agency: timetable.routes.agency[route],
            stops: stops,
            departure: fareTime(departure),
            arrival: fareTime(arrival)
        )
    }

    /// The route that a ride is paid for: that of the trip that one boards.
    fileprivate func fareRoute(_ ride: TransitJourney.Ride) -> RouteIndex {
        timetable.trips.route[timetable.patterns.trip(ride.run, at: Int(ride.boardPosition))]
    }

    fileprivate func fareRide(_ ride: TransitJourney.Ride, since epoch: Instant) -> FareRide {
        let patterns = timetable.patterns
        let (board, alight) = (Int(ride.boardPosition), Int(ride.alightPosition))
        let first = patterns.positions(ride.pattern).lowerBound
        let stops = (board...max(board, alight)).map { position in
            timetable.platforms.stop[patterns.platform[first.advanced(by: position)]]
        }
        return fareRide(
            fareRoute(ride),
            stops,
            epoch.adding(seconds: Int64(ride.departure)),
            epoch.adding(seconds: Int64(ride.arrival))
        )
    }

    private func fareTime(_ instant: Instant) -> FareTime {
        let local = timetable.zone.local(instant)
        return FareTime(
            seconds: instant.seconds,
            day: local.date.daysSince1970,
            secondOfDay: local.second
        )
    }
}
