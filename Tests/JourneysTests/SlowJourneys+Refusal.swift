import OpenData

extension SlowJourneys {
    /// Returns vehicles some of which cannot be used: no boarding, alighting or staying seated.
    ///
    /// - Parameters:
    ///   - vehicles: all vehicles.
    ///   - isRefused: whether a trip may not be ridden.
    ///   - isClosed: whether nobody may board or alight at a stop.
    /// - Returns: the vehicles in the same order.
    static func refused(
        _ vehicles: [Vehicle],
        where isRefused: (Int) -> Bool,
        stops isClosed: (Int) -> Bool = { _ in false }
    ) -> [Vehicle] {
        vehicles.map { vehicle in
            let isRefused = isRefused(vehicle.trip)
            return vehicle.opened(isRidden: !isRefused) { call, _ in
                !isRefused && !isClosed(vehicle.stops[call])
            }
        }
    }

    /// Returns vehicles some of which do not run for some time, and some of whose stops are closed
    /// for some time.
    ///
    /// - Parameters:
    ///   - vehicles: all vehicles.
    ///   - routes: the rows of the lines and the seconds since 1970 in which they do not run.
    ///   - stops: the same for stops at which nobody boards or alights.
    /// - Returns: the vehicles in the same order.
    func closed(
        _ vehicles: [Vehicle],
        routes: [(rows: Set<Int>, span: Range<Int>)],
        stops: [(rows: Set<Int>, span: Range<Int>)]
    ) -> [Vehicle] {
        vehicles.map { vehicle in
            let route = feed.trips[vehicle.trip].route
            let first = vehicle.departures.first ?? 0
            let last = vehicle.arrivals.last ?? 0
            let isClosed = routes.contains { closed in
                closed.rows.contains(route) && first < closed.span.upperBound
                    && closed.span.lowerBound < last
            }
            return vehicle.opened(isRidden: !isClosed) { call, moment in
                !isClosed
                    && !stops.contains {
                        $0.rows.contains(vehicle.stops[call]) && $0.span.contains(moment)
                    }
            }
        }
    }
}

extension SlowJourneys.Vehicle {
    /// The same vehicle, boarded and left only at some calls.
    ///
    /// - Parameters:
    ///   - isRidden: whether people stay seated from the vehicle before.
    ///   - isOpen: whether people may board or alight at a call and a moment.
    /// - Returns: the vehicle.
    fileprivate func opened(
        isRidden: Bool,
        where isOpen: (_ call: Int, _ moment: Int) -> Bool
    ) -> SlowJourneys.Vehicle {
        SlowJourneys.Vehicle(
            trip: trip,
            stops: stops,
            arrivals: arrivals,
            departures: departures,
            mayBoard: mayBoard.enumerated().map { $1 && isOpen($0, departures[$0]) },
            mayAlight: mayAlight.enumerated().map { $1 && isOpen($0, arrivals[$0]) },
            start: start,
            end: end,
            predecessor: isRidden ? predecessor : nil
        )
    }
}
