import Columns

/// The timetable, as the search reads it.
extension PricedSearch {
    /// The journey that ends with a label and a way to the destination.
    func journey(
        _ number: Int32,
        _ way: Raptor.AccessEgress
    ) -> TransitJourney? {
        var rides: [Raptor.Ride] = []
        var label = labels[Int(number)]
        while true {
            rides.append(label.ride)
            let boarded = labels[Int(label.origin)]
            if boarded.origin < 0 {
                return window.journey(
                    rides: rides.reversed(),
                    access: query.access[-1 - Int(boarded.origin)],
                    egress: way,
                    isMirrored: false
                )
            }
            label = labels[Int(boarded.origin)]
        }
    }

    /// What riders do at a stop.
    enum Use {
        /// Riders board there.
        case boarding
        /// Riders alight there.
        case alighting
    }

    /// The call that a vehicle comes to next.
    func call(_ seat: Seat) -> Int {
        Int(window.routes[seat.route].firstStop + seat.position)
    }

    /// The kind of a departure, as the criterion tells them apart.
    func kind(of seat: Seat) -> Int32 {
        criterion.kind(of: Int(window.routes[seat.route].firstInstance + seat.departure))
    }

    /// When the vehicle arrives there.
    func arrival(_ seat: Seat) -> Int32 {
        window.arrival(
            RaptorRouteIndex(row: seat.route),
            instance: Int(seat.departure),
            position: Int(seat.position)
        )
    }

    /// Whether riders may board or alight at a position.
    func mayUse(_ route: Int, _ position: Int32, _ use: Use) -> Bool {
        let flags = Int32(window.flags[Int(window.routes[route].firstStop + position)])
        let isStepFree = query.conditions.wheelchair
        switch use {
        case .boarding:
            return flags & (isStepFree ? SearchTables.boardsWheelchair : SearchTables.boards) != 0
        case .alighting:
            return flags & (isStepFree ? SearchTables.alightsWheelchair : SearchTables.alights) != 0
        }
    }

    /// The last position to which one may ride from another; nil where one may not board.
    func lastPosition(_ number: Int, from position: Int32) -> Int32? {
        let route = window.routes[number]
        guard !query.conditions.acceptEverything else { return route.stopCount - 1 }
        var first: Int32?
        for place in Int(route.firstPart)..<Int(route.firstPart + route.partCount) {
            let part = window.parts[place]
            let isAllowed =
                part.mode & query.conditions.modes != 0
                && (!query.conditions.wheelchair || part.takesWheelchairs)
            guard isAllowed else {
                first = nil
                continue
            }
            first = first ?? part.first
            if let first, first <= position, position < part.last {
                return lastAllowed(after: place, route) ?? part.last
            }
        }
        return nil
    }

    /// The end of the allowed parts that follow a part without a gap in what is allowed.
    private func lastAllowed(after place: Int, _ route: ServiceWindow.RaptorRoute) -> Int32? {
        var last: Int32?
        for next in (place + 1)..<max(place + 1, Int(route.firstPart + route.partCount)) {
            let part = window.parts[next]
            guard part.mode & query.conditions.modes != 0,
                !query.conditions.wheelchair || part.takesWheelchairs
            else { break }
            last = part.last
        }
        return last
    }

    /// The first departure of a route that leaves a position no earlier than a time.
    func firstDeparture(_ route: Int, _ position: Int32, notBefore time: Int32) -> Int32 {
        var (low, high) = (Int32(0), window.routes[route].instanceCount)
        while low < high {
            let middle = (low + high) / 2
            let departure = window.departure(
                RaptorRouteIndex(row: route),
                instance: Int(middle),
                position: Int(position)
            )
            if departure >= time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The first departure from a given one on that the conditions allow.
    func accessible(from departure: Int32, _ number: Int) -> Int32? {
        let route = window.routes[number]
        var departure = departure
        while departure < route.instanceCount {
            let isAllowed =
                !query.conditions.wheelchair
                || window.takesWheelchairs[Int(route.firstInstance + departure)]
            if isAllowed { return departure }
            departure += 1
        }
        return nil
    }

    /// The next departure that may be worth waiting for: any if prices depend on time, otherwise
    /// one that costs or counts otherwise.
    mutating func laterDeparture(_ seat: Seat) -> Int32? {
        if dependsOnTime { return accessible(from: seat.departure + 1, seat.route) }
        let route = window.routes[seat.route]
        let isVaried = varies[seat.route] ?? isVaried(route)
        varies[seat.route] = isVaried
        guard isVaried else { return nil }
        var departure = seat.departure
        while let next = accessible(from: departure + 1, seat.route) {
            if !isAlike(seat.departure, next, route) { return next }
            departure = next
        }
        return nil
    }

    private func isVaried(_ route: ServiceWindow.RaptorRoute) -> Bool {
        (0..<max(0, route.instanceCount - 1)).contains { !isAlike($0, $0 + 1, route) }
    }

    private func isAlike(
        _ one: Int32,
        _ other: Int32,
        _ route: ServiceWindow.RaptorRoute
    ) -> Bool {
        let (first, second) = (Int(route.firstInstance + one), Int(route.firstInstance + other))
        return criterion.kind(of: first) == criterion.kind(of: second)
            && tariff.isAlike(window.instances[first].run, window.instances[second].run)
    }
}
