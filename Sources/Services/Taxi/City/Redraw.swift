import Chronology
package import Dispatching
import Geo
package import Storage
import Synchronization
package import Zones

/// The effects of new zones, shown for confirmation (R8, G5).
package struct RedrawPlan: Sendable {
    /// The zones that would come into force.
    package let zones: ZoneSet
    /// The taxis that would change zones, by number.
    package internal(set) var taxis: [Move<TaxiNumber>] = []
    /// The requests and reservations that would change zones, by number.
    package internal(set) var requests: [Move<RequestNumber>] = []
    /// The number of taxis without a position since the start, which stay in the zone
    /// with the same code.
    package internal(set) var unheard = 0
    /// The hash of the zones that the plan replaces; that of no zones if there were none.
    package let replaces: UInt64

    /// A taxi or request that would change zones.
    package struct Move<Subject: Hashable & Sendable>: Hashable, Sendable {
        package var subject: Subject
        /// The code of the current zone; nil outside all zones.
        package var from: String?
        /// The code of the new zone; nil outside all zones, where a request would end.
        package var to: String?
    }
}

extension TaxiService {
    /// Computes the effects of new zones without changing anything.
    package func plan(_ zones: ZoneSet) async throws -> RedrawPlan {
        try checkServing()
        let places = intake.places(in: zones)
        return try await dispatch.read { [book] state in
            state.plan(zones, places) { book[$0]?.places?.meeting }
        }
    }

    /// Puts the zones of a plan into force, the first ones or others (R3, R7).
    ///
    /// The moves are computed again at the time of the change, so that nobody is placed at an
    /// outdated position.
    ///
    /// - Parameters:
    ///   - plan: the plan that was shown for confirmation.
    ///   - publication: the author and the reason, stored with the new version.
    ///   - key: the idempotency key.
    ///   - further: statements of the same transaction.
    /// - Returns: the receipt of the command.
    /// - Throws: ``Failure/planOutdated`` if other zones came into force meanwhile; otherwise as
    ///   `DispatchService.give`.
    package func draw(
        _ plan: RedrawPlan,
        for publication: Publication = Publication(),
        key: DispatchService.Key? = nil,
        with further: [SQL] = []
    ) async throws -> DispatchService.Receipt {
        try checkServing()
        // A concurrent change of zones could invalidate the plan.
        let isFirst = isDrawing.withLock { isDrawing in
            defer { isDrawing = true }
            return !isDrawing
        }
        guard isFirst else { throw Failure.planOutdated }
        defer {
            isDrawing.withLock { isDrawing in
                precondition(isDrawing, "Two changes of the zones ran at once.")
                isDrawing = false
            }
        }
        // Reports about the old zones must not arrive after the new zones.
        await carryPositions()
        intake.pause()
        let zones = plan.zones
        do {
            let receipt = try await giveDrawing(plan, publication, key, with: further)
            let policy = try await dispatch.read { $0.policy }
            intake.resume(with: zones, policy: policy)
            try await compare()
            return receipt
        } catch {
            // Whether or not the command succeeded, the state says which zones are in force.
            let state = try? await dispatch.read { ($0.zonesHash, $0.policy) }
            let isDrawn = state?.0 == zones.versionHash
            intake.resume(with: isDrawn ? zones : nil, policy: state?.1 ?? .viavai)
            throw error
        }
    }

    /// Retries when requests begin or end between the computation and the command.
    private func giveDrawing(
        _ plan: RedrawPlan,
        _ publication: Publication,
        _ key: DispatchService.Key?,
        with further: [SQL]
    ) async throws -> DispatchService.Receipt {
        let zones = plan.zones
        var attempt = 1
        while true {
            let places = intake.places(in: zones)
            let (drawing, inForce) = try await dispatch.read { [book] state in
                (
                    state.drawing(zones, places) { book[$0]?.places?.meeting },
                    state.zonesHash
                )
            }
            guard inForce == plan.replaces || inForce == zones.versionHash else {
                throw Failure.planOutdated
            }
            do {
                return try await dispatch.give(.drawZones(drawing), key: key) {
                    [city, clock] receipt in
                    [RideStore.keep(zones, log: city.name)]
                        + publication.statements(
                            of: zones.versionHash,
                            at: clock.now(),
                            sequence: receipt.sequence,
                            log: city.name
                        ) + further
                }
            } catch Refusal.invalid(let field) where field != "names" && attempt < 20 {
                attempt += 1
            }
        }
    }
}

extension Dispatcher {
    /// The code of a zone; nil if there is no such zone.
    private func code(_ zone: ZoneNumber?) -> String? {
        guard let zone, zone.rawValue < zones.count else { return nil }
        return zones[Int(zone.rawValue)].name
    }

    fileprivate func plan(
        _ next: ZoneSet,
        _ places: [Place?],
        _ meeting: (RequestNumber) -> Coordinate?
    ) -> RedrawPlan {
        var plan = RedrawPlan(zones: next, replaces: zonesHash)
        let drawing = drawing(next, places, meeting)
        func name(_ zone: ZoneNumber?) -> String? {
            zone.map { next[ZoneIndex(rawValue: $0.rawValue)].code }
        }
        for (taxi, place) in zip(taxis, drawing.places) where !taxi.isRemoved {
            var zone: ZoneNumber?
            if case .zone(let number) = place { zone = number }
            let move = RedrawPlan.Move(
                subject: taxi.number,
                from: code(taxi.zone),
                to: name(zone)
            )
            if move.from != move.to { plan.taxis.append(move) }
            let index = Int(taxi.number.rawValue)
            let isHeard = index < places.count && places[index] != nil
            if !isHeard && taxi.place != .unknown { plan.unheard += 1 }
        }
        for moved in drawing.requests {
            guard let request = request(moved.request) else { continue }
            let move = RedrawPlan.Move(
                subject: request.number,
                from: code(request.zone),
                to: name(moved.zone)
            )
            if move.from != move.to { plan.requests.append(move) }
        }
        return plan
    }

    /// Creates the command for new zones: subjects with a known position are placed by it, others
    /// by the code of their zone.
    fileprivate func drawing(
        _ next: ZoneSet,
        _ places: [Place?],
        _ meeting: (RequestNumber) -> Coordinate?
    ) -> ZoneDrawing {
        func same(_ zone: ZoneNumber?) -> ZoneNumber? {
            code(zone).flatMap { next.zone(code: $0) }.map { ZoneNumber(rawValue: $0.rawValue) }
        }
        let taxiPlaces = taxis.map { taxi -> Place in
            let index = Int(taxi.number.rawValue)
            if index < places.count, let place = places[index] { return place }
            guard taxi.zone != nil else { return taxi.place }
            return same(taxi.zone).map { .zone($0) } ?? .unknown
        }
        let moved = requests.map { request -> ZoneDrawing.Redrawn in
            guard let place = meeting(request.number) else {
                return ZoneDrawing.Redrawn(request: request.number, zone: same(request.zone))
            }
            let zone = next.zone(at: place).map { ZoneNumber(rawValue: $0.rawValue) }
            return ZoneDrawing.Redrawn(request: request.number, zone: zone)
        }
        return ZoneDrawing(
            names: next.zones.map(\.code),
            hash: next.versionHash,
            places: taxiPlaces,
            requests: moved
        )
    }
}
