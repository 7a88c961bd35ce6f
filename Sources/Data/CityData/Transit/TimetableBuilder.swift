import Chronology
package import Columns
package import OpenData
import Transit

/// Turns feeds into the `transit.*` sections of a city file.
package struct TimetableBuilder {
    let inputs: [FeedInput]
    var texts = TextPool()
    var draft = TimetableDraft()
    var log = DiagnosticLog()
    var plans: [PlatformPlan] = []
    var rules: [ChangeRules] = []
    var tripPaths = TripPathTable()
    var shapePoints = ShapePoints()
    /// How many comparisons of a stop with a segment may find a trip's stops along its shape: as
    /// for 200 stops along 50,000 points.
    private static let comparisonsPerTripLimit = 10_000_000
    /// How many of these a feed may need in all: some ten seconds of work.
    private static let comparisonLimit = 5_000_000_000
    /// For each trip of all feeds, its first row in the tripPaths; `UInt32.max` for unused ones.
    var tripPathRows: [UInt32] = []
    let zones: ZoneList

    /// The reason why a feed cannot be imported.
    package enum Failure: Error, Equatable, Sendable {
        /// An agency's time zone is unknown to this machine.
        case unknownZone(feed: String, zone: String)
    }

    /// The first number of each feed's stops among those of all feeds; one more than feeds.
    package static func stopBases(_ inputs: [FeedInput]) -> [Int] {
        inputs.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.feed.stops.count) }
    }

    /// Adds the timetable of several feeds to a city file.
    ///
    /// - Parameters:
    ///   - inputs: the feeds.
    ///   - cityZone: the IANA name of the city's time zone; nil for that of the first feed.
    ///   - walks: the walks on streets between stops; nil without streets, where the closure of
    ///     `transfers.txt` under composition gives all walks.
    ///   - writer: receives the sections.
    /// - Returns: the repairs that were made.
    /// - Throws: ``Failure`` where an agency's time zone is unknown.
    package static func add(
        _ inputs: [FeedInput],
        cityZone: String? = nil,
        walks: StopWalks?,
        to writer: inout SectionWriter
    ) throws(Failure) -> DiagnosticLog {
        var builder = TimetableBuilder(
            inputs: inputs,
            zones: try ZoneList(inputs, cityZone: cityZone)
        )
        for number in inputs.indices { builder.gather(number) }
        builder.draft.sortRuns()
        builder.write(walks: walks, to: &writer)
        return builder.log
    }

    /// Gathers the runs of one feed.
    private mutating func gather(_ number: Int) {
        let input = inputs[number]
        let feed = input.feed
        let isServed = ChangeRules.platformStops(feed)
        let changes = ChangeRules(feed, isServed: isServed, log: &log)
        var plan = PlatformPlan(stopCount: feed.stops.count)
        let completed = completeTrips(feed)
        let tripBase = UInt32(tripPathRows.count)
        tripPathRows.append(contentsOf: completed.map { $0?.path ?? .max })
        var repeats: [Int: [GTFSFeed.Frequency]] = [:]
        for frequency in feed.frequencies {
            repeats[frequency.trip, default: []].append(frequency)
        }
        let stopBase = UInt32(Self.stopBases(inputs)[number])
        for run in RunBuilder.runs(of: feed, log: &log) {
            var calls = RunCalls(stopBase: stopBase, tripBase: tripBase)
            for trip in run.trips {
                guard let times = completed[trip]?.times else { continue }
                calls.append(trip, times, feed, &texts)
            }
            guard let first = run.trips.first, let departure = calls.departures.first else {
                continue
            }
            let positions = calls.positions(feed, changes, &plan)
            let agency = feed.agencies[feed.routes[feed.trips[first].route].agency]
            let template = TimetableDraft.Run(
                start: 0,
                timing: 0,
                service: draft.number(ofService: run.days.shifted(days: input.shiftWeeks * 7)),
                zone: zones.number(of: agency.zone),
                isApproximate: false,
                segments: calls.segments
            )
            draft.add(
                positions: positions,
                arrivals: calls.arrivals,
                departures: calls.departures,
                starts: Self.starts(repeats[first], departure),
                template: template
            )
        }
        for stop in feed.stops.indices where isServed[stop] && plan.variants[stop].isEmpty {
            _ = plan.number(stop, PlatformPlan.Variant(leaving: [], boarding: []))
        }
        for (_, rule) in plan.unsplit.sorted(by: { $0.key < $1.key }) {
            let line = changes.special[rule].line
            log.note("transfers.txt", line, "from_route_id", .tooManyGroups)
        }
        plans.append(plan)
        rules.append(changes)
    }

    /// When a run starts: once as scheduled, or at each headway.
    private static func starts(
        _ frequencies: [GTFSFeed.Frequency]?,
        _ departure: Int32
    ) -> [(second: Int32, isApproximate: Bool)] {
        guard let frequencies else { return [(departure, false)] }
        return frequencies.flatMap { frequency in
            stride(from: frequency.start, to: frequency.end, by: Int(frequency.headway)).map {
                ($0, !frequency.isExact)
            }
        }
    }

    /// The complete times and the path of each usable trip.
    private mutating func completeTrips(
        _ feed: GTFSFeed
    ) -> [(times: CompleteTimes, path: UInt32)?] {
        let shapeStarts = shapePoints.add(feed.shapes)
        var comparisonsLeft = Self.comparisonLimit
        return feed.trips.map { trip in
            guard !trip.stopTimes.isEmpty else { return nil }
            guard trip.stopTimes.count <= ServiceWindow.positionLimit else {
                log.note("trips.txt", trip.line, "trip_id", .longTrip)
                return nil
            }
            let stops = Array(feed.stopTimes.stop[trip.stopTimes])
            let distances = feed.stopTimes.distance[trip.stopTimes]
            let key = TripPathTable.Key(
                feed: feed.name,
                shape: trip.shape,
                stops: stops,
                distances: Array(distances)
            )
            var problem: Diagnostic.Kind?
            let row = tripPaths.row(of: key, shapeStart: trip.shape.map { shapeStarts[$0] }) {
                var shape = trip.shape.map { feed.shapes[$0] }
                let cost = stops.count * (shape?.points.count ?? 0)
                if cost > min(Self.comparisonsPerTripLimit, comparisonsLeft) {
                    shape = nil
                    problem = .longShape
                } else {
                    comparisonsLeft -= cost
                }
                let path = TripPath(
                    stops: stops.map { feed.stops[Int($0)].coordinate },
                    shape: shape,
                    distances: distances
                )
                if path.isInOtherUnit { problem = .otherUnit }
                return path
            }
            if let problem { log.note("trips.txt", trip.line, "shape_id", problem) }
            let metres = tripPaths.metres(row, count: stops.count)
            return (CompleteTimes(feed.stopTimes, trip.stopTimes, metres: metres), UInt32(row))
        }
    }
}

