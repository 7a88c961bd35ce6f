import Chronology

@testable import Dispatching

/// The invariants of spec/taxi.md 5.5, recomputed from public state.
///
/// The events of a step are applied one by one to a second dispatcher, so that each is checked
/// against the state before it; in the end that dispatcher must equal the first (I22).
struct Invariants {
    /// The state that results from the events alone.
    var shadow: Dispatcher
    /// The requests that have ended (I9).
    var ended: Set<RequestNumber> = []
    /// The taxis with an offer of each request, except withdrawn ones (I8).
    var asked: [RequestNumber: [TaxiNumber]] = [:]
    /// The rides that owners have passed on to joiners, until they end (I16).
    var passedOn: [RequestNumber: Ride] = [:]
    /// The turns owed to drivers who are out of contact (I6), by zone and range of ranks.
    var promises: [TaxiNumber: Promise] = [:]
    /// Whether the policy has changed, which invalidates earlier limits.
    var hasNewPolicy = false
    var complaints: [String] = []

    /// A turn that a driver gets when contact is restored in that zone.
    struct Promise {
        var zone: ZoneNumber
        var ranks: ClosedRange<Rank>
    }

    /// Starts from the given state.
    init(shadow: Dispatcher = Dispatcher()) {
        self.shadow = shadow
        for taxi in shadow.taxis {
            guard let kept = taxi.keptTurn else { continue }
            promises[taxi.number] = Promise(zone: kept.zone, ranks: kept.rank...kept.rank)
        }
    }

    /// Returns the violations of a step; empty if there are none.
    mutating func check(
        _ step: Step,
        _ before: Dispatcher,
        _ events: [Event],
        _ refusal: Refusal?,
        _ after: Dispatcher
    ) -> [String] {
        complaints = []
        checkGate(step, before, refusal)
        checkAnswer(step, before, events)
        shadow.now = after.now
        must(after.now == max(before.now, step.moment), "I28", "the clock ran back")
        for (index, event) in events.enumerated() {
            let next = index + 1 < events.count ? events[index + 1] : nil
            checkEvent(event, next, step)
        }
        let requests = after.requests
        let isSame =
            shadow.sequence == after.sequence && shadow.taxis == after.taxis
            && shadow.zones == after.zones && shadow.requests == requests
            && shadow.policy == after.policy && shadow.suspension == after.suspension
        must(isSame, "I22", "the events tell another state than the dispatcher is in")
        checkDrivers(after)
        checkRequests(after, requests)
        checkBounds(after, requests)
        return complaints
    }

    mutating func complain(_ invariant: String, _ what: String) {
        complaints.append("\(invariant): \(what)")
    }

    mutating func must(_ holds: Bool, _ invariant: String, _ what: @autoclosure () -> String) {
        if !holds { complain(invariant, what()) }
    }

    // MARK: Commands

    /// I19: before the data is complete, only setup commands are accepted.
    private mutating func checkGate(_ step: Step, _ before: Dispatcher, _ refusal: Refusal?) {
        guard !before.isSetUp, case .command(let command) = step.action else { return }
        switch command {
        case .city: break
        default: must(refusal == .setupIncomplete, "I19", "\(command) was let through")
        }
    }

    /// I11: an acceptance counts if and only if its offer is open and has not expired.
    private mutating func checkAnswer(_ step: Step, _ before: Dispatcher, _ events: [Event]) {
        var accepted: RequestNumber?
        for case .offer(.accepted(let request)) in events { accepted = request }
        guard case .command(.offer(.accept(_, let taxi, let epoch))) = step.action else {
            return must(accepted == nil, "I11", "accepted without being asked to")
        }
        // Taxi and epoch identify the offer, even if the owner of the ride has changed.
        let asking = before.requests.first { $0.offer?.taxi == taxi }
        guard let request = asking?.number else {
            return must(accepted == nil, "I11", "\(taxi) accepted without an open offer")
        }
        let offer = asking?.offer
        let isOpen = offer?.epoch == epoch
        must(accepted ?? request == request, "I11", "an acceptance counted for another request")
        let isInTime = max(step.moment, before.now) < offer?.deadline ?? .init(milliseconds: 0)
        var isClosed = false
        for case .offer(.offerClosed(request, _)) in events { isClosed = true }
        if accepted != nil {
            must(isOpen && isInTime, "I11", "a late or wrong acceptance of \(request) counted")
        } else {
            must(!isOpen || !isInTime || isClosed, "I11", "a good acceptance did not count")
        }
    }

    // MARK: State

