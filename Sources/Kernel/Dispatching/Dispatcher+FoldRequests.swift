internal import Chronology

extension Dispatcher {
    mutating func fold(_ event: Event.Request) {
        switch event {
        case .requested(let number, let form):
            arrive(arrived(number, form, phase: .seeking, isLive: true))
        case .reserved(let number, let form, let due, let firstTry):
            var request = arrived(number, form, phase: .reserved(nextTry: firstTry), isLive: false)
            request.due = due
            arrive(request)
        case .joined(let number, let form, let owner):
            table.update(owner) { $0.joiners.append(number) }
            arrive(arrived(number, form, phase: .joined(owner), isLive: true))
            recount(owner)
        case .reservationTried(let number): beginTry(number)
        case .reservationPostponed(let number, let cause, let nextTry):
            table.update(number) { request in
                switch cause {
                case .passengerBusy: request.tries += 1
                // An attempt that a suspension interrupted does not count.
                case .suspended where request.phase == .seeking:
                    request.tries = max(0, request.tries - 1)
                case .suspended, .noTaxi: break
                }
                request.phase = .reserved(nextTry: nextTry)
            }
            watch(number)
        case .held(let number, let nextTry):
            table.update(number) { $0.phase = .held(nextTry: nextTry) }
            if let request = table[number] {
                zones[Int(request.zone.rawValue)].addHeld(number, arrival: request.arrival)
            }
            watch(number)
        case .heldTried(let number):
            leaveHeld(number)
            table.update(number) { request in
                request.heldTries += 1
                request.phase = .seeking
            }
        case .parked(let number, _):
            leaveHeld(number)
            table.update(number) { $0.phase = .parked }
        case .unparked(let number):
            table.update(number) { $0.phase = .seeking }
        case .assigned(let number, _, _):
            leaveHeld(number)
            table.update(number) { $0.phase = .seeking }
        case .ended(let number, _, _): foldEnd(number)
        case .ownerChanged(let old, let new): changeOwner(from: old, to: new)
        }
    }

    private mutating func beginTry(_ number: RequestNumber) {
        let arrival = sequence
        let forgets = policy.refusedMemory == .try
        let snapshot = snapshot(for: number)
        var passenger: PassengerNumber?
        table.update(number) { request in
            if !request.isLive { request.arrival = arrival }
            request.tries += 1
            request.isLive = true
            request.offers = 0
            request.eligible = snapshot
            if forgets { request.asked = [] }
            request.phase = .seeking
            passenger = request.form.passenger
        }
        if let passenger { passengers[passenger] = number }
    }

    private mutating func arrive(_ request: Request) {
        lastRequest = max(lastRequest, request.number.rawValue)
        if request.isLive { passengers[request.form.passenger] = request.number }
        table.insert(request)
        watch(request.number)
    }

    private func arrived(
        _ number: RequestNumber,
        _ form: RequestForm,
        phase: Request.Phase,
        isLive: Bool
    ) -> Request {
        Request(
            number: number,
            form: form,
            needs: form.needs,
            zone: form.zone ?? ZoneNumber(rawValue: 0),
            arrival: sequence,
            phase: phase,
            isLive: isLive
        )
    }

    /// The drivers queued for a request now, by number, where only they may take it (C6).
    func snapshot(for number: RequestNumber) -> [TaxiNumber]? {
        guard policy.reserveSnapshot, let zone = table[number]?.zone else { return nil }
        return zones[Int(zone.rawValue)].entries.map { $0.taxi }.sorted()
    }

    /// Adds up what the taxi of a shared ride must carry.
    private mutating func recount(_ owner: RequestNumber) {
        guard let request = table[owner] else { return }
        var needs = request.form.needs
        for joiner in request.joiners {
            guard let more = table[joiner]?.form.needs else { continue }
            needs.seats = UInt8(clamping: Int32(needs.seats) + Int32(more.seats))
            needs.wheelchair = needs.wheelchair || more.wheelchair
        }
        table.update(owner) { $0.needs = needs }
    }

    private mutating func leaveHeld(_ number: RequestNumber) {
        guard let request = table[number], request.isHeld else { return }
        let zone = Int(request.zone.rawValue)
        if zone < zones.count { zones[zone].removeHeld(number) }
    }

