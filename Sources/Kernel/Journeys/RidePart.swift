public import Chronology
import Columns
public import Geo
public import Transit

/// One trip's part of a ride: a rider who stays seated continues with the vehicle's next trip.
public struct RidePart: Sendable, Equatable {
    /// The trip of this part.
    public var trip: TripIndex
    /// The route of the trip.
    public var route: RouteIndex
    /// The headsign where the part begins, as a number of ``Timetable/texts``.
    public var headsign: UInt32
    /// The positions of the pattern from where the part begins to where it ends.
    public var positions: Range<Int>
}

/// When a vehicle is at a stop.
public struct StopCall: Sendable, Equatable {
    /// The stop that is called at.
    public var stop: StopIndex
    /// The scheduled arrival.
    public var arrival: Instant
    /// The scheduled departure.
    public var departure: Instant
}

extension City {
    /// The trips of a ride in order; more than one where riders stay seated between them.
    public func parts(of ride: RideLeg) -> [RidePart] {
        let patterns = timetable.patterns
        let first = patterns.positions(Int(truncatingIfNeeded: ride.pattern)).lowerBound
        return segments(of: ride).map { segment in
            let trip = Int(truncatingIfNeeded: patterns.segmentTrip[segment.row])
            let stated = patterns.headsign[first &+ segment.from]
            return RidePart(
                trip: TripIndex(rawValue: patterns.segmentTrip[segment.row]),
                route: RouteIndex(rawValue: timetable.trips.route[trip]),
                headsign: stated == 0 ? timetable.trips.headsign[trip] : stated,
                positions: segment.from..<(segment.to &+ 1)
            )
        }
    }

    /// The stops of a ride from boarding to alighting, with their times; none for other legs.
    public func calls(of leg: Leg) -> [StopCall] {
        guard let ride = leg.ride else { return [] }
        let patterns = timetable.patterns
        let all = patterns.positions(Int(truncatingIfNeeded: ride.pattern))
        let arrivals = Int(
            truncatingIfNeeded: patterns.runProfile[Int(truncatingIfNeeded: ride.run.rawValue)]
        )
        let departures = arrivals &+ all.count
        let board = Int64(patterns.times[departures &+ ride.positions.lowerBound])
        return ride.positions.map { position in
            StopCall(
                stop: stop(all.lowerBound &+ position),
                arrival: leg.departure.adding(
                    seconds: Int64(patterns.times[arrivals &+ position]) &- board
                ),
                departure: leg.departure.adding(
                    seconds: Int64(patterns.times[departures &+ position]) &- board
                )
            )
        }
    }

    /// The line that a ride follows: along the shapes of its trips where the feeds have them,
    /// straight from stop to stop elsewhere.
    ///
    /// - Returns: points without equal neighbours; stops whose place is unknown are passed over.
    public func course(of ride: RideLeg) -> [Coordinate] {
        let first = timetable.patterns.positions(Int(truncatingIfNeeded: ride.pattern)).lowerBound
        let segments = segments(of: ride)
        var line: [Coordinate] = []
        func append(_ point: Coordinate) {
            let isKnown = point.latitude != 0 || point.longitude != 0
            if isKnown, line.last != point { line.append(point) }
        }
        func appendStop(_ position: Int) {
            let stop = Int(truncatingIfNeeded: stop(first &+ position).rawValue)
            append(timetable.stops.coordinate(stop))
        }
        var followsShape = false
        for position in ride.positions {
            let segment = segments.first { $0.from < position && position <= $0.to }
            let points = segment.flatMap { shape(of: $0, to: position) }
            // A stop lies beside the shape; the line leads to the stop only where there is no
            // shape.
            if points == nil, followsShape { appendStop(position &- 1) }
            for row in points ?? 0..<0 {
                append(
                    Coordinate(
                        latitude: timetable.courses.latitude[row],
                        longitude: timetable.courses.longitude[row]
                    )
                )
            }
            if points == nil || position == ride.positions.upperBound &- 1 { appendStop(position) }
            followsShape = points != nil
        }
        return line
    }

    /// The limit of shape points between two stops, which only a damaged file exceeds.
    private static let stretchPointLimit: UInt32 = 1 << 16

    /// A trip of a run as far as a ride uses it.
    private struct Segment {
        /// The row of the index.
        var row: Int
        /// The position of the pattern at which the trip itself begins.
        var start: Int
        /// The position at which the ride's share of it begins.
        var from: Int
        /// The position at which the ride's share of it ends.
        var to: Int
    }

    private func segments(of ride: RideLeg) -> [Segment] {
        let patterns = timetable.patterns
        let rows = patterns.runSegments.range(
            Int(truncatingIfNeeded: ride.run.rawValue),
            limit: patterns.segmentTrip.count
        )
        var segments: [Segment] = []
        for row in rows {
            let start = Int(truncatingIfNeeded: patterns.segmentPosition[row])
            let last = Int(truncatingIfNeeded: patterns.segmentLast[row])
            let from = max(start, ride.positions.lowerBound)
            let to = min(last, ride.positions.upperBound &- 1)
            if from < to { segments.append(Segment(row: row, start: start, from: from, to: to)) }
        }
        return segments
    }

    /// The points of the shape between a position and the one before it; nil
    /// where there is no shape.
    private func shape(of segment: Segment, to position: Int) -> Range<Int>? {
        let trip = Int(truncatingIfNeeded: timetable.patterns.segmentTrip[segment.row])
        let course = Int(truncatingIfNeeded: timetable.trips.course[trip])
        let row = course &+ position &- segment.start
        let before = timetable.courses.point[row &- 1]
        let here = timetable.courses.point[row]
        let count = UInt32(clamping: timetable.courses.latitude.count)
        guard before <= here, here < count, here &- before <= Self.stretchPointLimit else {
            return nil
        }
        return (Int(truncatingIfNeeded: before) &+ 1)..<(Int(truncatingIfNeeded: here) &+ 1)
    }

    /// The stop at a row of the patterns' positions.
    private func stop(_ row: Int) -> StopIndex {
        let platform = Int(truncatingIfNeeded: timetable.patterns.platform[row])
        return StopIndex(rawValue: timetable.platforms.stop[platform])
    }
}
