import Chronology

@testable import Dispatching

extension Invariants {
    /// Checks an event against the state before it, then applies it.
    mutating func checkEvent(_ event: Event, _ next: Event?, _ step: Step) {
        switch event {
        case .offer(.offered(let request, let taxi, let deadline, let rule)):
            checkOffer(request, taxi, deadline, rule)
        case .offer(.offerClosed(let request, let outcome)):
            return checkClosed(event, request, outcome, next)
        case .taxi(.enqueued(let taxi, let zone, let rank, let cause)):
            checkPlace(taxi, zone, rank, cause)
        case .taxi(.placed): return checkBorder(event)
        case .city(.zonesDrawn): return checkRedraw(event)
        case .taxi(.wentOffDuty(let taxi, _, _)):
            must(shadow.taxi(taxi)?.status != .riding, "I12", "a rider goes off duty")
            promises[taxi] = nil
        case .city(.taxiRemoved(let taxi)): promises[taxi] = nil
        case .taxi(.contactLost(let number, _)):
            guard let taxi = shadow.taxi(number), taxi.isReachable else { break }
            promises[number] = nil
            guard let zone = taxi.zone, let rank = taxi.rank else { break }
            promises[number] = Promise(zone: zone, ranks: rank...rank)
        case .offer(.accepted(let request)):
            let deadline = shadow.request(request)?.offer?.deadline
            must(shadow.now < deadline ?? shadow.now, "I11", "accepted too late")
        case .city(.policyAdopted(let policy)):
            if shadow.isSetUp && policy != shadow.policy { hasNewPolicy = true }
        case .request(.ownerChanged(let old, let new)):
            asked[new] = asked.removeValue(forKey: old)
            passedOn[old] = shadow.request(old)?.ride
        case .ride(.boarded(let request, _)):
            let stage = shadow.request(request)?.ride?.stage
            let isReached = stage == .atMeetingPoint || shadow.policy[.endNeedsPickup] == 0
            must(stage != .aboard && isReached, "I16", "aboard before the meeting point")
        case .ride(.givenBack(let request, _, _)):
            let stage = shadow.request(request)?.ride?.stage
            must(stage != nil && stage != .aboard, "I16", "\(request) has no ride to give back")
        default: checkRequestEvent(event, step)
        }
        shadow.fold(event)
    }

    private mutating func checkRequestEvent(_ event: Event, _ step: Step) {
        switch event {
        case .request(.requested(let number, let form)), .request(.joined(let number, let form, _)):
            must(shadow.suspension == nil, "I18", "a request came during a suspension")
            must(shadow.liveRequest(of: form.passenger) == nil, "I4", "two live requests")
            must(number.rawValue == shadow.lastRequest + 1, "I9", "a number was given twice")
        case .request(.reserved(_, let form, let due, let firstTry)):
            let lead = due.milliseconds - shadow.now.milliseconds
            let hours = shadow.policy[.reserveMin]...shadow.policy[.reserveMax]
            must(lead >= hours.lowerBound * 3_600_000, "I17", "a reservation is too soon")
            must(lead <= hours.upperBound * 3_600_000, "I17", "a reservation is too far")
            must(form.hasDestination && !form.isGuest, "I17", "R72 or R73 is broken")
            let earliest = due.adding(seconds: -shadow.policy[.allocateBefore])
            must(firstTry == max(earliest, shadow.now), "I17", "tried too early")
        case .request(.reservationTried(let number)): checkTry(number)
        case .request(.held(let number, _)): checkHeld(number)
        case .request(.ended(let number, let outcome, _)): checkEnd(number, outcome, step)
        default: break
        }
    }

    // MARK: Offers

    /// Returns whether the rules permit an offer of a request to a driver.
    private func mayTake(_ number: TaxiNumber, _ request: Request) -> Bool {
        guard let taxi = shadow.taxi(number) else { return false }
        let limit = shadow.policy[.maxOffers]
        let forgets = shadow.policy[.refusedMemory] == 2
        return (limit == 0 || Int64(request.offers) < limit)
            && taxi.capacity.covers(request.needs) && taxi.licensedUntil > shadow.now
            && (forgets || !request.asked.contains(number))
            && (request.eligible?.contains(number) ?? true)
    }

