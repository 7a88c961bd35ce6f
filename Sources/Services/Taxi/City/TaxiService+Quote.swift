package import Chronology
package import Dispatching
package import Fares
package import Geo
import Storage
import Zones

/// The information shown before a request (R46); all of it may be unknown.
package struct RideQuote: Hashable, Sendable {
    /// The zone; nil if the pickup point is outside the city (R41).
    package var zone: ZoneNumber?
    /// The pickup point in readable form.
    package var originDescription: PlaceDescription
    /// The estimated wait in seconds for the first suitable taxi in the zone's queue.
    package var waitSeconds: Int64?
    /// The number of suitable taxis that are queued in the zone.
    package var taxisWaiting: Int
    /// The drive to the destination.
    package var drive: Drive?
    package var fare: FareEstimate?
}

extension TaxiService {
    /// Returns the information to show before a request, for now or a given time.
    package func quote(_ order: RideOrder, at moment: Moment? = nil) async throws -> RideQuote {
        try ModuleAccess.check(reads: .fares)
        try checkServing()
        try order.check(allowedMetres: -1)
        let zone = zone(at: order.origin)
        let queue = try await dispatch.read { state -> [TaxiNumber] in
            guard let zone, zone.rawValue < state.zones.count else { return [] }
            return state.zones[Int(zone.rawValue)].entries.map(\.taxi)
                .filter { state.taxi($0)?.capacity.covers(order.needs) == true }
        }
        let now = clock.now()
        var wait: Int64?
        if let first = queue.first, let place = intake.position(of: first)?.place {
            wait = await drives.drive(from: place, to: order.origin, at: now)?.likely.seconds
        }
        let ahead = await drive(of: order, at: moment ?? now)
        var fare: FareEstimate?
        if let ahead {
            let input = input(of: order, ahead.likely, at: moment ?? now)
            fare = tariffs.estimate(input, in: city.zone, spread: ahead.spread)
        }
        return RideQuote(
            zone: zone,
            originDescription: await words(order.originDescription, at: order.origin),
            waitSeconds: wait,
            taxisWaiting: queue.count,
            drive: ahead?.likely,
            fare: fare
        )
    }

    /// The fastest way of a taxi between two places, as the points of a line; nil if a place or the
    /// way is unknown.
    package func way(from origin: Coordinate?, to destination: Coordinate?) async -> [Coordinate]? {
        guard let origin, let destination else { return nil }
        return await drives.way(from: origin, to: destination)
    }

    /// The fastest drive of a taxi with its turns; nil if no street or route is known.
    ///
    /// - Parameters:
    ///   - origin: where the taxi is.
    ///   - heading: the direction in which it moves, in degrees clockwise from north; nil if it
    ///     stands or nobody knows.
    ///   - destination: where the drive ends.
    /// - Returns: the drive, from the street where the taxi is to the one where it ends.
    package func guidedWay(
        from origin: Coordinate,
        heading: Double? = nil,
        to destination: Coordinate
    ) async -> GuidedWay? {
        await drives.guidedWay(from: origin, heading: heading, to: destination)
    }

    /// When a passenger on board reaches the destination; nil if a place or the way is unknown, and
    /// on board with others, where it would tell how far they travel (I27).
    package func arrivalAtDestination(of view: RideView) async -> Moment? {
        guard case .riding(let ride) = view.phase, ride.stage == .aboard,
            !view.isAboardWithOthers, let position = view.position,
            let destination = view.destination,
            let ahead = await drives.drive(from: position.place, to: destination, at: position.at)
        else { return nil }
        let arrival = position.at.adding(seconds: ahead.likely.seconds)
        return arrival > clock.now() ? arrival : nil
    }

    private func drive(of order: RideOrder, at moment: Moment) async -> DriveTimeEstimator.Ahead? {
        guard let destination = order.destination else { return nil }
        return await drives.drive(
            from: order.origin,
            to: destination,
            at: moment,
            isDetailed: true
        )
    }

    private func input(of order: RideOrder, _ drive: Drive, at moment: Moment) -> TariffInput {
        TariffInput(
            start: moment.instant,
            drive: drive,
            from: end(order.origin),
            to: order.destination.map { end($0) }
        )
    }

    /// Returns a place with its zone's name, as tariffs need it.
    func end(_ place: Coordinate) -> TariffInput.End {
        let zones = intake.zones
        let zone = zones?.zone(at: place).flatMap { zones?[$0].name }
        return TariffInput.End(place, zone: zone)
    }
}
