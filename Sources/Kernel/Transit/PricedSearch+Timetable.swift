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

    /// The seat of someone at a platform in the first departure of a route that they can board.
    ///
    /// - Parameters:
    ///   - number: their label.
    ///   - boarding: the route, and where they board it.
    ///   - last: the position at which they must have alighted.
    ///   - first: the earliest time of the departure.
    ///   - latest: the time at which they must have alighted.
    /// - Returns: nil if there is no such departure.
    func seat(
        _ number: Int32,
        _ boarding: ServiceWindow.Boarding,
        to last: Int32,
        since first: Int32,
        until latest: Int32 = Raptor.never
    ) -> Seat? {
        let (route, position) = (boarding.route.row, boarding.position)
        let next = firstDeparture(route, position, notBefore: first)
        return accessible(from: next, route).map { departure in
            Seat(
                label: number,
                route: route,
                departure: departure,
                board: position,
                position: position,
                last: last,
                latest: latest,
                amount: labels[Int(number)].amount
            )
        }
    }

    /// The seats of someone at a platform in the first departure of a route in each time at which
    /// the conditions allow it.
    func seats(_ number: Int32, _ boarding: ServiceWindow.Boarding) -> [Seat] {
        let (time, conditions) = (labels[Int(number)].time, query.conditions)
        var seats: [Seat] = []
        for (last, modes) in stretches(boarding.route.row, from: boarding.position) {
            conditions.forEachTime(of: modes, since: time, before: query.bound) { first, latest in
                let seat = seat(number, boarding, to: last, since: first, until: latest)
                if let seat { seats.append(seat) }
            }
        }
        return seats
    }

    /// The last positions to which one may ride from another, each with the avoided modes of the
    /// ride; a later position is another one only if the ride has more of them.
    private func stretches(
        _ number: Int,
        from position: Int32
    ) -> [(last: Int32, modes: UInt32)] {
        let route = window.routes[number]
        let conditions = query.conditions
        let parts = window.parts[Int(route.firstPart)..<Int(route.firstPart + route.partCount)]
        var stretches: [(last: Int32, modes: UInt32)] = []
        var modes: UInt32 = 0
        var place = parts.lastIndex { $0.first <= position } ?? parts.endIndex
        while place < parts.endIndex {
            let part = parts[place]
            place += 1
            guard part.mode & conditions.modes != 0,
                !conditions.wheelchair || part.takesWheelchairs
            else { break }
            modes |= part.mode & conditions.avoidedModes
            guard part.last > position else { continue }
            if stretches.last?.modes == modes { stretches.removeLast() }
            stretches.append((part.last, modes))
        }
        return stretches
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
