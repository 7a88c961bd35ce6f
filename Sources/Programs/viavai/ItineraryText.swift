import Chronology
import CityData
import Columns
import Foundation
import Journeys
import Streets
import Transit

/// Formats answers as readable text.
struct ItineraryText {
    private let planner: Planner
    private let query: JourneyQuery
    private let from: String
    private let to: String
    private let names: TransitNames
    private var timetable: Timetable { planner.city.timetable }
    private var zone: ZoneTable { timetable.zone }

    /// The maximum number of streets named for a walk; "…" stands for the rest.
    private static let streetLimit = 6
    /// Walks up to this many metres name no streets, since the destination is in sight.
    private static let nearbyMetres: UInt32 = 50

    /// Creates a formatter for the answers to a query.
    ///
    /// - Parameters:
    ///   - planner: the planner that answered.
    ///   - query: the query.
    ///   - from: the name of the origin.
    ///   - to: the name of the destination.
    ///   - names: the translated names of stops and lines; nil for the feeds' own.
    init(
        _ planner: Planner,
        _ query: JourneyQuery,
        from: String,
        to: String,
        names: TransitNames? = nil
    ) {
        self.planner = planner
        self.query = query
        self.from = from
        self.to = to
        self.names = names ?? TransitNames(planner.city.timetable)
    }

    /// The text of all itineraries.
    func text(_ itineraries: [Itinerary]) -> String {
        let day = zone.local(query.time).date
        let weekdays = [
            "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
        ]
        var lines = [
            "\(from) → \(to)",
            "\(weekdays[Int(day.weekday)]) \(day.iso8601), "
                + "\(query.isArriveBy ? "arriving by" : "leaving from") \(clock(query.time))",
        ]
        for (number, itinerary) in itineraries.enumerated() {
            lines.append("")
            lines.append("\(number + 1).  " + summary(itinerary))
            lines += itinerary.legs.flatMap(describe).map { "    " + $0 }
            lines.append("    \(clock(itinerary.arrival))  \(to)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func summary(_ itinerary: Itinerary) -> String {
        let minutes = minutes(from: itinerary.departure, to: itinerary.arrival)
        var parts = [
            "\(clock(itinerary.departure)) – \(clock(itinerary.arrival))\(day(itinerary))",
            duration(minutes),
        ]
        if itinerary.legs.contains(where: { $0.ride != nil }) {
            let changes = itinerary.transfers
            parts.append(changes == 0 ? "direct" : changes == 1 ? "1 change" : "\(changes) changes")
        }
        if itinerary.walkMetres > 0 { parts.append("\(metres(itinerary.walkMetres)) on foot") }
        return parts.joined(separator: " · ")
    }

    /// The day on which a journey begins, where it differs from the requested day.
    private func day(_ itinerary: Itinerary) -> String {
        let begins = zone.local(itinerary.departure).date
        return begins == zone.local(query.time).date ? "" : " on \(begins.iso8601)"
    }

    private func describe(_ leg: Leg) -> [String] {
        guard let ride = leg.ride else { return describeWay(leg) }
        let feed = leg.from.map { timetable.stops.feed[$0] } ?? .zero
        let parts = planner.city.parts(of: ride).map { part in
            (line: announced(part, feed: feed), position: part.positions.lowerBound)
        }
        var line = parts.first?.line ?? name(ride.mode)
        if ride.isApproximate { line += " (about this time)" }
        if ride.isByArrangement { line += " (call ahead)" }
        let count = ride.positions.count - 1
        var lines = [
            "\(clock(leg.departure))  \(line)",
            "       from \(stop(leg.from)) to \(stop(leg.to)), "
                + "\(count) \(count == 1 ? "stop" : "stops"), arriving \(clock(leg.arrival))",
        ]
        let calls = planner.city.calls(of: leg)
        for (part, before) in zip(parts.dropFirst(), parts) where part.line != before.line {
            let call = calls[part.position - ride.positions.lowerBound]
            lines.append(
                "       stay seated, continues as \(part.line) at \(stop(call.stop)), "
                    + clock(call.departure)
            )
        }
        return lines
    }

    /// A trip as its vehicle announces it: line and headsign.
    private func announced(_ part: RidePart, feed: FeedIndex) -> String {
        let short = names.shortName(part.route, feed: feed)
        let route = short.isEmpty ? names.longName(part.route, feed: feed) : short
        let headsign = names.headsign(part.headsign, trip: part.trip, feed: feed)
        let mode = name(timetable.routes.mode(part.route))
        return "\(mode) \(route)\(headsign.isEmpty ? "" : " towards \(headsign)")"
    }

    private func describeWay(_ leg: Leg) -> [String] {
        guard leg.metres > 0 || leg.arrival > leg.departure else { return [] }
        let verb =
            switch leg.means {
            case .bicycle: "Cycle"
            case .car: "Drive"
            default: query.wheelchair ? "Go" : "Walk"
            }
        let target = leg.to.map { _ in stop(leg.to) } ?? to
        let minutes = max(1, minutes(from: leg.departure, to: leg.arrival))
        var lines = [
            "\(clock(leg.departure))  \(verb) \(metres(leg.metres)) to \(target), "
                + duration(minutes)
        ]
        let streets = leg.metres > Self.nearbyMetres ? streetNames(leg) : []
        if !streets.isEmpty {
            let shown = streets.prefix(Self.streetLimit).joined(separator: ", ")
            lines.append("       along \(shown)\(streets.count > Self.streetLimit ? ", …" : "")")
        }
        return lines
    }

    /// The named streets of a walk in the order of first use.
    private func streetNames(_ leg: Leg) -> [String] {
        guard let route = planner.route(of: leg, in: query) else { return [] }
        var names: [String] = []
        // Some mappers write "Piazza Leonardo da Vinci", others "Piazza Leonardo Da Vinci".
        var known: Set<String> = []
        for stretch in route.stretches {
            let name = planner.city.streets.name(stretch.name)
            if !name.isEmpty, known.insert(name.lowercased()).inserted { names.append(name) }
        }
        return names
    }

    private func stop(_ stop: StopIndex?) -> String {
        guard let stop else { return "" }
        let name = names.stop(stop)
        let platform = timetable.texts[Int(timetable.stops.platformCode[stop])]
        return platform.isEmpty ? name : "\(name) (platform \(platform))"
    }

    /// Hours and minutes in the city's local time.
    private func clock(_ instant: Instant) -> String {
        let second = zone.local(instant).second
        return String(format: "%02d:%02d", second / 3_600, second / 60 % 60)
    }

    /// Minutes between two instants as displayed, so that the reader's sums are right.
    private func minutes(from departure: Instant, to arrival: Instant) -> Int64 {
        arrival.seconds / 60 - departure.seconds / 60
    }

    private func duration(_ minutes: Int64) -> String {
        minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    private func metres(_ metres: UInt32) -> String {
        metres < 1_000 ? "\(metres) m" : String(format: "%.1f km", Double(metres) / 1_000)
    }

    private func name(_ mode: TransitMode) -> String {
        switch mode {
        case .tram: "Tram"
        case .metro: "Metro"
        case .rail: "Train"
        case .bus: "Bus"
        case .trolleybus: "Trolleybus"
        case .coach: "Coach"
        case .ferry: "Ferry"
        case .cableTram: "Cable tram"
        case .aerialLift: "Cable car"
        case .funicular: "Funicular"
        case .monorail: "Monorail"
        case .air: "Flight"
        case .other: "Line"
        }
    }
}
