import Chronology
import Dispatching
import Geo
import SeededRandom

extension Simulation {
    /// Starts a drive of a taxi; an earlier drive ends at the current position.
    mutating func send(_ taxi: TaxiNumber, to goal: Coordinate) {
        let index = Int(taxi.rawValue)
        let now = dispatcher.now
        let drive = travel.drive(from: cabs[index].position(at: now), to: goal, at: now)
        cabs[index].drive = drive
        cabs[index].drives += 1
        let number = cabs[index].drives
        for crossing in crossings(of: drive, from: cabs[index].place) {
            agenda.plan(.cross(taxi, drive: number, crossing.place), at: crossing.at)
        }
        agenda.plan(.arrive(taxi, drive: number), at: drive.end)
    }

    /// Returns when position reports will show that a taxi has changed zones.
    ///
    /// That takes a number of reports, or a period, outside the previous zone (G8). At its goal the
    /// taxi continues to report as a standing taxi does.
    private func crossings(of drive: Drive, from start: Place) -> [(at: Moment, place: Place)] {
        var crossings: [(at: Moment, place: Place)] = []
        var known = start
        var outside: (since: Moment, reports: Int64)?
        let policy = options.policy
        var at = drive.start
        let last = drive.end.adding(seconds: 3 * policy[.standingInterval])
        while at <= last {
            let seen = place(drive.place(at: at))
            if seen == known {
                outside = nil
            } else {
                var leaving = outside ?? (since: at, reports: 0)
                leaving.reports += 1
                outside = leaving
                let away = at.milliseconds - leaving.since.milliseconds
                if leaving.reports >= policy[.leaveReports] || away >= policy[.leaveSeconds] * 1_000
                {
                    crossings.append((at, seen))
                    known = seen
                    outside = nil
                }
            }
            let interval = at < drive.end ? policy[.movingInterval] : policy[.standingInterval]
            at = at.adding(seconds: interval)
        }
        return crossings
    }

    /// Returns the zone of a coordinate.
    func place(_ coordinate: Coordinate) -> Place {
        zone(coordinate).map { .zone($0) } ?? .outside
    }

    func zone(_ coordinate: Coordinate) -> ZoneNumber? {
        city.index.first(containing: coordinate).map { ZoneNumber(rawValue: UInt32($0)) }
    }

    mutating func cross(_ taxi: TaxiNumber, _ drive: Int, _ place: Place) throws {
        let index = Int(taxi.rawValue)
        guard cabs[index].drives == drive else { return }
        let isEntering = cabs[index].place == .outside
        cabs[index].place = place
        guard cabs[index].isHeard else { return }
        try give(.locate(taxi, place))
        // Who was taken off duty outside the city may go on duty again only inside it (C16).
        let isOff = dispatcher.taxi(taxi)?.isOnDuty == false
        if isEntering && isOff && cabs[index].isWorking { try give(.goOnDuty(taxi)) }
    }

    mutating func arrive(_ taxi: TaxiNumber, _ drive: Int) throws {
        let index = Int(taxi.rawValue)
        guard cabs[index].drives == drive, let done = cabs[index].drive else { return }
        cabs[index].position = done.points.last ?? cabs[index].position
        cabs[index].drive = nil
        guard let aim = cabs[index].aim else { return }
        switch aim {
        case .meetingPoint: try give(.reachMeetingPoint(taxi))
        case .destination(var next) where !next.isEmpty:
            let goal = next.removeFirst()
            cabs[index].aim = .destination(next: next)
            send(taxi, to: goal)
        case .destination:
            try give(.reachDestination(taxi))
            if try !give(.endRide(taxi, reason: nil)) {
                try give(.closeRide(taxi, reason: "simulation: the ride could not end otherwise"))
            }
            // Nobody is asked outside the city (R25), so drivers return to it.
            let isOutside = zone(cabs[index].position) == nil
            if isOutside || drivers.happens(Habits.looks) { seekPlace(taxi) }
        }
    }

    // MARK: Position reports

    mutating func fallSilent(_ taxi: TaxiNumber) throws {
        let index = Int(taxi.rawValue)
        guard cabs[index].isWorking else { return }
        let pause = drivers.between(0.5, 8) * 3_600_000
        agenda.plan(.fallSilent(taxi), at: dispatcher.now.adding(milliseconds: Int64(pause)))
        try loseContact(taxi)
    }

    mutating func loseContact(_ taxi: TaxiNumber) throws {
        let index = Int(taxi.rawValue)
        guard cabs[index].isHeard else { return }
        cabs[index].isHeard = false
        let silence = drivers.between(60, 900) * 1_000
        agenda.plan(.speakAgain(taxi), at: dispatcher.now.adding(milliseconds: Int64(silence)))
        try give(.loseContact(taxi))
    }

    mutating func speakAgain(_ taxi: TaxiNumber) throws {
        let index = Int(taxi.rawValue)
        guard !cabs[index].isHeard else { return }
        cabs[index].isHeard = true
        try give(.regainContact(taxi, cabs[index].place))
        let isOff = dispatcher.taxi(taxi)?.isOnDuty == false
        if isOff && cabs[index].isWorking { try give(.goOnDuty(taxi)) }
    }
}
