public import Chronology

extension Dispatcher {
    /// Processes everything that is due up to a moment.
    ///
    /// - Returns: the entry to log; nil when nothing was due.
    public mutating func log(advanceTo moment: Moment) -> Entry? {
        let policy = policyHash
        let events = advance(to: moment)
        if events.isEmpty { return nil }
        return Entry(at: now, policy: policy, input: .time, events: events)
    }

    /// Applies a command at the moment to which the dispatcher was advanced.
    ///
    /// - Returns: the entry to log; nil when nothing changes.
    /// - Throws: the reason for refusal.
    public mutating func log(_ command: Command) throws(Refusal) -> Entry? {
        let policy = policyHash
        let events = try apply(command)
        if events.isEmpty { return nil }
        return Entry(at: now, policy: policy, input: .command(command), events: events)
    }

    /// Records a restart after the service was down; see ``restart(at:)``.
    public mutating func log(restartAt moment: Moment) -> Entry {
        let policy = policyHash
        // A moment before the last one counts as the last one: see `now`.
        let events = restart(at: moment)
        return Entry(at: now, policy: policy, input: .restart, events: events)
    }

    /// Applies the events of a log entry to the state without deciding anything.
    ///
    /// - Throws: ``ReplayFailure`` when the entry cannot follow the present state; the dispatcher
    ///   must then be discarded.
    public mutating func replay(_ entry: Entry) throws(ReplayFailure) {
        guard entry.at >= now else { throw .timeRunsBack }
        now = entry.at
        for event in entry.events {
            guard refersToWhatIs(event) else { throw .dangling(event) }
            fold(event)
        }
        trimDeadlines()
    }

    /// Repeats the decision of an entry and compares the events.
    ///
    /// - Throws: ``ReplayFailure`` when the events differ.
    public mutating func repeatDecision(of entry: Entry) throws(ReplayFailure) {
        guard entry.at >= now else { throw .timeRunsBack }
        let events: [Event]
        switch entry.input {
        case .time: events = advance(to: entry.at)
        case .restart: events = restart(at: entry.at)
        case .command(let command):
            now = entry.at
            do { events = try apply(command) } catch { throw .decidesOtherwise }
        }
        if events != entry.events { throw .decidesOtherwise }
    }
}

extension Dispatcher {
    /// Decides a command and applies the resulting events.
    ///
    /// The caller first advances to the command's moment (``advance(to:)``).
    ///
    /// - Returns: the resulting events, in order; empty when nothing changes.
    /// - Throws: the reason for refusal; the state is then unchanged.
    public mutating func apply(_ command: Command) throws(Refusal) -> [Event] {
        precondition(emitted.isEmpty, "A command that was refused changed the state.")
        if case .city(let command) = command {
            try decide(command)
            return taken()
        }
        guard isSetUp else { throw .setupIncomplete }
        switch command {
        case .city: break
        case .driver(let command): try decide(command)
        case .offer(let command): try decide(command)
        case .ride(let command): try decide(command)
        case .passenger(let command): try decide(command)
        case .console(let command): try decide(command)
        }
        return taken()
    }

    private mutating func decide(_ command: Command.Driver) throws(Refusal) {
        switch command {
        case .goOnDuty(let taxi): try goOnDuty(taxi)
        case .goOffDuty(let taxi): try goOffDuty(taxi)
        case .locate(let taxi, let place): try locate(taxi, place)
        case .loseContact(let taxi): try loseContact(taxi)
        case .regainContact(let taxi, let place): try regainContact(taxi, place)
        }
    }

    private mutating func decide(_ command: Command.Offer) throws(Refusal) {
        switch command {
        case .confirmDelivery(_, let taxi, let epoch):
            let request = try request(offeredTo: taxi, epoch)
            if table[request]?.offer?.isDelivered == false { emit(.offerDelivered(request)) }
        case .reportUndeliverable(_, let taxi, let epoch): try decline(taxi, epoch, .undeliverable)
        case .accept(_, let taxi, let epoch):
            emit(.accepted(try request(offeredTo: taxi, epoch)))
        case .refuse(_, let taxi, let epoch): try decline(taxi, epoch, .refused)
        }
    }

    private mutating func decide(_ command: Command.Passenger) throws(Refusal) {
        switch command {
        case .request(let form): try request(form)
        case .reserve(let form, let due): try reserve(form, due)
        case .cancel(let request): try cancel(request)
        case .join(let form, let owner, let estimate): try join(form, owner, estimate)
        }
    }

    // MARK: Events

    mutating func emit(_ event: Event.City) { emit(.city(event)) }
    mutating func emit(_ event: Event.Taxi) { emit(.taxi(event)) }
    mutating func emit(_ event: Event.Request) { emit(.request(event)) }
    mutating func emit(_ event: Event.Offer) { emit(.offer(event)) }
    mutating func emit(_ event: Event.Ride) { emit(.ride(event)) }

    /// Emits an event and applies it to the state at once.
    private mutating func emit(_ event: Event) {
        emitted.append(event)
        fold(event)
    }

    /// Returns the events emitted since the last call and clears them.
    mutating func taken() -> [Event] {
        let events = emitted
        emitted = []
        return events
    }

    /// Applies an event to the state.
    ///
    /// - Precondition: the event's taxis, zones and requests exist; ``replay(_:at:)`` checks it for
    ///   events from outside.
    mutating func fold(_ event: Event) {
        switch event {
        case .city(let event): fold(event)
        case .taxi(let event): fold(event)
        case .request(let event): fold(event)
        case .offer(let event): fold(event)
        case .ride(let event): fold(event)
        }
        sequence += 1
    }
}
