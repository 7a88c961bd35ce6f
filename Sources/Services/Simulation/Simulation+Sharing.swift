import Chronology
import Dispatching
import Fares
import Geo

extension Simulation {
    /// A ride with several parties.
    struct Share: Sendable {
        /// The common pickup point.
        var meetingPoint: Coordinate
        /// The requests of the parties, in the order in which they get out.
        var sharers: [RequestNumber]
    }

    /// The walking speed in metres per second, where only the distance is known.
    private static let walkingSpeed = Arrivals.straightWalkingSpeed
    /// The assumed time until a taxi arrives if none has accepted, in seconds.
    private static let usualSeconds: Int64 = 420

    /// Opens a ride for joiners.
    mutating func announce(_ request: RequestNumber) {
        guard let index = owners[request] else { return }
        shares[request] = Share(meetingPoint: customers[index].origin, sharers: [request])
        open.append(request)
    }

    /// Returns the destinations of a shared ride in order.
    func destinations(of request: RequestNumber) -> [Coordinate] {
        (shares[request]?.sharers ?? []).compactMap { sharer in
            owners[sharer].flatMap { customers[$0].destination }
        }
    }

    /// Tries to join one of the rides within walking distance, by the shortest detour.
    ///
    /// - Returns: whether the passenger joined a ride.
    mutating func join(_ form: RequestForm, _ customer: Customer) throws -> Bool {
        let reach = Double(options.policy[.shareWalk]) * Self.walkingSpeed
        var ways: [(owner: RequestNumber, way: SharedWay)] = []
        for owner in open {
            guard let share = shares[owner],
                customer.origin.distanceMetres(to: share.meetingPoint) <= reach,
                let way = way(of: owner, share, joinedBy: customer)
            else { continue }
            ways.append((owner, way))
        }
        let sorted = ways.sorted {
            ($0.way.detourPercent, $0.owner) < ($1.way.detourPercent, $1.owner)
        }
        let number = RequestNumber(rawValue: dispatcher.lastRequest + 1)
        for (owner, way) in sorted {
            let estimate = SharingEstimate(
                walkSeconds: way.walkSeconds,
                taxiSeconds: way.taxiSeconds,
                detourPercent: way.detourPercent,
                extraWaitSeconds: way.extraWaitSeconds
            )
            guard try give(.join(form, owner, estimate)) else { continue }
            shares[owner]?.sharers.insert(number, at: way.stop)
            hosts[number] = owner
            tally.sharing.joined += 1
            return true
        }
        if !sorted.isEmpty { tally.sharing.refused += 1 }
        return false
    }

    /// Returns the effects of a joiner on a shared ride.
    private func way(
        of owner: RequestNumber,
        _ share: Share,
        joinedBy customer: Customer
    ) -> SharedWay? {
        guard let request = dispatcher.request(owner), let joiner = Self.sharer(customer) else {
            return nil
        }
        if let ride = request.ride, ride.stage != .onTheWay { return nil }
        let sharers = share.sharers.compactMap { sharer in
            owners[sharer].flatMap { Self.sharer(customers[$0]) }
        }
        let taxi = request.ride?.taxi
        let ride = SharedWay.Ride(
            meetingPoint: share.meetingPoint,
            sharers: sharers,
            taxi: taxi.map { cabs[Int($0.rawValue)].position(at: dispatcher.now) },
            usualSeconds: Self.usualSeconds
        )
        return travel.sharing(ride, joinedBy: joiner)
    }

    /// The way of a passenger; nil if it has no destination.
    private static func sharer(_ customer: Customer) -> SharedWay.Sharer? {
        customer.destination.map { SharedWay.Sharer(from: customer.origin, to: $0) }
    }

    /// Transfers a shared ride from its former owner to a joiner.
    mutating func pass(_ old: RequestNumber, to new: RequestNumber) {
        shares[new] = shares.removeValue(forKey: old)
        for sharer in shares[new]?.sharers ?? [] { hosts[sharer] = sharer == new ? nil : new }
        open = open.map { $0 == old ? new : $0 }
        chosen[new] = chosen.removeValue(forKey: old)
        hosts[old] = new
        // The new owner is at the pickup point; if the taxi is already there, the driver waits.
        if dispatcher.request(new)?.ride?.stage == .atMeetingPoint { wait(new) }
    }

    /// Removes an ended request from its shared ride.
    mutating func leaveShare(_ request: RequestNumber) {
        open.removeAll { $0 == request }
        shares[request] = nil
        if let host = hosts.removeValue(forKey: request) {
            shares[host]?.sharers.removeAll { $0 == request }
        }
    }
}
