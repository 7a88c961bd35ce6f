import Chronology
import Dispatching

/// Follows the log with its own state and derives facts from each event, because the queue order is
/// known only at that moment.
struct StoryFollower: Sendable {
    /// The state before the next event.
    private(set) var state: Dispatcher

    /// Creates a follower that continues from a state.
    init(from state: Dispatcher = Dispatcher()) {
        self.state = state
    }

    /// Applies an event after its facts were derived.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - entry: the entry that contains it.
    /// - Throws: `ReplayFailure` if it does not follow the events before.
    mutating func add(_ event: Event, of entry: Entry) throws(ReplayFailure) {
        try state.replay(
            Entry(at: entry.at, policy: entry.policy, input: entry.input, events: [event])
        )
    }

    /// Returns the facts of an event for each request that it concerns.
    ///
    /// - Parameters:
    ///   - event: the next event.
    ///   - wanted: the only request whose offers are examined; nil for all.
    /// - Returns: one fact per request, usually for a single one.
    func facts(of event: Event, about wanted: RequestNumber? = nil) -> [(RequestNumber, Fact)] {
        switch event {
        case .request(.joined(let joiner, _, let owner)):
            return [(joiner, .joined(owner)), (owner, .gainedJoiner(joiner))]
        case .request(.ownerChanged(let old, let new)):
            let fact = Fact.changedOwner(from: old, to: new)
            return [(old, fact), (new, fact)]
        case .offer(.offered(let request, let taxi, let deadline, let rule)):
            guard wanted == nil || wanted == request else { return [] }
            return [(request, offered(request, to: taxi, rule, deadline))]
        case .request(let event): return fact(of: event).map { [$0] } ?? []
        case .offer(let event): return fact(of: event).map { [$0] } ?? []
        case .ride(let event): return [fact(of: event)]
        case .city, .taxi: return []
        }
    }

    private func fact(of event: Event.Request) -> (RequestNumber, Fact)? {
        switch event {
        case .requested(let request, let form):
            (request, .asked(zone: name(form.zone), form.needs, isShared: form.isShared))
        case .reserved(let request, let form, let due, let firstTry):
            (
                request,
                .booked(zone: name(form.zone), form.needs, due: due, firstTry: firstTry)
            )
        case .reservationTried(let request):
            (request, .tried(Int(state.request(request)?.tries ?? 0) + 1))
        case .reservationPostponed(let request, let cause, let nextTry):
            (request, .postponed(cause, nextTry: nextTry))
        case .held(let request, let nextTry): (request, .held(nextTry: nextTry))
        case .heldTried(let request):
            (request, .heldTried(Int(state.request(request)?.heldTries ?? 0) + 1))
        case .assigned(let request, let taxi, let reason):
            (request, .assigned(taxi: code(taxi), reason: reason))
        case .parked(let request, let reason): (request, .parked(reason: reason))
        case .unparked(let request): (request, .unparked)
        case .ended(let request, let outcome, let reason):
            (request, .ended(outcome, reason: reason))
        case .joined, .ownerChanged: nil
        }
    }

    private func fact(of event: Event.Offer) -> (RequestNumber, Fact)? {
        switch event {
        case .offerDelivered(let request): (request, .shown(taxi: taxi(of: request)))
        case .offerRenewed(let request, let deadline):
            (request, .renewed(taxi: taxi(of: request), deadline: deadline))
        case .offerClosed(let request, let outcome):
            (request, .declined(taxi: taxi(of: request), outcome))
        case .accepted(let request): (request, .accepted(taxi: taxi(of: request)))
        case .offered: nil
        }
    }

    private func fact(of event: Event.Ride) -> (RequestNumber, Fact) {
        switch event {
        case .arrivalStated(let request): (request, .stated(taxi: taxi(of: request)))
        case .meetingPointReached(let request): (request, .reached(taxi: taxi(of: request)))
        case .codeRejected(let request): (request, .wrongCode(taxi: taxi(of: request)))
        case .boarded(let request, let aboard):
            (request, .boarded(taxi: taxi(of: request), Int(aboard)))
        case .destinationReached(let request): (request, .arrived(taxi: taxi(of: request)))
        case .givenBack(let request, let cause, let reason):
            (request, .givenBack(taxi: taxi(of: request), cause, reason: reason))
        }
    }

    private func code(_ taxi: TaxiNumber) -> String {
        state.taxi(taxi)?.code ?? String(taxi.rawValue)
    }

    private func name(_ zone: ZoneNumber?) -> String {
        guard let zone, zone.rawValue < state.zones.count else { return "?" }
        return state.zones[Int(zone.rawValue)].name
    }

    /// Returns the taxi of a request's open offer or ride.
    private func taxi(of request: RequestNumber) -> String {
        let request = state.request(request)
        return (request?.offer?.taxi ?? request?.ride?.taxi).map(code) ?? "?"
    }

    // MARK: Offers

    private func offered(
        _ request: RequestNumber,
        to chosen: TaxiNumber,
        _ rule: OfferRule,
        _ deadline: Moment
    ) -> Fact {
        guard let asking = state.request(request), let taxi = state.taxi(chosen) else {
            return .unparked
        }
        let zone = taxi.zone ?? asking.zone
        let queue = state.zones[Int(zone.rawValue)].entries
        let place = queue.firstIndex { $0.taxi == chosen } ?? 0
        let passed = queue.prefix(place).map { entry in
            Fact.Passed(
                taxi: code(entry.taxi),
                reason: reason(entry.taxi, asking, rule) ?? .furtherBack(ahead: 0)
            )
        }
        return .offered(
            taxi: taxi.code,
            rule,
            place: place + 1,
            deadline: deadline,
            passed: passed
        )
    }

    /// Returns why a queued driver may not get an offer; nil if nothing prevents it.
    private func reason(
        _ number: TaxiNumber,
        _ asking: Request,
        _ rule: OfferRule
    ) -> Fact.Reason? {
        if rule == .assigned { return .assigned }
        guard let taxi = state.taxi(number) else { return nil }
        if !taxi.capacity.covers(asking.needs) { return .tooSmall }
        if asking.asked.contains(number) { return .askedBefore }
        if let eligible = asking.eligible, !eligible.contains(number) { return .cameLater }
        return nil
    }

    /// Returns why a taxi does not get the offer for a request now.
    ///
    /// - Parameters:
    ///   - me: the taxi in question.
    ///   - request: the request.
    ///   - chosen: the taxi that gets the offer.
    ///   - rule: the rule that selected it.
    /// - Returns: the reason; nil if there is no such request.
    func whyNot(
        _ me: Taxi,
        _ request: RequestNumber,
        _ chosen: TaxiNumber,
        _ rule: OfferRule
    ) -> Fact.Reason? {
        guard let asking = state.request(request) else { return nil }
        if me.number == chosen { return .chosen }
        guard me.status == .available else { return .status(me.status) }
        let isInReach = asking.form.neighbours.contains { $0.zone == me.zone }
        guard me.zone == asking.zone || rule == .neighbour && isInReach else {
            return .elsewhere(zone: name(me.zone))
        }
        if let reason = reason(me.number, asking, rule) { return reason }
        if rule == .neighbour, me.zone != state.taxi(chosen)?.zone {
            return .nearer(zone: name(me.zone))
        }
        return .furtherBack(ahead: state.taxisAhead(of: me.number) ?? 0)
    }
}
