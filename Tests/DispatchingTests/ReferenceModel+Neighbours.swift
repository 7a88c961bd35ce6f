import Chronology

@testable import Dispatching

// An empty zone, by trying every driver of the city (decision 0045).
extension ReferenceModel {
    /// The first driver in the zone's queue who may serve the request (R47), or of another zone.
    func firstTaxi(for call: Call) -> Int? {
        queue(call.zone).first { mayTake($0, call) } ?? neighbour(for: call)
    }

    /// Whether a driver in reach with an offer of another request could serve this one (R56).
    func hasHope(_ call: Call) -> Bool {
        policy[.heldTries] > 0
            && drivers.indices.contains {
                status($0) == .pendingConfirmation && seconds(from: $0, to: call) != nil
                    && mayTake($0, call)
            }
    }

    /// How far a driver is from a request: 0 in its zone, the stated time in a zone within reach,
    /// nil elsewhere.
    func seconds(from taxi: Int, to call: Call) -> Int64? {
        guard case .zone(let zone) = drivers[taxi].place else { return nil }
        if zone == call.zone { return 0 }
        let time = call.form.neighbours.first { $0.zone == zone }.map { Int64($0.seconds) }
        guard let time, policy[.neighbourReach] > 0, time <= policy[.neighbourReach] else {
            return nil
        }
        return time
    }

    /// The driver of another zone who is asked: the nearest, then the one waiting longest.
    func neighbour(for call: Call) -> Int? {
        var best: (taxi: Int, time: Int64, ticket: Ticket)?
        for taxi in drivers.indices where drivers[taxi].place != .zone(call.zone) {
            guard let ticket = drivers[taxi].ticket, mayTake(taxi, call),
                let time = seconds(from: taxi, to: call)
            else { continue }
            if let best, (best.time, best.ticket) < (time, ticket) { continue }
            best = (taxi, time, ticket)
        }
        return best?.taxi
    }

    /// The driver for a request: older requests held in a driver's own zone come first.
    mutating func claimedTaxi(for call: Call) -> Int? {
        while let taxi = firstTaxi(for: call) {
            guard case .zone(let zone) = drivers[taxi].place, zone != call.zone else {
                return taxi
            }
            for older in heldCalls(zone) where older.arrival < call.arrival {
                let own = queue(zone).first { mayTake($0, older) }
                if let own { askForHeld(own, older.number) }
            }
            if drivers[taxi].ticket != nil { return taxi }
        }
        return nil
    }

    /// The held requests of other zones to which a taxi of this one may come, oldest first.
    func heldElsewhere(_ zone: ZoneNumber) -> [Call] {
        calls.filter { call in
            guard case .held = call.phase, let own = call.form.zone else { return false }
            let near = call.form.neighbours.first { $0.zone == zone }
            let reach = policy[.neighbourReach]
            return own != zone && reach > 0 && near.map { Int64($0.seconds) <= reach } ?? false
        }.sorted { $0.arrival < $1.arrival }
    }

    /// Whether a request is still held after those before it were served.
    func isHeld(_ waiting: Call) -> Bool {
        if case .held = call(waiting.number)?.phase { true } else { false }
    }

    func checkNeighbours(_ form: RequestForm) throws(Refusal) {
        var known: Set<ZoneNumber> = []
        var last: NeighbouringZone?
        for neighbour in form.neighbours {
            let isNew = known.insert(neighbour.zone).inserted
            let comesLater =
                last.map { last in
                    last.seconds < neighbour.seconds
                        || last.seconds == neighbour.seconds && last.zone < neighbour.zone
                } ?? true
            if !isNew || !comesLater || neighbour.seconds < 0 || neighbour.zone == form.zone
                || neighbour.zone.rawValue >= zones
            {
                throw .invalid("neighbours")
            }
            last = neighbour
        }
        if form.neighbours.count > 256 { throw .invalid("neighbours") }
    }

    /// The ticket in the own zone of a driver who is back there in time.
    func homeTicket(_ taxi: Int) -> Ticket? {
        guard let home = drivers[taxi].home, now < home.until else { return nil }
        return back(taxi, home.turn)
    }

    /// The ticket of a driver who lost a ride without fault (C12).
    ///
    /// One who came from another zone keeps the turn there: at once, or for the way back.
    mutating func ticketAfterLoss(_ call: Call, _ trip: Trip) -> Ticket? {
        if let turn = trip.turn, turn.zone != call.zone,
            call.form.neighbours.contains(where: { $0.zone == turn.zone })
        {
            guard let own = back(trip.taxi, turn) else {
                if drivers[trip.taxi].form.licensedUntil > now {
                    let until = later(.grace).adding(seconds: policy[.neighbourReach])
                    drivers[trip.taxi].home = (turn, until)
                }
                return nil
            }
            if policy[.noShowRestore] == 0 { return own }
        }
        switch policy[.noShowRestore] {
        case 0: return nil
        case 1: return back(trip.taxi, trip.turn)
        default: return newTicket(isOrdinary: false)
        }
    }
}

extension ReferenceModel {
    /// Copies the epochs of the open offers from the dispatcher.
    mutating func learnEpochs(from dispatcher: Dispatcher) {
        for index in calls.indices {
            guard var question = question(of: calls[index]) else { continue }
            question.epoch = dispatcher.request(calls[index].number)?.offer?.epoch ?? -1
            calls[index].phase = .asking(question)
        }
    }
}
