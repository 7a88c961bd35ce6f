extension Dispatcher {
    mutating func join(
        _ asked: RequestForm,
        _ owner: RequestNumber,
        _ estimate: SharingEstimate
    ) throws(Refusal) {
        if let suspension { throw .suspended(suspension) }
        guard policy.sharing else { throw .sharingDisabled }
        if asked.isGuest { throw .guestsNotAllowed }
        guard asked.needs.isValid else { throw .invalid("seats") }
        guard asked.hasDestination else { throw .destinationMissing }
        if let live = passengers[asked.passenger] { throw .liveRequest(live) }
        guard let ride = table[owner], ride.form.isShared, isOpenToJoin(ride) else {
            throw .notShared
        }
        try checkCapacity(ride, asked.needs)
        try checkEstimate(estimate)
        var form = asked
        form.zone = ride.zone
        form.isShared = true
        form.neighbours = []
        emit(.joined(nextNumber, form, owner))
    }

    /// Others may join until the taxi is at the meeting point, also after a driver accepted (R88).
    private func isOpenToJoin(_ request: Request) -> Bool {
        switch request.phase {
        case .offered, .held: true
        case .riding(let ride): ride.stage == .onTheWay
        case .reserved, .seeking, .parked, .joined: false
        }
    }

    private func checkCapacity(_ ride: Request, _ needs: Capacity) throws(Refusal) {
        var all = ride.needs
        all.seats = UInt8(clamping: Int32(all.seats) + Int32(needs.seats))
        all.wheelchair = all.wheelchair || needs.wheelchair
        let capacities = capacities(for: ride)
        if capacities.contains(where: { $0.covers(all) }) { return }
        let most = capacities.map { $0.seats }.max() ?? 0
        let left = most > ride.needs.seats ? most - ride.needs.seats : 0
        if needs.seats > left { throw .seatsLeft(left) }
        throw .tooSmall
    }

    /// The capacity of a shared ride's taxi, or of the taxis in its zone and in reach that
    /// may still get it.
    private func capacities(for ride: Request) -> [Capacity] {
        if let taxi = ride.offer?.taxi ?? ride.ride?.taxi {
            return [taxis[Int(taxi.rawValue)].capacity]
        }
        let reached = [ride.zone] + neighbours(of: ride).map { $0.zone }
        let taxis = reached.flatMap { number in
            let zone = zones[Int(number.rawValue)]
            return zone.entries.map { $0.taxi } + zone.pending
        }
        return taxis.filter { mayTake($0, ride) }.map { taxi in
            var capacity = self.taxis[Int(taxi.rawValue)].capacity
            capacity.seats = min(capacity.seats, UInt8(clamping: policy[.shareSeats]))
            return capacity
        }
    }

    private func checkEstimate(_ estimate: SharingEstimate) throws(Refusal) {
        let walk = Int64(estimate.walkSeconds)
        if walk > policy[.shareWalk] || walk > Int64(estimate.taxiSeconds) { throw .walkTooLong }
        if Int64(estimate.detourPercent) > policy[.shareDetour] { throw .detourTooLong }
        if Int64(estimate.extraWaitSeconds) > policy[.shareWait] { throw .waitTooLong }
    }
}
