package import Chronology
import Dispatching
package import Localization

extension Fact {
    /// Describes the fact in a sentence.
    ///
    /// - Parameter clock: formats the times that the sentence contains.
    /// - Returns: the sentence in every language.
    package func text(clock: (Moment) -> String) -> Text {
        switch self {
        case .asked(let zone, let needs, let isShared):
            isShared
                ? StoryTexts.calledToShare(zone: zone, people: needs.text)
                : StoryTexts.called(zone: zone, people: needs.text)
        case .booked(let zone, let needs, let due, let firstTry):
            StoryTexts.booked(
                zone: zone,
                people: needs.text,
                due: clock(due),
                search: clock(firstTry)
            )
        case .joined(let owner): StoryTexts.joined(owner.rawValue)
        case .gainedJoiner(let joiner): StoryTexts.gainedJoiner(joiner.rawValue)
        case .changedOwner(let old, let new):
            StoryTexts.changedOwner(from: old.rawValue, to: new.rawValue)
        case .tried(let count): StoryTexts.tried(count)
        case .postponed(let cause, let next): cause.text(nextTry: clock(next))
        case .held(let next): StoryTexts.held(until: clock(next))
        case .heldTried(let count): StoryTexts.heldTried(count)
        case .assigned(let taxi, let reason): StoryTexts.assigned(taxi: taxi, reason: reason)
        case .parked(let reason): StoryTexts.parked(reason: reason)
        case .unparked: StoryTexts.unparked
        case .offered(let taxi, let rule, let place, let deadline, let passed):
            StoryTexts.offered(
                taxi: taxi,
                place: StoryTexts.place(place),
                rule: rule.text,
                until: clock(deadline)
            ) + Self.text(passed)
        case .shown(let taxi): StoryTexts.shown(taxi: taxi)
        case .renewed(let taxi, let deadline):
            StoryTexts.renewed(taxi: taxi, until: clock(deadline))
        case .declined(let taxi, let outcome): outcome.text(taxi: taxi)
        case .accepted(let taxi): StoryTexts.accepted(taxi: taxi)
        case .stated(let taxi): StoryTexts.stated(taxi: taxi)
        case .reached(let taxi): StoryTexts.reached(taxi: taxi)
        case .wrongCode(let taxi): StoryTexts.wrongCode(taxi: taxi)
        case .boarded(let taxi, let count): StoryTexts.boarded(taxi: taxi, count)
        case .arrived(let taxi): StoryTexts.arrived(taxi: taxi)
        case .givenBack(let taxi, let cause, let reason): cause.text(taxi: taxi, reason: reason)
        case .ended(let outcome, let reason):
            reason.isEmpty
                ? StoryTexts.ended(outcome.text)
                : StoryTexts.endedBecause(outcome.text, reason: reason)
        }
    }

    /// The taxis that were passed over, as a sentence after that of the offer.
    private static func text(_ passed: [Passed]) -> Text {
        if passed.isEmpty { return Text(same: "") }
        let taxis = passed.map { StoryTexts.passed(taxi: $0.taxi, reason: $0.reason.shortText) }
        let list = Text(joining: taxis, separator: ", ")
        return Text(same: " ") + StoryTexts.passedOver(passed.count, taxis: list)
    }
}

extension Fact.Reason {
    /// A sentence that says why a taxi did not get an offer.
    package func text(taxi: String) -> Text {
        switch self {
        case .tooSmall: StoryTexts.wasTooSmall(taxi: taxi)
        case .askedBefore: StoryTexts.wasAskedBefore(taxi: taxi)
        case .cameLater: StoryTexts.wasLater(taxi: taxi)
        case .assigned: StoryTexts.wasChosenByDispatcher
        case .furtherBack(let ahead): StoryTexts.wasFurtherBack(taxi: taxi, ahead: ahead)
        case .elsewhere(let zone): StoryTexts.wasElsewhere(taxi: taxi, zone: zone)
        case .nearer(let zone): StoryTexts.wasFurtherAway(taxi: taxi, zone: zone)
        case .status(let status): StoryTexts.wasInStatus(taxi: taxi, status: status.text)
        case .chosen: StoryTexts.wasYou
        }
    }

