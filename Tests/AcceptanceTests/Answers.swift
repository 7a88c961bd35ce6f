import Foundation

/// The output of `viavai plan --json`.
struct Answers: Decodable {
    let from: Place
    let to: Place
    let itineraries: [Itinerary]

    /// A place that was understood.
    struct Place: Decodable, Equatable {
        let name: String
        let kind: String
        let lat: Double
        let lon: Double
    }

    struct Itinerary: Decodable, Equatable {
        let id: String
        let kind: String
        let departure: String
        let arrival: String
        let durationSeconds: Int
        let transfers: Int
        let walkMetres: Int
        let distanceMetres: Int
        let legs: [Leg]

        /// The modes in order of first use, as a batch joins them.
        var modes: String {
            legs.reduce(into: [String]()) { names, leg in
                if !names.contains(leg.mode) { names.append(leg.mode) }
            }.joined(separator: "+")
        }

        /// The itinerary as a line of a batch, without the identifier of the query.
        var line: String {
            "\(transfers),\(departure),\(arrival),\(walkMetres),\(modes),\(durationSeconds),"
                + "\(distanceMetres)"
        }

        /// The feeds of its rides.
        var feeds: Set<String> { Set(legs.compactMap { $0.route?.stops.first?.feed }) }
    }

    struct Leg: Decodable, Equatable {
        let mode: String
        let departure: String
        let arrival: String
        let durationSeconds: Int
        let distanceMetres: Int
        let from: Stop?
        let to: Stop?
        let route: Route?
        let geometry: String
        let streets: [Street]?
    }

    struct Street: Decodable, Equatable {
        let name: String
    }

    struct Stop: Decodable, Equatable {
        let id: String
        let feed: String
        let name: String
        let latitude: Double
        let longitude: Double
        let arrival: String?
        let departure: String?

        /// Whether two values are the same stop of one feed, at whatever times.
        static func == (left: Stop, right: Stop) -> Bool {
            left.id == right.id && left.feed == right.feed
        }
    }

    struct Route: Decodable, Equatable {
        let id: String
        let name: String
        let shortName: String
        let longName: String
        let color: String?
        let textColor: String?
        let agency: String
        let headsign: String
        let trip: String
        let wheelchair: Bool?
        let bikes: Bool?
        let serviceDay: String
        let stops: [Stop]
        let continuations: [Route]?
    }

    /// Runs `viavai plan` with `--json` and parses its output; empty if there is no answer.
    static func plan(_ arguments: String...) throws -> [Itinerary] {
        let run = try Program.run(["plan"] + arguments + ["--json"])
        if run.code == 1 { return [] }
        guard run.code == 0 else { throw Refusal(text: run.errors) }
        return try JSONDecoder().decode(Answers.self, from: Data(run.output.utf8)).itineraries
    }

    /// The error if the program refused a query.
    struct Refusal: Error {
        let text: String
    }
}

extension Answers.Itinerary {
    /// The internal inconsistency of the itinerary; nil if there is none.
    var inconsistency: String? {
        guard let first = legs.first, let last = legs.last else { return "no legs" }
        if first.departure != departure || last.arrival != arrival { return "other ends" }
        if first.from != nil && first.mode == "walk" && legs.count > 1 { return "walk from a stop" }
        for (leg, next) in zip(legs, legs.dropFirst()) {
            if next.departure < leg.arrival { return "a leg leaves before the last arrives" }
            if leg.to == nil || leg.to != next.from { return "a leg begins elsewhere" }
        }
        for leg in legs {
            if leg.arrival < leg.departure { return "time runs back" }
            if leg.geometry.isEmpty && leg.distanceMetres > 0 { return "a leg without geometry" }
            guard let route = leg.route else { continue }
            if route.stops.first?.departure != leg.departure
                || route.stops.last?.arrival != leg.arrival
            {
                return "a ride's stops have other times than the ride"
            }
            if route.stops.first != leg.from || route.stops.last != leg.to {
                return "a ride begins or ends at another stop than its first or last"
            }
        }
        let rides = legs.count { $0.route != nil }
        if transfers != max(0, rides - 1) { return "\(transfers) transfers with \(rides) rides" }
        let walked = legs.reduce(0) { $0 + ($1.mode == "walk" ? $1.distanceMetres : 0) }
        if walked != walkMetres { return "\(walkMetres) m on foot in all, \(walked) m by legs" }
        let total = legs.reduce(0) { $0 + $1.distanceMetres }
        return total == distanceMetres ? nil : "\(distanceMetres) m in all, \(total) m by legs"
    }
}
