import Encoding
import Geo

extension GTFSReader {
    mutating func readStops() throws(GTFSFailure) {
        var table = try requiredTable("stops.txt")
        let columns = try StopColumns(table)
        var parents: [(stop: Int, parent: ArraySlice<UInt8>, line: Int)] = []
        while table.next(&log) {
            guard let identifier = table.identify(columns.id, "stop_id", in: &stopNumbers, &log)
            else {
                continue
            }
            let stop = columns.stop(identifier, table, &log)
            if !table.rows.isEmpty(columns.parent) {
                parents.append(
                    (feed.stops.count, table.rows.raw(columns.parent), table.rows.line)
                )
            }
            feed.stops.append(stop)
        }
        guard !feed.stops.isEmpty else {
            throw .nothingUsable(feed: feed.name, file: "stops.txt")
        }
        for (stop, parent, line) in parents {
            guard let number = stopNumbers.number(of: parent) else {
                log.note("stops.txt", line, "parent_station", .unknownOptionalReference)
                continue
            }
            feed.stops[stop].parent = number
        }
        cutCycles(lines: parents.map { ($0.stop, $0.line) })
        inheritFromParents()
    }

    /// Removes the parent of stops that are their own ancestors.
    private mutating func cutCycles(lines: [(stop: Int, line: Int)]) {
        // Three levels exist (boarding area, platform, station); more hops mean a circle.
        let depthLimit = 4
        for (stop, line) in lines {
            var ancestor = feed.stops[stop].parent
            var depth = 0
            while let current = ancestor, depth <= depthLimit {
                ancestor = feed.stops[current].parent
                depth += 1
            }
            if depth > depthLimit {
                feed.stops[stop].parent = nil
                log.note("stops.txt", line, "parent_station", .cyclicParent)
            }
        }
    }

    /// Gives stops without a coordinate, name or wheelchair value those of their parents.
    ///
    /// Source: GTFS reference, `stops.txt`: `wheelchair_boarding` 0 inherits the parent's.
    private mutating func inheritFromParents() {
        for index in feed.stops.indices {
            var ancestor = feed.stops[index].parent
            while let parent = ancestor {
                if feed.stops[index].coordinate == nil {
                    feed.stops[index].coordinate = feed.stops[parent].coordinate
                }
                if feed.stops[index].wheelchair == .unknown {
                    feed.stops[index].wheelchair = feed.stops[parent].wheelchair
                }
                if feed.stops[index].name.isEmpty {
                    feed.stops[index].name = feed.stops[parent].name
                }
                ancestor = feed.stops[parent].parent
            }
            if feed.stops[index].coordinate == nil {
                log.note("stops.txt", 0, "stop_lat", .missingCoordinate)
            }
        }
    }

    /// How long a way inside a station may be, in metres: the longest tunnels between
    /// stations are a tenth of it.
    private static let lengths = 0.0...10_000

    /// The greatest number of places that the pathways of one station may connect: fifteen times
    /// that of the largest station of Washington.
    ///
    /// All walks inside a station are computed from each of its stops.
    private static let placeLimit = 1_000
    /// How many pathways may connect them.
    private static let pathwayLimit = 4_000

    /// Leaves out the pathways of stations that have more places than a station can have.
    private mutating func cutPathways(lines: [Int]) {
        var groups = Array(feed.stops.indices)
        func group(_ stop: Int) -> Int {
            var current = stop
            while groups[current] != current {
                groups[current] = groups[groups[current]]
                current = groups[current]
            }
            return current
        }
        for pathway in feed.pathways { groups[group(pathway.from)] = group(pathway.to) }
        var places = [Int](repeating: 0, count: groups.count)
        var ways = places
        for stop in feed.stops.indices { places[group(stop)] += 1 }
        for pathway in feed.pathways { ways[group(pathway.from)] += 1 }
        var kept: [GTFSFeed.Pathway] = []
        for (pathway, line) in zip(feed.pathways, lines) {
            let station = group(pathway.from)
            if places[station] <= Self.placeLimit, ways[station] <= Self.pathwayLimit {
                kept.append(pathway)
            } else {
                log.note("pathways.txt", line, "from_stop_id", .tooManyPlaces)
            }
        }
        feed.pathways = kept
    }

