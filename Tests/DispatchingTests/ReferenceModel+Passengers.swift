import Chronology

@testable import Dispatching

extension ReferenceModel {
    // MARK: Passengers

    private func check(_ form: RequestForm) throws(Refusal) {
        if !(1...16).contains(form.needs.seats) { throw .invalid("seats") }
        guard let zone = form.zone else { throw .originOutsideCity }
        if zone.rawValue >= zones { throw .noSuchZone }
        try checkNeighbours(form)
        if !form.isShared { return }
        if policy[.sharing] == 0 { throw .sharingDisabled }
        if form.isGuest { throw .guestsNotAllowed }
        if !form.hasDestination { throw .destinationMissing }
    }

    private func mustBeFree(_ passenger: PassengerNumber) throws(Refusal) {
        for call in calls where call.isLive && call.form.passenger == passenger {
            throw .liveRequest(call.number)
        }
    }

    private mutating func arrive(_ form: RequestForm, _ phase: Phase, due: Moment? = nil) {
        lastNumber += 1
        var isLive = true
        if case .reserved = phase { isLive = false }
        calls.append(
            Call(
                number: RequestNumber(rawValue: lastNumber),
                form: form,
                zone: form.zone ?? ZoneNumber(rawValue: 0),
                due: due,
                arrival: newTicket().number,
                isLive: isLive,
                phase: phase
            )
        )
    }

    mutating func request(_ asked: RequestForm) throws(Refusal) {
        var form = asked
        if let suspension { throw .suspended(suspension) }
        if form.isGuest && policy[.guestRequests] == 0 { throw .guestsNotAllowed }
        try check(form)
        try mustBeFree(form.passenger)
        if policy[.destination] == 0 && !form.hasDestination { throw .destinationMissing }
        if policy[.destination] == 2 && !form.isShared { form.hasDestination = false }
        arrive(form, .deciding)
        seek(RequestNumber(rawValue: lastNumber))
    }

    mutating func reserve(_ form: RequestForm, _ due: Moment) throws(Refusal) {
        if policy[.reserving] == 0 { throw .reservationsDisabled }
        if form.isGuest { throw .guestsNotAllowed }
        try check(form)
        if !form.hasDestination { throw .destinationMissing }
        let earliest = now.adding(seconds: 3_600 * policy[.reserveMin])
        let latest = now.adding(seconds: 3_600 * policy[.reserveMax])
        if due < earliest { throw .tooSoon(earliest) }
        if due > latest { throw .tooFar(latest) }
        let firstTry = due.adding(seconds: -policy[.allocateBefore])
        arrive(form, .reserved(max(firstTry, now)), due: due)
    }

    mutating func cancel(_ number: RequestNumber) throws(Refusal) {
        guard let call = call(number) else { throw .noSuchRequest }
        var decisive = call
        if case .joined(let owner) = call.phase { decisive = self.call(owner) ?? call }
        if case .riding(let trip) = decisive.phase {
            if decisive.due != nil || policy[.cancelRequest] != 2 || trip.stage != .onTheWay {
                throw .tooLateToCancel
            }
        } else if decisive.due == nil && policy[.cancelRequest] == 0 {
            throw .tooLateToCancel
        }
        takeAway(call, .cancelled)
    }

    /// Transfers a request from its owner to the first joiner.
    private mutating func inherit(_ heir: Call, from owner: Call) {
        for joiner in joiners(owner.number) {
            set(joiner.number) { $0.phase = .joined(heir.number) }
        }
        set(heir.number) {
            $0.phase = owner.phase
            $0.zone = owner.zone
            $0.form.zone = owner.form.zone
            $0.form.neighbours = owner.form.neighbours
            $0.due = owner.due
            $0.arrival = owner.arrival
            $0.heldTries = owner.heldTries
            $0.asked = owner.asked
            $0.offers = owner.offers
            $0.eligible = owner.eligible
            $0.hasLostTaxi = owner.hasLostTaxi
        }
        calls.removeAll { $0.number == owner.number }
    }

