extension Dispatcher {
    mutating func decide(_ command: Command.City) throws(Refusal) {
        switch command {
        case .adopt(let policy): emit(.policyAdopted(policy))
        case .drawZones(let drawing): try drawZones(drawing)
        case .register(let form):
            try check(form, besides: nil)
            emit(.taxiRegistered(TaxiNumber(rawValue: UInt32(taxis.count)), form))
        case .change(let number, let form):
            let taxi = try registered(number)
            try check(form, besides: number)
            emit(.taxiChanged(number, form))
            let mustLeave = taxi.isOnDuty && taxi.status != .riding && form.licensedUntil <= now
            if mustLeave { leaveDuty(number, .licence) }
        case .remove(let number): try remove(number)
        case .completeSetup:
            if isSetUp { throw .setupAlreadyComplete }
            if zones.isEmpty || taxis.isEmpty { throw .nothingSetUp }
            emit(.setupCompleted)
        }
    }

    private func check(_ form: TaxiForm, besides number: TaxiNumber?) throws(Refusal) {
        if form.code.isEmpty { throw .invalid("code") }
        guard form.capacity.isValid else { throw .invalid("seats") }
        let isTaken = taxis.contains {
            $0.code == form.code && $0.number != number && !$0.isRemoved
        }
        if isTaken { throw .codeTaken(form.code) }
    }

    private mutating func remove(_ number: TaxiNumber) throws(Refusal) {
        let taxi = try registered(number)
        if taxi.status == .riding { throw .riding }
        var asked: RequestNumber?
        if case .offer(let request) = taxi.work {
            emit(.offerClosed(request, .withdrawn))
            asked = request
        }
        if taxi.rank != nil { emit(.dequeued(number, .removed)) }
        emit(.taxiRemoved(number))
        if let asked { seek(asked) }
    }

    /// Withdraws every open offer and ends every request that has no taxi; reservations stay.
    mutating func suspendRequests() {
        for request in table.sorted where table[request.number] != nil {
            closeOffer(request.number, .withdrawn)
            switch table[request.number]?.phase {
            case .seeking where request.due != nil: giveUpReservation(request)
            case .seeking, .held, .parked: end(request.number, .suspended)
            case .offered, .reserved, .riding, .joined, nil: break
            }
        }
    }

    // MARK: Zones

    private mutating func drawZones(_ drawing: ZoneDrawing) throws(Refusal) {
        try check(drawing)
        let places = taxis.map { $0.place }
        emit(.zonesDrawn(drawing))
        precondition(
            zones.count == drawing.names.count,
            "The city has other zones than were drawn."
        )
        for moved in drawing.requests where moved.zone == nil {
            guard let request = table[moved.request], request.ride == nil else { continue }
            if case .joined = request.phase { continue }
            closeOffer(request.number, .withdrawn)
            end(request.number, .outsideCity)
        }
        for (taxi, place) in zip(taxis, places) where taxi.place != place {
            enqueue(taxi.number, .redrawn)
        }
        for zone in zones.indices {
            serveHeld(in: ZoneNumber(rawValue: UInt32(zone)))
        }
    }

    private func check(_ drawing: ZoneDrawing) throws(Refusal) {
        if drawing.names.isEmpty || Set(drawing.names).count != drawing.names.count {
            throw .invalid("names")
        }
        guard drawing.places.count == taxis.count else { throw .invalid("places") }
        for place in drawing.places {
            if case .zone(let zone) = place, zone.rawValue >= drawing.names.count {
                throw .noSuchZone
            }
        }
        let known = table.sorted.map { $0.number }
        guard drawing.requests.map({ $0.request }) == known else { throw .invalid("requests") }
        for request in drawing.requests {
            if let zone = request.zone, zone.rawValue >= drawing.names.count { throw .noSuchZone }
        }
    }
}
