internal import Chronology

extension Dispatcher {
    /// The taxi of a number, if it is registered.
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
        case .outside where policy.allows(.enforceBorder): throw .outsideCity
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

    /// Takes a driver who has no ride off duty; a question he was asked goes to the next.
    mutating func leaveDuty(_ number: TaxiNumber, _ cause: OffDutyCause, reason: String = "") {
        let taxi = taxis[Int(number.rawValue)]
        var asked: RequestNumber?
        if case .offer(let request) = taxi.work {
            // He who leaves while he is asked has refused; if others take him off, he has not.
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
        enqueue(number, cause)
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

    /// From now on the turn of a driver on duty is kept for `driver.grace_s`, unless he rides.
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
        var rank: Rank?
        if let kept = taxi.keptTurn, place == .zone(kept.zone) { rank = kept.rank }
        enqueue(number, .regainedContact, at: rank)
    }
}
