package import Chronology
package import Dispatching

/// Describes facts in English.
package struct EnglishTeller: StoryTeller {
    private let clock: @Sendable (Moment) -> String

    /// Creates a teller that formats times with the given function, for example as 08:31:05.
    package init(clock: @escaping @Sendable (Moment) -> String) {
        self.clock = clock
    }

    /// Formats an instant.
    package func time(_ moment: Moment) -> String { clock(moment) }

    /// States that no driver had an offer for a request.
    package func nobodyAsked(_ request: RequestNumber) -> String {
        "Nobody was asked for request \(request.rawValue)."
    }

    /// States that a taxi had an offer.
    package func asked(_ taxi: String) -> String { "Taxi \(taxi) was asked." }

    /// Describes a fact in a sentence.
    package func sentence(_ fact: Fact) -> String {
        switch fact {
        case .asked(let zone, let needs, let isShared):
            "A taxi was called in \(zone) for \(people(needs))\(isShared ? ", to be shared" : "")."
        case .booked(let zone, let needs, let due, let firstTry):
            "A taxi was booked in \(zone) for \(people(needs)) at \(clock(due));"
                + " the search begins at \(clock(firstTry))."
        case .joined(let owner): "It shares the ride of request \(owner.rawValue)."
        case .gainedJoiner(let joiner): "Request \(joiner.rawValue) rides along."
        case .tried(let count): "The search for the reservation begins (try \(count))."
        case .postponed(let cause, let next):
            "\(why(cause)); the next try is at \(clock(next))."
        case .held(let next):
            "No driver is free, but one in the zone is being asked for another request: held"
                + " until \(clock(next)) at the latest."
        case .heldTried(let count): "It is tried again (\(count))."
        case .parked(let reason): "The dispatcher set it aside: \(reason)."
        case .unparked: "The dispatcher took it up again."
        case .changedOwner(let old, let new):
            "Request \(old.rawValue) left; request \(new.rawValue) owns the ride now."
        case .ended(let outcome, let reason):
            end(outcome) + (reason.isEmpty ? "." : ": \(reason).")
        default: driving(fact)
        }
    }

    private func driving(_ fact: Fact) -> String {
        switch fact {
        case .offered(let taxi, let rule, let place, let deadline, let passed):
            "Taxi \(taxi), \(ordinal(place)) in the queue, is asked \(by(rule));"
                + " it has until \(clock(deadline))." + over(passed)
        case .shown(let taxi): "Taxi \(taxi) shows the offer."
        case .renewed(let taxi, let deadline):
            "The service was down: taxi \(taxi) has until \(clock(deadline)) now."
        case .declined(let taxi, let outcome): "Taxi \(taxi) \(did(outcome))."
        case .accepted(let taxi): "Taxi \(taxi) accepts."
        case .assigned(let taxi, let reason): "The dispatcher chose taxi \(taxi): \(reason)."
        case .stated(let taxi):
            "What follows is by the driver's word: no device measured where taxi \(taxi) was."
        case .reached(let taxi): "Taxi \(taxi) is at the meeting point."
        case .wrongCode(let taxi): "A wrong code was entered in taxi \(taxi)."
        case .boarded(let taxi, let count): "\(count) aboard taxi \(taxi)."
        case .arrived(let taxi): "Taxi \(taxi) is at the destination."
        case .givenBack(let taxi, .dispatcher, let reason):
            "The dispatcher sends another in the place of taxi \(taxi): \(reason)."
        case .givenBack(let taxi, let cause, _): "Taxi \(taxi) cannot come\(because(cause))."
        default: ""
        }
    }

    private func over(_ passed: [Fact.Passed]) -> String {
        if passed.isEmpty { return "" }
        let each = passed.map { "\($0.taxi) (\(short($0.reason)))" }.joined(separator: ", ")
        return " Before it stood \(each)."
    }

    private func people(_ needs: Capacity) -> String {
        (needs.seats == 1 ? "1 passenger" : "\(needs.seats) passengers")
            + (needs.wheelchair ? " and a wheelchair" : "")
    }

    private func by(_ rule: OfferRule) -> String {
        switch rule {
        case .firstInQueue: "as the first who may take it"
        case .heldRequest: "as the first who may take it, after the request was held"
        case .reservation: "as the first who may take the reservation"
        case .assigned: "by the dispatcher's choice"
        case .neighbour: "from another zone, the nearest with a driver who may take it"
        }
    }

    private func did(_ outcome: OfferOutcome) -> String {
        switch outcome {
        case .refused: "refuses and goes to the tail of its queue"
        case .ignored: "does not answer in time and goes to the tail of its queue"
        case .undeliverable: "cannot be reached; the next one is asked"
        case .withdrawn: "is no longer asked and keeps its place"
        }
    }

    private func because(_ cause: GiveBackCause) -> String {
        switch cause {
        case .breakdown: ": it has broken down"
        case .accident: " after an accident"
        case .road: ": the road is closed"
        case .other, .dispatcher: ", as its driver says"
        }
    }

    private func why(_ cause: PostponeCause) -> String {
        switch cause {
        case .noTaxi: "No driver took it"
        case .passengerBusy: "The passenger has another request under way"
        case .suspended: "The service is suspended"
        }
    }

    private func end(_ outcome: RequestOutcome) -> String {
        switch outcome {
        case .completed: "The ride is over"
        case .noTaxi: "There was no taxi in the zone: the passenger was told"
        case .allRefused: "All who could be asked refused: the passenger was told"
        case .heldTooLong: "It was tried as often as the rules allow: the passenger was told"
        case .dropped: "The reservation was tried as often as the rules allow, and dropped"
        case .cancelled: "The passenger cancelled"
        case .withdrawn: "The dispatcher cancelled it"
        case .noShow: "The passenger did not come"
        case .suspended: "The service was suspended: the passenger was told"
        case .outsideCity: "The zones were redrawn and its meeting point lies outside"
        }
    }

    private func short(_ reason: Fact.Reason) -> String {
        switch reason {
        case .tooSmall: "too small"
        case .askedBefore: "asked before"
        case .cameLater: "came after the try began"
        case .assigned: "the dispatcher chose another"
        case .furtherBack, .elsewhere, .nearer, .status, .chosen: "may not be asked"
        }
    }

    /// Describes in a sentence why a taxi did not get an offer.
    package func sentence(_ reason: Fact.Reason, taxi: String) -> String {
        switch reason {
        case .tooSmall: "Taxi \(taxi) cannot carry what was asked for."
        case .askedBefore: "Taxi \(taxi) had been asked for this request before."
        case .cameLater: "Taxi \(taxi) came into the queue after the try had begun."
        case .assigned: "The dispatcher chose it."
        case .furtherBack(let ahead):
            "Taxi \(taxi) stood further back: \(ahead) before it."
        case .elsewhere(let zone): "Taxi \(taxi) was queued in another zone, \(zone)."
        case .nearer(let zone):
            "Taxi \(taxi) was in \(zone); a driver of a nearer zone was asked."
        case .status(let status): "Taxi \(taxi) was \(state(status))."
        case .chosen: "That was you."
        }
    }

    private func state(_ status: TaxiStatus) -> String {
        switch status {
        case .available: "available"
        case .pendingConfirmation: "being asked for another request"
        case .riding: "on a ride"
        case .unavailable: "off duty"
        case .outOfCity: "outside the city"
        case .outOfContact: "out of contact"
        case .removed: "no longer registered"
        }
    }

    private func ordinal(_ place: Int) -> String {
        switch (place % 10, place % 100) {
        case (1, let rest) where rest != 11: "\(place)st"
        case (2, let rest) where rest != 12: "\(place)nd"
        case (3, let rest) where rest != 13: "\(place)rd"
        default: "\(place)th"
        }
    }
}
