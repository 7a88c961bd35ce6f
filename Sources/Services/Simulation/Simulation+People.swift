import Chronology
import Dispatching
import Geo
import SeededRandom
import Zones

extension Simulation {
    /// Plans the shifts and requests, which are independent of other events.
    mutating func planDay() {
        for (index, customer) in customers.enumerated() {
            let ahead = customer.bookedAhead ?? 0
            let asks = max(options.start, customer.at.adding(seconds: -ahead))
            agenda.plan(.call(index), at: asks)
        }
        for index in cabs.indices {
            let taxi = TaxiNumber(rawValue: UInt32(index))
            for shift in options.shifts(&drivers) {
                agenda.plan(.comeOnDuty(taxi), at: shift.begin)
                agenda.plan(.goHome(taxi), at: shift.end)
            }
        }
    }

    mutating func perform(_ happening: Happening) throws {
        switch happening {
        case .call(let customer): try call(customer)
        case .giveUp(let customer):
            if let number = numbers[customer] { try give(.cancel(number)) }
        case .comeOnDuty(let taxi): try comeOnDuty(taxi)
        case .goHome(let taxi): try goHome(taxi)
        case .showOffer(let request, let taxi, let epoch):
            try give(.confirmDelivery(request, taxi, epoch: epoch))
        case .answer(let request, let taxi, let epoch, let accepts):
            try give(
                accepts
                    ? .accept(request, taxi, epoch: epoch) : .refuse(request, taxi, epoch: epoch)
            )
        case .cross(let taxi, let drive, let place): try cross(taxi, drive, place)
        case .arrive(let taxi, let drive): try arrive(taxi, drive)
        case .board(let request): try board(request)
        case .missPassenger(let request): try missPassenger(request)
        case .comeBack(let taxi):
            if cabs[Int(taxi.rawValue)].isWorking { try give(.goOnDuty(taxi)) }
        case .fallSilent(let taxi): try fallSilent(taxi)
        case .speakAgain(let taxi): try speakAgain(taxi)
        case .wander(let taxi): wander(taxi)
        }
    }

    // MARK: Drivers

    private mutating func comeOnDuty(_ taxi: TaxiNumber) throws {
        let index = Int(taxi.rawValue)
        cabs[index].isWorking = true
        cabs[index].isHeard = true
        cabs[index].place = place(cabs[index].position)
        try give(.regainContact(taxi, cabs[index].place))
        try give(.goOnDuty(taxi))
        tally.cameOnDuty(index, at: dispatcher.now)
        seekPlace(taxi)
        let quiet = Int64(drivers.between(0.2, 6) * 3_600_000)
        agenda.plan(.fallSilent(taxi), at: dispatcher.now.adding(milliseconds: quiet))
        planWandering(taxi)
    }

    private mutating func goHome(_ taxi: TaxiNumber) throws {
        let index = Int(taxi.rawValue)
        if try give(.goOffDuty(taxi)) || dispatcher.taxi(taxi)?.isOnDuty == false {
            cabs[index].isWorking = false
            tally.wentHome(index, at: dispatcher.now)
        } else {
            // The driver first completes the ride.
            agenda.plan(.goHome(taxi), at: dispatcher.now.adding(seconds: 300))
        }
    }

    /// Lets a free driver move to a preferred waiting place at intervals.
    private mutating func planWandering(_ taxi: TaxiNumber) {
        let wait = Int64(drivers.between(10, 60) * 60_000)
        agenda.plan(.wander(taxi), at: dispatcher.now.adding(milliseconds: wait))
    }

    private mutating func wander(_ taxi: TaxiNumber) {
        let index = Int(taxi.rawValue)
        guard cabs[index].isWorking else { return }
        planWandering(taxi)
        guard cabs[index].drive == nil else { return }
        if drivers.happens(Habits.looks) { seekPlace(taxi) }
    }

    /// Lets a free driver drive to where the wait for a ride is shorter.
    mutating func seekPlace(_ taxi: TaxiNumber) {
        let index = Int(taxi.rawValue)
        guard cabs[index].isWorking, dispatcher.taxi(taxi)?.work == Work.none else { return }
        let place = cabs[index].position(at: dispatcher.now)
        let choice = knowledge.choice(
            of: index,
            at: place,
            in: city.index.first(containing: place),
            ahead: dispatcher.taxisAhead(of: taxi) ?? 0,
            &drivers
        )
        switch choice {
        case .stay: break
        case .drive(let zone): send(taxi, to: pattern.waitingPlace(in: zone))
        case .unknown: send(taxi, to: pattern.waitingPlace())
        }
    }