    /// The reason in a few words, for a list of taxis.
    fileprivate var shortText: Text {
        switch self {
        case .tooSmall: StoryTexts.tooSmall
        case .askedBefore: StoryTexts.askedBefore
        case .cameLater: StoryTexts.cameLater
        case .assigned: StoryTexts.anotherChosen
        case .furtherBack, .elsewhere, .nearer, .status, .chosen: StoryTexts.notEligible
        }
    }
}

extension Capacity {
    fileprivate var text: Text {
        wheelchair
            ? StoryTexts.passengersWithWheelchair(seats) : StoryTexts.passengers(seats)
    }
}

extension OfferRule {
    /// The rule by which a taxi was chosen, as the part of a sentence.
    fileprivate var text: Text {
        switch self {
        case .firstInQueue: StoryTexts.firstInQueue
        case .heldRequest: StoryTexts.firstAfterHold
        case .reservation: StoryTexts.firstForReservation
        case .assigned: StoryTexts.chosenByDispatcher
        case .neighbour: StoryTexts.ofNearestZone
        }
    }
}

extension OfferOutcome {
    /// A sentence that says why the offer to a taxi ended.
    fileprivate func text(taxi: String) -> Text {
        switch self {
        case .refused: StoryTexts.refused(taxi: taxi)
        case .ignored: StoryTexts.ignored(taxi: taxi)
        case .undeliverable: StoryTexts.undeliverable(taxi: taxi)
        case .withdrawn: StoryTexts.offerWithdrawn(taxi: taxi)
        }
    }
}

extension PostponeCause {
    /// A sentence that says why and until when a reservation waits.
    fileprivate func text(nextTry: String) -> Text {
        switch self {
        case .noTaxi: StoryTexts.foundNoTaxi(nextTry: nextTry)
        case .passengerBusy: StoryTexts.passengerBusy(nextTry: nextTry)
        case .suspended: StoryTexts.serviceSuspended(nextTry: nextTry)
        }
    }
}

extension GiveBackCause {
    /// A sentence that says why a taxi will not come; a dispatcher gives the reason.
    fileprivate func text(taxi: String, reason: String) -> Text {
        switch self {
        case .dispatcher: StoryTexts.replaced(taxi: taxi, reason: reason)
        case .breakdown: StoryTexts.brokenDown(taxi: taxi)
        case .accident: StoryTexts.hadAccident(taxi: taxi)
        case .road: StoryTexts.roadClosed(taxi: taxi)
        case .other: StoryTexts.cannotCome(taxi: taxi)
        }
    }
}

extension RequestOutcome {
    /// How a request ended, without the full stop.
    fileprivate var text: Text {
        switch self {
        case .completed: StoryTexts.completed
        case .noTaxi: StoryTexts.noTaxi
        case .allRefused: StoryTexts.allRefused
        case .heldTooLong: StoryTexts.heldTooLong
        case .dropped: StoryTexts.dropped
        case .cancelled: StoryTexts.cancelled
        case .withdrawn: StoryTexts.withdrawn
        case .noShow: StoryTexts.noShow
        case .suspended: StoryTexts.endedBySuspension
        case .outsideCity: StoryTexts.outsideCity
        }
    }
}

extension TaxiStatus {
    /// What a taxi was, for the end of a sentence.
    fileprivate var text: Text {
        switch self {
        case .available: StoryTexts.available
        case .pendingConfirmation: StoryTexts.askedElsewhere
        case .riding: StoryTexts.riding
        case .unavailable: StoryTexts.offDuty
        case .outOfCity: StoryTexts.outside
        case .outOfContact: StoryTexts.outOfContact
        case .removed: StoryTexts.removed
        }
    }
}
