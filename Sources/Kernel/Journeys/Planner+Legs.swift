import Chronology
import Columns
import Transit

extension Planner {
    /// Converts a journey without public transport into an itinerary.
    func itinerary(_ direct: Direct, _ query: JourneyQuery) -> Itinerary {
        let seconds = Int64(direct.walk.seconds)
        let departure = query.isArriveBy ? query.time.adding(seconds: 0 &- seconds) : query.time
        let arrival = departure.adding(seconds: seconds)
        let leg = Leg(
            departure: departure,
            arrival: arrival,
            from: nil,
            to: nil,
            metres: direct.walk.metres,
            means: direct.walk.means
        )
        return Itinerary(departure: departure, arrival: arrival, legs: [leg])
    }

    /// Converts a journey with rides into an itinerary with all its walks.
    func itinerary(
        _ journey: TransitJourney,
        _ origin: AccessEgressPaths,
        _ destination: AccessEgressPaths,
        _ epoch: Instant,
        _ wheelchair: Bool
    ) -> Itinerary {
        func instant(_ seconds: Int32) -> Instant { epoch.adding(seconds: Int64(seconds)) }
        var legs = origin.legs(
            of: origin.way(journey.access, since: epoch),
            (nil, stop(journey.access.platform)),
            from: instant(journey.departure),
            until: instant(journey.access.end(leavingAt: journey.departure))
        )
        for (number, ride) in journey.rides.enumerated() {
            if number > 0 {
                let last = journey.rides[number - 1]
                if let walk = change(last.alightPlatform, ride.boardPlatform, wheelchair) {
                    legs.append(
                        Leg(
                            departure: instant(last.arrival),
                            arrival: instant(last.arrival &+ walk.seconds),
                            from: stop(last.alightPlatform),
                            to: stop(ride.boardPlatform),
                            metres: walk.metres,
                            means: .walk
                        )
                    )
                }
            }
            legs.append(
                leg(ride, departure: instant(ride.departure), arrival: instant(ride.arrival))
            )
        }
        legs += destination.legs(
            of: destination.way(journey.egress, since: epoch),
            (stop(journey.egress.platform), nil),
            from: instant(journey.egress.start(arrivingBy: journey.arrival)),
            until: instant(journey.arrival)
        )
        return Itinerary(
            departure: instant(journey.departure),
            arrival: instant(journey.arrival),
            legs: legs
        )
    }

    private func stop(_ platform: PlatformIndex) -> StopIndex {
        city.timetable.platforms.stop[platform]
    }

    /// The way on which riders change; nil if they stay at the stop.
    private func change(
        _ from: PlatformIndex,
        _ to: PlatformIndex,
        _ wheelchair: Bool
    ) -> Walk? {
        guard stop(from) != stop(to) else { return nil }
        let paths = city.timetable.footpaths(stepFree: wheelchair)
        for path in paths.of(from)
        where paths.target[path] == to && paths.use[path] != Timetable.FootpathUse.endsOnly {
            return Walk(seconds: max(0, paths.seconds[path]), metres: paths.metres[path])
        }
        return nil
    }

    private func leg(_ ride: TransitJourney.Ride, departure: Instant, arrival: Instant) -> Leg {
        let timetable = city.timetable
        let patterns = timetable.patterns
        let first = patterns.positions(ride.pattern).lowerBound
        let board = Int(ride.boardPosition)
        let boarding = first.advanced(by: board)
        let alighting = first.advanced(by: Int(ride.alightPosition))
        let trip = patterns.trip(ride.run, at: board)
        let route = timetable.trips.route[trip]
        let stated = patterns.headsign[boarding]
        let arranged =
            patterns.flags[boarding] & Timetable.PositionFlags.pickupByArrangement
            | patterns.flags[alighting] & Timetable.PositionFlags.dropOffByArrangement
        return Leg(
            departure: departure,
            arrival: arrival,
            from: stop(ride.boardPlatform),
            to: stop(ride.alightPlatform),
            metres: metres(ride),
            means: .ride(
                RideLeg(
                    trip: trip,
                    route: route,
                    mode: timetable.routes.mode(route),
                    headsign: stated == 0 ? timetable.trips.headsign[trip] : stated,
                    isApproximate: patterns.runIsApproximate[ride.run] == 1,
                    isByArrangement: arranged != 0,
                    run: ride.run,
                    pattern: ride.pattern,
                    positions: board..<(Int(ride.alightPosition) + 1),
                    day: CivilDate(daysSince1970: ride.day)
                )
            )
        )
    }

    /// The metres ridden, along the paths of all trips of the ride's run.
    private func metres(_ ride: TransitJourney.Ride) -> UInt32 {
        city.timetable.stretches(
            of: ride.run,
            from: Int(ride.boardPosition),
            to: Int(ride.alightPosition)
        ).reduce(0) { $0 &+ $1.metres }
    }
}
