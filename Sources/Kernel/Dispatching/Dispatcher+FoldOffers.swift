internal import Chronology

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
