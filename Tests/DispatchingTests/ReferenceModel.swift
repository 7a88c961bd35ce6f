import Chronology

@testable import Dispatching

/// A second, straightforward implementation of the dispatcher: the oracle of the random runs.
///
/// It uses plain arrays and linear search, without indexes, events or derived state. A queue is
/// "the available drivers of the zone, by ticket"; whether a driver has an offer or a ride is
/// looked up among the requests. It knows no sequence numbers, so the epochs of offers are copied
/// to it after each step.
struct ReferenceModel {
    /// A queue position: restored ones first, then in order of assignment.
    struct Ticket: Comparable {
        var isOrdinary: Bool
        var number: Int

        static func < (left: Self, right: Self) -> Bool {
            left.isOrdinary == right.isOrdinary
                ? left.number < right.number : !left.isOrdinary
        }
    }

    /// A ticket with the zone in which it is valid.
    struct Turn {
        var zone: ZoneNumber
        var ticket: Ticket
    }

    struct Driver {
        var form: TaxiForm
        var isOnDuty = false
        var isHeard = false
        var isGone = false
        var place = Place.unknown
        var ticket: Ticket?
        var kept: Turn?
        var keptUntil: Moment?
        var strikes = 0
        /// The turn in the own zone after a ride in another came to nothing, and until when.
        var home: (turn: Turn, until: Moment)?
    }

    struct Question {
        var taxi: Int
        var deadline: Moment
        var epoch: Int64 = -1
        var isShown = false
        var turn: Turn?
    }

    struct Trip {
        var taxi: Int
        var turn: Turn?
        var stage = Ride.Stage.onTheWay
        var reachedAt: Moment?
        var isAtDestination = false
        var wrongCodes = 0
        var aboard = 0
    }

    enum Phase {
        case reserved(Moment)
        case deciding
        case asking(Question)
        case held(Moment)
        case parked
        case riding(Trip)
        case joined(RequestNumber)
    }

    struct Call {
        let number: RequestNumber
        var form: RequestForm
        var zone: ZoneNumber
        var due: Moment?
        var arrival: Int
        var isLive: Bool
        var phase: Phase
        var heldTries = 0
        var asked: [Int] = []
        var offers = 0
        var eligible: [Int]?
        var hasLostTaxi = false
    }

    var now = Moment(milliseconds: 0)
    var policy = Policy.viavai
    var isSetUp = false
    var suspension: String?
    var zones = 0
    var drivers: [Driver] = []
    var calls: [Call] = []
    var lastNumber: UInt64 = 0
    var lastTicket = 0
    var result = StepResult()

    // MARK: Derived values

    func find(_ number: RequestNumber) -> Int? { calls.firstIndex { $0.number == number } }

    func call(_ number: RequestNumber) -> Call? { calls.first { $0.number == number } }

    func question(of call: Call) -> Question? {
        if case .asking(let question) = call.phase { return question }
        return nil
    }

    func trip(of call: Call) -> Trip? {
        if case .riding(let trip) = call.phase { return trip }
        return nil
    }

    func callAsking(_ taxi: Int) -> Call? { calls.first { question(of: $0)?.taxi == taxi } }

    func callDriven(by taxi: Int) -> Call? { calls.first { trip(of: $0)?.taxi == taxi } }

    func status(_ taxi: Int) -> TaxiStatus {
        let driver = drivers[taxi]
        if driver.isGone { return .removed }
        if callDriven(by: taxi) != nil { return .riding }
        if callAsking(taxi) != nil { return .pendingConfirmation }
        if !driver.isOnDuty { return .unavailable }
        if !driver.isHeard { return .outOfContact }
        if case .zone = driver.place { return .available }
        return .outOfCity
    }

    func queue(_ zone: ZoneNumber) -> [Int] {
        let waiting = drivers.indices.compactMap { taxi in
            drivers[taxi].ticket.map { (taxi: taxi, ticket: $0) }
        }
        return waiting.filter { drivers[$0.taxi].place == .zone(zone) }
            .sorted { $0.ticket < $1.ticket }.map(\.taxi)
    }

    func joiners(_ number: RequestNumber) -> [Call] {
        calls.filter { if case .joined(number) = $0.phase { true } else { false } }
            .sorted { $0.number < $1.number }
    }

    func needs(_ call: Call) -> Capacity {
        var sum = call.form.needs
        for joiner in joiners(call.number) {
            sum.seats += joiner.form.needs.seats
            sum.wheelchair = sum.wheelchair || joiner.form.needs.wheelchair
        }
        return sum
    }

    func heldCalls(_ zone: ZoneNumber) -> [Call] {
        calls.filter { if case .held = $0.phase { $0.form.zone == zone } else { false } }
            .sorted { $0.arrival < $1.arrival }
    }

