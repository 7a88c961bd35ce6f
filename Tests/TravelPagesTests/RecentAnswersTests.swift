import Chronology
import CityData
import Testing
import TripPlanning

@testable import TravelPages

@Suite("Answers given a moment ago")
struct RecentAnswersTests {
    private static let now = Moment(milliseconds: 1_800_000_000_000)
    private static let answer = TripAnswer(
        question: TripQuestion(
            from: ResolvedPlace(name: "a", kind: .coordinate, coordinate: nil),
            to: ResolvedPlace(name: "b", kind: .coordinate, coordinate: nil),
            time: Instant(seconds: 1_800_000_000)
        ),
        options: []
    )

    @Test("an answer is kept for a minute")
    func time() {
        let recent = RecentAnswers<TripAnswer>()
        recent.keep(Self.answer, to: "q", at: Self.now)
        #expect(recent.answer(to: "q", at: Self.now.adding(seconds: 59)) == Self.answer)
        #expect(recent.answer(to: "q", at: Self.now.adding(seconds: 60)) == nil)
        #expect(recent.answer(to: "other", at: Self.now) == nil)
    }

    @Test("of too many answers the oldest gives way")
    func number() {
        let recent = RecentAnswers<TripAnswer>()
        for second in 0..<65 {
            let at = Self.now.adding(seconds: Int64(second) / 10)
            recent.keep(Self.answer, to: "\(second)", at: at)
        }
        let kept = (0..<65).count {
            recent.answer(to: "\($0)", at: Self.now.adding(seconds: 7)) != nil
        }
        #expect(kept == 64)
        #expect(recent.answer(to: "64", at: Self.now.adding(seconds: 7)) != nil)
    }
}
