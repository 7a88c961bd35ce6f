import Testing

@testable import Dispatching

@Suite("Scenarios of the specification")
struct ScenarioTests {
    @Test("each goes as it is told, under both presets", arguments: Scenario.all)
    func told(scenario: Scenario) {
        for policy in [Policy.milanoA, .milanoB] {
            let story = Story(scenario.script, policy: policy, taxis: scenario.taxis)
            let expected = Story.lines(of: scenario.script, policy: policy)
            if story.lines == expected { continue }
            Issue.record(
                """
                \(scenario.name) under \(policy.name):
                \(story.lines.joined(separator: "\n"))
                """
            )
        }
    }

    @Test("what only one preset refuses is refused for the reason in the table")
    func forbidden() {
        var found: [Forbidden] = []
        for scenario in Scenario.all {
            for line in scenario.script.split(separator: "\n") where line.contains(": refused: ") {
                let parts = line.split(separator: ": ").map(String.init)
                let one = Forbidden(scenario.name, parts[0], parts[2])
                if !found.contains(one) { found.append(one) }
            }
        }
        #expect(Set(found) == Set(Self.table.map(\.forbidden)))
        for row in Self.table { #expect(!row.reason.isEmpty) }
    }

    /// A step that is refused under `a` (milano-a) or `b` (milano-b).
    struct Forbidden: Hashable {
        let scenario: String
        let preset: String
        let refusal: String

        init(_ scenario: String, _ preset: String, _ refusal: String) {
            self.scenario = scenario
            self.preset = preset
            self.refusal = refusal
        }
    }

    /// The steps that one preset refuses, with the rule of the specification.
    private static let table: [(forbidden: Forbidden, reason: String)] = [
        (Forbidden("SA1", "b", "guestsNotAllowed"), "C2: a passenger must be logged in"),
        (Forbidden("SA2", "b", "tooFar"), "C4: at most 48 hours ahead"),
        (
            Forbidden("SA4", "a", "destinationNotReached"),
            "C11: a ride with a known destination ends there"
        ),
        (
            Forbidden("SA4", "a", "meetingPointNotReached"),
            "C11: a ride ends only after boarding; C12: nor is a no-show reported before"
        ),
        (Forbidden("SB11", "a", "sharingDisabled"), "1.5: rides are not shared"),
        (Forbidden("SB11", "b", "liveRequest"), "R68: the joiner has an own ride"),
        (Forbidden("SB11", "b", "notShared"), "R88: the taxi is there already"),
        (Forbidden("SB11", "b", "walkTooLong"), "R86: the taxi would wait for the joiner"),
        (Forbidden("SB5", "a", "codeMissing"), "C7: the code is checked"),
        (
            Forbidden("SB5", "a", "destinationNotReached"),
            "C11: a ride with a known destination ends there"
        ),
        (Forbidden("SB9", "a", "outsideCity"), "C16: duty begins inside the city"),
        (Forbidden("SB9", "b", "alreadyOnDuty"), "C16: the driver went on duty outside"),
        (
            Forbidden("UA1 no-show", "a", "meetingPointNotReached"),
            "C11: a ride ends only after boarding; C12: nor is a no-show reported before"
        ),
        (Forbidden("UA1 no-show", "b", "noShowDisabled"), "C12: no-shows cannot be reported"),
        (Forbidden("UA3", "b", "offerGone"), "C5: no further try, the reservation was dropped"),
        (
            Forbidden("UA4", "a", "destinationNotReached"),
            "R65: the system verifies the arrival, the driver's word is not enough"
        ),
        (Forbidden("UA6", "a", "outsideCity"), "C16: duty begins inside the city"),
        (Forbidden("UA6", "b", "alreadyOnDuty"), "C16: the driver went on duty outside"),
    ]
}
