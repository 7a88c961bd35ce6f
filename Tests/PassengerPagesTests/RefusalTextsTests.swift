import Chronology
import Dispatching
import Localization
import Taxi
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

@Suite("Words for refusals and ends")
struct RefusalTextsTests {
    /// One of every case; ``complete(_:)`` does not compile where one is missing.
    private static let refusals: [Refusal] = [
        .setupIncomplete, .setupAlreadyComplete, .nothingSetUp, .suspended("Snow"),
        .notSuspended, .codeTaken("MI1"), .invalid("seats"), .invalid("names"), .reasonMissing,
        .noSuchTaxi, .noSuchZone, .alreadyOnDuty, .alreadyOffDuty, .outsideCity, .placeUnknown,
        .outOfContact, .licenceExpired, .riding, .notRiding, .notQueued, .offerGone,
        .meetingPointNotReached, .destinationNotReached, .nobodyAboard, .alreadyAboard,
        .codeMissing, .codeLocked, .noShowDisabled, .waitUntil(Moment(milliseconds: 0)), .tooSmall,
        .noSuchRequest, .guestsNotAllowed, .originOutsideCity,
        .liveRequest(RequestNumber(rawValue: 7)), .destinationMissing,
        .tooSoon(Moment(milliseconds: 0)), .tooFar(Moment(milliseconds: 0)), .tooLateToCancel,
        .wrongPhase, .reservationsDisabled, .sharingDisabled, .notShared, .seatsLeft(1),
        .seatsLeft(2), .walkTooLong,
        .detourTooLong, .waitTooLong,
    ]

    /// The name of a case; a new case does not compile until it is added here, and then to the list
    /// above.
    private static func name(_ refusal: Refusal) -> String {
        switch refusal {
        case .setupIncomplete, .setupAlreadyComplete, .nothingSetUp, .suspended, .notSuspended,
            .codeTaken, .invalid, .reasonMissing, .noSuchTaxi, .noSuchZone, .alreadyOnDuty,
            .alreadyOffDuty, .outsideCity, .placeUnknown, .outOfContact, .licenceExpired, .riding,
            .notRiding, .notQueued, .offerGone, .meetingPointNotReached, .destinationNotReached,
            .nobodyAboard, .alreadyAboard, .codeMissing, .codeLocked, .noShowDisabled, .waitUntil,
            .tooSmall, .noSuchRequest, .guestsNotAllowed, .originOutsideCity, .liveRequest,
            .destinationMissing, .tooSoon, .tooFar, .tooLateToCancel, .wrongPhase,
            .reservationsDisabled, .sharingDisabled, .notShared, .seatsLeft, .walkTooLong,
            .detourTooLong, .waitTooLong:
            String("\(refusal)".prefix { $0 != "(" })
        }
    }

    @Test("every refusal has words of its own in both languages")
    func refusals() {
        #expect(Set(Self.refusals.map(Self.name)).count == 45)
        for language in Language.allCases {
            let words = Self.refusals.map { $0.text.in(language) }
            #expect(Set(words).count == words.count)
            #expect(words.allSatisfy { $0.count > 10 && !$0.contains("Optional") })
            #expect(!words.contains { $0 == "It was refused." || $0 == "È stato rifiutato." })
            #expect(words.allSatisfy { !$0.contains("!") })
        }
        for refusal in Self.refusals {
            #expect(refusal.text.in(.english) != refusal.text.in(.italian))
        }
    }

    @Test("every end of a request has a title and advice in both languages")
    func ends() {
        for language in Language.allCases {
            let titles = RequestOutcome.allCases.map { $0.title.in(language) }
            let advice = RequestOutcome.allCases.map { $0.advice.in(language) }
            #expect(Set(titles).count == titles.count)
            #expect(Set(advice).count == advice.count)
        }
        for outcome in RequestOutcome.allCases {
            #expect(outcome.title.in(.english) != outcome.title.in(.italian))
            #expect(outcome.advice.in(.english) != outcome.advice.in(.italian))
        }
    }

    @Test("which taxi is asked is counted as people count")
    func ordinals() {
        let asked = [2, 3, 4, 11, 12, 13, 21, 22, 23, 101, 111, 112].map {
            RideTexts.asking($0).in(.english)
        }
        let wanted = [
            "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "101st", "111th",
            "112th",
        ]
        for (text, ordinal) in zip(asked, wanted) {
            #expect(text == "Asking the \(ordinal) taxi in line…")
        }
        #expect(RideTexts.asking(1).in(.italian) == "Chiediamo al primo taxi in coda…")
    }
}