    private mutating func checkOffer(
        _ number: RequestNumber,
        _ taxiNumber: TaxiNumber,
        _ deadline: Moment,
        _ rule: OfferRule
    ) {
        guard let request = shadow.request(number), let taxi = shadow.taxi(taxiNumber) else {
            return complain("I5", "an offer to nobody or for nothing")
        }
        must(shadow.suspension == nil, "I18", "an offer during a suspension")
        must(shadow.isSetUp, "I19", "an offer before the data is complete")
        must(request.phase == .seeking, "I3", "\(number) is offered while \(request.phase)")
        must(taxi.work == .none, "I3", "\(taxi.code) is asked while \(taxi.work)")
        must(taxi.status == .available && taxi.rank != nil, "I14", "\(taxi.code) is not available")
        must(taxi.licensedUntil > shadow.now, "I14", "\(taxi.code) has no licence")
        let timeout = shadow.policy[.offerTimeout]
        must(deadline == shadow.now.adding(seconds: timeout), "I11", "a deadline of its own")
        if rule == .assigned {
            must(taxi.capacity.covers(request.needs), "I5", "\(taxi.code) is too small")
        } else {
            checkTurn(request, taxi, rule)
        }
        asked[number, default: []].append(taxiNumber)
    }

    /// How far a taxi is from a request by the times that came with it; nil out of reach.
    func seconds(from taxi: Taxi, to request: Request) -> Int64? {
        if taxi.zone == request.zone { return 0 }
        let reach = shadow.policy[.neighbourReach]
        return request.form.neighbours.first { $0.zone == taxi.zone && reach > 0 }
            .map { Int64($0.seconds) }.flatMap { $0 <= reach ? $0 : nil }
    }

    /// I5, I8, I10: the first permitted driver gets the offer, of the earliest request.
    private mutating func checkTurn(_ request: Request, _ taxi: Taxi, _ rule: OfferRule) {
        let isOwn = taxi.zone == request.zone
        must((rule == .neighbour) != isOwn, "I5", "\(taxi.code) is asked by the wrong rule")
        must(mayTake(taxi.number, request), "I5", "\(taxi.code) may not take \(request.number)")
        guard let time = seconds(from: taxi, to: request), let rank = taxi.rank else {
            return complain("I5", "\(taxi.code) is out of reach")
        }
        for other in shadow.taxis where other.number != taxi.number {
            guard let earlier = other.rank, let far = seconds(from: other, to: request),
                mayTake(other.number, request)
            else { continue }
            let away = (other.zone == request.zone ? 0 : 1, isOwn ? 0 : 1)
            let isFirst = (away.0, far, earlier) < (away.1, time, rank)
            must(!isFirst, "I5", "\(other.code) was passed over")
        }
        let wasAsked = asked[request.number]?.contains(taxi.number) ?? false
        let forgets = shadow.policy[.refusedMemory] != 0 || hasNewPolicy
        must(!wasAsked || forgets, "I8", "\(taxi.code) was asked before for \(request.number)")
        // A request that a redraw has placed outside the city is about to end.
        for other in shadow.requests where other.isHeld && other.form.zone != nil {
            // Those of the same zone and those of the taxi's have a claim on it.
            guard other.zone == request.zone || other.zone == taxi.zone,
                seconds(from: taxi, to: other) != nil
            else { continue }
            let isOlder = other.arrival < request.arrival
            must(!isOlder || !mayTake(taxi.number, other), "I10", "\(other.number) came first")
        }
    }

    /// I7: a driver who did not accept goes to the tail of the queue, once, before
    /// anything else happens.
    private mutating func checkClosed(
        _ event: Event,
        _ number: RequestNumber,
        _ outcome: OfferOutcome,
        _ next: Event?
    ) {
        guard let offer = shadow.request(number)?.offer, let taxi = shadow.taxi(offer.taxi) else {
            return complain("I11", "an offer closed that was not open")
        }
        if outcome == .ignored {
            must(offer.deadline <= shadow.now, "I11", "an offer ran out before its time")
        }
        if outcome == .withdrawn { asked[number]?.removeAll { $0 == offer.taxi } }
        shadow.fold(event)
        let strikes = shadow.taxi(offer.taxi)?.ignoredOffers ?? 0
        let isStrike = outcome == .ignored && offer.isDelivered
        must(strikes <= taxi.ignoredOffers + (isStrike ? 1 : 0), "G4", "a strike without reason")
        guard outcome != .withdrawn, shadow.taxi(offer.taxi)?.status == .available else { return }
        let tail = Rank(sequence: shadow.sequence)
        switch next {
        case .taxi(.enqueued(offer.taxi, let zone, tail, let cause)):
            must(zone == taxi.zone, "I7", "\(taxi.code) goes to another zone's queue")
            let causes: [QueueCause] = [.refused, .ignored, .undeliverable]
            must(causes.contains(cause), "I7", "for another reason")
        case .taxi(.wentOffDuty(offer.taxi, _, _)), .taxi(.contactLost(offer.taxi, _)): break
        default: complain("I7", "\(taxi.code) does not go to the tail")
        }
    }

