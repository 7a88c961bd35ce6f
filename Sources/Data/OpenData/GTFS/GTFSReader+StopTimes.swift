import Encoding

extension GTFSReader {
    mutating func readStopTimes() throws(GTFSFailure) {
        var table = try requiredTable("stop_times.txt")
        let columns = try StopTimeColumns(table)
        var rows = StopTimeRows()
        var headsigns: [String: Int32] = [:]
        var lastTrip: (raw: ArraySlice<UInt8>, number: Int)?
        while table.next(&log) {
            let raw = table.rows.raw(columns.trip)
            if lastTrip?.raw != raw {
                guard let number = table.reference(columns.trip, "trip_id", in: tripNumbers, &log)
                else { continue }
                lastTrip = (raw, number)
            }
            guard let trip = lastTrip?.number,
                let stop = table.reference(columns.stop, "stop_id", in: stopNumbers, &log)
            else { continue }
            guard let sequence = table.rows.number(columns.sequence) else {
                table.note("stop_sequence", .badValue, &log)
                continue
            }
            guard rows.trip.count < Self.rowLimit else {
                throw .tooManyRows(feed: feed.name, file: "stop_times.txt")
            }
            table.noteContinuous(columns.continuous, &log)
            rows.trip.append(Int32(trip))
            rows.sequence.append(sequence)
            rows.line.append(Int32(truncatingIfNeeded: table.rows.line))
            rows.values.stop.append(Int32(stop))
            appendTimes(table, columns, to: &rows.values)
            rows.values.distance.append(
                table.optionalDecimal(columns.distance, "shape_dist_traveled", &log)
                    .map { Float($0) } ?? -1
            )
            rows.values.headsign.append(
                headsign(table, columns.headsign, &headsigns, &rows.values.headsigns)
            )
        }
        feed.stopTimes = StopTimes()
        let order = arrange(rows)
        repairTrips { Int(rows.line[Int(order[$0])]) }
        guard feed.trips.contains(where: { !$0.stopTimes.isEmpty }) else {
            throw .nothingUsable(feed: feed.name, file: "stop_times.txt")
        }
    }

    private typealias StopTimes = GTFSFeed.StopTimes

    private mutating func appendTimes(
        _ table: GTFSTable,
        _ columns: StopTimeColumns,
        to values: inout GTFSFeed.StopTimes
    ) {
        var times: [Int32] = []
        for (column, field) in [
            (columns.arrival, "arrival_time"), (columns.departure, "departure_time"),
        ] {
            if table.rows.isEmpty(column) {
                times.append(StopTimes.blank)
            } else if let seconds = GTFSTime.seconds(table.rows.raw(column)) {
                times.append(seconds)
            } else {
                table.note(field, .badOptionalValue, &log)
                times.append(StopTimes.blank)
            }
        }
        values.arrival.append(times[0] == StopTimes.blank ? times[1] : times[0])
        values.departure.append(times[1] == StopTimes.blank ? times[0] : times[1])
        let pickup = table.optionalNumber(columns.pickup, "pickup_type", in: 0...3, &log) ?? 0
        let dropOff = table.optionalNumber(columns.dropOff, "drop_off_type", in: 0...3, &log) ?? 0
        values.pickup.append(Boarding(rawValue: UInt8(pickup)) ?? .regular)
        values.dropOff.append(Boarding(rawValue: UInt8(dropOff)) ?? .regular)
    }

    private func headsign(
        _ table: GTFSTable,
        _ column: Int?,
        _ known: inout [String: Int32],
        _ texts: inout [String]
    ) -> Int32 {
        guard !table.rows.isEmpty(column) else { return 0 }
        let text = table.rows.text(column)
        if let number = known[text] { return number }
        let number = Int32(texts.count)
        known[text] = number
        texts.append(text)
        return number
    }

    /// Sorts the rows by trip and sequence number; returns the original row of each.
    private mutating func arrange(_ rows: StopTimeRows) -> [Int32] {
        var starts = [Int32](repeating: 0, count: feed.trips.count + 1)
        for trip in rows.trip { starts[Int(trip) + 1] += 1 }
        for trip in feed.trips.indices { starts[trip + 1] += starts[trip] }
        var places = starts
        var order = [Int32](repeating: 0, count: rows.trip.count)
        for (row, trip) in rows.trip.enumerated() {
            order[Int(places[Int(trip)])] = Int32(row)
            places[Int(trip)] += 1
        }
        for trip in feed.trips.indices {
            let range = Int(starts[trip])..<Int(starts[trip + 1])
            feed.trips[trip].stopTimes = range
            let ordered = order[range].adjacentAll {
                rows.sequence[Int($0)] < rows.sequence[Int($1)]
            }
            if ordered { continue }
            order[range].sort {
                (rows.sequence[Int($0)], $0) < (rows.sequence[Int($1)], $1)
            }
        }
        feed.stopTimes = rows.values.reordered(order)
        return order
    }

