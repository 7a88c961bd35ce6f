internal import Chronology

extension Dispatcher {
    mutating func fold(_ event: Event.Request) {
        switch event {
        case .requested(let number, let form):
            arrive(arrived(number, form, phase: .seeking, isLive: true))
        case .reserved(let number, let form, let due, let firstTry):
            var request = arrived(number, form, phase: .reserved(nextTry: firstTry), isLive: false)
            request.due = due
            arrive(request)
        case .joined(let number, let form, let owner):
            table.update(owner) { $0.joiners.append(number) }
            arrive(arrived(number, form, phase: .joined(owner), isLive: true))
            recount(owner)
        case .reservationTried(let number): beginTry(number)
        case .reservationPostponed(let number, let cause, let nextTry):
            table.update(number) { request in
                switch cause {
                case .passengerBusy: request.tries += 1
                // An attempt that a suspension interrupted does not count.
                case .suspended where request.phase == .seeking:
                    request.tries = max(0, request.tries - 1)
                case .suspended, .noTaxi: break
                }
                request.phase = .reserved(nextTry: nextTry)
            }
            watch(number)
        case .held(let number, let nextTry):
            table.update(number) { $0.phase = .held(nextTry: nextTry) }
            if let request = table[number] {
                zones[Int(request.zone.rawValue)].addHeld(number, arrival: request.arrival)
            }
            watch(number)
        case .heldTried(let number):
            leaveHeld(number)
            table.update(number) { request in
                request.heldTries += 1
                request.phase = .seeking
            }
        case .parked(let number, _):
            leaveHeld(number)
            table.update(number) { $0.phase = .parked }
        case .unparked(let number):
            table.update(number) { $0.phase = .seeking }
        case .assigned(let number, _, _):
            leaveHeld(number)
            table.update(number) { $0.phase = .seeking }
        case .ended(let number, _, _): foldEnd(number)
        case .ownerChanged(let old, let new): changeOwner(from: old, to: new)
        }
    }

    private mutating func beginTry(_ number: RequestNumber) {
        let arrival = sequence
        let forgets = policy.refusedMemory == .try
        let snapshot = snapshot(for: number)
        var passenger: PassengerNumber?
        table.update(number) { request in
            if !request.isLive { request.arrival = arrival }
            request.tries += 1
            request.isLive = true
            request.offers = 0
            request.eligible = snapshot
            if forgets { request.asked = [] }
            request.phase = .seeking
            passenger = request.form.passenger
        }
        if let passenger { passengers[passenger] = number }
    }

    private mutating func arrive(_ request: Request) {
        lastRequest = max(lastRequest, request.number.rawValue)
        if request.isLive { passengers[request.form.passenger] = request.number }
        table.insert(request)
        watch(request.number)
    }

    private func arrived(
        _ number: RequestNumber,
        _ form: RequestForm,
        phase: Request.Phase,
        isLive: Bool
    ) -> Request {
        Request(
            number: number,
            form: form,
            needs: form.needs,
            zone: form.zone ?? ZoneNumber(rawValue: 0),
            arrival: sequence,
            phase: phase,
            isLive: isLive
        )
    }

    /// The drivers queued for a request now, by number, where only they may take it (C6).
    func snapshot(for number: RequestNumber) -> [TaxiNumber]? {
        guard policy.reserveSnapshot, let zone = table[number]?.zone else { return nil }
        return zones[Int(zone.rawValue)].entries.map { $0.taxi }.sorted()
    }

    /// Adds up what the taxi of a shared ride must carry.
    private mutating func recount(_ owner: RequestNumber) {
        guard let request = table[owner] else { return }
        var needs = request.form.needs
        for joiner in request.joiners {
            guard let more = table[joiner]?.form.needs else { continue }
            needs.seats = UInt8(clamping: Int32(needs.seats) + Int32(more.seats))
            needs.wheelchair = needs.wheelchair || more.wheelchair
        }
        table.update(owner) { $0.needs = needs }
    }

    private mutating func leaveHeld(_ number: RequestNumber) {
        guard let request = table[number], request.isHeld else { return }
        let zone = Int(request.zone.rawValue)
        if zone < zones.count { zones[zone].removeHeld(number) }
    }

    private mutating func foldEnd(_ number: RequestNumber) {
        leaveHeld(number)
        guard let request = table[number] else {
            preconditionFailure("A request ended that does not exist or had ended before.")
        }
        if passengers[request.form.passenger] == number {
            passengers[request.form.passenger] = nil
        }
        if let taxi = request.ride?.taxi {
            update(taxi) { $0.work = .none }
        }
        if case .joined(let owner) = request.phase {
            table.update(owner) { $0.joiners.removeAll { $0 == number } }
            recount(owner)
        }
        table.remove(number)
    }

    /// The first joiner becomes the owner; the ride continues under the joiner's number.
    private mutating func changeOwner(from old: RequestNumber, to new: RequestNumber) {
        guard let former = table[old], former.joiners.contains(new) else {
            preconditionFailure("A ride passed to a request that had not joined it.")
        }
        leaveHeld(old)
        let others = former.joiners.filter { $0 != new }
        for number in others { table.update(number) { $0.phase = .joined(new) } }
        table.update(new) { owner in
            owner.phase = former.phase
            if case .riding(var ride) = former.phase {
                ride.acceptedFor = former.acceptedFor
                owner.phase = .riding(ride)
            }
            owner.zone = former.zone
            owner.arrival = former.arrival
            owner.due = former.due
            owner.heldTries = former.heldTries
            owner.tries = former.tries
            owner.asked = former.asked
            owner.offers = former.offers
            owner.eligible = former.eligible
            owner.hasLostTaxi = former.hasLostTaxi
            owner.joiners = others
            owner.form.zone = former.form.zone
        }
        recount(new)
        // What is left of the former owner's request is a joiner of nobody, which then ends.
        table.update(old) { request in
            request.phase = .parked
            request.joiners = []
        }
        if let taxi = former.offer?.taxi { update(taxi) { $0.work = .offer(new) } }
        if let taxi = former.ride?.taxi { update(taxi) { $0.work = .ride(new) } }
        if former.isHeld {
            zones[Int(former.zone.rawValue)].addHeld(new, arrival: former.arrival)
        }
        watch(new)
    }
}
