internal import Chronology

extension Dispatcher {
    /// Returns the taxi of a number, or throws if it is not registered.
    func registered(_ number: TaxiNumber) throws(Refusal) -> Taxi {
        guard let taxi = taxi(number), !taxi.isRemoved else { throw .noSuchTaxi }
        return taxi
    }

    func check(_ place: Place) throws(Refusal) {
        if case .zone(let zone) = place, zone.rawValue >= zones.count { throw .noSuchZone }
    }

    mutating func goOnDuty(_ number: TaxiNumber) throws(Refusal) {
        let taxi = try registered(number)
        if taxi.isOnDuty { throw .alreadyOnDuty }
        switch taxi.place {
        case .unknown: throw .placeUnknown
        case .outside where policy.enforceBorder: throw .outsideCity
        case .outside, .zone: break
        }
        guard taxi.isReachable else { throw .outOfContact }
        guard taxi.licensedUntil > now else { throw .licenceExpired }
        emit(.wentOnDuty(number))
        enqueue(number, .wentOnDuty)
    }

    mutating func goOffDuty(_ number: TaxiNumber) throws(Refusal) {
        let taxi = try registered(number)
        guard taxi.isOnDuty else { throw .alreadyOffDuty }
        if taxi.status == .riding { throw .riding }
        leaveDuty(number, .driver)
    }

    /// Takes a driver without a ride off duty; an open offer passes to the next driver.
    mutating func leaveDuty(_ number: TaxiNumber, _ cause: OffDutyCause, reason: String = "") {
        let taxi = taxis[Int(number.rawValue)]
        var asked: RequestNumber?
        if case .offer(let request) = taxi.work {
            // A driver who goes off duty during an offer has refused it; one taken off duty by
            // others has not.
            emit(.offerClosed(request, cause == .driver ? .refused : .withdrawn))
            asked = request
        }
        if taxi.rank != nil { emit(.dequeued(number, .wentOffDuty)) }
        emit(.wentOffDuty(number, cause, reason: reason))
        if let asked { seek(asked) }
    }

    mutating func locate(_ number: TaxiNumber, _ place: Place) throws(Refusal) {
        let taxi = try registered(number)
        try check(place)
        guard taxi.isReachable else { throw .outOfContact }
        if place == taxi.place { return }
        let cause: QueueCause
        switch (taxi.place, place) {
        case (_, .outside), (_, .unknown): cause = .leftCity
        case (.zone, .zone): cause = .changedZone
        case (_, .zone): cause = .enteredCity
        }
        if taxi.rank != nil { emit(.dequeued(number, cause)) }
        emit(.placed(number, place))
        let rank = homeRank(of: taxi, at: place)
        enqueue(number, rank == nil ? cause : .returned, at: rank)
    }

    mutating func loseContact(_ number: TaxiNumber) throws(Refusal) {
        let taxi = try registered(number)
        guard taxi.isReachable else { throw .outOfContact }
        var asked: RequestNumber?
        if case .offer(let request) = taxi.work {
            emit(.offerClosed(request, .undeliverable))
            asked = request
        }
        noteLostContact(number)
        if taxi.rank != nil { emit(.dequeued(number, .lostContact)) }
        if let asked { seek(asked) }
    }

    /// Starts the period of `driver.grace_s` for which the turn of a driver on duty is kept,
    /// unless they have a ride.
    mutating func noteLostContact(_ number: TaxiNumber) {
        let taxi = taxis[Int(number.rawValue)]
        let isWaiting = taxi.isOnDuty && taxi.status != .riding
        emit(
            .contactLost(
                number,
                keptUntil: isWaiting ? now.adding(seconds: policy[.grace]) : .never
            )
        )
    }

    mutating func regainContact(_ number: TaxiNumber, _ place: Place) throws(Refusal) {
        let taxi = try registered(number)
        try check(place)
        if taxi.isReachable { return try locate(number, place) }
        emit(.contactRegained(number))
        if place != taxi.place { emit(.placed(number, place)) }
        var rank = homeRank(of: taxi, at: place)
        if let kept = taxi.keptTurn, place == .zone(kept.zone) { rank = kept.rank }
        enqueue(number, .regainedContact, at: rank)
    }
}
