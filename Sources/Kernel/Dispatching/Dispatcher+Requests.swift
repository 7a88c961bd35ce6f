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

    mutating func reserve(_ asked: RequestForm, _ due: Moment) throws(Refusal) {
        if asked.isGuest { throw .guestsNotAllowed }
        let form = try checked(asked)
        guard form.hasDestination else { throw .destinationMissing }
        let earliest = now.adding(seconds: policy[.reserveMin] * 3_600)
        let latest = now.adding(seconds: policy[.reserveMax] * 3_600)
        if due < earliest { throw .tooSoon(earliest) }
        if due > latest { throw .tooFar(latest) }
        let firstTry = max(now, due.adding(seconds: -policy[.allocateBefore]))
        emit(.reserved(nextNumber, form, due: due, firstTry: firstTry))
    }

    /// Returns the form if its fields are in range and consistent, or throws.
    func checked(_ form: RequestForm) throws(Refusal) -> RequestForm {
        guard form.needs.isValid else { throw .invalid("seats") }
        guard let zone = form.zone else { throw .originOutsideCity }
        guard zone.rawValue < zones.count else { throw .noSuchZone }
        if form.isShared {
            guard policy.sharing else { throw .sharingDisabled }
            guard !form.isGuest else { throw .guestsNotAllowed }
            guard form.hasDestination else { throw .destinationMissing }
        }
        return form
    }

    var nextNumber: RequestNumber { RequestNumber(rawValue: lastRequest + 1) }

    // MARK: Reservations

    /// Starts an attempt for a reservation that is due (R78, R79).
    mutating func tryReservation(_ number: RequestNumber) {
        guard let request = table[number] else { return }
        if suspension != nil { return postpone(request, .suspended) }
        if let live = passengers[request.form.passenger], live != number {
            return postpone(request, .passengerBusy)
        }
        emit(.reservationTried(number))
        seek(number)
    }

    /// Handles a reservation that nobody took in this attempt.
    mutating func giveUpReservation(_ request: Request) {
        let failsWhenRefused = policy.reserveAllRefused == .fail
        // A driver who accepted and could not come has not refused.
        let isRefused = request.hasLostTaxi ? request.offers > 0 : !request.asked.isEmpty
        if failsWhenRefused, suspension == nil, isRefused {
            end(request.number, .allRefused)
        } else {
            postpone(request, suspension == nil ? .noTaxi : .suspended)
        }
    }

    /// Postpones a reservation to its next attempt; attempts are `reservation.retry_s`
    /// apart from the first on.
    ///
    /// After the last one the reservation ends.
    ///
    /// A reservation that could not be tried because of a suspension is kept until its
    /// time has come (I18).
    private mutating func postpone(_ request: Request, _ cause: PostponeCause) {
        guard let due = request.due else {
            preconditionFailure("A request that is no reservation was postponed.")
        }
        let first = due.adding(seconds: -policy[.allocateBefore])
        let interval = policy[.reserveRetry] * 1_000
        let passed = now.milliseconds - first.milliseconds
        // A policy adopted in the meantime may have postponed even the first attempt.
        let slot = passed < 0 ? 0 : passed / interval + 1
        let next = first.adding(milliseconds: slot * interval)
        if slot <= policy[.reserveRetries] || cause == .suspended && next <= due {
            emit(.reservationPostponed(request.number, cause, nextTry: next))
        } else {
            end(request.number, cause == .suspended ? .suspended : .dropped)
        }
    }

    // MARK: Cancelling and sharing

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

    mutating func join(
        _ asked: RequestForm,
        _ owner: RequestNumber,
        _ estimate: SharingEstimate
    ) throws(Refusal) {
        if let suspension { throw .suspended(suspension) }
        guard policy.sharing else { throw .sharingDisabled }
        if asked.isGuest { throw .guestsNotAllowed }
        guard asked.needs.isValid else { throw .invalid("seats") }
        guard asked.hasDestination else { throw .destinationMissing }
        if let live = passengers[asked.passenger] { throw .liveRequest(live) }
        guard let ride = table[owner], ride.form.isShared, isOpenToJoin(ride) else {
            throw .notShared
        }
        try checkRoom(ride, asked.needs)
        try checkEstimate(estimate)
        var form = asked
        form.zone = ride.zone
        form.isShared = true
        emit(.joined(nextNumber, form, owner))
    }

    /// Others may join until the taxi is at the meeting point, also after a driver accepted (R88).
    private func isOpenToJoin(_ request: Request) -> Bool {
        switch request.phase {
        case .offered, .held: true
        case .riding(let ride): ride.stage == .onTheWay
        case .reserved, .seeking, .parked, .joined: false
        }
    }

    private func checkRoom(_ ride: Request, _ needs: Capacity) throws(Refusal) {
        var all = ride.needs
        all.seats = UInt8(clamping: Int32(all.seats) + Int32(needs.seats))
        all.wheelchair = all.wheelchair || needs.wheelchair
        let rooms = rooms(for: ride)
        if rooms.contains(where: { $0.covers(all) }) { return }
        let most = rooms.map { $0.seats }.max() ?? 0
        let left = most > ride.needs.seats ? most - ride.needs.seats : 0
        if needs.seats > left { throw .seatsLeft(left) }
        throw .tooSmall
    }

    /// The capacity of a shared ride's taxi, or of the taxis in its zone that may still get it.
    private func rooms(for ride: Request) -> [Capacity] {
        if let taxi = ride.offer?.taxi ?? ride.ride?.taxi {
            return [taxis[Int(taxi.rawValue)].capacity]
        }
        let zone = zones[Int(ride.zone.rawValue)]
        let free = (zone.entries.map { $0.taxi } + zone.pending).filter { mayTake($0, ride) }
        return free.map { taxi in
            var room = taxis[Int(taxi.rawValue)].capacity
            room.seats = min(room.seats, UInt8(clamping: policy[.shareSeats]))
            return room
        }
    }

    private func checkEstimate(_ estimate: SharingEstimate) throws(Refusal) {
        let walk = Int64(estimate.walkSeconds)
        if walk > policy[.shareWalk] || walk > Int64(estimate.taxiSeconds) { throw .walkTooLong }
        if Int64(estimate.detourPercent) > policy[.shareDetour] { throw .detourTooLong }
        if Int64(estimate.extraWaitSeconds) > policy[.shareWait] { throw .waitTooLong }
    }
}
