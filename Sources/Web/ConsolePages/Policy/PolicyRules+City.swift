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
                PolicyPagesTexts.whetherARideWithA
            ),
            PolicyRule(
                .reachRadius,
                PolicyPagesTexts.howNearIsThere,
                PolicyPagesTexts.withinSoManyMetresA
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
                PolicyPagesTexts.whetherADriverMustBe
            ),
            PolicyRule(
                .maxIgnored,
                PolicyPagesTexts.ignoredOffers,
                PolicyPagesTexts.afterSoManyUnansweredOffers
            ),
            PolicyRule(
                .noticeRetries,
                PolicyPagesTexts.triesOfANotice,
                PolicyPagesTexts.howOftenANoticeTo
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
                PolicyPagesTexts.afterSoLongWithoutA
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
                PolicyPagesTexts.whetherPassengersMayShareA
            ),
            PolicyRule(
                .shareSeats,
                PolicyPagesTexts.seats,
                PolicyPagesTexts.soManySeatsAreShared
            ),
            PolicyRule(
                .shareDetour,
                PolicyPagesTexts.detour,
                PolicyPagesTexts.soMuchLongerThanThe
            ),
            PolicyRule(
                .shareWalk,
                PolicyPagesTexts.walk,
                PolicyPagesTexts.soLongAJoinerWalks
            ),
            PolicyRule(
                .shareWait,
                PolicyPagesTexts.furtherWait,
                PolicyPagesTexts.soLongTheOthersWait
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
                PolicyPagesTexts.howADeletedAccountIs,
                [PolicyPagesTexts.byDestroyingTheKey]
            ),
        ]
    )

    static let operation = Group(
        title: PolicyPagesTexts.operation,
        rules: [
            PolicyRule(
                .serviceLevel,
                PolicyPagesTexts.promiseOfSpeed,
                PolicyPagesTexts.whichPromiseIsWatched95,
                [PolicyPagesTexts.text1S, PolicyPagesTexts.text5SAllIn10]
            ),
            PolicyRule(
                .deployment,
                PolicyPagesTexts.servers,
                PolicyPagesTexts.whetherThereShouldBeA,
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
        ]
    )
}