    private mutating func takeAway(_ call: Call, _ outcome: RequestOutcome) {
        if let heir = joiners(call.number).first {
            inherit(heir, from: call)
            result.endings.append(.init(request: call.number, outcome: outcome))
            return
        }
        if trip(of: call) != nil { return finish(call, outcome) }
        close(call.number, .withdrawn)
        end(call.number, outcome)
    }

    mutating func join(
        _ asked: RequestForm,
        _ number: RequestNumber,
        _ estimate: SharingEstimate
    ) throws(Refusal) {
        if let suspension { throw .suspended(suspension) }
        if policy[.sharing] == 0 { throw .sharingDisabled }
        if asked.isGuest { throw .guestsNotAllowed }
        if !(1...16).contains(asked.needs.seats) { throw .invalid("seats") }
        if !asked.hasDestination { throw .destinationMissing }
        try mustBeFree(asked.passenger)
        guard let owner = call(number), owner.form.isShared else { throw .notShared }
        var rooms: [Capacity] = []
        switch owner.phase {
        case .asking(let question): rooms = [drivers[question.taxi].form.capacity]
        case .riding(let trip) where trip.stage == .onTheWay:
            rooms = [drivers[trip.taxi].form.capacity]
        case .held:
            for taxi in drivers.indices where seconds(from: taxi, to: owner) != nil {
                let mayBeFree = [.available, .pendingConfirmation].contains(status(taxi))
                if !mayBeFree || !mayTake(taxi, owner) { continue }
                var room = drivers[taxi].form.capacity
                room.seats = min(room.seats, UInt8(policy[.shareSeats]))
                rooms.append(room)
            }
        default: throw .notShared
        }
        var all = needs(owner)
        all.seats += asked.needs.seats
        all.wheelchair = all.wheelchair || asked.needs.wheelchair
        if !rooms.contains(where: { $0.covers(all) }) {
            let left = (rooms.map(\.seats).max() ?? 0).subtractingReportingOverflow(
                needs(owner).seats
            )
            let free = left.overflow ? 0 : left.partialValue
            if asked.needs.seats > free { throw .seatsLeft(free) }
            throw .tooSmall
        }
        if estimate.walkSeconds > policy[.shareWalk]
            || estimate.walkSeconds > estimate.taxiSeconds
        {
            throw .walkTooLong
        }
        if estimate.detourPercent > policy[.shareDetour] { throw .detourTooLong }
        if estimate.extraWaitSeconds > policy[.shareWait] { throw .waitTooLong }
        var form = asked
        form.isShared = true
        form.zone = owner.zone
        form.neighbours = []
        arrive(form, .joined(number))
    }

    // MARK: Rides

    /// Whether a command only states an arrival, and the policy wants it measured.
    private func isDoubted(_ command: Command) -> Bool {
        guard case .ride(.stateArrival) = command else { return false }
        return policy[.statedArrival] == 0
    }

