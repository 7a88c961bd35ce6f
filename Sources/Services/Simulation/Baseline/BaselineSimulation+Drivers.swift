import Chronology
import Dispatching
import Geo
import SeededRandom

extension BaselineSimulation {
    mutating func comeOnDuty(_ taxi: Int) {
        cabs[taxi].isWorking = true
        cabs[taxi].isHeard = true
        tally.cameOnDuty(taxi, at: now)
        knowledge.waits(taxi, in: zoneOfWait(taxi), since: now)
        seekPlace(taxi)
        let quiet = Int64(drivers.between(0.2, 6) * 3_600_000)
        agenda.plan(.fallSilent(taxi), at: now.adding(milliseconds: quiet))
        planWandering(taxi)
    }

    mutating func goHome(_ taxi: Int) {
        if case .ride = work[taxi] {
            // The driver first completes the ride.
            agenda.plan(.goHome(taxi), at: now.adding(seconds: 300))
            return
        }
        cabs[taxi].isWorking = false
        tally.wentHome(taxi, at: now)
        passOn(taxi)
    }

    mutating func send(_ taxi: Int, to goal: Coordinate) {
        let drive = travel.drive(from: cabs[taxi].position(at: now), to: goal, at: now)
        cabs[taxi].drive = drive
        cabs[taxi].drives += 1
        agenda.plan(.arrive(taxi, drive: cabs[taxi].drives), at: drive.end)
    }

    mutating func arrive(_ taxi: Int, _ drive: Int) {
        guard cabs[taxi].drives == drive, let done = cabs[taxi].drive else { return }
        cabs[taxi].position = done.points.last ?? cabs[taxi].position
        cabs[taxi].drive = nil
        guard let aim = cabs[taxi].aim, case .ride(let index) = work[taxi] else {
            // A driver who has moved waits in the new zone from now on.
            if work[taxi] == .none { knowledge.waits(taxi, in: zoneOfWait(taxi), since: now) }
            return
        }
        switch aim {
        case .meetingPoint: wait(taxi, for: index)
        case .destination:
            end(index, .completed)
            let zone = zoneOfWait(taxi)
            knowledge.waits(taxi, in: zone, since: now)
            // Drivers outside the city return to it, as those of the dispatcher do.
            if zone == nil || drivers.happens(Habits.looks) { seekPlace(taxi) }
        }
    }

    private mutating func wait(_ taxi: Int, for index: Int) {
        let customer = customers[index]
        progress[index] = .awaited(taxi: taxi, isThere: true)
        let number = RequestNumber(rawValue: UInt64(index) + 1)
        tally.waited[number] = max(0, now.milliseconds - customer.at.milliseconds)
        if customer.staysAway {
            let patience = max(300, options.policy[.noShowWait])
            let hour = customer.bookedAhead == nil ? now : max(now, customer.at)
            agenda.plan(.missPassenger(index), at: hour.adding(seconds: patience))
        } else {
            let boards = Int64(drivers.within(Habits.boarding) * 1_000)
            agenda.plan(.board(index), at: now.adding(milliseconds: boards))
        }
    }

    private mutating func planWandering(_ taxi: Int) {
        let wait = Int64(drivers.between(10, 60) * 60_000)
        agenda.plan(.wander(taxi), at: now.adding(milliseconds: wait))
    }

    mutating func wander(_ taxi: Int) {
        guard cabs[taxi].isWorking else { return }
        planWandering(taxi)
        guard cabs[taxi].drive == nil else { return }
        if drivers.happens(Habits.looks) { seekPlace(taxi) }
    }

    /// Lets a free driver drive to where the wait for a ride is shorter.
    mutating func seekPlace(_ taxi: Int) {
        guard cabs[taxi].isWorking, work[taxi] == .none else { return }
        let place = cabs[taxi].position(at: now)
        let zone = city.index.first(containing: place)
        // Of the free taxis of a zone any may be the nearest, so that one waits as if it were last.
        let ahead = zone.map { max(0, freeTaxis()[$0] - 1) } ?? 0
        let choice = knowledge.choice(of: taxi, at: place, in: zone, ahead: Int(ahead), &drivers)
        switch choice {
        case .stay: break
        case .drive(let zone): send(taxi, to: pattern.waitingPlace(in: zone))
        case .unknown: send(taxi, to: pattern.waitingPlace())
        }
    }

    /// Counts the free taxis of each zone.
    func freeTaxis() -> [Int32] {
        var free = Array(repeating: Int32(0), count: city.areas.count)
        for taxi in cabs.indices where isFree(taxi) {
            let zone = city.index.first(containing: cabs[taxi].position(at: now))
            if let zone { free[zone] += 1 }
        }
        return free
    }

    /// The zone in which a driver begins to wait.
    private func zoneOfWait(_ taxi: Int) -> Int? {
        city.index.first(containing: cabs[taxi].position(at: now))
    }

    // MARK: Position reports

    mutating func fallSilent(_ taxi: Int) {
        guard cabs[taxi].isWorking else { return }
        let pause = drivers.between(0.5, 8) * 3_600_000
        agenda.plan(.fallSilent(taxi), at: now.adding(milliseconds: Int64(pause)))
        loseContact(taxi)
    }

    mutating func loseContact(_ taxi: Int) {
        guard cabs[taxi].isHeard else { return }
        cabs[taxi].isHeard = false
        let silence = drivers.between(60, 900) * 1_000
        agenda.plan(.speakAgain(taxi), at: now.adding(milliseconds: Int64(silence)))
        passOn(taxi)
    }
}
