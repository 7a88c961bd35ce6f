import Chronology
import Localization
import Testing
import TripPlanning

@testable import TravelPages

@Suite("The bar of legs")
struct LegBarTests {
    private static func option(_ minutes: [Int64]) -> TripOption {
        var time = Instant(seconds: 0)
        let steps = minutes.map { minutes -> TripStep in
            defer { time = time.adding(seconds: minutes * 60) }
            return TripStep(
                kind: .walk,
                fromName: "a",
                toName: "b",
                departure: time,
                arrival: time.adding(seconds: minutes * 60),
                metres: 80 * UInt32(minutes)
            )
        }
        return TripOption(
            id: "1",
            kind: .walk,
            steps: steps,
            departure: Instant(seconds: 0),
            arrival: time,
            walkMetres: 0,
            metres: 0,
            transfers: 0
        )
    }

    @Test("walks of less than a minute are left out, unless there is nothing else")
    func short() {
        #expect(Self.option([5, 0, 3]).legs.count == 2)
        #expect(Self.option([0]).legs.count == 1)
    }

    @Test("a sentence names the legs")
    func sentence() {
        let sentence = LegBar(Self.option([5, 65])).sentence
        #expect(sentence.in(.english) == "walk 5 min, walk 1 h 05")
        #expect(sentence.in(.italian) == "a piedi 5 min, a piedi 1 h 05")
    }

    @Test(
        "a duration is the difference of the times beside it, and whole hours have no minutes",
        arguments: [
            // Left at 08:16:40 and arrived at 08:54:10: pages show 08:16 and 08:55.
            (29_800, 32_050, "39 min"), (0, 540, "9 min"), (0, 541, "10 min"), (59, 61, "2 min"),
            (0, 3_600, "1 h"), (0, 3_900, "1 h 05"),
        ] as [(Int64, Int64, String)]
    )
    func duration(departure: Int64, arrival: Int64, words: String) {
        let text = PlanTexts.duration(
            from: Instant(seconds: departure),
            to: Instant(seconds: arrival)
        )
        #expect(text.in(.english) == words && text.in(.italian) == words)
    }

    @Test(
        "text on a line's own colour is the one that stands out more",
        arguments: [
            (0xFFFFFF, true), (0xF2B705, true), (0xC8102E, false), (0x000000, false),
            (0x1F6FB2, false), (0x8DC63F, true),
        ] as [(UInt32, Bool)]
    )
    func ink(colour: UInt32, isPale: Bool) {
        #expect(TravelLook.isPale(colour) == isPale)
    }
}