    func mayTake(_ taxi: Int, _ call: Call) -> Bool {
        let limit = policy[.maxOffers]
        return (limit == 0 || call.offers < limit)
            && drivers[taxi].form.capacity.covers(needs(call))
            && drivers[taxi].form.licensedUntil > now
            && (policy[.refusedMemory] == 2 || !call.asked.contains(taxi))
            && (call.eligible?.contains(taxi) ?? true)
    }

    mutating func newTicket(isOrdinary: Bool = true) -> Ticket {
        lastTicket += 1
        return Ticket(isOrdinary: isOrdinary, number: lastTicket)
    }

    func later(_ key: Policy.Key) -> Moment { now.adding(seconds: policy[key]) }

    // MARK: Search

    mutating func seek(_ number: RequestNumber) {
        guard let seeking = call(number), case .deciding = seeking.phase else { return }
        serveHeld(in: seeking.zone, before: seeking.arrival)
        if suspension == nil, let taxi = claimedTaxi(for: seeking) {
            let rule: OfferRule = seeking.heldTries > 0 ? .heldRequest : .firstInQueue
            ask(taxi, number, seeking.due != nil ? .reservation : rule)
        } else if let last = joiners(number).last, isTooLarge(seeking) {
            end(last.number, seeking.asked.isEmpty ? .noTaxi : .allRefused)
            seek(number)
        } else if seeking.due != nil {
            giveUpReservation(seeking)
        } else if suspension != nil {
            end(number, .suspended)
        } else if !hasHope(seeking) {
            end(number, seeking.asked.isEmpty ? .noTaxi : .allRefused)
        } else if seeking.heldTries < policy[.heldTries] {
            set(number) { [later] in $0.phase = .held(later(.heldEvery)) }
        } else {
            end(number, .heldTooLong)
        }
    }

    /// Returns whether a shared ride must wait or be refused while its owner alone need not.
    func isTooLarge(_ call: Call) -> Bool {
        func mayWait(_ call: Call) -> Bool {
            call.due == nil && call.heldTries < policy[.heldTries] && hasHope(call)
        }
        if suspension != nil || mayWait(call) { return false }
        var alone = self
        alone.calls.removeAll { if case .joined(call.number) = $0.phase { true } else { false } }
        return alone.firstTaxi(for: call) != nil
            || call.due == nil && call.heldTries < policy[.heldTries] && alone.hasHope(call)
    }

    mutating func set(_ number: RequestNumber, _ change: (inout Call) -> Void) {
        if let index = find(number) { change(&calls[index]) }
    }

    mutating func ask(_ taxi: Int, _ number: RequestNumber, _ rule: OfferRule) {
        var turn: Turn?
        if case .zone(let zone) = drivers[taxi].place, let ticket = drivers[taxi].ticket {
            turn = Turn(zone: zone, ticket: ticket)
        }
        drivers[taxi].ticket = nil
        let question = Question(taxi: taxi, deadline: later(.offerTimeout), turn: turn)
        set(number) {
            $0.phase = .asking(question)
            $0.asked.append(taxi)
            $0.offers += 1
        }
        let isOwn = call(number)?.zone == turn?.zone || rule == .assigned
        let told = isOwn ? rule : .neighbour
        result.questions.append(.init(request: number, taxi: .taxi(taxi), rule: told))
    }

    /// Held requests come before newer ones (G11).
    mutating func serveHeld(in zone: ZoneNumber, before arrival: Int = .max) {
        guard suspension == nil else { return }
        for waiting in heldCalls(zone) where waiting.arrival < arrival {
            guard isHeld(waiting) else { continue }
            if let taxi = claimedTaxi(for: waiting) { askForHeld(taxi, waiting.number) }
        }
    }

    mutating func askForHeld(_ taxi: Int, _ number: RequestNumber) {
        set(number) { $0.heldTries += 1 }
        ask(taxi, number, .heldRequest)
    }

    /// Queues a driver who has become available, by default at the tail; the oldest held request
    /// for which the driver is the first then makes an offer (G2).
    mutating func enqueue(_ taxi: Int, at ticket: Ticket? = nil) {
        guard status(taxi) == .available, drivers[taxi].ticket == nil,
            case .zone(let zone) = drivers[taxi].place
        else { return }
        drivers[taxi].ticket = ticket ?? newTicket()
        drivers[taxi].kept = nil
        if drivers[taxi].home?.turn.zone == zone { drivers[taxi].home = nil }
        guard policy[.heldRetry] == 0, suspension == nil else { return }
        for lucky in heldCalls(zone) + heldElsewhere(zone) where isHeld(lucky) {
            if claimedTaxi(for: lucky) == taxi { return askForHeld(taxi, lucky.number) }
        }
    }

    // MARK: Answers

