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
            PassengerTexts.nothingSetUp
        case .suspended(let reason):
            PassengerTexts.suspendedBecause(reason)
        case .notSuspended:
            PassengerTexts.theServiceIsNotSuspended
        case .codeTaken(let code):
            PassengerTexts.anotherTaxiHasTheCode(code)
        case .invalid("seats"):
            PassengerTexts.badSeats
        case .invalid(let field):
            PassengerTexts.invalidField(field)
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
        case .outsideCity: PassengerTexts.taxiOutsideCity
        case .placeUnknown:
            PassengerTexts.taxiPositionUnknown
        case .outOfContact:
            PassengerTexts.theTaxiIsNotHeard
        case .licenceExpired:
            PassengerTexts.theDriversLicenceNoLonger
        case .riding:
            PassengerTexts.theTaxiIsDrivingSomebody
        case .notRiding:
            PassengerTexts.theTaxiIsDrivingNobody
        case .notQueued: PassengerTexts.taxiNotQueued
        default: PassengerTexts.itWasRefused
        }
    }

    private var rideText: Text {
        switch self {
        case .offerGone:
            PassengerTexts.theOfferIsNoLonger
        case .meetingPointNotReached:
            PassengerTexts.meetingPointNotReached
        case .destinationNotReached:
            PassengerTexts.destinationNotReached
        case .nobodyAboard: PassengerTexts.nobodyIsAboard
        case .alreadyAboard: PassengerTexts.youAreAboardAlready
        case .codeMissing:
            PassengerTexts.tellTheDriverYourCode
        case .codeLocked:
            PassengerTexts.aWrongCodeWasEntered
        case .noShowDisabled:
            PassengerTexts.noShowsNotReported
        case .waitUntil:
            PassengerTexts.driverMustWait
        case .tooSmall:
            PassengerTexts.taxiTooSmall
        default: PassengerTexts.itWasRefused
        }
    }

    private var requestText: Text {
        switch self {
        case .noSuchRequest:
            PassengerTexts.thereIsNoSuchRequest
        case .guestsNotAllowed:
            PassengerTexts.accountNeeded
        case .originOutsideCity:
            PassengerTexts.theMeetingPointLiesOutside
        case .liveRequest:
            PassengerTexts.alreadyRiding
        case .destinationMissing:
            PassengerTexts.sayWhereYouAreGoing
        case .tooSoon:
            PassengerTexts.tooSoonToReserve
        case .tooFar:
            PassengerTexts.tooFarAhead
        case .tooLateToCancel:
            PassengerTexts.tooLateToCancel
        case .wrongPhase:
            PassengerTexts.requestMovedOn
        case .reservationsDisabled: PassengerTexts.noReservations
        default: PassengerTexts.itWasRefused
        }
    }

    private var sharingText: Text {
        switch self {
        case .sharingDisabled:
            PassengerTexts.noSharedRides
        case .notShared:
            PassengerTexts.thatRideCanNoLonger
        case .seatsLeft(let count):
            PassengerTexts.onlySeatsAreLeft(count)
        case .walkTooLong:
            PassengerTexts.meetingPointTooFar
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
            PassengerTexts.unknownPlace
        case .destinationTooFar:
            PassengerTexts.theDestinationIsFurtherAway
        case .positionTooVague(let allowed):
            PassengerTexts.positionTooVague(allowed)
        case .missedTooOften:
            PassengerTexts.tooManyOfYourTaxis
        case .tooManyReservations(let most):
            PassengerTexts.tooManyReservations(most)
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
