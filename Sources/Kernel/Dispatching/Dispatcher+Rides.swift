internal import Chronology

extension Dispatcher {
    mutating func decide(_ command: Command.Ride) throws(Refusal) {
        switch command {
        case .reachMeetingPoint(let taxi): try reachMeetingPoint(taxi)
        case .board(let taxi, let aboard, let code): try board(taxi, aboard, code)
        case .reportNoShow(let taxi): try reportNoShow(taxi)
        case .leaveBehind(let taxi, let request): try leaveBehind(taxi, request)
        case .reachDestination(let taxi): try reachDestination(taxi)
        case .stateArrival(let taxi, false): try reachMeetingPoint(taxi, isStated: true)
        case .stateArrival(let taxi, true): try reachDestination(taxi, isStated: true)
        case .endRide(let taxi, let reason):
            let (number, ride) = try ride(of: taxi)
            let mayOverride = policy.endOverride == .reason && reason?.isEmpty == false
            if !mayOverride { try checkEnd(number, ride) }
            finishRide(number, .completed, reason: reason ?? "")
        case .giveBack(let taxi, let cause):
            if cause == .dispatcher { throw .invalid("cause") }
            try giveBack(try ride(of: taxi).0, cause)
        }
    }

    func ride(of number: TaxiNumber) throws(Refusal) -> (RequestNumber, Ride) {
        let taxi = try registered(number)
        guard case .ride(let request) = taxi.work, let ride = table[request]?.ride else {
            throw .notRiding
        }
        return (request, ride)
    }

    private mutating func reachMeetingPoint(
        _ taxi: TaxiNumber,
        isStated: Bool = false
    ) throws(Refusal) {
        let (number, ride) = try ride(of: taxi)
        guard ride.stage == .onTheWay else { return }
        if isStated && !policy.statedArrival { throw .meetingPointNotReached }
        if isStated { emit(.arrivalStated(number)) }
        emit(.meetingPointReached(number))
    }

    private mutating func reachDestination(
        _ taxi: TaxiNumber,
        isStated: Bool = false
    ) throws(Refusal) {
        let (number, ride) = try ride(of: taxi)
        guard ride.stage == .aboard else { throw .nobodyAboard }
        if ride.isAtDestination { return }
        if isStated && !policy.statedArrival { throw .destinationNotReached }
        if isStated { emit(.arrivalStated(number)) }
        emit(.destinationReached(number))
    }

    private mutating func board(
        _ taxi: TaxiNumber,
        _ aboard: UInt8,
        _ code: CodeCheck
    ) throws(Refusal) {
        let (number, ride) = try ride(of: taxi)
        if ride.stage == .aboard { throw .alreadyAboard }
        if policy.endNeedsPickup, ride.stage == .onTheWay { throw .meetingPointNotReached }
        guard aboard >= 1, aboard <= taxis[Int(taxi.rawValue)].capacity.seats else {
            throw .invalid("aboard")
        }
        if policy.pinDigits != .none {
            if Int64(ride.wrongCodes) >= policy[.codeAttempts] { throw .codeLocked }
            switch code {
            case .none: throw .codeMissing
            case .wrong: return emit(.codeRejected(number))
            case .right: break
            }
        }
        emit(.boarded(number, aboard: aboard))
        precondition(
            table[number]?.ride?.stage == .aboard,
            "Passengers boarded a taxi, and the ride does not say so."
        )
    }

    private mutating func reportNoShow(_ taxi: TaxiNumber) throws(Refusal) {
        let (number, ride) = try ride(of: taxi)
        try checkAbsence(number, ride)
        finishRide(number, .noShow)
    }

    /// Removes one passenger of a shared ride who is not there; the others travel.
    ///
    /// The taxi waits for the owner as for any passenger, but not for a joiner who is late (R87).
    private mutating func leaveBehind(
        _ taxi: TaxiNumber,
        _ party: RequestNumber
    ) throws(Refusal) {
        let (number, ride) = try ride(of: taxi)
        guard let shared = table[number], !shared.joiners.isEmpty, let absent = table[party],
            party == number || shared.joiners.contains(party)
        else { throw .noSuchRequest }
        try checkAbsence(number, ride, of: party)
        remove(absent, .noShow, reason: "")
    }

