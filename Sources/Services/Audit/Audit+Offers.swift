import Chronology
import Dispatching

extension Audit {
    mutating func read(_ event: Event.Offer) {
        switch event {
        case .offered(let number, let taxi, let deadline, let rule):
            readOffered(number, taxi, deadline, rule)
        case .offerRenewed(let number, let deadline): cases[number]?.offer?.deadline = deadline
        case .offerClosed(let number, let outcome): readClosed(number, outcome)
        case .offerDelivered: break
        case .accepted(let number): readAccepted(number)
        }
    }

    mutating func read(_ event: Event.Ride) {
        switch event {
        case .meetingPointReached(let number):
            guard cases[number]?.ride != nil else {
                return report("I16", "request \(number.rawValue) has no ride")
            }
            cases[number]?.reachedAt = now
        case .boarded(let number, _):
            if policy.endNeedsPickup && cases[number]?.reachedAt == nil {
                report("I16", "request \(number.rawValue) boarded before the meeting point")
            }
            cases[number]?.isAboard = true
        case .destinationReached(let number): cases[number]?.isAtDestination = true
        case .givenBack(let number, _, _): readGivenBack(number)
        case .codeRejected, .arrivalStated: break
        }
    }

    private mutating func readOffered(
        _ number: RequestNumber,
        _ taxi: TaxiNumber,
        _ deadline: Moment,
        _ rule: OfferRule
    ) {
        guard let asking = cases[number] else {
            return report("I3", "an offer of no request")
        }
        let cab = cabs[Int(taxi.rawValue)]
        if isSuspended { report("I18", "an offer while the service is suspended") }
        if cab.offer != nil { report("I3", "taxi \(taxi.rawValue) has two offers") }
        if asking.offer != nil { report("I3", "request \(number.rawValue) has two offers") }
        if cab.ride != nil { count(doubleAssignment: "taxi \(taxi.rawValue) is asked on a ride") }
        if asking.ride != nil { count(doubleAssignment: "request \(number.rawValue) has a taxi") }
        if !cab.mayQueue { report("I14", "taxi \(taxi.rawValue) is asked and not available") }
        if rule != .assigned && policy.refusedMemory != .none && asking.asked.contains(taxi) {
            report("I8", "taxi \(taxi.rawValue) is asked twice for \(number.rawValue)")
        }
        if !cab.capacity.covers(asking.needs) {
            report("I14", "taxi \(taxi.rawValue) is too small for \(number.rawValue)")
        }
        checkOrder(asking, taxi, rule)
        if rule != .assigned { checkEarlier(number, asking, taxi) }
        if place(of: taxi) != nil { leaveQueue(taxi) }
        change(taxi) { $0.offer = number }
        cases[number]?.offer = (taxi, deadline)
        cases[number]?.asked.append(taxi)
        cases[number]?.offers += 1
    }

    /// Checks which drivers an offer overtakes, and by which rule (I5).
    private mutating func checkOrder(_ asking: Case, _ taxi: TaxiNumber, _ rule: OfferRule) {
        guard let chosen = place(of: taxi) else {
            return report("I5", "taxi \(taxi.rawValue) is asked and in no queue")
        }
        let isOwn = chosen.zone == asking.zone
        if rule != .assigned && (rule == .neighbour) == isOwn {
            report("I5", "taxi \(taxi.rawValue) is asked by the rule of another zone")
        }
        if rule == .neighbour { checkNearer(asking, chosen) }
        for other in queues[Int(chosen.zone.rawValue)] where other.taxi != taxi {
            let cameFirst = other.since < chosen.since
            let standsFirst = other.rank < chosen.rank
            guard cameFirst || standsFirst else { continue }
            if rule == .assigned {
                count(overtaking: .assigned)
            } else if let why = whyNot(other, asking) {
                count(overtaking: why)
            } else if standsFirst {
                count(overtaking: nil)
            } else {
                count(overtaking: chosen.rank.isRestored ? .turnRestored : keptPlace(chosen.cause))
            }
        }
    }

    /// Checks that nobody of the request's own zone, of a nearer zone, or of an equally near zone
    /// with an earlier position could take a request that a driver of another zone gets.
    private mutating func checkNearer(_ asking: Case, _ chosen: Place) {
        guard let time = seconds(from: chosen.zone, to: asking) else {
            return report("I5", "taxi \(chosen.taxi.rawValue) is out of reach")
        }
        for zone in queues.indices where zone != Int(chosen.zone.rawValue) {
            let number = ZoneNumber(rawValue: UInt32(zone))
            guard let other = seconds(from: number, to: asking), other <= time else { continue }
            for place in queues[zone] {
                let isBehind = other == time && number != asking.zone && chosen.rank < place.rank
                if !isBehind, whyNot(place, asking) == nil { count(overtaking: nil) }
            }
        }
    }