    /// Closes an offer; the driver is then in no queue until placed in one.
    mutating func release(_ number: RequestNumber, _ outcome: OfferOutcome) {
        guard let call = call(number), let question = question(of: call) else { return }
        if outcome == .refused { drivers[question.taxi].strikes = 0 }
        if outcome == .ignored && question.isShown { drivers[question.taxi].strikes += 1 }
        set(number) {
            $0.phase = .deciding
            if outcome == .withdrawn {
                $0.asked.removeLast()
                $0.offers -= 1
            }
        }
    }

    mutating func close(_ number: RequestNumber, _ outcome: OfferOutcome) {
        guard let call = call(number), let question = question(of: call) else { return }
        release(number, outcome)
        let limit = policy[.maxIgnored]
        if outcome == .ignored, limit > 0, drivers[question.taxi].strikes >= limit {
            leaveDuty(question.taxi)
        } else {
            enqueue(question.taxi, at: outcome == .withdrawn ? back(question) : nil)
        }
    }

    func back(_ question: Question) -> Ticket? { back(question.taxi, question.turn) }

    func back(_ taxi: Int, _ turn: Turn?) -> Ticket? {
        guard let turn, drivers[taxi].place == .zone(turn.zone) else { return nil }
        return turn.ticket
    }

    mutating func leaveDuty(_ taxi: Int, asRefusal: Bool = false) {
        let asking = callAsking(taxi)
        if let asking { release(asking.number, asRefusal ? .refused : .withdrawn) }
        drivers[taxi].ticket = nil
        drivers[taxi].isOnDuty = false
        drivers[taxi].kept = nil
        drivers[taxi].keptUntil = nil
        drivers[taxi].strikes = 0
        drivers[taxi].home = nil
        if let asking { seek(asking.number) }
    }

    // MARK: Ends

    mutating func end(_ number: RequestNumber, _ outcome: RequestOutcome) {
        for joiner in joiners(number) { end(joiner.number, outcome) }
        calls.removeAll { $0.number == number }
        result.endings.append(.init(request: number, outcome: outcome))
    }

    mutating func finish(_ call: Call, _ outcome: RequestOutcome) {
        guard let trip = trip(of: call) else { return }
        end(call.number, outcome)
        var ticket: Ticket?
        if outcome != .completed && trip.stage != .aboard {
            ticket = ticketAfterLoss(call, trip)
        }
        if drivers[trip.taxi].form.licensedUntil <= now {
            leaveDuty(trip.taxi)
        } else if drivers[trip.taxi].isHeard {
            enqueue(trip.taxi, at: ticket)
        } else {
            drivers[trip.taxi].keptUntil = later(.grace)
            guard let ticket, case .zone(let zone) = drivers[trip.taxi].place else { return }
            drivers[trip.taxi].kept = Turn(zone: zone, ticket: ticket)
        }
    }

    mutating func giveBack(_ call: Call) throws(Refusal) {
        guard let trip = trip(of: call) else { return }
        if trip.stage == .aboard { throw .alreadyAboard }
        let queued = policy[.reserveSnapshot] == 1 ? queue(call.zone) : nil
        set(call.number) {
            $0.phase = .deciding
            $0.hasLostTaxi = true
            $0.heldTries = 0
            $0.offers = 0
            if $0.eligible != nil { $0.eligible = queued }
        }
        leaveDuty(trip.taxi)
        if call.form.zone == nil { end(call.number, .outsideCity) }
        seek(call.number)
    }

    // MARK: Reservations

    mutating func tryReservation(_ call: Call) {
        let hasOther = calls.contains {
            $0.isLive && $0.form.passenger == call.form.passenger && $0.number != call.number
        }
        if suspension != nil || hasOther { return postpone(call) }
        let arrival = call.isLive ? call.arrival : newTicket().number
        let queued = policy[.reserveSnapshot] == 1 ? queue(call.zone) : nil
        let forgets = policy[.refusedMemory] == 1
        set(call.number) {
            $0.arrival = arrival
            $0.isLive = true
            $0.offers = 0
            $0.eligible = queued
            $0.phase = .deciding
            if forgets { $0.asked = [] }
        }
        seek(call.number)
    }

    mutating func giveUpReservation(_ call: Call) {
        let isRefused = call.hasLostTaxi ? call.offers > 0 : !call.asked.isEmpty
        if policy[.reserveAllRefused] == 1, suspension == nil, isRefused {
            end(call.number, .allRefused)
        } else {
            postpone(call)
        }
    }

    /// The first of the tries (first try + k times the interval) that is still to come.
    mutating func postpone(_ call: Call) {
        guard let due = call.due else { return }
        var next = due.adding(seconds: -policy[.allocateBefore])
        var retry: Int64 = 0
        while next <= now {
            next = next.adding(seconds: policy[.reserveRetry])
            retry += 1
        }
        let isKept = suspension != nil && next <= due
        if retry > policy[.reserveRetries] && !isKept {
            end(call.number, suspension != nil ? .suspended : .dropped)
        } else {
            set(call.number) { $0.phase = .reserved(next) }
        }
    }
}