    mutating func applyToRide(_ command: Command) throws(Refusal) {
        switch command {
        case .ride(.reachMeetingPoint(let taxi)), .ride(.stateArrival(let taxi, false)):
            var (call, trip) = try ride(taxi)
            if trip.stage != .onTheWay { return }
            if isDoubted(command) { throw .meetingPointNotReached }
            trip.stage = .atMeetingPoint
            trip.reachedAt = now
            set(call.number) { [trip] in $0.phase = .riding(trip) }
            call.phase = .riding(trip)
        case .ride(.board(let taxi, let aboard, let code)): try board(taxi, Int(aboard), code)
        case .ride(.reportNoShow(let taxi)):
            let (call, trip) = try ride(taxi)
            if policy[.noShow] == 0 { throw .noShowDisabled }
            if trip.stage == .aboard { throw .alreadyAboard }
            guard let reached = trip.reachedAt else { throw .meetingPointNotReached }
            let hour = call.due.map { max(reached, $0) } ?? reached
            let earliest = hour.adding(seconds: policy[.noShowWait])
            if now < earliest { throw .waitUntil(earliest) }
            finish(call, .noShow)
        case .ride(.leaveBehind(let taxi, let party)):
            let (call, trip) = try ride(taxi)
            let along = joiners(call.number).map(\.number)
            if along.isEmpty || !([call.number] + along).contains(party) { throw .noSuchRequest }
            let isOwner = party == call.number
            if isOwner && policy[.noShow] == 0 { throw .noShowDisabled }
            if trip.stage == .aboard { throw .alreadyAboard }
            guard let reached = trip.reachedAt else { throw .meetingPointNotReached }
            var earliest = call.due.map { max(reached, $0) } ?? reached
            if isOwner { earliest = earliest.adding(seconds: policy[.noShowWait]) }
            if now < earliest { throw .waitUntil(earliest) }
            takeAway(self.call(party) ?? call, .noShow)
        case .ride(.reachDestination(let taxi)), .ride(.stateArrival(let taxi, true)):
            var (call, trip) = try ride(taxi)
            if trip.stage != .aboard { throw .nobodyAboard }
            if !trip.isAtDestination && isDoubted(command) { throw .destinationNotReached }
            trip.isAtDestination = true
            call.phase = .riding(trip)
            set(call.number) { [trip] in $0.phase = .riding(trip) }
        case .ride(.endRide(let taxi, let reason)):
            let (call, trip) = try ride(taxi)
            let mayOverride = policy[.endOverride] == 1 && !(reason ?? "").isEmpty
            if !mayOverride && policy[.endNeedsPickup] == 1 {
                if trip.stage == .onTheWay { throw .meetingPointNotReached }
                if trip.stage == .atMeetingPoint { throw .nobodyAboard }
            }
            if !mayOverride && policy[.endNeedsDestination] == 1 && call.form.hasDestination
                && !trip.isAtDestination
            {
                throw .destinationNotReached
            }
            finish(call, .completed)
        case .console(.closeRide(let taxi, let reason)):
            let (call, _) = try ride(taxi)
            if reason.isEmpty { throw .reasonMissing }
            finish(call, .completed)
        case .ride(.giveBack(let taxi, let cause)):
            if cause == .dispatcher { throw .invalid("cause") }
            try giveBack(try ride(taxi).0)
        case .console(.replace(let number, let taxi, let reason)):
            let taxi = try known(taxi)
            guard let call = call(number) else { throw .noSuchRequest }
            if trip(of: call)?.taxi != taxi { throw .wrongPhase }
            if reason.isEmpty { throw .reasonMissing }
            try giveBack(call)
        default: break
        }
    }

    private func ride(_ taxi: TaxiNumber) throws(Refusal) -> (Call, Trip) {
        guard let call = callDriven(by: try known(taxi)), let trip = trip(of: call) else {
            throw .notRiding
        }
        return (call, trip)
    }

    private mutating func board(
        _ taxi: TaxiNumber,
        _ aboard: Int,
        _ code: CodeCheck
    ) throws(Refusal) {
        var (call, trip) = try ride(taxi)
        if trip.stage == .aboard { throw .alreadyAboard }
        if trip.stage == .onTheWay && policy[.endNeedsPickup] == 1 {
            throw .meetingPointNotReached
        }
        if aboard < 1 || aboard > drivers[trip.taxi].form.capacity.seats {
            throw .invalid("aboard")
        }
        let isChecked = policy[.pinDigits] != 0
        if isChecked && trip.wrongCodes >= policy[.codeAttempts] { throw .codeLocked }
        if isChecked && code == .none { throw .codeMissing }
        if isChecked && code == .wrong {
            trip.wrongCodes += 1
        } else {
            trip.stage = .aboard
            trip.aboard = aboard
        }
        call.phase = .riding(trip)
        set(call.number) { [trip] in $0.phase = .riding(trip) }
    }

    // MARK: Console

