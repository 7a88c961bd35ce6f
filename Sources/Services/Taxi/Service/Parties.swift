import Dispatching

/// Tracks the people involved in each request, to determine whom an event concerns.
///
/// It follows the events beside the dispatcher, so that the state before an event is not needed.
struct Parties: Sendable {
    private struct Party: Sendable {
        var passenger: PassengerNumber
        var isReservation = false
        var taxi: TaxiNumber?
        var isRiding = false
        var joiners: [RequestNumber] = []
        var owner: RequestNumber?
        /// The request that takes over the ride when this one leaves it.
        var heir: RequestNumber?
    }

    private var parties: [RequestNumber: Party] = [:]

    /// Initialises the parties from all live requests.
    init(_ state: Dispatcher) {
        for request in state.requests {
            var party = Party(passenger: request.form.passenger)
            party.isReservation = request.due != nil
            party.taxi = request.offer?.taxi ?? request.ride?.taxi
            party.isRiding = request.ride != nil
            party.joiners = request.joiners
            if case .joined(let owner) = request.phase { party.owner = owner }
            parties[request.number] = party
        }
    }

    /// Applies an event.
    ///
    /// - Returns: the notices that it causes.
    mutating func notices(of event: Event) -> [Notice] {
        switch event {
        case .city(let event): notices(of: event)
        case .taxi(let event): notices(of: event)
        case .request(let event): notices(of: event)
        case .offer(let event): notices(of: event)
        case .ride(let event): notices(of: event)
        }
    }

    private func notices(of event: Event.City) -> [Notice] {
        switch event {
        case .suspended: [Notice(recipient: .everybody, kind: .suspended)]
        case .resumed: [Notice(recipient: .everybody, kind: .resumed)]
        case .policyAdopted, .zonesDrawn, .taxiRegistered, .taxiChanged, .taxiRemoved,
            .setupCompleted, .restarted:
            []
        }
    }

    private func notices(of event: Event.Taxi) -> [Notice] {
        switch event {
        case .enqueued(let taxi, _, _, let cause): queued(taxi, cause)
        case .wentOffDuty(let taxi, let cause, _):
            [Notice(recipient: .driver(taxi), kind: .offDuty, detail: cause.rawValue + 1)]
        case .turnRestored(let taxi, _): [Notice(recipient: .driver(taxi), kind: .turnRestored)]
        case .wentOnDuty, .placed, .contactLost, .contactRegained, .dequeued, .turnKept,
            .homeTurnKept:
            []
        }
    }

    /// Drivers are notified of a queue position that they did not cause themselves (R27, R66).
    private func queued(_ taxi: TaxiNumber, _ cause: QueueCause) -> [Notice] {
        switch cause {
        case .rideEnded, .rideLost, .enteredCity, .changedZone, .regainedContact, .redrawn,
            .returned:
            [Notice(recipient: .driver(taxi), kind: .queued, detail: cause.rawValue + 1)]
        default: []
        }
    }

    private mutating func notices(of event: Event.Request) -> [Notice] {
        switch event {
        case .requested(let number, let form):
            parties[number] = Party(passenger: form.passenger)
            return []
        case .reserved(let number, let form, _, _):
            parties[number] = Party(passenger: form.passenger, isReservation: true)
            return passenger(number, .booked)
        case .joined(let number, let form, let owner):
            var party = Party(passenger: form.passenger)
            party.owner = owner
            parties[number] = party
            precondition(parties[owner] != nil, "A request joined a ride that does not exist.")
            parties[owner]?.joiners.append(number)
            return passenger(number, .sharingJoined) + host(owner, .sharingJoined)
        case .ownerChanged(let old, let new):
            guard var host = parties[old], let heir = parties[new] else {
                preconditionFailure("A ride passed between requests that do not both exist.")
            }
            precondition(heir.owner == old, "A ride passed to a request that had not joined it.")
            host.passenger = heir.passenger
            host.joiners.removeAll { $0 == new }
            parties[new] = host
            for joiner in host.joiners { parties[joiner]?.owner = new }
            parties[old]?.taxi = nil
            parties[old]?.joiners = []
            parties[old]?.heir = new
            return passenger(new, .sharingOwner)
        case .held(let number, _): return passenger(number, .held)
        case .ended(let number, let outcome, _): return end(number, outcome)
        case .reservationTried, .reservationPostponed, .heldTried, .parked, .unparked, .assigned:
            return []
        }
    }