    mutating func readPathways() throws(GTFSFailure) {
        guard var table = try table("pathways.txt") else { return }
        var lines: [Int] = []
        let id = table.column("pathway_id")
        let from = try table.required("from_stop_id")
        let to = try table.required("to_stop_id")
        let mode = try table.required("pathway_mode")
        let both = table.column("is_bidirectional")
        let length = table.column("length")
        let seconds = table.column("traversal_time")
        let stairs = table.column("stair_count")
        let slope = table.column("max_slope")
        let width = table.column("min_width")
        while table.next(&log) {
            guard let start = table.reference(from, "from_stop_id", in: stopNumbers, &log),
                let end = table.reference(to, "to_stop_id", in: stopNumbers, &log)
            else { continue }
            let code = table.rows.number(mode).flatMap { UInt8(exactly: $0) }
            guard let kind = code.flatMap(PathwayMode.init(rawValue:)) else {
                table.note("pathway_mode", .badValue, &log)
                continue
            }
            let span = table.optionalDecimal(length, "length", in: Self.lengths, &log)
            lines.append(table.rows.line)
            feed.pathways.append(
                GTFSFeed.Pathway(
                    id: table.rows.text(id),
                    from: start,
                    to: end,
                    mode: kind,
                    isBidirectional: table.rows.number(both) == 1,
                    length: span,
                    seconds: table.optionalNumber(
                        seconds,
                        "traversal_time",
                        in: 0...86_400,
                        &log
                    ),
                    stairs: table.optionalNumber(
                        stairs,
                        "stair_count",
                        in: -10_000...10_000,
                        &log
                    ) ?? 0,
                    slope: table.optionalDecimal(slope, "max_slope", &log) ?? 0,
                    width: table.optionalDecimal(width, "min_width", &log)
                )
            )
        }
        cutPathways(lines: lines)
    }
}

/// The columns of `stops.txt`.
private struct StopColumns {
    let id: Int
    let name: Int?
    let platform: Int?
    let latitude: Int?
    let longitude: Int?
    let kind: Int?
    let parent: Int?
    let wheelchair: Int?
    let zone: Int?

    init(_ table: GTFSTable) throws(GTFSFailure) {
        id = try table.required("stop_id")
        name = table.column("stop_name")
        platform = table.column("platform_code")
        latitude = table.column("stop_lat")
        longitude = table.column("stop_lon")
        kind = table.column("location_type")
        parent = table.column("parent_station")
        wheelchair = table.column("wheelchair_boarding")
        zone = table.column("zone_id")
    }

    func stop(
        _ identifier: String,
        _ table: GTFSTable,
        _ log: inout DiagnosticLog
    ) -> GTFSFeed.Stop {
        let kindNumber = table.optionalNumber(kind, "location_type", in: 0...4, &log) ?? 0
        let access = table.optionalNumber(wheelchair, "wheelchair_boarding", in: 0...2, &log) ?? 0
        return GTFSFeed.Stop(
            id: identifier,
            name: table.rows.text(name),
            platform: table.rows.text(platform),
            coordinate: coordinate(table, &log),
            kind: StopKind(rawValue: UInt8(kindNumber)) ?? .stop,
            parent: nil,
            wheelchair: TriState(rawValue: UInt8(access)) ?? .unknown,
            fareZone: table.rows.text(zone)
        )
    }

    private func coordinate(_ table: GTFSTable, _ log: inout DiagnosticLog) -> Coordinate? {
        guard let north = table.optionalDecimal(latitude, "stop_lat", &log),
            let east = table.optionalDecimal(longitude, "stop_lon", &log)
        else { return nil }
        if north == 0 && east == 0 { return nil }
        guard let place = Coordinate(latitudeDegrees: north, longitudeDegrees: east) else {
            table.note("stop_lat", .badOptionalValue, &log)
            return nil
        }
        return place
    }
}