    /// Plans the reaction of a driver to an offer (spec/taxi.md 5.1).
    mutating func consider(_ request: RequestNumber, _ taxi: TaxiNumber, epoch: Int64) throws {
        let now = dispatcher.now
        let draw = drivers.unit()
        let thinks = Int64(drivers.within(Habits.thinking) * 1_000)
        if draw >= Habits.ignores { return try loseContact(taxi) }
        agenda.plan(
            .showOffer(request, taxi, epoch: epoch),
            at: now.adding(milliseconds: Int64(drivers.within(Habits.showing)))
        )
        if draw >= Habits.refuses { return }
        agenda.plan(
            .answer(request, taxi, epoch: epoch, accepts: draw < Habits.accepts),
            at: now.adding(milliseconds: thinks)
        )
    }

    // MARK: Passengers

    private mutating func call(_ index: Int) throws {
        let customer = customers[index]
        tally.called += 1
        guard customer.destination != nil, let zone = zone(customer.origin) else {
            tally.outsideCity += 1
            return
        }
        knowledge.sawRequest(in: Int(zone.rawValue))
        var form = RequestForm(
            passenger: PassengerNumber(rawValue: UInt64(index) + 1),
            isGuest: customer.isGuest && options.policy.guestRequests == .allow,
            zone: zone,
            needs: Capacity(seats: customer.passengers, wheelchair: customer.inWheelchair),
            hasDestination: customer.namesDestination,
            isShared: customer.isSharing && options.policy.sharing
        )
        let mustName =
            options.policy.destination == .required || form.isShared || customer.bookedAhead != nil
        form.hasDestination = form.hasDestination || mustName
        form.neighbours = neighbours(of: zone, customer.origin)
        let number = RequestNumber(rawValue: dispatcher.lastRequest + 1)
        owners[number] = index
        numbers[index] = number
        if form.isShared {
            tally.sharing.asked += 1
            if try join(form, customer) { return }
        }
        let command: Command =
            customer.bookedAhead == nil ? .request(form) : .reserve(form, due: customer.at)
        if try !give(command) {
            owners[number] = nil
            numbers[index] = nil
            tally.unserved += 1
        } else if let patience = customer.patience {
            let gives = max(customer.at, dispatcher.now).adding(seconds: patience)
            agenda.plan(.giveUp(index), at: gives)
        }
    }

    /// Lists the zones from which a taxi may come under the policy.
    private func neighbours(of zone: ZoneNumber, _ origin: Coordinate) -> [NeighbouringZone] {
        let reach = options.policy[.neighbourReach]
        guard reach > 0 else { return [] }
        return city.neighbours.near(
            origin,
            except: Int(zone.rawValue),
            within: reach,
            limit: RequestForm.neighbourLimit
        ).map { near in
            NeighbouringZone(zone: ZoneNumber(rawValue: UInt32(near.zone)), seconds: near.seconds)
        }
    }

    private mutating func board(_ request: RequestNumber) throws {
        guard let ride = dispatcher.request(request)?.ride, let index = owners[request] else {
            return
        }
        let needs = dispatcher.request(request)?.needs.seats ?? 1
        let code: CodeCheck = options.policy.pinDigits == .none ? .none : .right
        guard try give(.board(ride.taxi, aboard: needs, code: code)) else { return }
        // Passengers of a shared ride get out in the order that minimises the longest detour.
        var goals = destinations(of: request)
        let own = customers[index].destination
        guard let first = goals.isEmpty ? own : goals.removeFirst() else {
            preconditionFailure("A passenger without a destination has called a taxi.")
        }
        cabs[Int(ride.taxi.rawValue)].aim = .destination(next: goals)
        send(ride.taxi, to: first)
    }

    /// Reports a no-show, by the driver or by the dispatcher on the driver's behalf.
    private mutating func missPassenger(_ request: RequestNumber) throws {
        guard let shared = dispatcher.request(request), let ride = shared.ride else { return }
        let isAlone = shared.joiners.isEmpty
        if try !give(isAlone ? .reportNoShow(ride.taxi) : .leaveBehind(ride.taxi, request)) {
            try give(.withdraw(request, reason: "simulation: the passenger did not come"))
        }
    }
}
