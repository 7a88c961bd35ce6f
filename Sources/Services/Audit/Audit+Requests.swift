import Chronology
import Dispatching

extension Audit {
    mutating func read(_ event: Event.Request) {
        switch event {
        case .requested(let number, let form): arrive(number, form)
        case .reserved(let number, let form, let due, let firstTry):
            readReservation(number, form, due, firstTry)
        case .joined(let number, let form, let owner):
            arrive(number, form)
            cases[number]?.owner = owner
            cases[owner]?.joiners.append(number)
            recount(owner)
        case .reservationTried(let number): readTry(number)
        case .held(let number, _): readHeld(number)
        case .heldTried(let number):
            cases[number]?.heldTries += 1
            setWait(number, nil)
        case .reservationPostponed(let number, _, _):
            if cases[number]?.arrived != nil { setWait(number, .betweenTries) }
        case .parked(let number, _): setWait(number, .setAside)
        case .unparked(let number), .assigned(let number, _, _): setWait(number, nil)
        case .ended(let number, let outcome, let reason): end(number, outcome, reason)
        case .ownerChanged(let old, let new): pass(old, to: new)
        }
    }

    /// Records why a request waits, or that it no longer does.
    private mutating func setWait(_ number: RequestNumber, _ wait: Wait?) {
        waiting.removeAll { $0 == number }
        cases[number]?.wait = wait
        if wait != nil, cases[number] != nil { waiting.append(number) }
    }

    private mutating func arrive(_ number: RequestNumber, _ form: RequestForm) {
        guard let zone = form.zone else {
            return report("I4", "request \(number.rawValue) has no zone")
        }
        if isSuspended { report("I18", "request \(number.rawValue) came while suspended") }
        begin(number, Case(form: form, needs: form.needs, zone: zone, arrived: sequence))
        becomeLive(number)
    }

    private mutating func begin(_ number: RequestNumber, _ new: Case) {
        if cases[number] != nil { report("I4", "request \(number.rawValue) came twice") }
        cases[number] = new
    }

    private mutating func becomeLive(_ number: RequestNumber) {
        guard let passenger = cases[number]?.form.passenger else { return }
        if let other = live[passenger], other != number {
            report("I4", "requests \(other.rawValue) and \(number.rawValue) of one passenger live")
        }
        live[passenger] = number
        cases[number]?.isLive = true
    }

    private mutating func readReservation(
        _ number: RequestNumber,
        _ form: RequestForm,
        _ due: Moment,
        _ firstTry: Moment
    ) {
        let lead = due.milliseconds - now.milliseconds
        let hour: Int64 = 3_600_000
        if lead < policy[.reserveMin] * hour || lead > policy[.reserveMax] * hour {
            report("I17", "reservation \(number.rawValue) is too near or too far")
        }
        var new = Case(form: form, needs: form.needs, zone: form.zone ?? ZoneNumber(rawValue: 0))
        new.due = due
        new.firstTry = firstTry
        new.isLive = false
        begin(number, new)
    }

    private mutating func readTry(_ number: RequestNumber) {
        guard let due = cases[number]?.due else {
            return report("I17", "request \(number.rawValue) is no reservation")
        }
        let before = due.milliseconds - now.milliseconds
        let last = policy[.reserveRetries] * policy[.reserveRetry] * 1_000
        // An attempt during an outage may be late by the outage; none may be early.
        if before > policy[.allocateBefore] * 1_000 {
            report("I17", "reservation \(number.rawValue) was tried too early")
        }
        if -before > last { report("I17", "reservation \(number.rawValue) was tried too late") }
        cases[number]?.tryBegan = sequence
        if cases[number]?.arrived == nil { cases[number]?.arrived = sequence }
        cases[number]?.offers = 0
        setWait(number, nil)
        if policy.refusedMemory == .try { cases[number]?.asked = [] }
        becomeLive(number)
    }

    private mutating func readHeld(_ number: RequestNumber) {
        guard let held = cases[number] else { return }
        setWait(number, .held)
        let isWaitedFor = cabs.contains { cab in
            cab.offer != nil && cab.capacity.covers(held.needs)
                && cab.zone.map { seconds(from: $0, to: held) != nil } ?? false
        }
        if !isWaitedFor { report("I10", "request \(number.rawValue) is held for nobody") }
        if Int64(held.heldTries) >= policy[.heldTries] {
            report("I10", "request \(number.rawValue) is held too often")
        }
        let isFree = queues.indices.contains { zone in
            seconds(from: ZoneNumber(rawValue: UInt32(zone)), to: held) != nil
                && queues[zone].contains { mayTake($0.taxi, held) }
        }
        if isFree {
            report("I10", "request \(number.rawValue) is held while a driver could take it")
        }
    }

    private mutating func end(
        _ number: RequestNumber,
        _ outcome: RequestOutcome,
        _ reason: String
    ) {
        setWait(number, nil)
        guard let ended = cases.removeValue(forKey: number) else {
            return report("I9", "request \(number.rawValue) ended twice")
        }
        if live[ended.form.passenger] == number { live[ended.form.passenger] = nil }
        if ended.offer != nil {
            report("I9", "request \(number.rawValue) ended with an open offer")
        }
        if let owner = ended.owner {
            cases[owner]?.joiners.removeAll { $0 == number }
            recount(owner)
        }
        guard let taxi = ended.ride else { return }
        change(taxi) { $0.ride = nil }
        if outcome == .noShow && ended.reachedAt == nil {
            report("I16", "no-show of \(number.rawValue) before the meeting point was reached")
        }
        guard outcome == .completed, reason.isEmpty else { return }
        if policy.endNeedsPickup && !ended.isAboard {
            report("I16", "ride \(number.rawValue) ended before anybody was aboard")
        }
        if policy.endNeedsDestination && ended.form.hasDestination && !ended.isAtDestination {
            report("I16", "ride \(number.rawValue) ended before its destination")
        }
    }

    private mutating func recount(_ owner: RequestNumber) {
        guard let host = cases[owner] else { return }
        var needs = host.form.needs
        for joiner in host.joiners {
            guard let more = cases[joiner]?.form.needs else { continue }
            needs.seats += more.seats
            needs.wheelchair = needs.wheelchair || more.wheelchair
        }
        cases[owner]?.needs = needs
        let taxi = host.ride ?? host.offer?.taxi
        if let taxi, !cabs[Int(taxi.rawValue)].capacity.covers(needs) {
            report("I27", "ride \(owner.rawValue) has more passengers than seats")
        }
    }

    private mutating func pass(_ old: RequestNumber, to new: RequestNumber) {
        guard let host = cases[old], let heir = cases[new] else { return }
        var taken = host
        taken.form = heir.form
        taken.form.neighbours = host.form.neighbours
        taken.owner = nil
        taken.joiners = host.joiners.filter { $0 != new }
        cases[new] = taken
        for joiner in taken.joiners { cases[joiner]?.owner = new }
        cases[old]?.offer = nil
        cases[old]?.ride = nil
        cases[old]?.joiners = []
        setWait(old, nil)
        setWait(new, host.wait)
        if let taxi = host.ride { change(taxi) { $0.ride = new } }
        if let taxi = host.offer?.taxi { change(taxi) { $0.offer = new } }
        recount(new)
    }
}
