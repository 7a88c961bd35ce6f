import Dispatching
import TaxiPages

extension PolicyRule {
    static let offers = Group(
        title: PolicyPagesTexts.offersToDrivers,
        rules: [
            PolicyRule(
                .offerTimeout,
                PolicyPagesTexts.timeToAnswer,
                PolicyPagesTexts.soLongADriverMay
            ),
            PolicyRule(
                .offerPickup,
                PolicyPagesTexts.meetingPointInTheOffer,
                PolicyPagesTexts.whatTheDriverSeesBefore,
                [
                    PolicyPagesTexts.theExactAddress,
                    PolicyPagesTexts.theZoneOnly,
                ]
            ),
            PolicyRule(
                .offerShowsDestination,
                PolicyPagesTexts.destinationForTheDriver,
                PolicyPagesTexts.whenTheDriverLearnsWhere,
                [
                    PolicyPagesTexts.never, PolicyPagesTexts.afterAccepting,
                    PolicyPagesTexts.beforeAccepting,
                ]
            ),
            PolicyRule(
                .maxOffers,
                PolicyPagesTexts.offersForOneRequest,
                PolicyPagesTexts.afterSoManyOffersThe
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
                    PolicyPagesTexts.atTheNextTryOf,
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
                PolicyPagesTexts.whetherPassengersSayWhereThey,
                [
                    PolicyPagesTexts.required, PolicyPagesTexts.optional,
                    PolicyPagesTexts.notAsked,
                ]
            ),
            PolicyRule(
                .gpsAccuracy,
                PolicyPagesTexts.exactnessOfAPosition,
                PolicyPagesTexts.aTelephonesPositionServesAs
            ),
            PolicyRule(
                .heldTries,
                PolicyPagesTexts.triesWhileNoTaxiIs,
                PolicyPagesTexts.ifAllTaxisOfThe
            ),
            PolicyRule(
                .heldRetry,
                PolicyPagesTexts.whenAWaitingRequestIs,
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
                PolicyPagesTexts.untilWhenAPassengerMay,
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
                PolicyPagesTexts.soLongBeforeTheHour
            ),
            PolicyRule(
                .reserveMax,
                PolicyPagesTexts.atTheLatest,
                PolicyPagesTexts.soFarAheadOneCan
            ),
            PolicyRule(
                .allocateBefore,
                PolicyPagesTexts.lookingForTheTaxi,
                PolicyPagesTexts.soLongBeforeTheHour2
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
                PolicyPagesTexts.onlyTaxisThatWaitAlready,
                PolicyPagesTexts.whetherOnlyTheTaxisThat
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
                PolicyPagesTexts.passengerAndDriverCompareA,
                [PolicyPagesTexts.noneText, PolicyPagesTexts.fourDigits]
            ),
            PolicyRule(
                .codeAttempts,
                PolicyPagesTexts.wrongCodes,
                PolicyPagesTexts.afterSoManyWrongCodes
            ),
            PolicyRule(
                .boardingRadius,
                PolicyPagesTexts.questionWhetherAboard,
                PolicyPagesTexts.soNearInMetresThe
            ),
            PolicyRule(
                .etaRefresh,
                PolicyPagesTexts.arrivalToldAnew,
                PolicyPagesTexts.howOftenThePassengerIs
            ),
            PolicyRule(
                .noShow,
                PolicyPagesTexts.passengerWhoDoesNotCome,
                PolicyPagesTexts.whetherADriverAtThe
            ),
            PolicyRule(
                .noShowWait,
                PolicyPagesTexts.waitingForThePassenger,
                PolicyPagesTexts.soLongHeWaitsBefore
            ),
            PolicyRule(
                .noShowRestore,
                PolicyPagesTexts.turnAfterALostRide,
                PolicyPagesTexts.whereTheDriverQueuesWhose,
                [
                    PolicyPagesTexts.atTheEnd, PolicyPagesTexts.whereHeWas,
                    PolicyPagesTexts.inFront,
                ]
            ),
            PolicyRule(
                .maxMissed,
                PolicyPagesTexts.passengersWhoOftenDoNot,
                PolicyPagesTexts.whoeverMissedSoManyRides
            ),
            PolicyRule(
                .missedDays,
                PolicyPagesTexts.memoryOfMissedRides,
                PolicyPagesTexts.forSoManyDaysA
            ),
        ]
    )
}