    /// I1, I12, I14, I24, I25: each driver is in one state, and queued if and only if available.
    private mutating func checkDrivers(_ state: Dispatcher) {
        var places: [Int] = Array(repeating: 0, count: state.taxis.count)
        for (number, zone) in state.zones.enumerated() {
            var last: Rank?
            for entry in zone.entries {
                let index = Int(entry.taxi.rawValue)
                must(index < places.count, "I25", "an unknown taxi is queued")
                guard index < places.count else { continue }
                places[index] += 1
                let taxi = state.taxis[index]
                must(taxi.rank == entry.rank, "I1", "\(taxi.code) has another place than shown")
                must(taxi.place == .zone(.zone(UInt32(number))), "I1", "\(taxi.code) is elsewhere")
                must(last.map { $0 < entry.rank } ?? true, "I6", "places do not increase")
                must(entry.rank.sequence < state.sequence, "I6", "a place lies in the future")
                must(taxi.licensedUntil > state.now, "I14", "\(taxi.code) has no licence")
                last = entry.rank
            }
        }
        var sums: [TaxiStatus: Int] = [:]
        for (index, taxi) in state.taxis.enumerated() {
            sums[taxi.status, default: 0] += 1
            let isAvailable = taxi.status == .available
            must(places[index] == (isAvailable ? 1 : 0), "I1", "\(taxi.code) queues \(places)")
            must((taxi.rank != nil) == isAvailable, "I1", "\(taxi.code) has a place in no queue")
            must(taxi.status != .riding || taxi.isOnDuty, "I12", "\(taxi.code) rides off duty")
            must(taxi.keptTurn == nil || taxi.status == .outOfContact, "I6", "a turn is kept twice")
            if let zone = taxi.zone {
                must(zone.rawValue < state.zones.count, "I24", "\(taxi.code) is in no zone")
            }
        }
        must(sums.values.reduce(0, +) == state.taxis.count, "I25", "drivers were lost: \(sums)")
    }

    /// I3, I4, I10, I24, I27: one offer, one taxi, one live request, and enough seats for all.
    private mutating func checkRequests(_ state: Dispatcher, _ requests: [Request]) {
        var work = Array(repeating: Work.none, count: state.taxis.count)
        var live: Set<PassengerNumber> = []
        for request in requests {
            let number = request.number
            must(request.phase != .seeking, "I9", "request \(number) is left undecided")
            must(!ended.contains(number), "I9", "request \(number) lives after its end")
            must(request.zone.rawValue < state.zones.count, "I24", "\(number) is in no zone")
            if request.isLive {
                let isFirst = live.insert(request.form.passenger).inserted
                must(isFirst, "I4", "\(request.form.passenger) has two live requests")
                must(
                    state.liveRequest(of: request.form.passenger) == number,
                    "I4",
                    "the live request of \(request.form.passenger) is not found"
                )
            }
            if let offer = request.offer {
                must(work[Int(offer.taxi.rawValue)] == .none, "I3", "two are about one taxi")
                work[Int(offer.taxi.rawValue)] = .offer(number)
                must(offer.deadline > state.now, "I11", "an offer is open after its deadline")
                must(offer.epoch < state.sequence, "I11", "an epoch lies in the future")
            }
            if let ride = request.ride {
                must(work[Int(ride.taxi.rawValue)] == .none, "I4", "two are about one taxi")
                work[Int(ride.taxi.rawValue)] = .ride(number)
            }
            checkSharing(request, state)
        }
        for (taxi, expected) in zip(state.taxis, work) {
            must(taxi.work == expected, "I3", "\(taxi.code) does \(taxi.work), not \(expected)")
        }
    }

    /// I27, as far as the state shows it.
    private mutating func checkSharing(_ request: Request, _ state: Dispatcher) {
        var seats = Int(request.form.needs.seats)
        for joiner in request.joiners {
            let other = state.request(joiner)
            must(other?.phase == .joined(request.number), "I27", "\(joiner) joined nobody")
            seats += Int(other?.form.needs.seats ?? 0)
        }
        must(seats == Int(request.needs.seats), "I27", "seats are not added up")
        if case .joined(let owner) = request.phase {
            let knows = state.request(owner)?.joiners.contains(request.number) ?? false
            must(knows, "I27", "\(owner) does not know who joined")
        }
    }

    /// I30: deadlines are known, and expired ones do not accumulate.
    private mutating func checkBounds(_ state: Dispatcher, _ requests: [Request]) {
        let count = requests.count + state.taxis.count
        must(state.deadlineCount <= 1_024 + 2 * count + 64, "I30", "deadlines pile up")
        var due: Moment?
        func note(_ moment: Moment) { due = min(due ?? moment, moment) }
        for request in requests {
            if let moment = Dispatcher.due(request) { note(moment) }
        }
        for taxi in state.taxis {
            if let moment = taxi.graceEnds { note(moment) }
            if taxi.isOnDuty && taxi.status != .riding && taxi.licensedUntil != .never {
                note(taxi.licensedUntil)
            }
        }
        var copy = state
        guard let due else { return }
        must(copy.nextDeadline() ?? .never <= due, "I30", "a deadline is forgotten")
    }
}
