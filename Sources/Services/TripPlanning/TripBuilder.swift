import Chronology
import CityData
import Columns
import Encoding
import Geo
import Journeys
import Streets
import Transit

/// Converts the planner's journeys into options, with everything that is shown of them.
struct TripBuilder {
    let planner: Planner
    let query: JourneyQuery
    let question: TripQuestion
    let names: TransitNames
    /// The vehicles among which journeys rent; nil where they rent none.
    var rentals: RentalEnd?

    private var city: City { planner.city }
    private var timetable: Timetable { planner.city.timetable }

    /// Converts a journey into an option.
    func option(_ itinerary: Itinerary, _ kind: TripKind) -> TripOption {
        var steps: [TripStep] = []
        for leg in itinerary.legs { steps.append(step(leg)) }
        rentals?.complete(&steps, of: itinerary, in: question.language ?? "")
        return TripOption(
            id: kind == .transit ? TripIdentifier.text(of: itinerary, timetable) : kind.rawValue,
            kind: kind,
            steps: steps,
            departure: itinerary.departure,
            arrival: itinerary.arrival,
            walkMetres: itinerary.walkMetres,
            metres: itinerary.metres,
            transfers: itinerary.transfers
        )
    }

    private func step(_ leg: Leg) -> TripStep {
        let route = planner.route(of: leg, in: query)
        let from = leg.from.map { stop($0) }
        let to = leg.to.map { stop($0) }
        let straight = planner.straightMetres(of: leg, in: query)
        var step = TripStep(
            kind: leg.tripKind,
            fromName: from?.name ?? question.from.name,
            toName: to?.name ?? question.to.name,
            from: from,
            to: to,
            departure: leg.departure,
            arrival: leg.arrival,
            metres: leg.metres,
            geometry: geometry(of: leg, route),
            streets: route.map { TripStreet.all(of: $0, in: city.streets) } ?? [],
            ride: leg.ride.flatMap { ride($0, city.calls(of: leg)) }
        )
        // A taxi is ordered when its leg begins, and drives after the wait.
        if case .taxi(let seconds) = leg.means {
            step.departure = leg.departure.adding(seconds: Int64(seconds))
        }
        step.straightStartMetres = straight.start
        step.straightEndMetres = straight.end
        if let route, let profile = leg.means.drivenProfile {
            step.trafficSeconds = planner.trafficSeconds(of: route, leg, profile)
        }
        return step
    }

    /// The line of a leg: for a ride the shape of its vehicle; for a walk the path on the streets,
    /// with the connections to and from it, or a straight line where it leads through a station.
    private func geometry(of leg: Leg, _ route: StreetRoute?) -> [Coordinate] {
        if let ride = leg.ride { return city.geometry(of: ride) }
        let start = leg.fromPlace ?? place(leg.from, question.from)
        let end = leg.toPlace ?? place(leg.to, question.to)
        var line: [Coordinate] = []
        for case let point? in [start] + (route?.geometry ?? []) + [end] where line.last != point {
            line.append(point)
        }
        return line
    }

    /// The position of a leg's end; nil if the feed states none.
    private func place(_ stop: StopIndex?, _ place: ResolvedPlace) -> Coordinate? {
        if let stop = stop ?? place.stops.first { return timetable.stops.coordinate(stop) }
        return place.coordinate
    }

    /// A ride: its first trip with all stops of the ride, and the trips that follow it.
    private func ride(_ ride: RideLeg, _ calls: [StopCall]) -> TripRide? {
        let parts = city.parts(of: ride)
        guard var whole = parts.first else { return nil }
        whole.positions = ride.positions
        var value = self.ride(whole, ride, calls)
        value.stretches = city.stretches(of: ride)
        value.continuations = parts.dropFirst().map { self.ride($0, ride, calls) }
        return value
    }