    private mutating func foldEnd(_ number: RequestNumber) {
        leaveHeld(number)
        guard let request = table[number] else {
            preconditionFailure("A request ended that does not exist or had ended before.")
        }
        if passengers[request.form.passenger] == number {
            passengers[request.form.passenger] = nil
        }
        if let taxi = request.ride?.taxi {
            update(taxi) { $0.work = .none }
        }
        if case .joined(let owner) = request.phase {
            table.update(owner) { $0.joiners.removeAll { $0 == number } }
            recount(owner)
        }
        table.remove(number)
    }

    /// The first joiner becomes the owner; the ride continues under the joiner's number.
    private mutating func changeOwner(from old: RequestNumber, to new: RequestNumber) {
        guard let former = table[old], former.joiners.contains(new) else {
            preconditionFailure("A ride passed to a request that had not joined it.")
        }
        leaveHeld(old)
        let others = former.joiners.filter { $0 != new }
        for number in others { table.update(number) { $0.phase = .joined(new) } }
        table.update(new) { owner in
            owner.phase = former.phase
            if case .riding(var ride) = former.phase {
                ride.acceptedFor = former.acceptedFor
                owner.phase = .riding(ride)
            }
            owner.zone = former.zone
            owner.arrival = former.arrival
            owner.due = former.due
            owner.heldTries = former.heldTries
            owner.tries = former.tries
            owner.asked = former.asked
            owner.offers = former.offers
            owner.eligible = former.eligible
            owner.hasLostTaxi = former.hasLostTaxi
            owner.joiners = others
            owner.form.zone = former.form.zone
            owner.form.neighbours = former.form.neighbours
        }
        recount(new)
        // What is left of the former owner's request is a joiner of nobody, which then ends.
        table.update(old) { request in
            request.phase = .parked
            request.joiners = []
        }
        if let taxi = former.offer?.taxi { update(taxi) { $0.work = .offer(new) } }
        if let taxi = former.ride?.taxi { update(taxi) { $0.work = .ride(new) } }
        if former.isHeld {
            zones[Int(former.zone.rawValue)].addHeld(new, arrival: former.arrival)
        }
        watch(new)
    }

    /// Schedules the next deadline of a request.
    mutating func watch(_ number: RequestNumber) {
        guard let due = table[number].flatMap(Self.due) else { return }
        deadlines.push(Deadline(due: due, subject: .request(number)))
    }

    mutating func update(_ number: TaxiNumber, _ change: (inout Taxi) -> Void) {
        change(&taxis[Int(number.rawValue)])
    }
}

extension Dispatcher {
    mutating func fold(_ event: Event.Offer) {
        switch event {
        case .offered(let number, let taxi, let deadline, _):
            foldOffered(number, to: taxi, deadline: deadline)
        case .offerRenewed(let number, let deadline):
            changeOffer(number) { $0.deadline = deadline }
            watch(number)
        case .offerDelivered(let number):
            changeOffer(number) { $0.isDelivered = true }
        case .offerClosed(let number, let outcome): foldClosed(number, outcome)
        case .accepted(let number): foldAccepted(number)
        }
    }

    mutating func fold(_ event: Event.Ride) {
        switch event {
        case .arrivalStated: break
        case .meetingPointReached(let number):
            let now = now
            changeRide(number) { ride in
                ride.stage = .atMeetingPoint
                ride.reachedAt = now
            }
        case .codeRejected(let number):
            changeRide(number) { $0.wrongCodes = max($0.wrongCodes, $0.wrongCodes &+ 1) }
        case .boarded(let number, let aboard):
            changeRide(number) { ride in
                ride.stage = .aboard
                ride.aboard = aboard
            }
        case .destinationReached(let number): changeRide(number) { $0.isAtDestination = true }
        case .givenBack(let number, _, _): foldGivenBack(number)
        }
    }

