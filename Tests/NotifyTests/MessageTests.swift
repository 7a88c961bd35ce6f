import Chronology
import Localization
import Testing

@testable import Notify

/// issue 4, Notify: "each message a template in English and Italian"; ui.md 4.1, "Answer first".
@Suite("Messages")
struct MessageTests {
    @Test("there is an example of every kind")
    func complete() {
        let kinds = NotificationKinds([AccountNotificationKind.self, ServiceNotificationKind.self])
        let named = Set(Examples.messages.map { $0.kind.rawValue })
        #expect(named == Set(kinds.all.map { $0.rawValue }))
    }

    @Test("messages are the same where their parameters are")
    func same() {
        let anna = World.anna()
        let near = Resolution.found(anna, ParcelMessage(.near))
        #expect(near == .found(anna, ParcelMessage(.near)))
        #expect(near != .found(anna, ParcelMessage(.lost)))
        #expect(near != .found(anna, AccountMessage.erased))
        #expect(near != .found(World.anna(phone: "+39021234567"), ParcelMessage(.near)))
        #expect(near != .erased && Resolution.erased == .erased)
    }

    @Test("each is short and plain in both languages", arguments: Language.allCases)
    func plain(language: Language) {
        var subjects: Set<String> = []
        for message in Examples.messages {
            let letter = message.letter(in: language, from: Examples.milan)
            let texts = [letter.subject, letter.short] + letter.paragraphs
            #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("Optional") })
            #expect(letter.subject.count <= 78, "\(message.kind)")
            // With the city's name it fits into one SMS, except for the link.
            #expect("Milano: \(letter.short)".count <= 160, "\(message.kind)")
            #expect(!letter.paragraphs.isEmpty)
            #expect(texts.joined().contains("!") == false, "ui.md 4.1: no exclamation marks")
            #expect(subjects.insert(letter.subject).inserted, "\(message.kind)")
        }
    }

    @Test("no text is the same in both languages")
    func translated() {
        for message in Examples.messages {
            let english = message.letter(in: .english, from: Examples.milan)
            let italian = message.letter(in: .italian, from: Examples.milan)
            #expect(english.subject != italian.subject)
            #expect(zip(english.paragraphs, italian.paragraphs).allSatisfy { $0 != $1 })
            #expect(english.paragraphs.count == italian.paragraphs.count)
            #expect((english.action == nil) == (italian.action == nil))
            #expect(english.action?.link == italian.action?.link)
        }
    }

    @Test("a time that no calendar has does not trap", arguments: [Int64.min, .max, 0, -1])
    func farTimes(milliseconds: Int64) {
        let moment = Moment(milliseconds: milliseconds)
        let message = RegistrationMessage.confirmRegistration(page: Examples.page, until: moment)
        #expect(!message.letter(in: .italian, from: Examples.milan).subject.isEmpty)
        let hours = QuietHours(begin: 0, end: 1_439)
        #expect(hours?.ending(at: moment, in: Examples.milan.zone) != moment)
    }

    @Test(
        "amounts are written with their currency",
        arguments: [
            (1_250, "EUR", 2, "€12.50", "12,50 €"), (5, "EUR", 2, "€0.05", "0,05 €"),
            (-5, "EUR", 2, "-€0.05", "-0,05 €"), (900, "JPY", 0, "900 JPY", "900 JPY"),
            (0, "EUR", 2, "€0.00", "0,00 €"), (1_250, "CHF", 2, "12.50 CHF", "12,50 CHF"),
        ] as [(Int64, String, Int, String, String)]
    )
    func amounts(units: Int64, code: String, decimals: Int, english: String, italian: String) {
        let amount = Amount(minorUnits: units, currency: code, decimals: decimals)
        // No line breaks inside an amount.
        func line(_ text: String) -> String { text.replacing(" ", with: "\u{A0}") }
        #expect(amount.written(in: .english) == line(english))
        #expect(amount.written(in: .italian) == line(italian))
    }

    @Test(
        "estimates are in whole units",
        arguments: [
            (1_249, "€12"), (1_250, "€13"), (49, "€0"), (-1_250, "-€13"), (-1_249, "-€12"),
        ] as [(Int64, String)]
    )
    func estimates(units: Int64, english: String) {
        let amount = Amount(minorUnits: units, currency: "EUR").rounded
        #expect(amount.written(in: .english) == english)
        #expect(Amount(minorUnits: 900, currency: "JPY", decimals: 0).rounded.minorUnits == 900)
    }

    @Test(
        "a link is nothing but a link",
        arguments: [
            "http://taxi.example/", "javascript:alert(1)", "https://", "https://a b",
            "https://a\r\nBcc: b", "https://a\"b", "https://a<b>", "https://é", "",
            "http://127.0.0.1.evil.example/", "http://localhost@evil.example/",
            "http://127.evil.example/", "http://127.0.0.1.1/", "http://128.0.0.1/",
        ]
    )
    func badLinks(text: String) {
        #expect(Link(text) == nil)
    }

    @Test("pages below a link are encoded")
    func links() throws {
        let root = try #require(Link("https://taxi.example/"))
        #expect(
            root.page(["confirm", "à/b"], query: [("code", "1&2=3"), ("c", "~")])?.text
                == "https://taxi.example/confirm/%C3%A0%2Fb?code=1%262%3D3&c=~"
        )
        #expect(Link("http://127.0.0.1:8080/a") != nil)
        #expect(Link("http://127.0.0.2:8080") != nil)
        #expect(Link("http://localhost") != nil)
        #expect(Link("http://[::1]:1/") != nil)
    }
}
