import Chronology
import CityData
import Columns
import Geo
import Journeys
import OpenData
import Streets
import Transit

/// Describes the contents of a city and the repairs made when it was imported.
enum CityReport {
    /// Prints the contents of a city file.
    static func print(_ city: City, path: String) {
        let timetable = city.timetable
        var lines = ["\(path): \(megabytes(city.file.storage.count))"]
        if let bounds = bounds(timetable) {
            lines.append("Bounds        \(bounds)")
        }
        if city.hasStreets {
            lines.append(
                "Streets       \(city.streets.edgeCount) stretches between "
                    + "\(city.streets.vertexCount) junctions, \(city.streets.arcCount) passages"
            )
        }
        let platforms = timetable.platforms.count
        lines.append(
            "Transit       \(timetable.routes.count) routes, \(timetable.trips.count) trips, "
                + "\(timetable.stops.count) stops (\(platforms) platforms served)"
        )
        let runs = timetable.patterns.runCount
        lines.append(
            "              \(timetable.patterns.count) patterns, \(runs) runs, "
                + "\(timetable.footpaths().count) footpaths"
        )
        let found = AddressBook(city.file).counts
        if found.streets + found.features > 0 {
            lines.append(
                "Addresses     \(found.streets) streets, \(found.houses) house numbers, "
                    + "\(found.features) points of interest, \(found.localities) localities"
            )
        }
        let map = MapLayers(city.file)
        if map.count(.near) > 0 {
            lines.append("Map           " + description(map))
        }
        let zones = (0..<timetable.zones.count).map {
            timetable.texts[Int(timetable.zoneNames[$0])]
        }
        if !zones.isEmpty { lines.append("Time zone     " + zones.joined(separator: ", ")) }
        for feed in timetable.feeds.indices {
            lines.append("Feed          " + description(feed, timetable))
        }
        Console.answer(lines.joined(separator: "\n") + "\n")
    }

    /// Prints the repairs to standard error.
    static func print(_ report: CityImport.Report) {
        if let streets = report.streets { print(streets) }
        for (input, tariff) in report.tariffs {
            Console.note(
                "\(input) states no prices. It has those of \(tariff.name) from "
                    + "\(tariff.firstDay.iso8601) on (\(tariff.source)); rides beyond the city "
                    + "have none."
            )
        }
        if let map = report.map, map.brokenAreas > 0 {
            Console.note("  \(map.brokenAreas) outlines of areas were broken, left out")
        }
        for repair in report.repairs where !repair.log.counts.isEmpty {
            Console.note("Repaired in \(repair.input):")
            for entry in repair.log.counts.prefix(lineLimit) {
                let place = entry.example
                let line = place.line > 0 ? ", first in line \(place.line)" : ""
                let field = place.field.isEmpty ? "" : ": \(place.field)"
                let times = entry.count == 1 ? "once" : "\(entry.count) times"
                Console.note("  \(place.file)\(field): \(place.kind.rawValue) (\(times)\(line))")
            }
            let rest = repair.log.counts.dropFirst(lineLimit)
            guard !rest.isEmpty else { continue }
            let repairs = rest.reduce(0) { $0 + $1.count }
            Console.note("  and \(repairs) more repairs, of \(rest.count) other kinds")
        }
    }

    /// The maximum number of kinds of repairs listed for one input: about a screenful.
    private static let lineLimit = 40

    private static func print(_ streets: StreetImport.Report) {
        Console.note(
            "Read from the map: \(streets.ways) ways, \(streets.restrictions) turn restrictions, "
                + "\(streets.barriers) barriers, \(streets.outlines) squares"
        )
        for (count, text) in [
            (streets.missingNodes, "nodes that ways name were missing, ways cut there"),
            (streets.shortWays, "ways had fewer than two nodes, left out"),
            (streets.brokenRestrictions, "turn restrictions were incomplete, left out"),
            (streets.unparsableSpeeds, "speed limits were not understood, taken as absent"),
            (streets.conditionalWays, "ways have other rules at certain hours"),
            (streets.unclearConditions, "ways have conditions that were not understood, ignored"),
            (streets.islandPassages.first ?? 0, "passages on foot lead nowhere, closed"),
        ] where count > 0 {
            Console.note("  \(count) \(text)")
        }
    }

    private static func description(_ map: MapLayers) -> String {
        let areas = MapClasses(.residential, through: .water)
        return "\(map.count(.near, areas)) areas, \(map.count(.near, .streets)) streets, "
            + "\(map.count(.near, .rails)) tracks, \(map.count(.near, .places)) names; "
            + "\(map.count(.middle)) features at zoom 12 to 14, \(map.count(.far)) below"
    }

    private static func description(_ feed: FeedIndex, _ timetable: Timetable) -> String {
        let feeds = timetable.feeds
        let first = CivilDate(daysSince1970: feeds.firstDay[feed])
        let last = CivilDate(daysSince1970: feeds.lastDay[feed])
        var text =
            "\(timetable.texts[Int(feeds.name[feed])]): service from "
            + "\(first.iso8601) to \(last.iso8601)"
        let weeks = feeds.shiftWeeks[feed]
        if weeks != 0 { text += ", moved by \(weeks > 0 ? "+" : "")\(weeks) weeks" }
        let publisher = timetable.texts[Int(feeds.publisher[feed])]
        let version = timetable.texts[Int(feeds.version[feed])]
        if !publisher.isEmpty { text += ", published by \(publisher)" }
        if !version.isEmpty { text += ", version \(version)" }
        return text
    }

    private static func bounds(_ timetable: Timetable) -> String? {
        let platforms = timetable.platforms
        let places = platforms.indices.compactMap {
            timetable.stops.coordinate(platforms.stop[$0])
        }
        guard let south = places.map(\.latitude).min(), let north = places.map(\.latitude).max(),
            let west = places.map(\.longitude).min(), let east = places.map(\.longitude).max()
        else { return nil }
        return "\(degrees(south)) to \(degrees(north)) north, "
            + "\(degrees(west)) to \(degrees(east)) east"
    }

    /// Formats degrees with four decimals.
    private static func degrees(_ value: Int32) -> String {
        let rounded = (Int64(value) + (value < 0 ? -500 : 500)) / 1_000
        let whole = String(rounded.magnitude / 10_000)
        let fraction = String(rounded.magnitude % 10_000)
        let zeros = String(repeating: "0", count: 4 - fraction.count)
        return (rounded < 0 ? "-" : "") + whole + "." + zeros + fraction
    }

    private static func megabytes(_ bytes: Int) -> String {
        let tenths = (bytes + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }
}
