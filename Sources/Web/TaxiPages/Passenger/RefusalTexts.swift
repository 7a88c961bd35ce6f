import Chronology
import Dispatching
import HTTPTypes
package import Localization
import Markup
import Taxi
package import WebCore

extension Refusal {
    /// What a passenger is told; every case has words of its own.
    package var text: Text {
        switch self {
        case .setupIncomplete, .setupAlreadyComplete, .nothingSetUp, .suspended, .notSuspended,
            .codeTaken, .invalid, .reasonMissing:
            cityText
        case .noSuchTaxi, .noSuchZone, .alreadyOnDuty, .alreadyOffDuty, .outsideCity,
            .placeUnknown, .outOfContact, .licenceExpired, .riding, .notRiding, .notQueued:
            taxiText
        case .offerGone, .meetingPointNotReached, .destinationNotReached, .nobodyAboard,
            .alreadyAboard, .codeMissing, .codeLocked, .noShowDisabled, .waitUntil, .tooSmall:
            rideText
        case .noSuchRequest, .guestsNotAllowed, .originOutsideCity, .liveRequest,
            .destinationMissing, .tooSoon, .tooFar, .tooLateToCancel, .wrongPhase,
            .reservationsDisabled:
            requestText
        case .sharingDisabled, .notShared, .seatsLeft, .walkTooLong, .detourTooLong, .waitTooLong:
            sharingText
        }
    }

    private var cityText: Text {
        switch self {
        case .setupIncomplete:
            PassengerTexts.theServiceHasNotOpened
        case .setupAlreadyComplete:
            PassengerTexts.theServiceIsOpenAlready
        case .nothingSetUp:
            PassengerTexts.theCityHasEnteredNo
        case .suspended(let reason):
            PassengerTexts.theServiceIsSuspendedFor("\(reason)")
        case .notSuspended:
            PassengerTexts.theServiceIsNotSuspended
        case .codeTaken(let code):
            PassengerTexts.anotherTaxiHasTheCode("\(code)")
        case .invalid("seats"):
            PassengerTexts.aTaxiTakesFrom1
        case .invalid(let field):
            PassengerTexts.somethingInItIsNot("\(field)")
        case .reasonMissing: PassengerTexts.aReasonIsMissing
        default: PassengerTexts.itWasRefused
        }
    }

    private var taxiText: Text {
        switch self {
        case .noSuchTaxi:
            PassengerTexts.thisTaxiIsNoLonger
        case .noSuchZone:
            PassengerTexts.theCityHasJustRedrawn
        case .alreadyOnDuty: PassengerTexts.theDriverIsAvailableAlready
        case .alreadyOffDuty:
            PassengerTexts.theDriverIsOffDuty
        case .outsideCity: PassengerTexts.theTaxiIsOutsideThe
        case .placeUnknown:
            PassengerTexts.itIsNotKnownWhere
        case .outOfContact:
            PassengerTexts.theTaxiIsNotHeard
        case .licenceExpired:
            PassengerTexts.theDriversLicenceNoLonger
        case .riding:
            PassengerTexts.theTaxiIsDrivingSomebody
        case .notRiding:
            PassengerTexts.theTaxiIsDrivingNobody
        case .notQueued: PassengerTexts.theTaxiIsInNo
        default: PassengerTexts.itWasRefused
        }
    }

    private var rideText: Text {
        switch self {
        case .offerGone:
            PassengerTexts.theOfferIsNoLonger
        case .meetingPointNotReached:
            PassengerTexts.theTaxiHasNotReached
        case .destinationNotReached:
            PassengerTexts.theTaxiHasNotReached2
        case .nobodyAboard: PassengerTexts.nobodyIsAboard
        case .alreadyAboard: PassengerTexts.youAreAboardAlready
        case .codeMissing:
            PassengerTexts.tellTheDriverYourCode
        case .codeLocked:
            PassengerTexts.aWrongCodeWasEntered
        case .noShowDisabled:
            PassengerTexts.inThisCityADriver
        case .waitUntil:
            PassengerTexts.theDriverMustWaitFor
        case .tooSmall:
            PassengerTexts.thisTaxiCannotCarryWhat
        default: PassengerTexts.itWasRefused
        }
    }