    /// How long a taxi of a zone drives to a request: 0 in its own zone, nil out of reach.
    func seconds(from zone: ZoneNumber, to asking: Case) -> Int64? {
        if zone == asking.zone { return 0 }
        let reach = policy[.neighbourReach]
        let time = asking.form.neighbours.first { $0.zone == zone }.map { Int64($0.seconds) }
        guard reach > 0, let time, time <= reach else { return nil }
        return time
    }

    /// Checks which earlier waiting requests an offer overtakes, and by which rule (G11, G12).
    private mutating func checkEarlier(
        _ number: RequestNumber,
        _ asking: Case,
        _ taxi: TaxiNumber
    ) {
        for other in waiting where other != number {
            guard let earlier = cases[other], let since = earlier.arrived, let wait = earlier.wait,
                since < asking.arrived ?? sequence
            else { continue }
            // Those of the same zone and those of the taxi's own zone have a claim on it.
            guard let zone = cabs[Int(taxi.rawValue)].zone,
                earlier.zone == asking.zone || earlier.zone == zone,
                seconds(from: zone, to: earlier) != nil
            else { continue }
            let most = policy[.maxOffers]
            guard most == 0 || earlier.offers < most, mayTake(taxi, earlier) else { continue }
            switch wait {
            case .held:
                let what = "\(other.rawValue) is held and overtaken by \(number.rawValue)"
                count(overtaking: nil, "I10", what)
            case .betweenTries: count(overtaking: .betweenTries)
            case .setAside: count(overtaking: .setAside)
            }
        }
    }

    /// Returns the rule by which a driver may be ahead of earlier ones.
    private func keptPlace(_ cause: QueueCause) -> Findings.Rule? {
        switch cause {
        case .offerWithdrawn, .regainedContact, .redrawn, .rideLost, .returned: .placeKept
        case .turnRestored: .turnRestored
        default: nil
        }
    }

    /// Returns why a driver ahead gets no offer; nil if no rule explains it.
    private func whyNot(_ place: Place, _ asking: Case) -> Findings.Rule? {
        if !cabs[Int(place.taxi.rawValue)].capacity.covers(asking.needs) { return .vehicleClass }
        if policy.refusedMemory != .none && asking.asked.contains(place.taxi) {
            return .alreadyAsked
        }
        if let began = asking.tryBegan, policy.reserveSnapshot, place.since > began {
            return .notQueuedAtTry
        }
        return nil
    }

    func mayTake(_ taxi: TaxiNumber, _ asking: Case) -> Bool {
        guard let place = place(of: taxi) else { return false }
        return whyNot(place, asking) == nil
    }

    private mutating func readClosed(_ number: RequestNumber, _ outcome: OfferOutcome) {
        guard let offer = cases[number]?.offer else {
            return report("I11", "an offer of \(number.rawValue) closed that was not open")
        }
        if outcome == .ignored && now < offer.deadline {
            report("I11", "an offer of \(number.rawValue) ran out before its deadline")
        }
        cases[number]?.offer = nil
        if outcome == .withdrawn {
            cases[number]?.asked.removeLast()
            cases[number]?.offers -= 1
        }
        change(offer.taxi) { cab in
            cab.offer = nil
            cab.owesTail = outcome != .withdrawn
        }
        owing.append(offer.taxi)
    }

    private mutating func readGivenBack(_ number: RequestNumber) {
        guard let given = cases[number], let taxi = given.ride else {
            return report("I16", "request \(number.rawValue) has no ride to give back")
        }
        if given.isAboard {
            report("I16", "the ride of \(number.rawValue) was given back with people aboard")
        }
        change(taxi) { $0.ride = nil }
        cases[number]?.ride = nil
        cases[number]?.reachedAt = nil
        // The search starts again.
        cases[number]?.heldTries = 0
        cases[number]?.offers = 0
        if given.tryBegan != nil { cases[number]?.tryBegan = sequence }
    }

    private mutating func readAccepted(_ number: RequestNumber) {
        guard let offer = cases[number]?.offer else {
            return report("I11", "request \(number.rawValue) was accepted without an open offer")
        }
        if now >= offer.deadline { report("I11", "an answer to \(number.rawValue) came too late") }
        if cabs[Int(offer.taxi.rawValue)].ride != nil {
            count(doubleAssignment: "taxi \(offer.taxi.rawValue) has two rides")
        }
        if cases[number]?.ride != nil {
            count(doubleAssignment: "request \(number.rawValue) has two taxis")
        }
        change(offer.taxi) { cab in
            cab.offer = nil
            cab.ride = number
        }
        cases[number]?.offer = nil
        cases[number]?.ride = offer.taxi
    }
}