    mutating func applyConsole(_ command: Command) throws(Refusal) {
        switch command {
        case .console(.assign(let number, let taxi, let reason)):
            try mustWait(number, reason)
            let taxi = try known(taxi)
            guard drivers[taxi].ticket != nil, let call = call(number) else { throw .notQueued }
            if !drivers[taxi].form.capacity.covers(needs(call)) { throw .tooSmall }
            close(number, .withdrawn)
            set(number) { $0.phase = .deciding }
            ask(taxi, number, .assigned)
        case .console(.park(let number, let reason)):
            try mustWait(number, reason)
            if case .parked? = call(number)?.phase { throw .wrongPhase }
            if call(number)?.due != nil { throw .wrongPhase }
            close(number, .withdrawn)
            set(number) { $0.phase = .parked }
        case .console(.unpark(let number)):
            guard let call = call(number) else { throw .noSuchRequest }
            if let suspension { throw .suspended(suspension) }
            guard case .parked = call.phase else { throw .wrongPhase }
            set(number) { $0.phase = .deciding }
            seek(number)
        case .console(.restoreTurn(let taxi, let reason)):
            let taxi = try known(taxi)
            if reason.isEmpty { throw .reasonMissing }
            guard let ticket = drivers[taxi].ticket else { throw .notQueued }
            if !ticket.isOrdinary { return }
            drivers[taxi].ticket = nil
            enqueue(taxi, at: newTicket(isOrdinary: false))
        case .console(.takeOffDuty(let taxi, let reason)):
            let taxi = try known(taxi)
            if reason.isEmpty { throw .reasonMissing }
            if !drivers[taxi].isOnDuty { throw .alreadyOffDuty }
            if status(taxi) == .riding { throw .riding }
            leaveDuty(taxi)
        case .console(.withdraw(let number, let reason)):
            guard let call = call(number) else { throw .noSuchRequest }
            if reason.isEmpty { throw .reasonMissing }
            takeAway(call, .withdrawn)
        default: break
        }
    }

    /// Checks that a request is live and that no driver is on the way.
    private func mustWait(_ number: RequestNumber, _ reason: String) throws(Refusal) {
        guard let call = call(number) else { throw .noSuchRequest }
        if reason.isEmpty { throw .reasonMissing }
        if let suspension { throw .suspended(suspension) }
        if !call.isLive { throw .wrongPhase }
        switch call.phase {
        case .asking, .held, .parked, .reserved: break
        case .deciding, .riding, .joined: throw .wrongPhase
        }
    }

    // MARK: Comparing

    /// The visible state, in the form shared with the dispatcher.
    var picture: Picture {
        Picture(
            drivers: drivers.indices.map { taxi in
                Picture.Driver(
                    status: status(taxi),
                    place: drivers[taxi].place,
                    isOnDuty: drivers[taxi].isOnDuty,
                    strikes: drivers[taxi].strikes,
                    keptZone: drivers[taxi].kept?.zone,
                    keptUntil: drivers[taxi].keptUntil,
                    homeZone: drivers[taxi].home?.turn.zone
                )
            },
            queues: (0..<zones).map { zone in
                queue(ZoneNumber(rawValue: UInt32(zone))).map { .taxi($0) }
            },
            calls: calls.sorted { $0.number < $1.number }.map { call in
                Picture.Call(
                    number: call.number,
                    zone: call.zone,
                    due: call.due,
                    isLive: call.isLive,
                    needs: needs(call),
                    phase: shown(call.phase),
                    heldTries: call.heldTries,
                    asked: call.asked.map { .taxi($0) },
                    offers: call.offers,
                    hasLostTaxi: call.hasLostTaxi
                )
            },
            isSetUp: isSetUp,
            suspension: suspension,
            nextDeadline: due.map(\.moment).min()
        )
    }

    private func shown(_ phase: Phase) -> Picture.Phase {
        switch phase {
        case .deciding: .seeking
        case .reserved(let next): .reserved(nextTry: next)
        case .asking(let question):
            .offered(
                .taxi(question.taxi),
                deadline: question.deadline,
                isShown: question.isShown
            )
        case .held(let next): .held(nextTry: next)
        case .parked: .parked
        case .riding(let trip):
            .riding(
                .taxi(trip.taxi),
                trip.stage,
                reachedAt: trip.reachedAt,
                wrongCodes: trip.wrongCodes,
                aboard: trip.aboard
            )
        case .joined(let owner): .joined(owner)
        }
    }
}
