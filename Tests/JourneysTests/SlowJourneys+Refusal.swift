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
            func open(_ allowed: [Bool]) -> [Bool] {
                zip(allowed, vehicle.stops).map { $0 && !isRefused && !isClosed($1) }
            }
            return Vehicle(
                trip: vehicle.trip,
                stops: vehicle.stops,
                arrivals: vehicle.arrivals,
                departures: vehicle.departures,
                mayBoard: open(vehicle.mayBoard),
                mayAlight: open(vehicle.mayAlight),
                start: vehicle.start,
                end: vehicle.end,
                predecessor: isRefused ? nil : vehicle.predecessor
            )
        }
    }
}
