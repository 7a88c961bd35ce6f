import Chronology
import Dispatching
import SeededRandom

extension Simulation {
    /// Plans how people react to an event.
    mutating func react(to event: Event, epoch: Int64) throws {
        switch event {
        case .city: break
        case .taxi(.enqueued(let taxi, let zone, _, _)):
            knowledge.waits(Int(taxi.rawValue), in: Int(zone.rawValue), since: dispatcher.now)
        case .taxi(let event):
            if case .wentOffDuty(let taxi, .ignoredOffers, _) = event {
                // The driver notices after a while and goes back on duty.
                agenda.plan(.comeBack(taxi), at: dispatcher.now.adding(seconds: 600))
            }
        case .request(let event): react(to: event)
        case .offer(.offered(let request, let taxi, _, _)):
            tally.offers += 1
            try consider(request, taxi, epoch: epoch)
        case .offer(.accepted(let request)): setOut(request)
        case .offer(.offerRenewed), .offer(.offerDelivered), .offer(.offerClosed): break
        case .ride(let event):
            if case .meetingPointReached(let request) = event { wait(request) }
        }
    }

    private mutating func react(to event: Event.Request) {
        switch event {
        case .requested(let request, let form):
            if form.isShared { announce(request) }
        case .ended(let request, let outcome, _): finish(request, outcome)
        case .ownerChanged(let old, let new): pass(old, to: new)
        case .reserved, .joined, .reservationTried, .reservationPostponed, .held, .heldTried,
            .parked, .unparked, .assigned:
            break
        }
    }

    private mutating func setOut(_ request: RequestNumber) {
        guard let taxi = dispatcher.request(request)?.ride?.taxi else { return }
        chosen[request] = taxi
        headFor(request, taxi)
        tally.rode(Int(taxi.rawValue))
        knowledge.gotRide(Int(taxi.rawValue), at: dispatcher.now)
    }

    private mutating func headFor(_ request: RequestNumber, _ taxi: TaxiNumber) {
        guard let index = owners[request] else { return }
        cabs[Int(taxi.rawValue)].aim = .meetingPoint
        send(taxi, to: shares[request]?.meetingPoint ?? customers[index].origin)
    }

    mutating func wait(_ request: RequestNumber) {
        guard let index = owners[request] else { return }
        let customer = customers[index]
        let now = dispatcher.now
        for number in [request] + (dispatcher.request(request)?.joiners ?? []) {
            guard let one = owners[number], tally.waited[number] == nil else { continue }
            tally.waited[number] = max(0, now.milliseconds - customers[one].at.milliseconds)
        }
        if customer.staysAway {
            let patience = max(300, options.policy[.noShowWait])
            // Nobody is late before the time of a reservation.
            let hour = max(now, dispatcher.request(request)?.due ?? now)
            agenda.plan(.missPassenger(request), at: hour.adding(seconds: patience))
        } else {
            let boards = Int64(drivers.within(Habits.boarding) * 1_000)
            agenda.plan(.board(request), at: now.adding(milliseconds: boards))
        }
    }

    private mutating func finish(_ request: RequestNumber, _ outcome: RequestOutcome) {
        leaveShare(request)
        tally.count(request, outcome)
        if let taxi = chosen.removeValue(forKey: request) { cabs[Int(taxi.rawValue)].aim = nil }
    }
}
