public import Streets

extension Planner {
    /// How much longer a drive takes in the traffic of its time than the quickest way between the
    /// same places would take without any.
    ///
    /// - Parameters:
    ///   - route: the way.
    ///   - leg: the leg that follows it.
    ///   - profile: the profile of the vehicle.
    /// - Returns: seconds; 0 where nothing is known of traffic.
    public func trafficSeconds(of route: StreetRoute, _ leg: Leg, _ profile: Profile) -> Int64 {
        guard snapshot.overlays.streetSpeeds != nil, let first = route.stretches.first,
            let last = route.stretches.last, let begin = route.geometry.first,
            let end = route.geometry.last
        else { return 0 }
        let free = city.streets.cost(
            from: StreetPlace(
                edge: first.edge,
                fraction: first.fromFraction,
                point: begin,
                distanceMetres: 0
            ),
            to: StreetPlace(
                edge: last.edge,
                fraction: last.toFraction,
                point: end,
                distanceMetres: 0
            ),
            by: city.streets.metric(profile),
            at: .departure(week(leg.departure)),
            using: workspace
        )
        guard free.isPossible else { return 0 }
        return max(0, (Int64(route.cost.milliseconds) - Int64(free.milliseconds)) / 1_000)
    }
}