    // MARK: Queues

    /// I6: places are assigned at the tail, except for restored turns.
    private mutating func checkPlace(
        _ number: TaxiNumber,
        _ zone: ZoneNumber,
        _ rank: Rank,
        _ cause: QueueCause
    ) {
        guard let taxi = shadow.taxi(number) else { return complain("I1", "no such taxi") }
        must(taxi.status == .available && taxi.rank == nil, "I1", "\(taxi.code) is queued twice")
        must(taxi.zone == zone, "I1", "\(taxi.code) is queued where it is not")
        let isTail = rank == Rank(sequence: shadow.sequence)
        let isHead = rank == Rank(isRestored: true, sequence: shadow.sequence)
        let isFormer = rank.sequence < shadow.sequence
        switch cause {
        case .offerWithdrawn: must(isTail || isFormer, "I6", "no place of before")
        case .regainedContact:
            let promise = promises.removeValue(forKey: number)
            if let home = homeRank(taxi, zone), promise?.zone != zone {
                must(rank == home, "I6", "\(taxi.code) has a turn at home")
            } else if let promise, promise.zone == zone {
                must(promise.ranks.contains(rank), "I6", "\(taxi.code) was promised a turn")
            } else {
                must(isTail, "I6", "\(taxi.code) jumps the queue: \(cause)")
            }
        case .rideLost: must(isTail || isHead || isFormer, "I6", "no place of before")
        case .returned: must(rank == homeRank(taxi, zone), "I6", "\(taxi.code) has no turn here")
        case .turnRestored: must(isHead, "I6", "a turn that is not given back")
        default: must(isTail, "I6", "\(taxi.code) jumps the queue: \(cause)")
        }
        let isTaken = shadow.zones[Int(zone.rawValue)].entries.contains { $0.rank == rank }
        must(!isTaken, "I6", "two have one place")
    }

    /// The place that a driver kept in a zone for the way back.
    private func homeRank(_ taxi: Taxi, _ zone: ZoneNumber) -> Rank? {
        guard let home = taxi.homeTurn, home.zone == zone, shadow.now < home.until else {
            return nil
        }
        return home.rank
    }

    /// I6: a driver whose ride ends without fault while out of contact is owed the
    /// turn of the policy.
    private mutating func promiseTurn(_ ride: Ride, _ request: Request) {
        guard ride.stage != .aboard, let taxi = shadow.taxi(ride.taxi), !taxi.isReachable,
            let zone = taxi.zone
        else { return }
        let isSent = request.form.neighbours.contains { $0.zone == ride.former?.zone }
        if isSent, let former = ride.former, former.zone != request.zone {
            if former.zone != zone { return }
            if shadow.policy.noShowRestore == .tail {
                promises[ride.taxi] = Promise(zone: zone, ranks: former.rank...former.rank)
            }
        }
        switch shadow.policy.noShowRestore {
        case .tail: return
        case .place:
            guard let former = ride.former, former.zone == zone else { return }
            promises[ride.taxi] = Promise(zone: zone, ranks: former.rank...former.rank)
        case .head:
            // The event that restores the turn follows the end of the ride and the loss of contact.
            let earliest = Rank(isRestored: true, sequence: shadow.sequence)
            let latest = Rank(isRestored: true, sequence: shadow.sequence + 2)
            promises[ride.taxi] = Promise(zone: zone, ranks: earliest...latest)
        }
    }

    /// I13, R21, R24 to R29: the effect of crossing the border in each state.
    private mutating func checkBorder(_ event: Event) {
        guard case .taxi(.placed(let number, let place)) = event, let before = shadow.taxi(number)
        else {
            return complain("I13", "no such taxi")
        }
        must(place != before.place, "I29", "\(before.code) is placed where it is known to be")
        shadow.fold(event)
        let after = shadow.taxi(number)?.status
        switch before.status {
        case .riding, .pendingConfirmation, .unavailable, .outOfContact, .removed:
            must(
                after == before.status,
                "I13",
                "\(before.status) became \(String(describing: after))"
            )
        case .available, .outOfCity:
            let isInside = if case .zone = place { true } else { false }
            must(after == (isInside ? .available : .outOfCity), "I13", "at the border")
        }
    }

