package import Geo

/// What it means for everybody when another passenger rides along (R86, spec/taxi.md 1.12).
///
/// The numbers are those of a command to join. All sharers board at the meeting point; the
/// joiner walks there, and the taxi does not wait for him (R87). The destinations keep their
/// order, and the joiner's is put in where the longest detour of any sharer is shortest.
package struct SharedWay: Hashable, Sendable {
    /// The joiner's walk to the meeting point, in seconds.
    package var walkSeconds: Int32
    /// When the taxi gets there, in seconds from now.
    package var taxiSeconds: Int32
    /// The longest detour of any sharer, in percent of the time of his direct way, rounded up.
    package var detourPercent: Int32
    /// How much longer the others wait at the meeting point, in seconds: until the joiner is
    /// there, should the taxi be there before him.
    package var extraWaitSeconds: Int32
    /// The position of the joiner's destination among those of the ride, 0 for the first.
    package var stop: Int

    /// An open shared ride that somebody may join.
    package struct Ride: Hashable, Sendable {
        /// Where everybody boards: the owner's origin.
        package var meetingPoint: Coordinate
        /// The sharers so far, the owner first, in the order in which they get out.
        package var sharers: [Sharer]
        /// Where the taxi is; nil while none has accepted.
        package var taxi: Coordinate?
        /// When a taxi is likely to be there, in seconds, while none has accepted.
        package var usualSeconds: Int64

        /// A ride with all that is known of it.
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

    /// Somebody's own way, without anybody else.
    package struct Sharer: Hashable, Sendable {
        /// Where he is.
        package var origin: Coordinate
        /// Where he wants to go.
        package var destination: Coordinate

        /// A way from there to there.
        package init(from origin: Coordinate, to destination: Coordinate) {
            self.origin = origin
            self.destination = destination
        }
    }

    /// The most sharers of a ride, as many as a vehicle has seats.
    static let sharersLimit = 16
}

extension SharedWay {
    /// Works out what it means when somebody joins a shared ride.
    ///
    /// It is nil where a way is unknown, or the ride has no sharers or more than 16.
    ///
    /// - Parameters:
    ///   - ride: the ride.
    ///   - joiner: who would join.
    ///   - walkSeconds: how long somebody walks from a place to a place; nil where unknown.
    ///   - driveMilliseconds: how long a taxi drives from a place to a place; nil where unknown.
    /// - Complexity: a drive for each pair of stops.
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
        // Every stop is tried: a later one lengthens the joiner's way and shortens the others'.
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

    /// The longest detour when all get out in that order, in percent rounded up.
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
    /// What it means on these streets when somebody joins a shared ride; see ``SharedWay``.
    ///
    /// - Returns: nil where a way is unknown, or the ride has no sharers or more than 16.
    package func sharing(_ ride: SharedWay.Ride, joinedBy joiner: SharedWay.Sharer) -> SharedWay? {
        SharedWay(
            ride,
            joinedBy: joiner,
            walkSeconds: { walkSeconds(from: $0, to: $1) },
            driveMilliseconds: { drive(from: $0, to: $1)?.milliseconds }
        )
    }
}
