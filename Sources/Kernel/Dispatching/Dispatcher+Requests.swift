internal import Chronology

extension Dispatcher {
    mutating func request(_ asked: RequestForm) throws(Refusal) {
        if let suspension { throw .suspended(suspension) }
        if asked.isGuest && policy.guestRequests == .deny { throw .guestsNotAllowed }
        var form = try checked(asked)
        if let live = passengers[form.passenger] { throw .liveRequest(live) }
        switch policy.destination {
        case .required: if !form.hasDestination { throw .destinationMissing }
        case .optional: break
        case .hidden: if !form.isShared { form.hasDestination = false }
        }
        let number = nextNumber
        emit(.requested(number, form))
        seek(number)
    }

    /// Returns the form if its fields are in range and consistent, or throws.
    func checked(_ form: RequestForm) throws(Refusal) -> RequestForm {
        guard form.needs.isValid else { throw .invalid("seats") }
        guard let zone = form.zone else { throw .originOutsideCity }
        guard zone.rawValue < zones.count else { throw .noSuchZone }
        try checkNeighbours(form)
        if form.isShared {
            guard policy.sharing else { throw .sharingDisabled }
            guard !form.isGuest else { throw .guestsNotAllowed }
            guard form.hasDestination else { throw .destinationMissing }
        }
        return form
    }

    var nextNumber: RequestNumber { RequestNumber(rawValue: lastRequest + 1) }

    // MARK: Cancelling

    mutating func cancel(_ number: RequestNumber) throws(Refusal) {
        guard let request = table[number] else { throw .noSuchRequest }
        try checkCancel(request)
        remove(request, .cancelled, reason: "")
    }

    /// Throws if the passenger may no longer cancel: C27 for requests, R80 for reservations.
    ///
    /// A joiner may cancel as long as the owner of the ride may.
    private func checkCancel(_ request: Request) throws(Refusal) {
        if case .joined(let owner) = request.phase, let shared = table[owner] {
            return try checkCancel(shared)
        }
        guard let ride = request.ride else {
            if request.due == nil && policy.cancelRequest == .never { throw .tooLateToCancel }
            return
        }
        let mayCancelRide = request.due == nil && policy.cancelRequest == .untilArrival
        guard mayCancelRide, ride.stage == .onTheWay else { throw .tooLateToCancel }
    }

    /// Removes a request; passengers who joined it keep the ride.
    mutating func remove(_ request: Request, _ outcome: RequestOutcome, reason: String) {
        let number = request.number
        if let heir = request.joiners.first {
            emit(.ownerChanged(from: number, to: heir))
            emit(.ended(number, outcome, reason: reason))
        } else if request.ride != nil {
            finishRide(number, outcome, reason: reason)
        } else {
            closeOffer(number, .withdrawn)
            end(number, outcome, reason: reason)
        }
    }

    // MARK: Looking for a taxi

    /// Offers a request to the next driver, or decides what happens to it if there is none.
    mutating func seek(_ number: RequestNumber) {
        guard let request = table[number], request.phase == .seeking else { return }
        serveHeld(in: request.zone, before: request.arrival)
        if suspension == nil, let taxi = claimedTaxi(for: request) {
            ask(taxi, for: request)
        } else {
            giveUp(request)
        }
        precondition(
            table[number]?.phase != .seeking,
            "A request was left without an offer, a later attempt or an end."
        )
    }

    /// The first driver in the zone's queue who may take the request (R47, I5); if there is none,
    /// the first of the nearest zone in reach.
    func nextTaxi(for request: Request) -> TaxiNumber? {
        let most = policy[.maxOffers]
        if most > 0 && Int64(request.offers) >= most { return nil }
        return first(in: request.zone, for: request)?.taxi ?? nextNeighbour(for: request)
    }

    /// The first driver in a zone's queue who may take a request.
    func first(in zone: ZoneNumber, for request: Request) -> ZoneQueue.Entry? {
        zones[Int(zone.rawValue)].entries.first { mayTake($0.taxi, request) }
    }

    /// Whether a driver can carry a request and was not asked for it before.
    ///
    /// The licence is checked here too: when the clock has jumped, as after a pause, a request may
    /// become due before the deadline of a licence that has already expired (I14).
    func mayTake(_ taxi: TaxiNumber, _ request: Request) -> Bool {
        guard taxis[Int(taxi.rawValue)].capacity.covers(request.needs) else { return false }
        guard taxis[Int(taxi.rawValue)].licensedUntil > now else { return false }
        if policy.refusedMemory != .none && request.asked.contains(taxi) { return false }
        guard let eligible = request.eligible else { return true }
        return eligible.contains(taxi)
    }

    private mutating func ask(_ taxi: TaxiNumber, for request: Request) {
        let rule: OfferRule =
            request.due != nil
            ? .reservation : request.heldTries > 0 ? .heldRequest : .firstInQueue
        offer(request, to: taxi, rule)
    }

    /// Offers a request; a driver of another zone is asked by a rule of its own.
    private mutating func offer(_ request: Request, to taxi: TaxiNumber, _ rule: OfferRule) {
        let isOwn = taxis[Int(taxi.rawValue)].zone == request.zone
        emit(
            .offered(request.number, taxi, deadline: answerTime, isOwn ? rule : .neighbour)
        )
    }

