import Dispatching
import TaxiPages

extension PolicyRule {
    static let ending = Group(
        title: PolicyPagesTexts.endOfTheRide,
        rules: [
            PolicyRule(
                .endNeedsPickup,
                PolicyPagesTexts.onlyAfterTheMeetingPoint,
                PolicyPagesTexts.whetherARideCanEnd
            ),
            PolicyRule(
                .endNeedsDestination,
                PolicyPagesTexts.onlyAtTheDestination,
                PolicyPagesTexts.onlyAtTheDestinationDetail
            ),
            PolicyRule(
                .reachRadius,
                PolicyPagesTexts.arrivalRadius,
                PolicyPagesTexts.arrivalRadiusDetail
            ),
            PolicyRule(
                .statedArrival,
                PolicyPagesTexts.arrivalByStatement,
                PolicyPagesTexts.whetherAPlaceThatADriver
            ),
            PolicyRule(
                .endOverride,
                PolicyPagesTexts.endingAgainstTheseChecks,
                PolicyPagesTexts.whoMayEndARide,
                [
                    PolicyPagesTexts.anOperatorOnly,
                    PolicyPagesTexts.theDriverWithAReason,
                ]
            ),
        ]
    )

    static let drivers = Group(
        title: PolicyPagesTexts.drivers,
        rules: [
            PolicyRule(
                .onboarding,
                PolicyPagesTexts.whoEntersDrivers,
                PolicyPagesTexts.theCityAtThisConsole,
                [
                    PolicyPagesTexts.theCity,
                    PolicyPagesTexts.driversThenChecked,
                    PolicyPagesTexts.both,
                ]
            ),
            PolicyRule(
                .sharedTaxis,
                PolicyPagesTexts.taxisSharedByShifts,
                PolicyPagesTexts.whetherSeveralDriversMayDrive
            ),
            PolicyRule(
                .driverStates,
                PolicyPagesTexts.statesThatDriversSee,
                PolicyPagesTexts.allStatesWithTheirReasons,
                [PolicyPagesTexts.all, PolicyPagesTexts.three]
            ),
            PolicyRule(
                .enforceBorder,
                PolicyPagesTexts.onlyInsideTheCity,
                PolicyPagesTexts.onlyInsideTheCityDetail
            ),
            PolicyRule(
                .maxIgnored,
                PolicyPagesTexts.ignoredOffers,
                PolicyPagesTexts.afterSoManyUnansweredOffers
            ),
            PolicyRule(
                .noticeRetries,
                PolicyPagesTexts.notificationAttempts,
                PolicyPagesTexts.notificationAttemptsDetail
            ),
        ]
    )

    static let positions = Group(
        title: PolicyPagesTexts.positions,
        rules: [
            PolicyRule(
                .movingInterval,
                PolicyPagesTexts.reportWhileMoving,
                PolicyPagesTexts.howOftenAMovingTaxi
            ),
            PolicyRule(
                .standingInterval,
                PolicyPagesTexts.reportWhileStanding,
                PolicyPagesTexts.howOftenAStandingTaxi
            ),
            PolicyRule(
                .stale,
                PolicyPagesTexts.outOfContact,
                PolicyPagesTexts.outOfContactDetail
            ),
            PolicyRule(
                .grace,
                PolicyPagesTexts.keepingTheTurn,
                PolicyPagesTexts.whoIsHeardFromAgain
            ),
            PolicyRule(
                .leaveReports,
                PolicyPagesTexts.leavingAZoneReports,
                PolicyPagesTexts.afterSoManyReportsOutside
            ),
            PolicyRule(
                .leaveSeconds,
                PolicyPagesTexts.leavingAZoneTime,
                PolicyPagesTexts.orAfterSoLongOutside
            ),
        ]
    )

    static let sharing = Group(
        title: PolicyPagesTexts.sharedRides,
        rules: [
            PolicyRule(
                .sharing,
                PolicyPagesTexts.sharing,
                PolicyPagesTexts.sharingDetail
            ),
            PolicyRule(
                .shareSeats,
                PolicyPagesTexts.seats,
                PolicyPagesTexts.seatsDetail
            ),
            PolicyRule(
                .shareDetour,
                PolicyPagesTexts.detour,
                PolicyPagesTexts.detourDetail
            ),
            PolicyRule(
                .shareWalk,
                PolicyPagesTexts.walk,
                PolicyPagesTexts.walkDetail
            ),
            PolicyRule(
                .shareWait,
                PolicyPagesTexts.furtherWait,
                PolicyPagesTexts.furtherWaitDetail
            ),
        ]
    )

    static let accounts = Group(
        title: PolicyPagesTexts.accounts,
        rules: [
            PolicyRule(
                .passengerFields,
                PolicyPagesTexts.whatPassengersMustGive,
                PolicyPagesTexts.whatTheFormOfRegistration,
                [
                    PolicyPagesTexts.name, PolicyPagesTexts.surname, PolicyPagesTexts.eMail,
                    PolicyPagesTexts.mobilePhone, PolicyPagesTexts.userName,
                    PolicyPagesTexts.password, PolicyPagesTexts.address,
                ]
            ),
            PolicyRule(
                .erasure,
                PolicyPagesTexts.deletedAccounts,
                PolicyPagesTexts.deletedAccountsDetail,
                [PolicyPagesTexts.byDestroyingTheKey]
            ),
        ]
    )

    static let operation = Group(
        title: PolicyPagesTexts.operation,
        rules: [
            PolicyRule(
                .serviceLevel,
                PolicyPagesTexts.responseTimeTarget,
                PolicyPagesTexts.responseTimeTargetDetail,
                [PolicyPagesTexts.oneSecond, PolicyPagesTexts.fiveSecondsAndAllWithinTen]
            ),
            PolicyRule(
                .deployment,
                PolicyPagesTexts.servers,
                PolicyPagesTexts.serversDetail,
                [PolicyPagesTexts.one, PolicyPagesTexts.oneAndAStandby]
            ),
            PolicyRule(
                .plainHTTP,
                PolicyPagesTexts.plainHttp,
                PolicyPagesTexts.howConnectionsWithoutEncryption,
                [
                    PolicyPagesTexts.refuse, PolicyPagesTexts.redirect,
                    PolicyPagesTexts.off,
                ]
            ),
            PolicyRule(
                .earlyUse,
                PolicyPagesTexts.openBeforeConfirmation,
                PolicyPagesTexts.whatIsOpenBeforeTheCity,
                [
                    PolicyPagesTexts.registration, PolicyPagesTexts.tripPlanner,
                    PolicyPagesTexts.calendars, PolicyPagesTexts.otherPrograms,
                ]
            ),
        ]
    )
}
