import Chronology
import Dispatching
import Geo
import SeededRandom

extension BaselineSimulation {
    mutating func call(_ index: Int) {
        let customer = customers[index]
        tally.called += 1
        guard customer.destination != nil, let zone = city.index.first(containing: customer.origin)
        else {
            tally.outsideCity += 1
            progress[index] = .over
            return
        }
        knowledge.sawRequest(in: zone)
        let policy = options.policy
        var until = now.adding(seconds: policy[.heldTries] * policy[.heldEvery])
        var starts = now
        if customer.bookedAhead != nil {
            starts = max(now, customer.at.adding(seconds: -policy[.allocateBefore]))
            until = starts.adding(seconds: policy[.reserveRetries] * policy[.reserveRetry])
        }
        progress[index] = .seeking(until: until)
        agenda.plan(.seek(index), at: starts)
        if let patience = customer.patience {
            agenda.plan(.giveUp(index), at: max(customer.at, now).adding(seconds: patience))
        }
    }

    mutating func seek(_ index: Int) {
        guard case .seeking(let until) = progress[index] else { return }
        switch baseline {
        case .batched:
            if !waiting.contains(index) { waiting.append(index) }
            planBatch()
        case .nearest:
            if let taxi = nearest(to: index, count: 1).first {
                offer(index, to: taxi.taxi, until: until)
            } else if now < until {
                agenda.plan(.seek(index), at: now.adding(seconds: Baseline.interval))
            } else {
                end(index, .noTaxi)
            }
        }
    }

    private mutating func planBatch() {
        guard !isBatchPlanned else { return }
        isBatchPlanned = true
        let interval = Baseline.interval * 1_000
        let passed = now.milliseconds - options.start.milliseconds
        let next = (passed / interval + 1) * interval
        agenda.plan(.batch, at: options.start.adding(milliseconds: next))
    }

    /// Assigns the waiting passengers together; those who get no taxi wait on or give up.
    mutating func assignBatch() {
        isBatchPlanned = false
        let batch = waiting
        waiting = []
        // In a straight line, the best assignment needs no more than this many of each passenger's
        // closest taxis, because the other passengers can take at most one each.
        let options = batch.map { nearest(to: $0, count: batch.count) }
        let taxis = Set(options.joined().map(\.taxi)).sorted()
        let columns = Dictionary(uniqueKeysWithValues: taxis.enumerated().map { ($1, $0) })
        let costs = options.map { options in
            var row = [Int64?](repeating: nil, count: taxis.count)
            for option in options {
                guard let column = columns[option.taxi] else { continue }
                row[column] = min(option.milliseconds / 100, Assignment.costLimit)
            }
            return row
        }
        for (index, column) in zip(batch, Assignment.leastCost(costs, columns: taxis.count)) {
            guard case .seeking(let until) = progress[index] else { continue }
            // A driver may have lost contact by an earlier offer of this batch.
            if let column, isFree(taxis[column]) {
                offer(index, to: taxis[column], until: until)
            } else if now < until {
                waiting.append(index)
            } else {
                end(index, .noTaxi)
            }
        }
        if !waiting.isEmpty { planBatch() }
    }

    /// Lists the free taxis that may take a passenger, the soonest at the pickup point first.
    ///
    /// The closest in a straight line are compared by driving time; equal times by number.
    private func nearest(
        to index: Int,
        count: Int
    ) -> [(taxi: Int, milliseconds: Int64)] {
        let customer = customers[index]
        let needs = Capacity(seats: customer.passengers, wheelchair: customer.inWheelchair)
        var free: [(metres: Double, taxi: Int)] = []
        for taxi in cabs.indices
        where isFree(taxi) && cabs[taxi].capacity.covers(needs) && !asked[index].contains(taxi) {
            let place = cabs[taxi].position(at: now)
            free.append((place.distanceMetres(to: customer.origin), taxi))
        }
        let close = free.sorted { $0 < $1 }.prefix(max(count, Baseline.candidates))
        let timed = close.map { close in
            let from = cabs[close.taxi].position(at: now)
            let time = travel.milliseconds(from: from, to: customer.origin)
            return (taxi: close.taxi, milliseconds: time)
        }
        return timed.sorted { ($0.milliseconds, $0.taxi) < ($1.milliseconds, $1.taxi) }
    }

    func isFree(_ taxi: Int) -> Bool {
        cabs[taxi].isWorking && cabs[taxi].isHeard && work[taxi] == .none
    }

    private mutating func offer(_ index: Int, to taxi: Int, until: Moment) {
        offers += 1
        tally.offers += 1
        asked[index].append(taxi)
        progress[index] = .offered(taxi: taxi, until: until)
        work[taxi] = .offer(customer: index, number: offers)
        let draw = drivers.unit()
        let thinks = Int64(drivers.within(Habits.thinking) * 1_000)
        if draw >= Habits.ignores {
            loseContact(taxi)
        } else if draw >= Habits.refuses {
            let late = now.adding(seconds: options.policy[.offerTimeout])
            agenda.plan(.answer(taxi, offer: offers, accepts: false), at: late)
        } else {
            let accepts = draw < Habits.accepts
            agenda.plan(
                .answer(taxi, offer: offers, accepts: accepts),
                at: now.adding(milliseconds: thinks)
            )
        }
    }

    mutating func answer(_ taxi: Int, _ number: Int, _ accepts: Bool) {
        guard case .offer(let index, number) = work[taxi] else { return }
        guard accepts else { return passOn(taxi) }
        work[taxi] = .ride(customer: index)
        progress[index] = .awaited(taxi: taxi, isThere: false)
        tally.rode(taxi)
        knowledge.gotRide(taxi, at: now)
        cabs[taxi].aim = .meetingPoint
        send(taxi, to: customers[index].origin)
    }

    /// Seeks another taxi for the passenger whom a driver does not take.
    mutating func passOn(_ taxi: Int) {
        guard case .offer(let index, _) = work[taxi],
            case .offered(_, let until) = progress[index]
        else { return }
        work[taxi] = .none
        progress[index] = .seeking(until: max(until, now))
        seek(index)
    }

    mutating func cancel(_ index: Int) {
        switch progress[index] {
        case .seeking, .offered: end(index, .cancelled)
        case .awaited(_, isThere: false)
        where options.policy.cancelRequest == .untilArrival && customers[index].bookedAhead == nil:
            end(index, .cancelled)
        case .none, .awaited, .aboard, .over: break
        }
    }

    mutating func board(_ index: Int) {
        guard case .awaited(let taxi, true) = progress[index] else { return }
        guard let destination = customers[index].destination else {
            preconditionFailure("A passenger without a destination has called a taxi.")
        }
        progress[index] = .aboard(taxi: taxi)
        cabs[taxi].aim = .destination(next: [])
        send(taxi, to: destination)
    }

    /// Ends a request and frees its taxi.
    mutating func end(_ index: Int, _ outcome: RequestOutcome) {
        let former = progress[index]
        precondition(former != .over, "A simulated request ended twice.")
        waiting.removeAll { $0 == index }
        progress[index] = .over
        tally.count(RequestNumber(rawValue: UInt64(index) + 1), outcome)
        switch former {
        case .offered(let taxi, _), .awaited(let taxi, _), .aboard(let taxi):
            work[taxi] = .none
            cabs[taxi].aim = nil
        case .none, .seeking, .over: break
        }
    }
}
