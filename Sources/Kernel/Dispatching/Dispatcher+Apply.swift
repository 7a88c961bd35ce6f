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
}