    private mutating func foldOffered(
        _ number: RequestNumber,
        to taxi: TaxiNumber,
        deadline: Moment
    ) {
        precondition(
            taxis[Int(taxi.rawValue)].work == .none,
            "A taxi was offered a second request before the first was answered or driven."
        )
        precondition(
            table[number]?.phase == .seeking,
            "A request was offered to a taxi while it was not looking for one."
        )
        guard let zone = taxis[Int(taxi.rawValue)].zone,
            let rank = taxis[Int(taxi.rawValue)].rank
        else { preconditionFailure("A request was offered to a taxi that is in no queue.") }
        let former = FormerPlace(zone: zone, rank: rank)
        zones[Int(zone.rawValue)].remove(rank)
        zones[Int(zone.rawValue)].addPending(taxi)
        let offer = Offer(taxi: taxi, epoch: sequence, deadline: deadline, former: former)
        table.update(number) { request in
            request.phase = .offered(offer)
            request.asked.append(taxi)
            request.offers += 1
        }
        update(taxi) { taxi in
            taxi.work = .offer(number)
            taxi.rank = nil
        }
        watch(number)
    }

    private mutating func foldClosed(_ number: RequestNumber, _ outcome: OfferOutcome) {
        let offer = openOffer(of: number)
        release(offer.taxi)
        update(offer.taxi) { taxi in
            taxi.work = .none
            switch outcome {
            case .refused: taxi.ignoredOffers = 0
            case .ignored where offer.isDelivered && taxi.ignoredOffers < .max:
                taxi.ignoredOffers += 1
            case .ignored, .undeliverable, .withdrawn: break
            }
        }
        table.update(number) { request in
            request.phase = .seeking
            // A withdrawn offer does not count: the driver may be asked again.
            if outcome == .withdrawn {
                _ = request.asked.popLast()
                request.offers -= 1
            }
        }
    }

    private mutating func foldAccepted(_ number: RequestNumber) {
        let offer = openOffer(of: number)
        release(offer.taxi)
        update(offer.taxi) { taxi in
            taxi.work = .ride(number)
            taxi.ignoredOffers = 0
            taxi.homeTurn = nil
        }
        table.update(number) {
            $0.phase = .riding(Ride(taxi: offer.taxi, former: offer.former))
            $0.hasLostTaxi = false
        }
    }

    /// Restarts the search with the full number of offers and attempts, among the
    /// drivers who are queued now.
    ///
    /// The driver who gave the ride back counts as asked.
    private mutating func foldGivenBack(_ number: RequestNumber) {
        guard let ride = table[number]?.ride else {
            preconditionFailure("A ride was given back that no driver has accepted.")
        }
        precondition(
            taxis[Int(ride.taxi.rawValue)].work == .ride(number),
            "A ride was given back by a taxi that drives for another request."
        )
        update(ride.taxi) { $0.work = .none }
        let queued = snapshot(for: number)
        table.update(number) { request in
            request.phase = .seeking
            request.hasLostTaxi = true
            request.heldTries = 0
            request.offers = 0
            if request.eligible != nil { request.eligible = queued }
        }
    }

    private func openOffer(of number: RequestNumber) -> Offer {
        guard let offer = table[number]?.offer else {
            preconditionFailure("An offer was answered or closed that is not open.")
        }
        precondition(
            taxis[Int(offer.taxi.rawValue)].work == .offer(number),
            "The taxi of an open offer was offered another request."
        )
        return offer
    }

    /// Removes a driver from the pending list of the zone.
    private mutating func release(_ taxi: TaxiNumber) {
        if let zone = taxis[Int(taxi.rawValue)].zone {
            zones[Int(zone.rawValue)].removePending(taxi)
        }
    }

    private mutating func changeOffer(_ number: RequestNumber, _ change: (inout Offer) -> Void) {
        table.update(number) { request in
            guard var offer = request.offer else {
                preconditionFailure("An offer was changed that is not open.")
            }
            change(&offer)
            request.phase = .offered(offer)
        }
    }

    private mutating func changeRide(_ number: RequestNumber, _ change: (inout Ride) -> Void) {
        table.update(number) { request in
            guard var ride = request.ride else {
                preconditionFailure("A ride went on that no driver has accepted.")
            }
            change(&ride)
            request.phase = .riding(ride)
        }
    }
}
