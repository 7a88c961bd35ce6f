import Encoding
import Geo

extension GTFSReader {
    mutating func readShapes() throws(GTFSFailure) {
        guard var table = try table("shapes.txt") else { return }
        let id = try table.required("shape_id")
        let latitude = try table.required("shape_pt_lat")
        let longitude = try table.required("shape_pt_lon")
        let sequence = try table.required("shape_pt_sequence")
        let distance = table.column("shape_dist_traveled")
        var points: [[ShapePoint]] = []
        while table.next(&log) {
            guard let north = table.rows.decimal(latitude),
                let east = table.rows.decimal(longitude),
                let place = Coordinate(latitudeDegrees: north, longitudeDegrees: east)
            else {
                table.note("shape_pt_lat", .badValue, &log)
                continue
            }
            guard let order = table.rows.number(sequence) else {
                table.note("shape_pt_sequence", .badValue, &log)
                continue
            }
            var number = shapeNumbers.number(of: table.rows.raw(id))
            if number == nil {
                number = shapeNumbers.insert(table.rows.raw(id))
                feed.shapes.append(
                    GTFSFeed.Shape(id: table.rows.text(id), points: [], distances: [])
                )
                points.append([])
            }
            guard let number else { continue }
            let travelled = table.rows.decimal(distance).map { Float($0) } ?? -1
            points[number].append(ShapePoint(order: order, place: place, distance: travelled))
        }
        for (number, var list) in points.enumerated() {
            if !zip(list, list.dropFirst()).allSatisfy({ $0.order < $1.order }) {
                list = list.enumerated().sorted {
                    ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
                }.map(\.element)
            }
            feed.shapes[number].points = list.map(\.place)
            let ascending = zip(list, list.dropFirst()).allSatisfy { $0.distance <= $1.distance }
            if ascending, list.allSatisfy({ $0.distance >= 0 }) {
                feed.shapes[number].distances = list.map(\.distance)
            }
        }
    }

    private struct ShapePoint {
        let order: Int32
        let place: Coordinate
        let distance: Float
    }

    mutating func readTrips() throws(GTFSFailure) {
        var table = try requiredTable("trips.txt")
        let id = try table.required("trip_id")
        let route = try table.required("route_id")
        let service = try table.required("service_id")
        let headsign = table.column("trip_headsign")
        let shortName = table.column("trip_short_name")
        let direction = table.column("direction_id")
        let block = table.column("block_id")
        let shape = table.column("shape_id")
        let wheelchair = table.column("wheelchair_accessible")
        let bikes = table.column("bikes_allowed")
        while table.next(&log) {
            guard let line = table.reference(route, "route_id", in: routeNumbers, &log),
                let days = table.reference(service, "service_id", in: serviceNumbers, &log),
                let identifier = table.identify(id, "trip_id", in: &tripNumbers, &log)
            else { continue }
            let access = table.optionalNumber(wheelchair, "wheelchair_accessible", in: 0...2, &log)
            let bicycle = table.optionalNumber(bikes, "bikes_allowed", in: 0...2, &log)
            feed.trips.append(
                GTFSFeed.Trip(
                    id: identifier,
                    route: line,
                    service: days,
                    headsign: table.rows.text(headsign),
                    shortName: table.rows.text(shortName),
                    direction: table.optionalNumber(direction, "direction_id", in: 0...1, &log)
                        .map { UInt8($0) },
                    block: table.rows.text(block),
                    shape: table.optionalReference(shape, "shape_id", in: shapeNumbers, &log),
                    wheelchair: TriState(rawValue: UInt8(access ?? 0)) ?? .unknown,
                    bikes: TriState(rawValue: UInt8(bicycle ?? 0)) ?? .unknown,
                    stopTimes: 0..<0,
                    line: table.rows.line
                )
            )
        }
        guard !feed.trips.isEmpty else {
            throw .nothingUsable(feed: feed.name, file: "trips.txt")
        }
    }

    /// How many calls at stops all repeated trips of a feed may make: three times those of Mexico
    /// City (3,015,028), which is run by headways alone; they take some 300 MB.
    private static let repeatedCallLimit: Int64 = 10_000_000

    mutating func readFrequencies() throws(GTFSFailure) {
        guard var table = try table("frequencies.txt") else { return }
        let trip = try table.required("trip_id")
        let start = try table.required("start_time")
        let end = try table.required("end_time")
        let headway = try table.required("headway_secs")
        let exact = table.column("exact_times")
        var calls: Int64 = 0
        while table.next(&log) {
            guard let number = table.reference(trip, "trip_id", in: tripNumbers, &log) else {
                continue
            }
            guard !feed.trips[number].stopTimes.isEmpty else { continue }
            guard let first = GTFSTime.seconds(table.rows.raw(start)) else {
                table.note("start_time", .badValue, &log)
                continue
            }
            guard let last = GTFSTime.seconds(table.rows.raw(end)), last > first else {
                table.note("end_time", .badValue, &log)
                continue
            }
            guard let gap = table.rows.number(headway), gap > 0 else {
                table.note("headway_secs", .badValue, &log)
                continue
            }
            let departures = (Int64(last) - Int64(first) + Int64(gap) - 1) / Int64(gap)
            calls += departures * Int64(feed.trips[number].stopTimes.count)
            guard calls <= Self.repeatedCallLimit else {
                calls -= departures * Int64(feed.trips[number].stopTimes.count)
                table.note("headway_secs", .tooManyDepartures, &log)
                continue
            }
            feed.frequencies.append(
                GTFSFeed.Frequency(
                    trip: number,
                    start: first,
                    end: last,
                    headway: gap,
                    isExact: table.rows.number(exact) == 1
                )
            )
        }
    }
}
