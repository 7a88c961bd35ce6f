import Chronology
import Columns
import Foundation
import Geo
import Journeys
import Streets
import Transit

/// Answers as data: one JSON object with the itineraries.
struct ItineraryJSON {
    private let planner: Planner
    private let query: JourneyQuery

    init(_ planner: Planner, _ query: JourneyQuery) {
        self.planner = planner
        self.query = query
    }

    /// All answers.
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
        var route: RouteValue?
        var streets: [StreetValue]?
        /// Google's encoded polyline, precision 5.
        var polyline: String?
    }

    private struct StopValue: Encodable {
        let id: String
        let feed: String
        let name: String
        let latitude: Double
        let longitude: Double
    }

    private struct RouteValue: Encodable {
        let id: String
        let name: String
        let agency: String
        let headsign: String
        let trip: String
        let serviceDay: String
        let approximate: Bool
        let byArrangement: Bool
        let stops: [StopValue]
    }

    private struct StreetValue: Encodable {
        let name: String
        let metres: Double
    }

    private func value(_ itinerary: Itinerary) -> ItineraryValue {
        let zone = planner.city.timetable.zone
        return ItineraryValue(
            departure: itinerary.departure.iso8601(in: zone),
            arrival: itinerary.arrival.iso8601(in: zone),
            durationSeconds: itinerary.arrival.seconds - itinerary.departure.seconds,
            transfers: itinerary.transfers,
            walkMetres: itinerary.walkMetres,
            distanceMetres: itinerary.metres,
            legs: itinerary.legs.map(value)
        )
    }

    private func value(_ leg: Leg) -> LegValue {
        let zone = planner.city.timetable.zone
        var value = LegValue(
            mode: leg.modeName,
            departure: leg.departure.iso8601(in: zone),
            arrival: leg.arrival.iso8601(in: zone),
            durationSeconds: leg.arrival.seconds - leg.departure.seconds,
            distanceMetres: leg.metres,
            from: leg.from.map(stop),
            to: leg.to.map(stop)
        )
        if let ride = leg.ride { value.route = route(ride) }
        if let way = planner.route(of: leg, in: query) {
            value.polyline = Polyline.encoded(way.geometry, precision: .five)
            value.streets = way.stretches.reduce(into: []) { streets, stretch in
                let name = planner.city.streets.name(stretch.name)
                if let last = streets.last, last.name == name {
                    streets[streets.count - 1] = StreetValue(
                        name: name,
                        metres: last.metres + stretch.cost.metres
                    )
                } else {
                    streets.append(StreetValue(name: name, metres: stretch.cost.metres))
                }
            }
        }
        return value
    }

    private func route(_ ride: RideLeg) -> RouteValue {
        let timetable = planner.city.timetable
        let route = Int(ride.route.rawValue)
        let short = timetable.texts[Int(timetable.routes.shortName[route])]
        let long = timetable.texts[Int(timetable.routes.longName[route])]
        let agency = Int(timetable.routes.agency[route])
        let first = timetable.patterns.positions(Int(ride.pattern)).lowerBound
        return RouteValue(
            id: timetable.texts[Int(timetable.routes.id[route])],
            name: short.isEmpty ? long : short,
            agency: timetable.texts[Int(timetable.agencies.name[agency])],
            headsign: timetable.texts[Int(ride.headsign)],
            trip: timetable.texts[Int(timetable.trips.id[Int(ride.trip.rawValue)])],
            serviceDay: ride.day.iso8601,
            approximate: ride.isApproximate,
            byArrangement: ride.isByArrangement,
            stops: ride.positions.map { position in
                let platform = Int(timetable.patterns.platform[first + position])
                return stop(StopIndex(rawValue: timetable.platforms.stop[platform]))
            }
        )
    }

    private func stop(_ stop: StopIndex) -> StopValue {
        let timetable = planner.city.timetable
        let row = Int(stop.rawValue)
        let place = timetable.stops.coordinate(row)
        let feed = Int(timetable.stops.feed[row])
        return StopValue(
            id: timetable.texts[Int(timetable.stops.id[row])],
            feed: timetable.texts[Int(timetable.feeds.name[feed])],
            name: timetable.texts[Int(timetable.stops.name[row])],
            latitude: place.latitudeDegrees,
            longitude: place.longitudeDegrees
        )
    }
}

extension Leg {
    /// The name of its mode in files.
    var modeName: String {
        switch means {
        case .walk: "walk"
        case .bicycle: "bike"
        case .car: "car"
        case .ride(let ride): "\(ride.mode)"
        }
    }
}
