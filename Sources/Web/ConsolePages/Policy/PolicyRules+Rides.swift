import Dispatching
import TaxiPages

extension PolicyRule {
    static let offers = Group(
        title: PolicyPagesTexts.offersToDrivers,
        rules: [
            PolicyRule(
                .offerTimeout,
                PolicyPagesTexts.timeToAnswer,
                PolicyPagesTexts.timeToAnswerDetail
            ),
            PolicyRule(
                .offerPickup,
                PolicyPagesTexts.meetingPointInTheOffer,
                PolicyPagesTexts.meetingPointInTheOfferDetail,
                [
                    PolicyPagesTexts.theExactAddress,
                    PolicyPagesTexts.theZoneOnly,
                ]
            ),
            PolicyRule(
                .offerShowsDestination,
                PolicyPagesTexts.destinationForTheDriver,
                PolicyPagesTexts.destinationForTheDriverDetail,
                [
                    PolicyPagesTexts.never, PolicyPagesTexts.afterAccepting,
                    PolicyPagesTexts.beforeAccepting,
                ]
            ),
            PolicyRule(
                .maxOffers,
                PolicyPagesTexts.offersForOneRequest,
                PolicyPagesTexts.offersForOneRequestDetail
            ),
            PolicyRule(
                .neighbourReach,
                PolicyPagesTexts.taxisOfNeighbouringZones,
                PolicyPagesTexts.whenAZoneHasNoTaxi
            ),
            PolicyRule(
                .refusedMemory,
                PolicyPagesTexts.whoRefusedIsAskedAgain,
                PolicyPagesTexts.howLongItIsRemembered,
                [
                    PolicyPagesTexts.neverForThisRequest,
                    PolicyPagesTexts.atTheNextAttempt,
                    PolicyPagesTexts.atOnce,
                ]
            ),
        ]
    )

    static let requests = Group(
        title: PolicyPagesTexts.requests,
        rules: [
            PolicyRule(
                .guestRequests,
                PolicyPagesTexts.guests,
                PolicyPagesTexts.whetherPeopleWithoutAnAccount,
                [PolicyPagesTexts.notAllowed, PolicyPagesTexts.allowed]
            ),
            PolicyRule(
                .guestContact,
                PolicyPagesTexts.howAGuestIsKnown,
                PolicyPagesTexts.whatAGuestMustProve,
                [
                    PolicyPagesTexts.byTelephone, PolicyPagesTexts.byEMail,
                    PolicyPagesTexts.byTelephoneOrEMail,
                    PolicyPagesTexts.byTheBrowserOnly,
                ]
            ),
            PolicyRule(
                .destination,
                PolicyPagesTexts.destinationOfARequest,
                PolicyPagesTexts.destinationOfARequestDetail,
                [
                    PolicyPagesTexts.required, PolicyPagesTexts.optional,
                    PolicyPagesTexts.notAsked,
                ]
            ),
            PolicyRule(
                .gpsAccuracy,
                PolicyPagesTexts.accuracyOfAPosition,
                PolicyPagesTexts.accuracyOfAPositionDetail
            ),
            PolicyRule(
                .heldTries,
                PolicyPagesTexts.attemptsWithoutFreeTaxi,
                PolicyPagesTexts.attemptsWithoutFreeTaxiDetail
            ),
            PolicyRule(
                .heldRetry,
                PolicyPagesTexts.retryMoment,
                PolicyPagesTexts.atOnceWhenATaxi,
                [
                    PolicyPagesTexts.whenATaxiBecomesFree,
                    PolicyPagesTexts.atFixedTimes,
                ]
            ),
            PolicyRule(
                .heldEvery,
                PolicyPagesTexts.timeBetweenTries,
                PolicyPagesTexts.howOftenAWaitingRequest
            ),
            PolicyRule(
                .cancelRequest,
                PolicyPagesTexts.cancelling,
                PolicyPagesTexts.cancellingDetail,
                [
                    PolicyPagesTexts.never,
                    PolicyPagesTexts.untilADriverAccepts,
                    PolicyPagesTexts.untilTheTaxiArrives,
                ]
            ),
        ]
    )

    static let reservations = Group(
        title: PolicyPagesTexts.reservations,
        rules: [
            PolicyRule(
                .reserving,
                PolicyPagesTexts.reserving,
                PolicyPagesTexts.whetherTaxisCanBeReserved
            ),
            PolicyRule(
                .reserveMin,
                PolicyPagesTexts.atTheEarliest,
                PolicyPagesTexts.shortestNoticeDetail
            ),
            PolicyRule(
                .reserveMax,
                PolicyPagesTexts.atTheLatest,
                PolicyPagesTexts.longestNoticeDetail
            ),
            PolicyRule(
                .allocateBefore,
                PolicyPagesTexts.lookingForTheTaxi,
                PolicyPagesTexts.lookingForTheTaxiDetail
            ),
            PolicyRule(
                .reserveRetry,
                PolicyPagesTexts.timeBetweenTries,
                PolicyPagesTexts.ifNoTaxiIsFound
            ),
            PolicyRule(
                .reserveRetries,
                PolicyPagesTexts.furtherTries,
                PolicyPagesTexts.afterSoManyFurtherTries
            ),
            PolicyRule(
                .reserveSnapshot,
                PolicyPagesTexts.onlyWaitingTaxis,
                PolicyPagesTexts.onlyWaitingTaxisDetail
            ),
            PolicyRule(
                .reserveAllRefused,
                PolicyPagesTexts.ifAllRefuse,
                PolicyPagesTexts.whatBecomesOfAReservation,
                [PolicyPagesTexts.tryAgainLater, PolicyPagesTexts.giveItUp]
            ),
        ]
    )

    static let boarding = Group(
        title: PolicyPagesTexts.boardingAndArrival,
        rules: [
            PolicyRule(
                .pinDigits,
                PolicyPagesTexts.codeOfTheRide,
                PolicyPagesTexts.codeOfTheRideDetail,
                [PolicyPagesTexts.noneText, PolicyPagesTexts.fourDigits]
            ),
            PolicyRule(
                .codeAttempts,
                PolicyPagesTexts.wrongCodes,
                PolicyPagesTexts.afterSoManyWrongCodes
            ),
            PolicyRule(
                .boardingRadius,
                PolicyPagesTexts.boardingPrompt,
                PolicyPagesTexts.boardingPromptDetail
            ),
            PolicyRule(
                .etaRefresh,
                PolicyPagesTexts.arrivalUpdates,
                PolicyPagesTexts.arrivalUpdatesDetail
            ),
            PolicyRule(
                .noShow,
                PolicyPagesTexts.passengerWhoDoesNotCome,
                PolicyPagesTexts.noShowDetail
            ),
            PolicyRule(
                .noShowWait,
                PolicyPagesTexts.waitingForThePassenger,
                PolicyPagesTexts.waitingForThePassengerDetail
            ),
            PolicyRule(
                .noShowRestore,
                PolicyPagesTexts.turnAfterALostRide,
                PolicyPagesTexts.turnAfterALostRideDetail,
                [
                    PolicyPagesTexts.atTheEnd, PolicyPagesTexts.whereTheyWere,
                    PolicyPagesTexts.inFront,
                ]
            ),
            PolicyRule(
                .maxMissed,
                PolicyPagesTexts.missedRidesAllowed,
                PolicyPagesTexts.missedRidesAllowedDetail
            ),
            PolicyRule(
                .missedDays,
                PolicyPagesTexts.missedRidesExpiry,
                PolicyPagesTexts.missedRidesExpiryDetail
            ),
        ]
    )
}
