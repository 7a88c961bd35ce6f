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
        let first = patterns.positions(ride.pattern).lowerBound
        return segments(of: ride.run, ride.positions).map { segment in
            let stated = patterns.headsign[first.advanced(by: segment.from)]
            return RidePart(
                trip: segment.trip,
                route: timetable.trips.route[segment.trip],
                headsign: stated == 0 ? timetable.trips.headsign[segment.trip] : stated,
                positions: segment.from..<(segment.to &+ 1)
            )
        }
    }

    /// The stops of a ride from boarding to alighting, with their times; none for other legs.
    public func calls(of leg: Leg) -> [StopCall] {
        guard let ride = leg.ride else { return [] }
        let patterns = timetable.patterns
        let all = patterns.positions(ride.pattern)
        let times = patterns.times(patterns.runTiming[ride.run], positionCount: all.count)
        let board = Int64(times.departure(ride.positions.lowerBound))
        return ride.positions.map { position in
            StopCall(
                stop: stop(all.lowerBound.advanced(by: position)),
                arrival: leg.departure.adding(seconds: Int64(times.arrival(position)) &- board),
                departure: leg.departure.adding(
                    seconds: Int64(times.departure(position)) &- board
                )
            )
        }
    }

    /// The line that a ride follows: along the shapes of its trips where the feeds have them,
    /// straight from stop to stop elsewhere.
    ///
    /// - Returns: points without equal neighbours; stops whose place is unknown are passed over.
    public func geometry(of ride: RideLeg) -> [Coordinate] {
        geometry(of: ride.run, ride.pattern, ride.positions)
    }

    /// The line that a run follows between two positions of its pattern.
    public func geometry(
        of run: RunIndex,
        _ pattern: PatternIndex,
        _ positions: Range<Int>
    ) -> [Coordinate] {
        let first = timetable.patterns.positions(pattern).lowerBound
        let segments = segments(of: run, positions)
        var line: [Coordinate] = []
        func append(_ point: Coordinate?) {
            if let point, line.last != point { line.append(point) }
        }
        func appendStop(_ position: Int) {
            append(timetable.stops.coordinate(stop(first.advanced(by: position))))
        }
        var followsShape = false
        for position in positions {
            let segment = segments.first { $0.from < position && position <= $0.to }
            let points = segment.flatMap { shape(of: $0, to: position) }
            // A stop lies beside the shape; the line leads to the stop only where there is no
            // shape.
            if points == nil, followsShape { appendStop(position &- 1) }
            if let points {
                for point in points { append(timetable.tripPaths.coordinate(point)) }
            }
            if points == nil || position == positions.upperBound &- 1 { appendStop(position) }
            followsShape = points != nil
        }
        return line
    }

    /// The limit of shape points between two stops, which only a damaged file exceeds.
    private static let stretchPointLimit = 1 << 16

    /// A trip of a run as far as a ride uses it.
    private struct Segment {
        /// The trip, as a row of the timetable.
        var trip: TripIndex
        /// The position of the pattern at which the trip itself begins.
        var start: Int
        /// The position at which the ride's share of it begins.
        var from: Int
        /// The position at which the ride's share of it ends.
        var to: Int
    }

    private func segments(of run: RunIndex, _ positions: Range<Int>) -> [Segment] {
        let patterns = timetable.patterns
        var segments: [Segment] = []
        for index in patterns.segments(run) {
            let start = Int(truncatingIfNeeded: patterns.segmentPosition[index])
            let last = Int(truncatingIfNeeded: patterns.segmentLast[index])
            let from = max(start, positions.lowerBound)
            let to = min(last, positions.upperBound &- 1)
            guard from < to else { continue }
            let trip = patterns.segmentTrip[index]
            segments.append(Segment(trip: trip, start: start, from: from, to: to))
        }
        return segments
    }

    /// The points of the shape between a position and the one before it; nil
    /// where there is no shape.
    private func shape(of segment: Segment, to position: Int) -> Range<ShapePointIndex>? {
        let path = timetable.trips.path[segment.trip]
        let stop = path.advanced(by: position &- segment.start)
        guard let before = timetable.tripPaths.point(stop.advanced(by: -1)),
            let here = timetable.tripPaths.point(stop), before <= here,
            before.distance(to: here) <= Self.stretchPointLimit
        else { return nil }
        return before.advanced(by: 1)..<here.advanced(by: 1)
    }

    /// The stop at a position of a pattern.
    private func stop(_ position: PositionIndex) -> StopIndex {
        timetable.platforms.stop[timetable.patterns.platform[position]]
    }
}
