package import Geo

/// The effects of a joiner on a shared ride (R86, spec/taxi.md 1.12).
///
/// The values are those of a command to join. All parties board at the pickup point; the joiner
/// walks there, and the taxi does not wait for the joiner (R87). The existing destinations keep
/// their order, and the joiner's is inserted where the longest detour of any party is shortest.
package struct SharedWay: Hashable, Sendable {
    /// The joiner's walk to the pickup point, in seconds.
    package var walkSeconds: Int32
    /// The time until the taxi arrives there, in seconds.
    package var taxiSeconds: Int32
    /// The longest detour of any party in percent of its direct driving time, rounded up.
    package var detourPercent: Int32
    /// The additional wait of the others at the pickup point, in seconds, if the taxi arrives
    /// before the joiner.
    package var extraWaitSeconds: Int32
    /// The index of the joiner's destination among those of the ride.
    package var stop: Int

    /// An open shared ride.
    package struct Ride: Hashable, Sendable {
        /// The common pickup point, which is the owner's origin.
        package var meetingPoint: Coordinate
        /// The parties so far, the owner first, in the order in which they get out.
        package var sharers: [Sharer]
        /// The position of the taxi; nil if none has accepted.
        package var taxi: Coordinate?
        /// The assumed seconds until a taxi arrives, if none has accepted.
        package var usualSeconds: Int64

        /// Creates a ride with all known data.
        package init(
            meetingPoint: Coordinate,
            sharers: [Sharer],
            taxi: Coordinate?,
            usualSeconds: Int64
        ) {
            self.meetingPoint = meetingPoint
            self.sharers = sharers
            self.taxi = taxi
            self.usualSeconds = usualSeconds
        }
    }

    /// The direct way of one party.
    package struct Sharer: Hashable, Sendable {
        package var origin: Coordinate
        package var destination: Coordinate

        /// Creates a direct way between two places.
        package init(from origin: Coordinate, to destination: Coordinate) {
            self.origin = origin
            self.destination = destination
        }
    }

    /// The most parties of a ride, which is the most seats of a vehicle.
    static let sharersLimit = 16
}

extension SharedWay {
    /// Computes the effects of a joiner.
    ///
    /// The result is nil if a way is unknown, or the ride has no parties or more than 16.
    ///
    /// - Parameters:
    ///   - ride: the open ride.
    ///   - joiner: the direct way of the joiner.
    ///   - walkSeconds: returns the walking time between two places; nil if unknown.
    ///   - driveMilliseconds: returns the driving time between two places; nil if unknown.
    /// - Complexity: one drive for each pair of stops.
    package init?(
        _ ride: Ride,
        joinedBy joiner: Sharer,
        walkSeconds: (Coordinate, Coordinate) -> Int64?,
        driveMilliseconds: (Coordinate, Coordinate) -> Int64?
    ) {
        guard !ride.sharers.isEmpty, ride.sharers.count < Self.sharersLimit,
            let walk = walkSeconds(joiner.origin, ride.meetingPoint)
        else { return nil }
        var taxi = ride.usualSeconds
        if let position = ride.taxi {
            guard let drive = driveMilliseconds(position, ride.meetingPoint) else { return nil }
            taxi = (drive + 500) / 1_000
        }
        // Each position is tried: a later one lengthens the joiner's way and shortens the others'.
        var best: (detour: Int64, stop: Int)?
        for stop in 0...ride.sharers.count {
            var sharers = ride.sharers
            sharers.insert(joiner, at: stop)
            guard let detour = Self.detour(from: ride.meetingPoint, sharers, driveMilliseconds)
            else { return nil }
            if detour < best?.detour ?? .max { best = (detour, stop) }
        }
        guard let best else { return nil }
        self.walkSeconds = Int32(clamping: walk)
        taxiSeconds = Int32(clamping: taxi)
        detourPercent = Int32(clamping: best.detour)
        extraWaitSeconds = Int32(clamping: max(0, walk - taxi))
        stop = best.stop
    }

    /// The longest detour when the parties get out in that order, in percent rounded up.
    private static func detour(
        from start: Coordinate,
        _ sharers: [Sharer],
        _ driveMilliseconds: (Coordinate, Coordinate) -> Int64?
    ) -> Int64? {
        var place = start
        var aboard: Int64 = 0
        var longest: Int64 = 0
        for sharer in sharers {
            guard let part = driveMilliseconds(place, sharer.destination),
                let direct = driveMilliseconds(sharer.origin, sharer.destination)
            else { return nil }
            aboard += part
            place = sharer.destination
            let alone = max(1, direct)
            longest = max(longest, (max(0, aboard - alone) * 100 + alone - 1) / alone)
        }
        return longest
    }
}

extension Arrivals {
    /// Computes the effects of a joiner on these streets; see ``SharedWay``.
    ///
    /// - Returns: nil if a way is unknown, or the ride has no parties or more than 16.
    package func sharing(_ ride: SharedWay.Ride, joinedBy joiner: SharedWay.Sharer) -> SharedWay? {
        SharedWay(
            ride,
            joinedBy: joiner,
            walkSeconds: { walkSeconds(from: $0, to: $1) },
            driveMilliseconds: { drive(from: $0, to: $1)?.milliseconds }
        )
    }
}
