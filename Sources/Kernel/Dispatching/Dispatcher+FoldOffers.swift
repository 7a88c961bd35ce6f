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
        var former: FormerPlace?
        if let zone = taxis[Int(taxi.rawValue)].zone {
            if let rank = taxis[Int(taxi.rawValue)].rank {
                former = FormerPlace(zone: zone, rank: rank)
                zones[Int(zone.rawValue)].remove(rank)
            }
            zones[Int(zone.rawValue)].addPending(taxi)
        }
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
        guard let offer = table[number]?.offer else { return }
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
        guard let offer = table[number]?.offer else { return }
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
        if let taxi = table[number]?.ride?.taxi { update(taxi) { $0.work = .none } }
        let queued = snapshot(for: number)
        table.update(number) { request in
            request.phase = .seeking
            request.hasLostTaxi = true
            request.heldTries = 0
            request.offers = 0
            if request.eligible != nil { request.eligible = queued }
        }
    }

    /// Removes a driver from the pending list of the zone.
    private mutating func release(_ taxi: TaxiNumber) {
        if let zone = taxis[Int(taxi.rawValue)].zone {
            zones[Int(zone.rawValue)].removePending(taxi)
        }
    }

    private mutating func changeOffer(_ number: RequestNumber, _ change: (inout Offer) -> Void) {
        table.update(number) { request in
            guard var offer = request.offer else { return }
            change(&offer)
            request.phase = .offered(offer)
        }
    }

    private mutating func changeRide(_ number: RequestNumber, _ change: (inout Ride) -> Void) {
        table.update(number) { request in
            guard var ride = request.ride else { return }
            change(&ride)
            request.phase = .riding(ride)
        }
    }
}
