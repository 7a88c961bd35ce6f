extension Dispatcher {
    /// Applies an operator's override of the normal order; each needs a reason.
    mutating func decide(_ command: Command.Console) throws(Refusal) {
        switch command {
        case .suspend(let reason):
            if let suspension { throw .suspended(suspension) }
            if reason.isEmpty { throw .reasonMissing }
            emit(.suspended(reason: reason))
            suspendRequests()
        case .resume:
            if suspension == nil { throw .notSuspended }
            emit(.resumed)
        case .assign(let number, let taxi, let reason): try assign(number, taxi, reason)
        case .park(let number, let reason):
            let request = try waiting(number, reason)
            if request.phase == .parked || request.due != nil { throw .wrongPhase }
            closeOffer(number, .withdrawn)
            emit(.parked(number, reason: reason))
        case .unpark(let number):
            guard let request = table[number] else { throw .noSuchRequest }
            if let suspension { throw .suspended(suspension) }
            guard request.phase == .parked else { throw .wrongPhase }
            emit(.unparked(number))
            seek(number)
        case .restoreTurn(let number, let reason):
            let taxi = try registered(number)
            if reason.isEmpty { throw .reasonMissing }
            guard let rank = taxi.rank else { throw .notQueued }
            // A second restoration would move the driver behind those restored in the meantime.
            if rank.isRestored { return }
            emit(.turnRestored(number, reason: reason))
            emit(.dequeued(number, .turnRestored))
            enqueue(number, .turnRestored, at: Rank(isRestored: true, sequence: sequence))
        case .takeOffDuty(let number, let reason):
            let taxi = try registered(number)
            if reason.isEmpty { throw .reasonMissing }
            guard taxi.isOnDuty else { throw .alreadyOffDuty }
            if taxi.status == .riding { throw .riding }
            leaveDuty(number, .dispatcher, reason: reason)
        case .withdraw(let number, let reason):
            guard let request = table[number] else { throw .noSuchRequest }
            if reason.isEmpty { throw .reasonMissing }
            remove(request, .withdrawn, reason: reason)
        case .closeRide(let taxi, let reason):
            let (number, _) = try ride(of: taxi)
            if reason.isEmpty { throw .reasonMissing }
            finishRide(number, .completed, reason: reason)
        case .replace(let request, let taxi, let reason):
            _ = try registered(taxi)
            guard let replaced = table[request] else { throw .noSuchRequest }
            // A different taxi may have the ride by now than the operator saw.
            guard replaced.ride?.taxi == taxi else { throw .wrongPhase }
            if reason.isEmpty { throw .reasonMissing }
            try giveBack(request, .dispatcher, reason)
        }
    }

    /// Returns a live request that no driver has accepted, or throws.
    private func waiting(
        _ number: RequestNumber,
        _ reason: String
    ) throws(Refusal) -> Request {
        guard let request = table[number] else { throw .noSuchRequest }
        if reason.isEmpty { throw .reasonMissing }
        if let suspension { throw .suspended(suspension) }
        guard request.isLive else { throw .wrongPhase }
        switch request.phase {
        case .offered, .held, .parked, .reserved: return request
        case .seeking, .riding, .joined: throw .wrongPhase
        }
    }

    private mutating func assign(
        _ number: RequestNumber,
        _ taxiNumber: TaxiNumber,
        _ reason: String
    ) throws(Refusal) {
        let request = try waiting(number, reason)
        let taxi = try registered(taxiNumber)
        guard taxi.rank != nil else { throw .notQueued }
        guard taxi.capacity.covers(request.needs) else { throw .tooSmall }
        closeOffer(number, .withdrawn)
        emit(.assigned(number, taxiNumber, reason: reason))
        emit(.offered(number, taxiNumber, deadline: answerTime, .assigned))
        precondition(
            table[number]?.offer?.taxi == taxiNumber,
            "A request was assigned to a taxi that has no offer of it."
        )
    }
}
