import Chronology
import CityData
import Columns
import Foundation
import Geo
import Journeys
import Streets
import Transit

/// Answers as one JSON object with the itineraries, as described in `docs/answers.md`.
struct ItineraryJSON {
    private let planner: Planner
    private let query: JourneyQuery
    private let names: TransitNames
    private var timetable: Timetable { planner.city.timetable }

    init(_ planner: Planner, _ query: JourneyQuery, names: TransitNames) {
        self.planner = planner
        self.query = query
        self.names = names
    }

    /// The JSON text of all itineraries.
    func text(_ itineraries: [Itinerary]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let answer = Answer(itineraries: itineraries.map(value))
        return String(decoding: try encoder.encode(answer), as: UTF8.self) + "\n"
    }

    private struct Answer: Encodable {
        let itineraries: [ItineraryValue]
    }

    private struct ItineraryValue: Encodable {
        let departure: String
        let arrival: String
        let durationSeconds: Int64
        let transfers: Int
        let walkMetres: UInt32
        let distanceMetres: UInt32
        let legs: [LegValue]
    }

    private struct LegValue: Encodable {
        let mode: String
        let departure: String
        let arrival: String
        let durationSeconds: Int64
        let distanceMetres: UInt32
        let from: StopValue?
        let to: StopValue?
        /// The line on the map, as Google's encoded polyline with precision 5.
        let geometry: String
        var route: RouteValue?
        var streets: [StreetValue]?
    }

    private struct StopValue: Encodable {
        let id: String
        let feed: String
        let name: String
        let platform: String?
        let latitude: Double?
        let longitude: Double?
        let wheelchair: Bool?
        var arrival: String?
        var departure: String?
    }

    private struct RouteValue: Encodable {
        let id: String
        let name: String
        let shortName: String
        let longName: String
        let color: String?
        let textColor: String?
        let agency: String
        let headsign: String
        let trip: String
        let tripName: String?
        let wheelchair: Bool?
        let bikes: Bool?
        let serviceDay: String
        let approximate: Bool
        let byArrangement: Bool
        let stops: [StopValue]
        /// The trips that the vehicle continues as while riders stay seated.
        var continuations: [RouteValue]?
    }

    private struct StreetValue: Encodable {
        let name: String
        let metres: Double
    }

    private func value(_ itinerary: Itinerary) -> ItineraryValue {
        ItineraryValue(
            departure: time(itinerary.departure),
            arrival: time(itinerary.arrival),
            durationSeconds: itinerary.arrival.seconds - itinerary.departure.seconds,
            transfers: itinerary.transfers,
            walkMetres: itinerary.walkMetres,
            distanceMetres: itinerary.metres,
            legs: itinerary.legs.map(value)
        )
    }

    private func value(_ leg: Leg) -> LegValue {
        let way = planner.route(of: leg, in: query)
        var value = LegValue(
            mode: leg.modeName,
            departure: time(leg.departure),
            arrival: time(leg.arrival),
            durationSeconds: leg.arrival.seconds - leg.departure.seconds,
            distanceMetres: leg.metres,
            from: leg.from.map(stop),
            to: leg.to.map(stop),
            geometry: Polyline.encoded(geometry(of: leg, way), precision: .five)
        )
        if let ride = leg.ride { value.route = route(ride, planner.city.calls(of: leg)) }
        value.streets = way?.stretches.reduce(into: []) { streets, stretch in
            let name = planner.city.streets.name(stretch.name)
            if let last = streets.last, last.name == name {
                streets[streets.count - 1] = StreetValue(
                    name: name,
                    metres: ((last.metres + stretch.cost.metres) * 10).rounded() / 10
                )
            } else {
                streets.append(StreetValue(name: name, metres: stretch.cost.metres))
            }
        }
        return value
    }

    /// The line of a leg: for a ride the shape of its vehicle; for a walk the path on the streets,
    /// with the connections to and from it, or a straight line where it leads through a station.
    private func geometry(of leg: Leg, _ way: StreetRoute?) -> [Coordinate] {
        if let ride = leg.ride { return planner.city.geometry(of: ride) }
        let start = place(leg.from, query.origin)
        let end = place(leg.to, query.destination)
        var line: [Coordinate] = []
        for case let point? in [start] + (way?.geometry ?? []) + [end] where line.last != point {
            line.append(point)
        }
        return line
    }