    /// I24: a redraw loses no driver and keeps the order of those who stay together.
    private mutating func checkRedraw(_ event: Event) {
        let (taxis, requests) = (shadow.taxis, shadow.requests)
        shadow.fold(event)
        for (before, after) in zip(taxis, shadow.taxis) {
            guard let promise = promises[before.number] else { continue }
            let isThere = before.zone == promise.zone
            let zone = isThere ? after.zone : nil
            promises[before.number] = zone.map { Promise(zone: $0, ranks: promise.ranks) }
        }
        must(shadow.taxis.count == taxis.count, "I24", "taxis were lost")
        must(shadow.requests.map(\.number) == requests.map(\.number), "I24", "requests were lost")
        for (before, after) in zip(taxis, shadow.taxis) {
            must(after.rank == nil || after.rank == before.rank, "I24", "an order changed")
            must(before.work == after.work, "I24", "\(before.code) does something else")
        }
    }

    // MARK: Requests

    /// I10: a request is held only if no driver is available and one with another
    /// offer could serve it.
    private mutating func checkHeld(_ number: RequestNumber) {
        guard let request = shadow.request(number) else {
            return complain("I10", "no such request")
        }
        let near = shadow.taxis.filter {
            seconds(from: $0, to: request) != nil && mayTake($0.number, request)
        }
        must(!near.contains { $0.rank != nil }, "I10", "held for nothing")
        let hasHope = near.contains { $0.status == .pendingConfirmation }
        must(hasHope, "I10", "held without hope")
        must(Int64(request.heldTries) < shadow.policy[.heldTries], "I10", "held too often")
    }

    /// I17, I18: a search starts not too early, not too often, and not during a suspension.
    private mutating func checkTry(_ number: RequestNumber) {
        guard let request = shadow.request(number), let due = request.due else {
            return complain("I17", "no reservation")
        }
        must(shadow.suspension == nil, "I18", "a try during a suspension")
        if hasNewPolicy { return }
        let first = due.adding(seconds: -shadow.policy[.allocateBefore])
        let last = first.adding(
            seconds: shadow.policy[.reserveRetry] * shadow.policy[.reserveRetries]
        )
        must(shadow.now >= first, "I17", "a try before its time")
        must(Int64(request.tries) <= shadow.policy[.reserveRetries], "I17", "tried too often")
        // An attempt that is late because the clock jumped still counts as that attempt.
        if case .reserved(let nextTry) = request.phase {
            must(nextTry <= max(last, due), "I17", "a try after the last")
        }
    }

    /// I9, I10, I16, I17, I18, I24: each request ends once, for a valid reason.
    private mutating func checkEnd(
        _ number: RequestNumber,
        _ outcome: RequestOutcome,
        _ step: Step
    ) {
        must(ended.insert(number).inserted, "I9", "request \(number) ended twice")
        asked[number] = nil
        guard var request = shadow.request(number) else {
            return complain("I9", "an unknown request ended")
        }
        if let ride = request.ride, outcome != .completed { promiseTurn(ride, request) }
        var ridesAlong = false
        if case .joined(let owner) = request.phase {
            ridesAlong = true
            request = shadow.request(owner) ?? request
        }
        let ride = passedOn.removeValue(forKey: number) ?? request.ride
        switch outcome {
        case .noTaxi: must(request.asked.isEmpty, "I9", "somebody was asked")
        case .allRefused: must(!request.asked.isEmpty, "I9", "nobody was asked")
        case .heldTooLong:
            must(Int64(request.heldTries) >= shadow.policy[.heldTries], "I10", "not held so often")
        case .dropped: must(request.due != nil, "I17", "no reservation was dropped")
        case .suspended:
            must(shadow.suspension != nil, "I18", "nothing is suspended")
            let next = shadow.now.adding(seconds: shadow.policy[.reserveRetry])
            must(request.due.map { $0 < next } ?? true, "I18", "\(number) was lost")
        case .noShow:
            // A late joiner is not waited for (R87).
            let wait = ridesAlong ? 0 : shadow.policy[.noShowWait]
            let reached = ride?.reachedAt ?? .never
            let earliest = max(reached, request.due ?? reached).adding(seconds: wait)
            must(ride?.stage == .atMeetingPoint, "I16", "a no-show away from the meeting point")
            must(shadow.now >= earliest, "I16", "a no-show too early")
        case .completed:
            guard ride != nil else { return complain("I16", "nobody drove") }
            switch step.action {
            case .command(.console(.closeRide)): return
            case .command(.ride(.endRide(_, let reason?)))
            where !reason.isEmpty && shadow.policy[.endOverride] == 1:
                return
            default: break
            }
            let isAboard = ride?.stage == .aboard || shadow.policy[.endNeedsPickup] == 0
            must(isAboard, "I16", "a ride ended before boarding")
            let needsPlace = request.form.hasDestination && shadow.policy[.endNeedsDestination] == 1
            must(!needsPlace || ride?.isAtDestination == true, "I16", "ended elsewhere")
        case .cancelled, .withdrawn, .outsideCity: break
        }
    }
}
