extension Dispatcher {
    /// Decides a command.
    ///
    /// The caller first advances to the command's moment (``advance(to:)``).
    ///
    /// - Returns: what came of it, in order; empty when there was nothing to change.
    /// - Throws: why it is not done; then nothing has changed.
    public mutating func apply(_ command: Command) throws(Refusal) -> [Event] {
        switch command {
        case .adopt, .drawZones, .register, .change, .remove, .completeSetup:
            try decideCity(command)
        default:
            guard isSetUp else { throw .setupIncomplete }
            try decide(command)
        }
        return taken()
    }

    private mutating func decide(_ command: Command) throws(Refusal) {
        switch command {
        case .suspend, .resume: try decideCity(command)
        case .goOnDuty(let taxi): try goOnDuty(taxi)
        case .goOffDuty(let taxi): try goOffDuty(taxi)
        case .locate(let taxi, let place): try locate(taxi, place)
        case .loseContact(let taxi): try loseContact(taxi)
        case .regainContact(let taxi, let place): try regainContact(taxi, place)
        case .confirmDelivery(let request, let taxi, let epoch):
            if try offer(request, taxi, epoch).isDelivered { return }
            emit(.offerDelivered(request))
        case .reportUndeliverable(let request, let taxi, let epoch):
            try decline(request, taxi, epoch, .undeliverable)
        case .accept(let request, let taxi, let epoch):
            _ = try offer(request, taxi, epoch)
            emit(.accepted(request))
        case .refuse(let request, let taxi, let epoch):
            try decline(request, taxi, epoch, .refused)
        case .reachMeetingPoint, .board, .reportNoShow, .reachDestination, .endRide, .closeRide:
            try decideRide(command)
        case .request(let form): try request(form)
        case .reserve(let form, let due): try reserve(form, due)
        case .cancel(let request): try cancel(request)
        case .join(let form, let owner, let estimate): try join(form, owner, estimate)
        case .assign, .park, .unpark, .restoreTurn, .takeOffDuty, .withdraw:
            try decideConsole(command)
        case .adopt, .drawZones, .register, .change, .remove, .completeSetup: break
        }
    }
}
