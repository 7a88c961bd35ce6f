package import Chronology
package import Dispatching

/// What happened to a request, from the log alone: who was asked, in which order, by which rule.
package struct Story: Sendable {
    /// The request.
    package let request: RequestNumber
    /// What happened, in order.
    package private(set) var told: [Told] = []
    /// For each offer of the request, why a driver was not the one.
    package private(set) var answers: [Answer] = []

    /// Why a driver was not asked when another was.
    package struct Answer: Hashable, Sendable {
        /// When the other was asked.
        package var at: Moment
        /// The other.
        package var asked: String
        /// Why not this one.
        package var reason: Fact.Reason
    }

    private var state = Dispatcher()
    private let curious: String?

    /// A story yet to be told.
    ///
    /// - Parameters:
    ///   - request: of which request.
    ///   - taxi: the code of a taxi whose driver asks "why not me?"; nil for nobody.
    package init(of request: RequestNumber, whyNot taxi: String? = nil) {
        self.request = request
        curious = taxi
    }

    /// Whether the log knows a taxi of that code.
    package func knows(_ code: String) -> Bool {
        state.taxis.contains { $0.code == code }
    }

    /// Hears the next entry of the log.
    ///
    /// - Throws: ``ReplayFailure`` when it does not follow the entries before.
    package mutating func hear(_ entry: Entry) throws(ReplayFailure) {
        for event in entry.events {
            if let fact = fact(event) { told.append(Told(at: entry.at, fact: fact)) }
            try state.replay(
                Entry(at: entry.at, policy: entry.policy, input: entry.input, events: [event])
            )
        }
    }

    private func code(_ taxi: TaxiNumber) -> String {
        state.taxi(taxi)?.code ?? String(taxi.rawValue)
    }

    private func name(_ zone: ZoneNumber?) -> String {
        guard let zone, zone.rawValue < state.zones.count else { return "?" }
        return state.zones[Int(zone.rawValue)].name
    }

    /// The taxi of the request's open offer or ride.
    private var taxi: String {
        let request = state.request(request)
        return (request?.offer?.taxi ?? request?.ride?.taxi).map(code) ?? "?"
    }

    private mutating func fact(_ event: Event) -> Fact? {
        switch event {
        case .requested(request, let form):
            .asked(zone: name(form.zone), form.needs, isShared: form.isShared)
        case .reserved(request, let form, let due, let firstTry):
            .booked(zone: name(form.zone), form.needs, due: due, firstTry: firstTry)
        case .joined(request, _, let owner): .joined(owner)
        case .joined(let joiner, _, request): .gainedJoiner(joiner)
        case .reservationTried(request): .tried(Int(state.request(request)?.tries ?? 0) + 1)
        case .reservationPostponed(request, let cause, let nextTry):
            .postponed(cause, nextTry: nextTry)
        case .offered(request, let taxi, let deadline, let rule):
            offered(taxi, rule, deadline)
        case .offerDelivered(request): .shown(taxi: taxi)
        case .offerRenewed(request, let deadline): .renewed(taxi: taxi, deadline: deadline)
        case .offerClosed(request, let outcome): .declined(taxi: taxi, outcome)
        case .accepted(request): .accepted(taxi: taxi)
        case .held(request, let nextTry): .held(nextTry: nextTry)
        case .heldTried(request): .heldTried(Int(state.request(request)?.heldTries ?? 0) + 1)
        case .assigned(request, let taxi, let reason): .assigned(taxi: code(taxi), reason: reason)
        case .parked(request, let reason): .parked(reason: reason)
        case .unparked(request): .unparked
        case .meetingPointReached(request): .reached(taxi: taxi)
        case .codeRejected(request): .wrongCode(taxi: taxi)
        case .boarded(request, let aboard): .boarded(taxi: taxi, Int(aboard))
        case .destinationReached(request): .arrived(taxi: taxi)
        case .ownerChanged(let old, let new) where old == request || new == request:
            .changedOwner(from: old, to: new)
        case .ended(request, let outcome, let reason): .ended(outcome, reason: reason)
        default: nil
        }
    }

    private mutating func offered(
        _ chosen: TaxiNumber,
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
        if let curious, let me = state.taxis.first(where: { $0.code == curious }) {
            answers.append(
                Answer(
                    at: state.now,
                    asked: taxi.code,
                    reason: whyNot(me, asking, chosen, rule)
                )
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

    /// Why a queued driver may not take a request; nil when he may.
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

    private func whyNot(
        _ me: Taxi,
        _ asking: Request,
        _ chosen: TaxiNumber,
        _ rule: OfferRule
    ) -> Fact.Reason {
        if me.number == chosen { return .chosen }
        guard me.status == .available else { return .status(me.status) }
        guard me.zone == asking.zone else { return .elsewhere(zone: name(me.zone)) }
        if let reason = reason(me.number, asking, rule) { return reason }
        return .furtherBack(ahead: state.taxisAhead(of: me.number) ?? 0)
    }
}