    /// The position of a leg's end; nil where the feed does not say.
    private func place(_ stop: StopIndex?, _ endpoint: Endpoint) -> Coordinate? {
        switch stop.map({ .stop($0) }) ?? endpoint {
        case .stop(let stop): timetable.stops.coordinate(stop)
        case .place(let coordinate): coordinate
        }
    }

    /// The route of a ride: its first trip with all stops of the ride, and the
    /// trips that follow it.
    private func route(_ ride: RideLeg, _ calls: [StopCall]) -> RouteValue? {
        let parts = planner.city.parts(of: ride)
        guard var whole = parts.first else { return nil }
        whole.positions = ride.positions
        var value = route(whole, ride, calls)
        let rest = parts.dropFirst()
        if !rest.isEmpty { value.continuations = rest.map { route($0, ride, calls) } }
        return value
    }

    private func route(_ part: RidePart, _ ride: RideLeg, _ calls: [StopCall]) -> RouteValue {
        let trip = part.trip
        let begin = part.positions.lowerBound - ride.positions.lowerBound
        let stops = calls.dropFirst(begin).prefix(part.positions.count)
        let feed = stops.first.map { timetable.stops.feed[$0.stop] } ?? .zero
        let short = names.shortName(part.route, feed: feed)
        let long = names.longName(part.route, feed: feed)
        let tripName = timetable.texts[Int(timetable.trips.shortName[trip])]
        return RouteValue(
            id: timetable.texts[Int(timetable.routes.id[part.route])],
            name: short.isEmpty ? long : short,
            shortName: short,
            longName: long,
            color: Self.color(timetable.routes.color[part.route]),
            textColor: Self.color(timetable.routes.textColor[part.route]),
            agency: names.agency(part.route, feed: feed),
            headsign: names.headsign(part.headsign, trip: part.trip, feed: feed),
            trip: timetable.texts[Int(timetable.trips.id[trip])],
            tripName: tripName.isEmpty ? nil : tripName,
            wheelchair: Self.known(timetable.trips.wheelchair[trip]),
            bikes: Self.known(timetable.trips.bikes[trip]),
            serviceDay: ride.day.iso8601,
            approximate: ride.isApproximate,
            byArrangement: ride.isByArrangement,
            stops: stops.map { call in
                var value = stop(call.stop)
                value.arrival = time(call.arrival)
                value.departure = time(call.departure)
                return value
            }
        )
    }

    private func stop(_ stop: StopIndex) -> StopValue {
        let place = timetable.stops.coordinate(stop)
        let platform = timetable.texts[Int(timetable.stops.platformCode[stop])]
        return StopValue(
            id: timetable.texts[Int(timetable.stops.id[stop])],
            feed: timetable.texts[Int(timetable.feeds.name[timetable.stops.feed[stop]])],
            name: names.stop(stop),
            platform: platform.isEmpty ? nil : platform,
            latitude: place?.latitudeDegrees,
            longitude: place?.longitudeDegrees,
            wheelchair: Self.known(timetable.stops.wheelchair[stop])
        )
    }

    /// An instant in the city's local time.
    private func time(_ instant: Instant) -> String { instant.iso8601(in: timetable.zone) }

    /// `#RRGGBB`; nil where the feed does not say.
    private static func color(_ value: UInt32) -> String? {
        value <= 0xFF_FFFF ? String(format: "#%06X", value) : nil
    }

    /// Interprets a feed's value, 1 for yes and 2 for no; nil for unknown.
    private static func known(_ value: UInt8) -> Bool? {
        value == 1 ? true : value == 2 ? false : nil
    }
}

extension Leg {
    /// The name of the route's mode in output files.
    var modeName: String {
        switch means {
        case .walk: "walk"
        case .bicycle: "bike"
        case .car: "car"
        case .ride(let ride): "\(ride.mode)"
        }
    }
}