/// The calls of a run while its trips are strung together.
private struct RunCalls {
    let stopBase: UInt32
    let tripBase: UInt32
    var calls: [Call] = []
    var arrivals: [Int32] = []
    var departures: [Int32] = []
    var segments: [TimetableDraft.Segment] = []

    /// A call of a vehicle at a stop.
    struct Call {
        var stop: Int
        /// The trip with which it arrives.
        var arriving: Int
        /// The trip with which it departs.
        var departing: Int
        var pickup: Boarding
        var dropOff: Boarding
        var headsign: UInt32
    }

    init(stopBase: UInt32, tripBase: UInt32) {
        self.stopBase = stopBase
        self.tripBase = tripBase
    }

    mutating func append(
        _ trip: Int,
        _ times: CompleteTimes,
        _ feed: GTFSFeed,
        _ texts: inout TextPool
    ) {
        let range = feed.trips[trip].stopTimes
        for (offset, row) in range.enumerated() {
            let headsign = Int(feed.stopTimes.headsign[row])
            var call = Call(
                stop: Int(feed.stopTimes.stop[row]),
                arriving: trip,
                departing: trip,
                pickup: feed.stopTimes.pickup[row],
                dropOff: feed.stopTimes.dropOff[row],
                headsign: headsign == 0
                    ? 0 : texts.number(of: feed.stopTimes.headsigns[headsign])
            )
            if offset == 0, let last = calls.last, last.stop == call.stop {
                // The vehicle continues from where the last trip ended: one call of both trips.
                call.arriving = last.arriving
                call.dropOff = last.dropOff
                calls[calls.count - 1] = call
                departures[departures.count - 1] = times.departures[0]
            } else {
                // No passenger boards a trip where it ends, even if its vehicle continues
                // elsewhere.
                if offset == 0, !calls.isEmpty { calls[calls.count - 1].pickup = .none }
                calls.append(call)
                arrivals.append(times.arrivals[offset])
                departures.append(times.departures[offset])
            }
            if offset == 0 {
                segments.append(
                    TimetableDraft.Segment(
                        position: UInt32(calls.count - 1),
                        last: UInt32(calls.count - 2 + range.count),
                        trip: tripBase + UInt32(trip)
                    )
                )
            }
        }
    }

    func positions(
        _ feed: GTFSFeed,
        _ rules: ChangeRules,
        _ plan: inout PlatformPlan
    ) -> [TimetableDraft.Position] {
        calls.map { call in
            let variant = PlatformPlan.Variant(
                leaving: rules.leaving(
                    call.stop,
                    trip: call.arriving,
                    route: feed.trips[call.arriving].route
                ),
                boarding: rules.boarding(
                    call.stop,
                    trip: call.departing,
                    route: feed.trips[call.departing].route
                )
            )
            var flags: UInt8 = 0
            if call.pickup != .none { flags |= Timetable.PositionFlags.pickup }
            if call.dropOff != .none { flags |= Timetable.PositionFlags.dropOff }
            if call.pickup == .call || call.pickup == .driver {
                flags |= Timetable.PositionFlags.pickupByArrangement
            }
            if call.dropOff == .call || call.dropOff == .driver {
                flags |= Timetable.PositionFlags.dropOffByArrangement
            }
            return TimetableDraft.Position(
                stop: stopBase + UInt32(call.stop),
                variant: plan.number(call.stop, variant),
                flags: flags,
                headsign: call.headsign
            )
        }
    }
}
