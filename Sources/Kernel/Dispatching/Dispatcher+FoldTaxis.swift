internal import Chronology

extension Dispatcher {
    mutating func fold(_ event: Event.City) {
        switch event {
        case .policyAdopted(let policy): self.policy = policy
        case .zonesDrawn(let drawing): redraw(drawing)
        case .taxiRegistered(let number, let form):
            precondition(number.rawValue == taxis.count, "A taxi's number was skipped or reused.")
            taxis.append(
                Taxi(
                    number: number,
                    code: form.code,
                    capacity: form.capacity,
                    licensedUntil: form.licensedUntil
                )
            )
        case .taxiChanged(let number, let form):
            update(number) {
                $0.code = form.code
                $0.capacity = form.capacity
                $0.licensedUntil = form.licensedUntil
            }
            watchLicence(number)
        case .taxiRemoved(let number):
            update(number) {
                $0.isRemoved = true
                $0.isOnDuty = false
                $0.keptTurn = nil
                $0.graceEnds = nil
                $0.homeTurn = nil
            }
        case .setupCompleted: isSetUp = true
        case .suspended(let reason): suspension = reason
        case .resumed: suspension = nil
        case .restarted: break
        }
    }

    mutating func fold(_ event: Event.Taxi) {
        switch event {
        case .wentOnDuty(let number):
            update(number) {
                $0.isOnDuty = true
                $0.ignoredOffers = 0
            }
            watchLicence(number)
        case .wentOffDuty(let number, _, _):
            update(number) {
                $0.isOnDuty = false
                $0.keptTurn = nil
                $0.graceEnds = nil
                $0.ignoredOffers = 0
                $0.homeTurn = nil
            }
        case .placed(let number, let place): move(number, to: place)
        case .contactLost(let number, let keptUntil):
            update(number) {
                $0.isReachable = false
                $0.graceEnds = keptUntil == .never ? nil : keptUntil
                if let zone = $0.zone, let rank = $0.rank {
                    $0.keptTurn = KeptTurn(zone: zone, rank: rank)
                }
            }
            if keptUntil != .never {
                deadlines.push(Deadline(due: keptUntil, subject: .turn(number)))
            }
        case .contactRegained(let number):
            update(number) {
                $0.isReachable = true
                $0.keptTurn = nil
                $0.graceEnds = nil
            }
        case .enqueued(let number, let zone, let rank, _):
            precondition(
                taxis[Int(number.rawValue)].rank == nil,
                "A taxi was put into a queue while it was in one."
            )
            precondition(
                taxis[Int(number.rawValue)].place == .zone(zone),
                "A taxi was put into the queue of a zone in which it is not."
            )
            update(number) {
                $0.rank = rank
                $0.keptTurn = nil
                if $0.homeTurn?.zone == zone { $0.homeTurn = nil }
            }
            zones[Int(zone.rawValue)].insert(number, at: rank)
        case .dequeued(let number, _):
            if let rank = taxis[Int(number.rawValue)].rank,
                let zone = taxis[Int(number.rawValue)].zone
            {
                zones[Int(zone.rawValue)].remove(rank)
            }
            update(number) { $0.rank = nil }
        case .turnKept(let number, let zone, let rank):
            update(number) { $0.keptTurn = KeptTurn(zone: zone, rank: rank) }
        case .homeTurnKept(let number, let zone, let rank, let until):
            update(number) { $0.homeTurn = HomeTurn(zone: zone, rank: rank, until: until) }
        case .turnRestored: break
        }
    }

    private mutating func move(_ number: TaxiNumber, to place: Place) {
        let taxi = taxis[Int(number.rawValue)]
        precondition(taxi.rank == nil, "A taxi changed its place while it was in a queue.")
        if case .offer = taxi.work {
            if let zone = taxi.zone { zones[Int(zone.rawValue)].removePending(number) }
            if case .zone(let zone) = place { zones[Int(zone.rawValue)].addPending(number) }
        }
        update(number) { $0.place = place }
    }

    private mutating func redraw(_ drawing: ZoneDrawing) {
        let formerPlaces = taxis.map { $0.place }
        zones = drawing.names.map { ZoneQueue(name: $0) }
        zonesHash = drawing.hash
        for (index, place) in drawing.places.enumerated() {
            let number = TaxiNumber(rawValue: UInt32(index))
            update(number) {
                $0.place = place
                // Zone numbers have new meanings.
                $0.homeTurn = nil
            }
            guard case .zone(let zone) = place else {
                update(number) {
                    $0.rank = nil
                    $0.keptTurn = nil
                }
                continue
            }
            let taxi = taxis[index]
            if let kept = taxi.keptTurn {
                update(number) { $0.keptTurn = KeptTurn(zone: zone, rank: kept.rank) }
            }
            if let rank = taxi.rank { zones[Int(zone.rawValue)].insert(number, at: rank) }
            if case .offer = taxi.work { zones[Int(zone.rawValue)].addPending(number) }
        }
        for moved in drawing.requests {
            table.update(moved.request) { request in
                request.zone = moved.zone ?? ZoneNumber(rawValue: 0)
                request.form.zone = moved.zone
                request.form.neighbours = []
            }
            guard let zone = moved.zone else { continue }
            if let request = table[moved.request], request.isHeld {
                zones[Int(zone.rawValue)].addHeld(request.number, arrival: request.arrival)
            }
        }
        for request in table.sorted {
            let taxi = request.offer?.taxi ?? request.ride?.taxi
            guard let taxi = taxi.map({ Int($0.rawValue) }) else { continue }
            table.update(request.number) {
                $0.moveFormerPlace(from: formerPlaces[taxi], to: taxis[taxi].zone)
            }
        }
    }

    private mutating func watchLicence(_ number: TaxiNumber) {
        let taxi = taxis[Int(number.rawValue)]
        guard taxi.isOnDuty, taxi.licensedUntil != .never else { return }
        deadlines.push(Deadline(due: taxi.licensedUntil, subject: .licence(number)))
    }
}

extension Request {
    /// After a redraw, the queue position that a taxi gave up counts in the zone where the taxi is
    /// now, if it was still in the zone of that position.
    ///
    /// Otherwise the position is lost, since zone numbers have new meanings.
    mutating func moveFormerPlace(from place: Place, to zone: ZoneNumber?) {
        func moved(_ former: FormerPlace?) -> FormerPlace? {
            guard let former, let zone, place == .zone(former.zone) else { return nil }
            return FormerPlace(zone: zone, rank: former.rank)
        }
        switch phase {
        case .offered(var offer):
            offer.former = moved(offer.former)
            phase = .offered(offer)
        case .riding(var ride):
            ride.former = moved(ride.former)
            phase = .riding(ride)
        case .reserved, .seeking, .held, .parked, .joined: break
        }
    }
}
