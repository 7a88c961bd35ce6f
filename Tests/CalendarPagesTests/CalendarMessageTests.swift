import Chronology
import Localization
import Notify
import Testing

@testable import CalendarPages

/// Travlendar V41, V47: what people are told about their day.
@Suite("Messages about a calendar")
struct CalendarMessageTests {
    private static let milan = City(
        name: "Milano",
        zone: ZoneTable(starts: [0], offsets: [3_600])
    )

    @Test("each kind has its text in both languages", arguments: Language.allCases)
    func letters(language: Language) throws {
        let page = try #require(Link("https://taxi.example/calendar/day/2026-11-21"))
        let now = Moment(milliseconds: 1_795_264_605_000)
        let leave = CalendarMessage.departure(.init(for: "Design review", at: now), page: page)
        let missed = CalendarMessage.unreachable(.init("Design review", at: now), page: page)
        let kinds = [leave, missed].map { $0.kind as? CalendarNotificationKind }
        #expect(kinds == [.departure, .unreachable])
        let letters = [leave, missed].map { $0.letter(in: language, from: Self.milan) }
        let isItalian = language == .italian
        #expect(
            letters.map(\.subject) == [
                isItalian ? "Parti ora per Design review" : "Leave now for Design review",
                isItalian
                    ? "Potresti non arrivare in tempo: Design review"
                    : "You may not reach Design review in time",
            ]
        )
        for letter in letters {
            #expect("Milano: \(letter.short)".count <= 160)
            #expect(letter.paragraphs.joined().contains("13:36"))
            #expect(letter.action?.link == page)
        }
    }
}
