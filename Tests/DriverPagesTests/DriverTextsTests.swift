import Chronology
import Dispatching
import HTTPTypes
import Localization
import Positions
import Taxi
import Testing
import WebTestSupport

@testable import DriverPages
@testable import TaxiPages
@testable import WebApp

/// Issue 5: drivers get every message as text, in both languages.
@Suite("Words for drivers")
struct DriverTextsTests {
    /// One of each case; the switch below does not compile until a new case is added.
    private static let refusals: [Refusal] = [
        .setupIncomplete, .setupAlreadyComplete, .nothingSetUp, .suspended("snow"),
        .notSuspended, .codeTaken("T1"), .invalid("aboard"), .reasonMissing, .noSuchTaxi,
        .noSuchZone, .alreadyOnDuty, .alreadyOffDuty, .outsideCity, .placeUnknown, .outOfContact,
        .licenceExpired, .riding, .notRiding, .notQueued, .offerGone, .meetingPointNotReached,
        .destinationNotReached, .nobodyAboard, .alreadyAboard, .codeMissing, .codeLocked,
        .noShowDisabled, .waitUntil(Moment(milliseconds: 0)), .tooSmall, .noSuchRequest,
        .guestsNotAllowed, .originOutsideCity, .liveRequest(RequestNumber(rawValue: 1)),
        .destinationMissing, .tooSoon(.never), .tooFar(.never), .tooLateToCancel, .wrongPhase,
        .sharingDisabled, .notShared, .seatsLeft(1), .walkTooLong, .detourTooLong, .waitTooLong,
        .reservationsDisabled,
    ]

    /// The index of a case in the list.
    private static func place(_ refusal: Refusal) -> Int {
        switch refusal {
        case .setupIncomplete: 0
        case .setupAlreadyComplete: 1
        case .nothingSetUp: 2
        case .suspended: 3
        case .notSuspended: 4
        case .codeTaken: 5
        case .invalid: 6
        case .reasonMissing: 7
        case .noSuchTaxi: 8
        case .noSuchZone: 9
        case .alreadyOnDuty: 10
        case .alreadyOffDuty: 11
        case .outsideCity: 12
        case .placeUnknown: 13
        case .outOfContact: 14
        case .licenceExpired: 15
        case .riding: 16
        case .notRiding: 17
        case .notQueued: 18
        case .offerGone: 19
        case .meetingPointNotReached: 20
        case .destinationNotReached: 21
        case .nobodyAboard: 22
        case .alreadyAboard: 23
        case .codeMissing: 24
        case .codeLocked: 25
        case .noShowDisabled: 26
        case .waitUntil: 27
        case .tooSmall: 28
        case .noSuchRequest: 29
        case .guestsNotAllowed: 30
        case .originOutsideCity: 31
        case .liveRequest: 32
        case .destinationMissing: 33
        case .tooSoon: 34
        case .tooFar: 35
        case .tooLateToCancel: 36
        case .wrongPhase: 37
        case .sharingDisabled: 38
        case .notShared: 39
        case .seatsLeft: 40
        case .walkTooLong: 41
        case .detourTooLong: 42
        case .waitTooLong: 43
        case .reservationsDisabled: 44
        }
    }

    @Test("every refusal of the dispatcher has a title and advice in both languages")
    func everyRefusal() {
        #expect(Self.refusals.map(Self.place) == Array(0...44))
        for refusal in Self.refusals {
            let trouble = DriveTrouble(refusal) { _ in "10:47" }
            for text in [trouble.title, trouble.advice] {
                let (english, italian) = (text.in(.english), text.in(.italian))
                #expect(english.count > 8 && italian.count > 8, "\(refusal)")
                #expect(english != italian, "\(refusal)")
            }
            #expect(trouble.status.code >= 400 && trouble.name.contains { $0.isLetter })
        }
        let wait = DriveTrouble(Refusal.waitUntil(.never)) { _ in "10:47" }
        #expect(wait.advice.in(.english).contains("10:47"))
    }

    @Test("every fault of a position has words and a name of its own")
    func everyFault() {
        let faults = PositionFault.allCases
        #expect(Set(faults.map(\.name)).count == faults.count)
        #expect(Set(faults.map { $0.text.in(.italian) }).count == faults.count)
    }

    @Test("every end of a ride, and every state, has words under each policy (R35)")
    func states() {
        for outcome in RequestOutcome.allCases {
            #expect(!outcome.driverText.in(.italian).isEmpty)
        }
        for policy in Policy.shipped {
            let labels = TaxiStatus.allCases.map { $0.label(policy).in(.english) }
            #expect(labels.allSatisfy { !$0.isEmpty })
        }
        #expect(TaxiStatus.riding.label(.milanoB).in(.english) == "Busy")
        #expect(TaxiStatus.riding.label(.milanoA).in(.english) == "Riding")
    }

    @Test(
        "places in a queue are ordinal numbers",
        arguments: [
            (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"),
            (13, "13th"), (21, "21st"), (22, "22nd"), (103, "103rd"), (111, "111th"),
        ]
    )
    func ordinals(number: Int, text: String) {
        #expect(DriveStanding.ordinal(number).in(.english) == text)
        #expect(DriveStanding.ordinal(number).in(.italian) == "\(number)º")
    }

    @Test(
        "distances are read at a glance",
        arguments: [
            (0, "0 m"), (7, "7 m"), (84, "80 m"), (434, "430 m"), (994, "990 m"), (999, "1.0 km"),
            (1_000, "1.0 km"), (1_249, "1.2 km"), (12_950, "13.0 km"),
        ] as [(Int64, String)]
    )
    func distances(metres: Int64, text: String) {
        #expect(CommonTexts.distance(metres).in(.english) == text)
    }
}