    /// Throws if a no-show cannot be reported yet.
    private func checkAbsence(
        _ number: RequestNumber,
        _ ride: Ride,
        of party: RequestNumber? = nil
    ) throws(Refusal) {
        let isJoiner = party.map { $0 != number } ?? false
        guard isJoiner || policy.noShow else { throw .noShowDisabled }
        if ride.stage == .aboard { throw .alreadyAboard }
        guard let reached = ride.reachedAt else { throw .meetingPointNotReached }
        // For a reservation, the wait counts from the reserved time, however early the taxi came.
        let hour = max(reached, table[number]?.due ?? reached)
        let earliest = isJoiner ? hour : hour.adding(seconds: policy[.noShowWait])
        if now < earliest { throw .waitUntil(earliest) }
    }

    /// Gives a ride that its driver cannot carry out to another driver.
    ///
    /// A driver who gives a ride back loses their turn and goes off duty, so that nobody gains by
    /// it; the request keeps its position in the order of its zone.
    mutating func giveBack(
        _ number: RequestNumber,
        _ cause: GiveBackCause,
        _ reason: String = ""
    ) throws(Refusal) {
        guard let ride = table[number]?.ride else { throw .notRiding }
        if ride.stage == .aboard { throw .alreadyAboard }
        emit(.givenBack(number, cause, reason: reason))
        precondition(table[number]?.ride == nil, "A taxi keeps a ride that was given back.")
        leaveDuty(ride.taxi, cause == .dispatcher ? .replaced : .driver, reason: reason)
        // After a redraw left it outside all zones, it was kept only for its taxi (G5).
        if table[number]?.form.zone == nil {
            end(number, .outsideCity)
        } else {
            seek(number)
        }
    }

    /// Throws if a ride may not end yet (R65): it may after boarding and, with a known
    /// destination, only there.
    private func checkEnd(_ number: RequestNumber, _ ride: Ride) throws(Refusal) {
        if policy.endNeedsPickup {
            if ride.stage == .onTheWay { throw .meetingPointNotReached }
            if ride.stage != .aboard { throw .nobodyAboard }
        }
        if policy.endNeedsDestination, table[number]?.form.hasDestination == true,
            !ride.isAtDestination
        {
            throw .destinationNotReached
        }
    }

    /// Ends a ride for all its passengers and returns the driver to a queue (R66).
    mutating func finishRide(
        _ number: RequestNumber,
        _ outcome: RequestOutcome,
        reason: String = ""
    ) {
        guard let request = table[number], let ride = request.ride else {
            preconditionFailure("A ride was to end that no driver has accepted.")
        }
        let ownPlace = ownPlace(of: ride, for: request)
        end(number, outcome, reason: reason)
        let taxi = taxis[Int(ride.taxi.rawValue)]
        let isLost = outcome != .completed && ride.stage != .aboard
        if taxi.licensedUntil <= now {
            leaveDuty(ride.taxi, .licence)
        } else if !taxi.isReachable {
            noteLostContact(ride.taxi)
            if isLost, let ownPlace { keepHomeTurn(ride.taxi, ownPlace) }
            // The driver is not at fault for the lost ride: the turn is kept until the taxi reports
            // again.
            if isLost, let zone = taxi.zone, let rank = rankAfterLoss(ride, ownPlace) {
                emit(.turnKept(ride.taxi, zone, rank))
            }
        } else if isLost {
            if let ownPlace { keepHomeTurn(ride.taxi, ownPlace) }
            enqueue(ride.taxi, .rideLost, at: rankAfterLoss(ride, ownPlace))
        } else {
            enqueue(ride.taxi, .rideEnded)
        }
    }

    /// The queue position of a driver who lost a ride without fault (C12).
    ///
    /// A driver from another zone loses nothing in it, and gains nothing elsewhere.
    private func rankAfterLoss(_ ride: Ride, _ ownPlace: FormerPlace?) -> Rank? {
        if let ownPlace {
            if taxis[Int(ride.taxi.rawValue)].zone != ownPlace.zone { return nil }
            if policy.noShowRestore == .tail { return ownPlace.rank }
        }
        return switch policy.noShowRestore {
        case .tail: nil
        case .place: restored(ride.taxi, ride.former)
        case .head: Rank(isRestored: true, sequence: sequence)
        }
    }
}
