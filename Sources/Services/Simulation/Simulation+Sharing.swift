import Chronology
import Dispatching
import Fares
import Geo

extension Simulation {
    /// A ride that several share.
    struct Share: Sendable {
        /// Where all of them board.
        var meetingPoint: Coordinate
        /// Who shares it, in the order in which they get out.
        var sharers: [RequestNumber]
    }

    /// Metres that somebody walks in a second, where only the distance is known.
    private static let walkingSpeed = Arrivals.straightWalkingSpeed
    /// When a taxi is likely to be there while none has accepted, in seconds.
    private static let usualSeconds: Int64 = 420

    /// Others may join that ride from now on.
    mutating func announce(_ request: RequestNumber) {
        guard let index = owners[request] else { return }
        shares[request] = Share(meetingPoint: customers[index].origin, sharers: [request])
        open.append(request)
    }

    /// Where those want to go who share a ride, in the order in which they get out.
    func destinations(of request: RequestNumber) -> [Coordinate] {
        (shares[request]?.sharers ?? []).compactMap { sharer in
            owners[sharer].map { customers[$0].destination }
        }
    }

    /// Tries the rides that he could walk to, the one with the shortest detour first.
    ///
    /// - Returns: whether he rides along with somebody.
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

    /// What it would mean for everybody if somebody rode along.
    private func way(
        of owner: RequestNumber,
        _ share: Share,
        joinedBy customer: Customer
    ) -> SharedWay? {
        guard let request = dispatcher.request(owner) else { return nil }
        if let ride = request.ride, ride.stage != .onTheWay { return nil }
        let sharers = share.sharers.compactMap { sharer in
            owners[sharer].map { index in
                SharedWay.Sharer(
                    from: customers[index].origin,
                    to: customers[index].destination
                )
            }
        }
        let taxi = request.ride?.taxi
        let ride = SharedWay.Ride(
            meetingPoint: share.meetingPoint,
            sharers: sharers,
            taxi: taxi.map { cabs[Int($0.rawValue)].position(at: dispatcher.now) },
            usualSeconds: Self.usualSeconds
        )
        let joiner = SharedWay.Sharer(from: customer.origin, to: customer.destination)
        return travel.sharing(ride, joinedBy: joiner)
    }

    /// The owner of a shared ride is out of it, and one who rode along owns it now.
    mutating func pass(_ old: RequestNumber, to new: RequestNumber) {
        shares[new] = shares.removeValue(forKey: old)
        for sharer in shares[new]?.sharers ?? [] { hosts[sharer] = sharer == new ? nil : new }
        open = open.map { $0 == old ? new : $0 }
        chosen[new] = chosen.removeValue(forKey: old)
        hosts[old] = new
        // He stands where the taxi is, or will be; if it is there, the driver waits for him.
        if dispatcher.request(new)?.ride?.stage == .atMeetingPoint { wait(new) }
    }

    /// A request has ended, and whoever made it is in no shared ride any more.
    mutating func leaveShare(_ request: RequestNumber) {
        open.removeAll { $0 == request }
        shares[request] = nil
        if let host = hosts.removeValue(forKey: request) {
            shares[host]?.sharers.removeAll { $0 == request }
        }
    }
}
