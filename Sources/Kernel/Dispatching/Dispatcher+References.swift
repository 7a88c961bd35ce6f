extension Dispatcher {
    /// Whether everything that an event refers to exists and is in the state
    /// that the event expects.
    func refersToWhatIs(_ event: Event) -> Bool {
        switch event {
        case .city(let event): refersToWhatIs(event)
        case .taxi(let event): refersToWhatIs(event)
        case .request(let event): refersToWhatIs(event)
        case .offer(let event): refersToWhatIs(event)
        case .ride(let event): refersToWhatIs(event)
        }
    }

    private func refersToWhatIs(_ event: Event.City) -> Bool {
        switch event {
        case .policyAdopted, .setupCompleted, .suspended, .resumed, .restarted: true
        case .zonesDrawn(let drawing): fits(drawing)
        case .taxiRegistered(let number, _): number.rawValue == taxis.count
        case .taxiChanged(let taxi, _), .taxiRemoved(let taxi): has(taxi)
        }
    }

    private func refersToWhatIs(_ event: Event.Taxi) -> Bool {
        switch event {
        case .wentOnDuty(let taxi), .wentOffDuty(let taxi, _, _), .contactLost(let taxi, _),
            .contactRegained(let taxi), .dequeued(let taxi, _), .turnRestored(let taxi, _):
            return has(taxi)
        case .placed(let taxi, let place):
            guard has(taxi), taxis[Int(taxi.rawValue)].rank == nil else { return false }
            if case .zone(let zone) = place { return has(zone) }
            return true
        case .enqueued(let number, let zone, _, _):
            guard let taxi = taxi(number) else { return false }
            return taxi.rank == nil && taxi.place == .zone(zone) && has(zone)
        case .turnKept(let taxi, let zone, _), .homeTurnKept(let taxi, let zone, _, _):
            return has(taxi) && has(zone)
        }
    }

    private func refersToWhatIs(_ event: Event.Request) -> Bool {
        switch event {
        case .requested(let request, let form), .reserved(let request, let form, _, _):
            table[request] == nil && hasZones(of: form)
        case .joined(let request, let form, let owner):
            table[request] == nil && table[owner] != nil && hasZones(of: form)
        case .assigned(let request, let taxi, _): has(taxi) && has(request)
        case .ownerChanged(let old, let new):
            table[old]?.joiners.contains(new) ?? false && table[new] != nil
        case .reservationTried(let request), .reservationPostponed(let request, _, _):
            has(request) && table[request]?.due != nil
        case .held(let request, _), .heldTried(let request), .parked(let request, _),
            .unparked(let request), .ended(let request, _, _):
            has(request)
        }
    }

    private func refersToWhatIs(_ event: Event.Offer) -> Bool {
        switch event {
        case .offered(let request, let number, _, _):
            guard has(request), let taxi = taxi(number) else { return false }
            return taxi.work == .none && taxi.rank != nil && table[request]?.phase == .seeking
        case .offerRenewed(let request, _), .offerDelivered(let request),
            .offerClosed(let request, _), .accepted(let request):
            return table[request]?.offer != nil
        }
    }

    private func refersToWhatIs(_ event: Event.Ride) -> Bool {
        switch event {
        case .meetingPointReached(let request), .codeRejected(let request),
            .boarded(let request, _), .destinationReached(let request),
            .arrivalStated(let request), .givenBack(let request, _, _):
            table[request]?.ride != nil
        }
    }

    private func has(_ taxi: TaxiNumber) -> Bool { taxi.rawValue < taxis.count }
    private func has(_ zone: ZoneNumber) -> Bool { zone.rawValue < zones.count }

    /// Whether the zones of a form exist.
    private func hasZones(of form: RequestForm) -> Bool {
        form.zone.map(has) ?? false && form.neighbours.allSatisfy { has($0.zone) }
    }

    private func has(_ request: RequestNumber) -> Bool {
        guard let request = table[request] else { return false }
        return has(request.zone)
    }

    private func fits(_ drawing: ZoneDrawing) -> Bool {
        let count = drawing.names.count
        let places = drawing.places.allSatisfy { place in
            if case .zone(let zone) = place { return zone.rawValue < count }
            return true
        }
        let requests = drawing.requests.allSatisfy { ($0.zone?.rawValue ?? 0) < count }
        let isWhole =
            drawing.places.count == taxis.count
            && drawing.requests.map { $0.request } == table.sorted.map { $0.number }
        return places && requests && isWhole
    }
}