    /// Leaves out trips that cannot be ridden; their stop times stay, unused.
    private mutating func repairTrips(_ line: (Int) -> Int) {
        for trip in feed.trips.indices {
            let range = feed.trips[trip].stopTimes
            if range.count < 2 {
                // A trip without any stop time has a line in trips.txt only.
                if let row = range.first {
                    log.note("stop_times.txt", line(row), "trip_id", .shortTrip)
                } else {
                    log.note("trips.txt", feed.trips[trip].line, "trip_id", .shortTrip)
                }
                feed.trips[trip].stopTimes = 0..<0
                continue
            }
            if let problem = problem(range) {
                log.note("stop_times.txt", line(problem.row), problem.field, problem.kind)
                feed.trips[trip].stopTimes = 0..<0
                continue
            }
            for row in range {
                let stop = Int(feed.stopTimes.stop[row])
                let kind = feed.stops[stop].kind
                if kind != .stop && kind != .boardingArea {
                    log.note("stop_times.txt", line(row), "stop_id", .servedLocation)
                    feed.stops[stop].kind = .stop
                }
            }
        }
    }

    /// Finds the first fault in the times of a trip, and its row; nil if there is none.
    private func problem(
        _ range: Range<Int>
    ) -> (row: Int, field: String, kind: Diagnostic.Kind)? {
        let times = feed.stopTimes
        if times.departure[range.lowerBound] == StopTimes.blank {
            return (range.lowerBound, "departure_time", .noEndTimes)
        }
        if times.arrival[range.upperBound - 1] == StopTimes.blank {
            return (range.upperBound - 1, "arrival_time", .noEndTimes)
        }
        var clock = Int32.min
        for row in range where times.arrival[row] != StopTimes.blank {
            if times.arrival[row] < clock { return (row, "arrival_time", .decreasingTime) }
            if times.departure[row] < times.arrival[row] {
                return (row, "departure_time", .decreasingTime)
            }
            clock = times.departure[row]
        }
        return nil
    }
}

/// The rows of `stop_times.txt` in the file's order.
private struct StopTimeRows {
    var trip: [Int32] = []
    var sequence: [Int32] = []
    var line: [Int32] = []
    var values = GTFSFeed.StopTimes()
}

/// The columns of `stop_times.txt`.
private struct StopTimeColumns {
    let trip: Int
    let stop: Int
    let sequence: Int
    let arrival: Int?
    let departure: Int?
    let pickup: Int?
    let dropOff: Int?
    let distance: Int?
    let headsign: Int?
    let continuous: [(name: String, column: Int?)]

    init(_ table: GTFSTable) throws(GTFSFailure) {
        trip = try table.required("trip_id")
        stop = try table.required("stop_id")
        sequence = try table.required("stop_sequence")
        arrival = table.column("arrival_time")
        departure = table.column("departure_time")
        guard arrival != nil || departure != nil else {
            throw .missingColumn(feed: table.feed, file: table.file, column: "departure_time")
        }
        pickup = table.column("pickup_type")
        dropOff = table.column("drop_off_type")
        distance = table.column("shape_dist_traveled")
        headsign = table.column("stop_headsign")
        continuous = table.continuousColumns
    }
}

extension GTFSFeed.StopTimes {
    /// The same stop times in another order.
    fileprivate func reordered(_ order: [Int32]) -> GTFSFeed.StopTimes {
        var result = GTFSFeed.StopTimes()
        result.headsigns = headsigns
        result.stop = order.map { stop[Int($0)] }
        result.arrival = order.map { arrival[Int($0)] }
        result.departure = order.map { departure[Int($0)] }
        result.pickup = order.map { pickup[Int($0)] }
        result.dropOff = order.map { dropOff[Int($0)] }
        result.distance = order.map { distance[Int($0)] }
        result.headsign = order.map { headsign[Int($0)] }
        return result
    }
}

extension Collection {
    /// Whether every two neighbours satisfy a relation.
    fileprivate func adjacentAll(_ relation: (Element, Element) -> Bool) -> Bool {
        zip(self, dropFirst()).allSatisfy(relation)
    }
}