    private mutating func end(_ number: RequestNumber, _ outcome: RequestOutcome) -> [Notice] {
        guard let party = parties.removeValue(forKey: number) else {
            preconditionFailure("A request ended that does not exist or had ended before.")
        }
        var notices = [
            Notice(
                recipient: .passenger(party.passenger),
                kind: party.isReservation ? .reservationEnded : .ended,
                request: number,
                detail: outcome.rawValue + 1
            )
        ]
        let wasTakenAway = outcome == .cancelled || outcome == .withdrawn
        if let taxi = party.taxi, party.isRiding, wasTakenAway {
            notices.append(
                Notice(recipient: .driver(taxi), kind: .rideCancelled, request: number)
            )
        }
        if let owner = party.owner, parties[owner] != nil {
            parties[owner]?.joiners.removeAll { $0 == number }
            if wasTakenAway { notices += host(owner, .sharingLeft) }
        }
        // The driver is not told about parties who left by the driver's own action.
        if let heir = party.heir, wasTakenAway { notices += driver(heir, .sharingLeft) }
        return notices
    }

    private mutating func notices(of event: Event.Offer) -> [Notice] {
        switch event {
        case .offered(let number, let taxi, _, _):
            precondition(parties[number] != nil, "A request was offered that does not exist.")
            parties[number]?.taxi = taxi
            return driver(number, .offer) + passenger(number, .searching)
        case .offerRenewed(let number, _): return driver(number, .offerRenewed)
        case .offerClosed(let number, let outcome):
            defer { parties[number]?.taxi = nil }
            switch outcome {
            case .ignored: return driver(number, .offerExpired)
            case .withdrawn: return driver(number, .offerWithdrawn)
            case .refused, .undeliverable: return []
            }
        case .accepted(let number):
            precondition(parties[number]?.taxi != nil, "An offer was accepted that nobody has.")
            parties[number]?.isRiding = true
            return driver(number, .ride) + riders(number, .taxiFound)
        case .offerDelivered: return []
        }
    }

    private mutating func notices(of event: Event.Ride) -> [Notice] {
        switch event {
        case .meetingPointReached(let number): return riders(number, .taxiThere)
        case .givenBack(let number, _, _):
            // The driver gave the ride back, or is separately told the reason for going off duty.
            parties[number]?.taxi = nil
            parties[number]?.isRiding = false
            return riders(number, .taxiLost)
        case .arrivalStated, .codeRejected, .boarded, .destinationReached: return []
        }
    }

    private func driver(_ number: RequestNumber, _ kind: Notice.Kind) -> [Notice] {
        guard let taxi = parties[number]?.taxi else { return [] }
        return [Notice(recipient: .driver(taxi), kind: kind, request: number)]
    }

    private func passenger(_ number: RequestNumber, _ kind: Notice.Kind) -> [Notice] {
        guard let passenger = parties[number]?.passenger else { return [] }
        return [Notice(recipient: .passenger(passenger), kind: kind, request: number)]
    }

    /// Creates notices about a taxi for the owner of a ride and all joiners.
    private func riders(_ number: RequestNumber, _ kind: Notice.Kind) -> [Notice] {
        let taxi = parties[number]?.taxi
        return ([number] + (parties[number]?.joiners ?? [])).flatMap { passenger($0, kind) }
            .map { notice in
                var notice = notice
                notice.taxi = taxi
                return notice
            }
    }

    /// Creates notices for the owner of a ride and its driver.
    private func host(_ number: RequestNumber, _ kind: Notice.Kind) -> [Notice] {
        passenger(number, kind) + driver(number, kind)
    }
}