    /// Handles a request that no driver may take now: it is held, tried later, or ended.
    private mutating func giveUp(_ request: Request) {
        let failure: RequestOutcome = request.asked.isEmpty ? .noTaxi : .allRefused
        if let last = request.joiners.last, isTooLarge(request) {
            emit(.ended(last, failure, reason: ""))
            seek(request.number)
        } else if request.due != nil {
            giveUpReservation(request)
        } else if suspension != nil {
            end(request.number, .suspended)
        } else if mayBeHeld(request) {
            emit(.held(request.number, nextTry: now.adding(seconds: policy[.heldEvery])))
        } else {
            end(request.number, waitsForPending(request) ? .heldTooLong : failure)
        }
    }

    /// Whether no taxi can carry all passengers of a shared ride although one could
    /// carry the owner alone.
    ///
    /// The last passenger to join is then removed, so that nobody loses their
    /// taxi to later joiners.
    private func isTooLarge(_ request: Request) -> Bool {
        guard suspension == nil, !mayBeHeld(request) else { return false }
        var alone = request
        alone.needs = request.form.needs
        return nextTaxi(for: alone) != nil || mayBeHeld(alone)
    }

    private func mayBeHeld(_ request: Request) -> Bool {
        request.due == nil && Int64(request.heldTries) < policy[.heldTries]
            && waitsForPending(request)
    }

    /// Whether a driver with an open offer for another request could take this one (R56, I10).
    private func waitsForPending(_ request: Request) -> Bool {
        let most = policy[.maxOffers]
        if policy[.heldTries] == 0 || most > 0 && Int64(request.offers) >= most { return false }
        let reached = [request.zone] + neighbours(of: request).map { $0.zone }
        return reached.contains { zone in
            zones[Int(zone.rawValue)].pending.contains { mayTake($0, request) }
        }
    }

    /// Retries the requests held in a zone, which come before newer ones (G11).
    mutating func serveHeld(in zone: ZoneNumber, before arrival: Int64 = .max) {
        guard suspension == nil else { return }
        for waiting in zones[Int(zone.rawValue)].held where waiting.arrival < arrival {
            // Spares the search where nobody can be found.
            let mayFind = policy[.neighbourReach] > 0 || !zones[Int(zone.rawValue)].entries.isEmpty
            guard mayFind else { return }
            guard let request = table[waiting.request], request.isHeld,
                let taxi = claimedTaxi(for: request)
            else { continue }
            offerHeld(request, to: taxi)
        }
    }

    mutating func offerHeld(_ request: Request, to taxi: TaxiNumber) {
        emit(.heldTried(request.number))
        offer(request, to: taxi, .heldRequest)
    }

    /// Puts a driver into the queue of their zone if they are available, by default at the tail.
    mutating func enqueue(_ number: TaxiNumber, _ cause: QueueCause, at rank: Rank? = nil) {
        let taxi = taxis[Int(number.rawValue)]
        guard taxi.status == .available, taxi.rank == nil, let zone = taxi.zone else { return }
        emit(.enqueued(number, zone, rank ?? Rank(sequence: sequence), cause))
        // With `pending.retry: on_event`, the driver gets the oldest held request that they can
        // take.
        guard policy.heldRetry == .onEvent, suspension == nil else { return }
        for waiting in zones[Int(zone.rawValue)].held + heldNear(zone) {
            guard let request = table[waiting.request], request.isHeld,
                claimedTaxi(for: request) == number
            else { continue }
            offerHeld(request, to: number)
            return
        }
    }

    /// The position that a driver gets back: the former one if still in its zone, else the tail.
    func restored(_ taxi: TaxiNumber, _ former: FormerPlace?) -> Rank? {
        guard let former, taxis[Int(taxi.rawValue)].zone == former.zone else { return nil }
        return former.rank
    }

    /// Closes the open offer of a request and requeues the driver as the
    /// outcome requires (R52, I7).
    mutating func closeOffer(_ number: RequestNumber, _ outcome: OfferOutcome) {
        guard let offer = table[number]?.offer else { return }
        emit(.offerClosed(number, outcome))
        precondition(table[number]?.offer == nil, "An offer stayed open when it was closed.")
        let limit = policy[.maxIgnored]
        if outcome == .ignored, limit > 0,
            Int64(taxis[Int(offer.taxi.rawValue)].ignoredOffers) >= limit
        {
            leaveDuty(offer.taxi, .ignoredOffers)
            return
        }
        switch outcome {
        case .refused: enqueue(offer.taxi, .refused)
        case .ignored: enqueue(offer.taxi, .ignored)
        case .undeliverable: enqueue(offer.taxi, .undeliverable)
        case .withdrawn:
            enqueue(offer.taxi, .offerWithdrawn, at: restored(offer.taxi, offer.former))
        }
    }

    /// The request whose open offer an answer refers to (I11).
    ///
    /// The taxi and the epoch identify the offer. The request number that the driver was shown does
    /// not: a shared ride may since have passed to another passenger, under another number.
    func request(
        offeredTo taxi: TaxiNumber,
        _ epoch: Int64
    ) throws(Refusal) -> RequestNumber {
        guard case .offer(let number)? = self.taxi(taxi)?.work,
            table[number]?.offer?.epoch == epoch
        else { throw .offerGone }
        return number
    }

    mutating func decline(
        _ taxi: TaxiNumber,
        _ epoch: Int64,
        _ outcome: OfferOutcome
    ) throws(Refusal) {
        let number = try request(offeredTo: taxi, epoch)
        closeOffer(number, outcome)
        seek(number)
    }

    /// Ends a request that has no taxi, and all requests that joined it.
    mutating func end(_ number: RequestNumber, _ outcome: RequestOutcome, reason: String = "") {
        for joiner in table[number]?.joiners ?? [] {
            emit(.ended(joiner, outcome, reason: reason))
        }
        emit(.ended(number, outcome, reason: reason))
    }
}