    private var requestText: Text {
        switch self {
        case .noSuchRequest:
            PassengerTexts.thereIsNoSuchRequest
        case .guestsNotAllowed:
            PassengerTexts.inThisCityYouNeed
        case .originOutsideCity:
            PassengerTexts.theMeetingPointLiesOutside
        case .liveRequest:
            PassengerTexts.youHaveARequestUnder
        case .destinationMissing:
            PassengerTexts.sayWhereYouAreGoing
        case .tooSoon:
            PassengerTexts.thatIsTooSoonTo
        case .tooFar:
            PassengerTexts.thatIsTooFarAhead
        case .tooLateToCancel:
            PassengerTexts.itIsTooLateTo
        case .wrongPhase:
            PassengerTexts.meanwhileYourRequestIsFurther
        case .reservationsDisabled: PassengerTexts.taxisAreNotReservedIn
        default: PassengerTexts.itWasRefused
        }
    }

    private var sharingText: Text {
        switch self {
        case .sharingDisabled:
            PassengerTexts.ridesAreNotSharedIn
        case .notShared:
            PassengerTexts.thatRideCanNoLonger
        case .seatsLeft(let count):
            PassengerTexts.onlySeatsAreLeft(count)
        case .walkTooLong:
            PassengerTexts.youWouldNotReachIts
        case .detourTooLong:
            PassengerTexts.itWouldBeTooLong
        case .waitTooLong:
            PassengerTexts.theOthersWouldWaitToo
        default: PassengerTexts.itWasRefused
        }
    }
}

extension TaxiService.Failure {
    /// What a passenger is told.
    package var text: Text {
        switch self {
        case .noPlace:
            PassengerTexts.weDoNotKnowThis
        case .destinationTooFar:
            PassengerTexts.theDestinationIsFurtherAway
        case .positionTooVague(let allowed):
            PassengerTexts.yourPositionMustBeKnown("\(allowed)")
        case .missedTooOften:
            PassengerTexts.tooManyOfYourTaxis
        case .tooManyReservations(let most):
            PassengerTexts.youHaveReservationsAsMany("\(most)")
        case .notServing, .weakSecret, .planOutdated:
            PassengerTexts.tryAgainInAFew
        case .notYours, .noReceipt:
            PassengerTexts.thereIsNoSuchRide
        }
    }
}

extension DispatchService.Failure {
    /// The failure that the caller is shown.
    package var failure: Failure? {
        switch self {
        case .busy: .busy(retryAfter: 1)
        case .notServing: .standingBy
        case .notDurable: .unavailable(retryAfter: 5)
        case .outcomeUnknown: .unknownOutcome
        case .keyUsedForAnother: .badRequest
        }
    }
}

extension TaxiPageModule {
    /// Carries out an order; a refusal becomes a page that says why, and who has a live request
    /// already is led to it (R68).
    ///
    /// - Parameters:
    ///   - context: the request.
    ///   - order: carries out the order, and answers.
    /// - Returns: the answer.
    /// - Throws: what `order` throws besides.
    package func ordering(
        _ context: RequestContext,
        _ order: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await order()
        } catch Refusal.liveRequest(let live) {
            return .redirect(to: Self.ride(live, "already"))
        } catch let refusal as Refusal where refusal.failure == nil {
            return notRequested(refusal.text, context)
        } catch let failure as TaxiService.Failure where failure != .notServing {
            return notRequested(failure.text, context)
        }
    }

    /// An error page that says why no taxi was requested, with a link back to the form.
    package func notRequested(_ why: Text, _ context: RequestContext) -> Response {
        var page = Page(
            CheckTexts.nothingSent,
            body: """
                <h1>\(context.say(CheckTexts.nothingSent))</h1>
                <p class="lead" role="alert">\(context.say(why))</p>
                <p class="actions"><a class="button primary" href="/taxi">\
                \(context.say(OrderTexts.title))</a></p>
                """
        )
        page.status = .unprocessableContent
        return response(page, to: context)
    }
}
