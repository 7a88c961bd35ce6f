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
            self.advice = DrivingTexts.youCanSayThatNobody("\(time(moment))")
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
                DrivingTexts.weDoNotKnowWhere,
                DrivingTexts.sayWhereYouAreFirst
            )
        case .outOfContact:
            (
                DrivingTexts.weDoNotHearFrom,
                DrivingTexts.noPositionHasComeFor
            )
        case .licenceExpired:
            (
                DrivingTexts.yourLicenceNoLongerHolds,
                DrivingTexts.sendTheNewOneTo
            )
        case .riding:
            (
                DrivingTexts.youHaveARide,
                DrivingTexts.endItFirstThenYou
            )
        case .notRiding:
            (
                DrivingTexts.youHaveNoRide,
                DrivingTexts.itHasEndedOrThe
            )
        case .notQueued:
            (
                DrivingTexts.youAreInNoQueue,
                DrivingTexts.becomeAvailableFirst
            )
        case .noSuchTaxi:
            (
                DrivingTexts.yourTaxiIsNotRegistered2,
                DrivingTexts.theCityHasTakenIt
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
                DrivingTexts.itWasNotAnsweredIn
            )
        case .meetingPointNotReached:
            (
                DrivingTexts.youHaveNotReachedThe,
                DrivingTexts.yourPositionsDoNotShow
            )
        case .destinationNotReached:
            (
                DrivingTexts.youHaveNotReachedThe2,
                DrivingTexts.yourPositionsDoNotShow2
            )
        case .nobodyAboard:
            (
                DrivingTexts.nobodyIsAboard,
                DrivingTexts.firstSayHowManyAre
            )
        case .alreadyAboard:
            (
                DrivingTexts.yourPassengersAreAboard,
                DrivingTexts.nothingHasChanged
            )
        case .codeMissing:
            (
                DrivingTexts.theCodeIsMissing,
                DrivingTexts.askThePassengerForThe
            )
        case .codeLocked:
            (
                DrivingTexts.tooManyWrongCodes,
                DrivingTexts.thisPassengerCannotBoardBy
            )
        case .noShowDisabled:
            (
                DrivingTexts.youCannotSayThatNobody,
                DrivingTexts.inThisCityOnlyThe
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
                DrivingTexts.theCityHasSuspendedIt("\(reason)")
            )
        case .notSuspended:
            (
                DrivingTexts.theTaxiServiceGoesOn,
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
                DrivingTexts.somethingThatWasEnteredIs
            )
        case .tooSmall:
            (
                DrivingTexts.yourTaxiIsTooSmall,
                DrivingTexts.thisPassengerNeedsMoreSeats
            )
        default:
            (
                DrivingTexts.theRequestHasChanged,
                DrivingTexts.itHasEndedOrIt
            )
        }
    }
}