    private func ride(_ part: RidePart, _ ride: RideLeg, _ calls: [StopCall]) -> TripRide {
        let trip = part.trip
        let begin = part.positions.lowerBound - ride.positions.lowerBound
        let stops = calls.dropFirst(begin).prefix(part.positions.count)
        let feed = stops.first.map { timetable.stops.feed[$0.stop] } ?? .zero
        let tripName = timetable.texts[Int(timetable.trips.shortName[trip])]
        return TripRide(
            mode: timetable.routes.mode(part.route),
            route: part.route,
            routeID: timetable.texts[Int(timetable.routes.id[part.route])],
            shortName: names.shortName(part.route, feed: feed),
            longName: names.longName(part.route, feed: feed),
            color: Self.color(timetable.routes.color[part.route]),
            textColor: Self.color(timetable.routes.textColor[part.route]),
            agency: names.agency(part.route, feed: feed),
            headsign: names.headsign(part.headsign, trip: trip, feed: feed),
            tripID: timetable.texts[Int(timetable.trips.id[trip])],
            tripName: tripName.isEmpty ? nil : tripName,
            wheelchair: Self.known(timetable.trips.wheelchair[trip]),
            bikes: Self.known(timetable.trips.bikes[trip]),
            serviceDay: ride.day,
            isApproximate: ride.isApproximate,
            isByArrangement: ride.isByArrangement,
            stops: stops.map { stop($0.stop, arrival: $0.arrival, departure: $0.departure) },
            continuations: []
        )
    }

    private func stop(
        _ stop: StopIndex,
        arrival: Instant? = nil,
        departure: Instant? = nil
    ) -> TripStop {
        let platform = timetable.texts[Int(timetable.stops.platformCode[stop])]
        return TripStop(
            index: stop,
            id: timetable.texts[Int(timetable.stops.id[stop])],
            feed: timetable.texts[Int(timetable.feeds.name[timetable.stops.feed[stop]])],
            name: names.stop(stop),
            platform: platform.isEmpty ? nil : platform,
            coordinate: timetable.stops.coordinate(stop),
            wheelchair: Self.known(timetable.stops.wheelchair[stop]),
            arrival: arrival,
            departure: departure
        )
    }

    /// The colour in a feed; nil if the feed states none.
    private static func color(_ value: UInt32) -> UInt32? { value <= 0xFF_FFFF ? value : nil }

    /// Interprets a feed's value, 1 for yes and 2 for no; nil for unknown.
    static func known(_ value: UInt8) -> Bool? {
        value == 1 ? true : value == 2 ? false : nil
    }
}

/// The texts that name journeys by public transport within an answer.
enum TripIdentifier {
    /// An identifier for a journey: the same for the same vehicles between the same stops, whatever
    /// the question was.
    static func text(of itinerary: Itinerary, _ timetable: Timetable) -> String {
        var hash = FNV1a()
        for ride in itinerary.legs.compactMap(\.ride) {
            hash.add(timetable.texts[Int(timetable.trips.id[ride.trip])].utf8)
            let numbers = [
                Int(ride.day.daysSince1970), ride.positions.lowerBound, ride.positions.upperBound,
            ]
            for number in numbers { hash.add("|\(number)".utf8) }
        }
        // The first leg distinguishes a walk from the traveller's own vehicle.
        hash.add("|\(itinerary.legs.first?.tripKind.rawValue ?? "")".utf8)
        if itinerary.legs.last?.tripKind == .taxi { hash.add("|taxi".utf8) }
        for leg in itinerary.legs where leg.rental != nil {
            let place = leg.fromPlace.map { "\($0.latitude) \($0.longitude)" } ?? ""
            hash.add("|\(leg.tripKind.rawValue) \(place)".utf8)
        }
        // Runs at a headway share one trip among many departures.
        hash.add("|\(itinerary.departure.seconds)".utf8)
        return "transit-" + String(hash.value, radix: 36)
    }
}

extension Means {
    /// The profile of a vehicle that stands in traffic; nil for all others.
    fileprivate var drivenProfile: Profile? {
        switch self {
        case .car: .car
        case .taxi: .taxi
        case .walk, .bicycle, .rental, .ride: nil
        }
    }
}
