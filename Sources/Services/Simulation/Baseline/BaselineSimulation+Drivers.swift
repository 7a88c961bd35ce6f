import Chronology
import Dispatching
import Geo
import SeededRandom

extension BaselineSimulation {
    mutating func comeOnDuty(_ taxi: Int) {
        cabs[taxi].isWorking = true
        cabs[taxi].isHeard = true
        tally.cameOnDuty(taxi, at: now)
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
        guard let aim = cabs[taxi].aim, case .ride(let index) = work[taxi] else { return }
        switch aim {
        case .meetingPoint: wait(taxi, for: index)
        case .destination: end(index, .completed)
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
        let isFree = work[taxi] == .none && cabs[taxi].drive == nil
        if isFree && drivers.happens(0.3) { send(taxi, to: pattern.waitingPlace()) }
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
