import Chronology
import Dispatching
import HTTPTypes
import Localization
import Markup
import TaxiPages

extension DriveTrouble {
    /// Describes a refusal by the dispatcher to the driver.
    ///
    /// - Parameters:
    ///   - refusal: the dispatcher's refusal.
    ///   - time: formats a moment in the city's local time.
    init(_ refusal: Refusal, time: (Moment) -> String) {
        let (title, advice) = refusal.stateText ?? refusal.rideText ?? refusal.otherText
        self.init(refusal.problemName, title, advice)
        switch refusal {
        case .waitUntil(let moment):
            self.advice = DrivingTexts.noShowPossibleFrom(time(moment))
        case .placeUnknown, .outOfContact, .outsideCity:
            remedy = Remedy(address: Address("/drive/where"), label: WhereTexts.title)
        case .licenceExpired:
            remedy = Remedy(address: Address("/account/papers"), label: CommonTexts.papers)
        case .invalid, .codeMissing, .reasonMissing: status = .unprocessableContent
        default: break
        }
    }
}

extension Refusal {
    /// The machine-readable error name.
    fileprivate var problemName: String {
        switch self {
        case .alreadyOnDuty: "already-available"
        case .alreadyOffDuty: "already-unavailable"
        case .outsideCity: "outside-city"
        case .placeUnknown: "place-unknown"
        case .outOfContact: "out-of-contact"
        case .licenceExpired: "licence-expired"
        case .riding: "riding"
        case .notRiding: "not-riding"
        case .offerGone: "offer-gone"
        case .meetingPointNotReached: "meeting-point-not-reached"
        case .destinationNotReached: "destination-not-reached"
        case .nobodyAboard: "nobody-aboard"
        case .alreadyAboard: "already-aboard"
        case .codeMissing: "code-missing"
        case .codeLocked: "code-locked"
        case .noShowDisabled: "no-show-disabled"
        case .waitUntil: "wait"
        case .suspended: "suspended"
        case .setupIncomplete: "not-open-yet"
        case .noSuchTaxi: "no-such-taxi"
        default: "refused"
        }
    }

    /// Texts about the driver's status; nil for all other refusals.
    fileprivate var stateText: (title: Text, advice: Text)? {
        switch self {
        case .alreadyOnDuty:
            (
                DrivingTexts.youAreAvailableAlready,
                DrivingTexts.nothingHasChanged
            )
        case .alreadyOffDuty:
            (
                DrivingTexts.youAreUnavailableAlready,
                DrivingTexts.nothingHasChanged
            )
        case .outsideCity:
            (
                DrivingTexts.youAreOutsideTheCity,
                DrivingTexts.hereYouCannotBecomeAvailable
            )
        case .placeUnknown:
            (
                DrivingTexts.positionUnknown,
                DrivingTexts.enterPositionFirst
            )
        case .outOfContact:
            (
                DrivingTexts.contactLost,
                DrivingTexts.noRecentPosition
            )
        case .licenceExpired:
            (
                DrivingTexts.yourLicenceNoLongerHolds,
                DrivingTexts.sendNewLicence
            )
        case .riding:
            (
                DrivingTexts.youHaveARide,
                DrivingTexts.endRideFirst
            )
        case .notRiding:
            (
                DrivingTexts.youHaveNoRide,
                DrivingTexts.rideEndedOrCancelled
            )
        case .notQueued:
            (
                DrivingTexts.youAreInNoQueue,
                DrivingTexts.becomeAvailableFirst
            )
        case .noSuchTaxi:
            (
                DrivingTexts.taxiNotRegisteredTitle,
                DrivingTexts.taxiRemovedByCity
            )
        default: nil
        }
    }

    /// Texts about an offer or a ride; nil for all other refusals.
    fileprivate var rideText: (title: Text, advice: Text)? {
        switch self {
        case .offerGone:
            (
                DrivingTexts.thisOfferIsNoLonger,
                DrivingTexts.offerExpired
            )
        case .meetingPointNotReached:
            (
                DrivingTexts.meetingPointNotReached,
                DrivingTexts.meetingPointNotShown
            )
        case .destinationNotReached:
            (
                DrivingTexts.destinationNotReached,
                DrivingTexts.destinationNotShown
            )
        case .nobodyAboard:
            (
                DrivingTexts.nobodyIsAboard,
                DrivingTexts.enterPassengersFirst
            )
        case .alreadyAboard:
            (
                DrivingTexts.yourPassengersAreAboard,
                DrivingTexts.nothingHasChanged
            )
        case .codeMissing:
            (
                DrivingTexts.theCodeIsMissing,
                DrivingTexts.askForTheCode
            )
        case .codeLocked:
            (
                DrivingTexts.tooManyWrongCodes,
                DrivingTexts.boardingByCodeBlocked
            )
        case .noShowDisabled:
            (
                DrivingTexts.noShowNotAllowed,
                DrivingTexts.onlyOperatorsReportNoShows
            )
        case .waitUntil:
            (
                DrivingTexts.waitALittleLonger,
                DrivingTexts.youCanSayItLater
            )
        default: nil
        }
    }

    /// Texts about the city, a form, or a passenger's request.
    fileprivate var otherText: (title: Text, advice: Text) {
        switch self {
        case .setupIncomplete, .setupAlreadyComplete, .nothingSetUp:
            (
                DrivingTexts.theServiceHasNotOpened,
                DrivingTexts.theCityIsPreparingIt
            )
        case .suspended(let reason):
            (
                DrivingTexts.theTaxiServiceIsSuspended,
                DrivingTexts.suspendedBecause(reason)
            )
        case .notSuspended:
            (
                DrivingTexts.serviceHasResumed,
                DrivingTexts.nothingHasChanged
            )
        case .reasonMissing:
            (
                DrivingTexts.theReasonIsMissing,
                DrivingTexts.sayWhyInAFew
            )
        case .invalid, .codeTaken, .noSuchZone:
            (
                DrivingTexts.thisCannotBe,
                DrivingTexts.invalidInput
            )
        case .tooSmall:
            (
                DrivingTexts.yourTaxiIsTooSmall,
                DrivingTexts.thisPassengerNeedsMoreSeats
            )
        default:
            (
                DrivingTexts.theRequestHasChanged,
                DrivingTexts.rideEndedOrChanged
            )
        }
    }
}
