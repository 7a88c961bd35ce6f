extension SlowJourneys {
    /// Returns vehicles some of which cannot be used: no boarding, alighting or staying seated.
    static func refused(_ vehicles: [Vehicle], where isRefused: (Int) -> Bool) -> [Vehicle] {
        vehicles.map { vehicle in
            guard isRefused(vehicle.trip) else { return vehicle }
            let none = vehicle.stops.map { _ in false }
            return Vehicle(
                trip: vehicle.trip,
                stops: vehicle.stops,
                arrivals: vehicle.arrivals,
                departures: vehicle.departures,
                mayBoard: none,
                mayAlight: none,
                start: vehicle.start,
                end: vehicle.end,
                predecessor: nil
            )
        }
    }
}
