import Chronology
import Foundation
import Testing

@testable import Localization

/// Issue 29, "Localization": one catalogue with typed arguments and plural rules, and a third
/// language is one more file.
@Suite("Texts")
struct TextTests {
    /// A catalogue with the product's languages and further files.
    private static func catalogue(_ texts: String...) throws(CatalogueError) -> Catalogue {
        try Catalogue(
            Catalogue.embeddedFiles.filter { $0.path == "Localization/language.texts" }
                + texts.map { Catalogue.File(path: "a.texts", text: $0) }
        )
    }

    private static let order = """
        # The form.
        [order]

        title
            en: Where are you going?
            it: Dove vuoi andare?

        people(_ count: count)
            en 0: nobody
            en one: {count} person
            en: {count} people
            it one: {count} persona
            it: {count} persone

        fare(amount: amount, _ from: string, place: text)
            en: about {amount} from {from}:
                {place} ({amount})
            it: "da {from}, {place}: circa {amount} "

        until(_ time: moment, _ hour: time, _ day: date)
            en: {time}, {hour}, {day}
            it: {time}, {hour}, {day}

        place(_ number: rank)
            en one: {number}st
            en two: {number}nd
            en few: {number}rd
            en: {number}th
            it: {number}º

        onlyEnglish
            en: Sorry

        signs
            en: {{a}}\\nb
            it: {{a}}\\nb
        """

    private static func text(
        _ key: String,
        _ arguments: Text.Argument...,
        in language: Language
    ) throws -> String {
        try catalogue(order).text(key, arguments, in: language)
    }

    @Test("a text speaks each language (R114)")
    func languages() throws {
        #expect(try Self.text("order.title", in: .english) == "Where are you going?")
        #expect(try Self.text("order.title", in: .italian) == "Dove vuoi andare?")
        let text = Text { $0 == .italian ? "Accedi" : "Sign in" }
        #expect(text.in(.english) == "Sign in")
        #expect(text.in(.italian) == "Accedi")
    }

    @Test("the languages are those that the files name")
    func languageList() throws {
        #expect(Language.allCases == [.english, .italian])
        #expect(Language.allCases.map(\.ownName) == ["English", "Italiano"])
        #expect(Language.allCases.map(\.locale) == ["en_GB", "it_IT"])
        #expect(Language(rawValue: "it") == .italian)
        #expect(Language(rawValue: "fr") == nil)
        // The form in which sessions and messages store it.
        #expect(try JSONEncoder().encode([Language.italian]) == Data(#"["it"]"#.utf8))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Language].self, from: Data(#"["fr"]"#.utf8))
        }
    }

    @Test("a text that is not translated is said in English")
    func fallback() throws {
        #expect(try Self.text("order.onlyEnglish", in: .italian) == "Sorry")
        #expect(try Self.catalogue(Self.order).untranslated("order.onlyEnglish") == [.italian])
        #expect(try Self.catalogue(Self.order).untranslated("order.title").isEmpty)
    }

    @Test(
        "the number chooses the form",
        arguments: [
            (0, "nobody", "0 persone"), (1, "1 person", "1 persona"), (2, "2 people", "2 persone"),
            (21, "21 people", "21 persone"),
        ]
    )
    func plurals(count: Int, english: String, italian: String) throws {
        #expect(try Self.text("order.people", .number(count), in: .english) == english)
        #expect(try Self.text("order.people", .number(count), in: .italian) == italian)
    }

    @Test(
        "the place in an order chooses the form",
        arguments: [
            (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"),
            (13, "13th"), (21, "21st"), (102, "102nd"), (111, "111th"),
        ]
    )
    func ordinals(number: Int, english: String) throws {
        #expect(try Self.text("order.place", .number(number), in: .english) == english)
        #expect(try Self.text("order.place", .number(number), in: .italian) == "\(number)º")
    }

    @Test("amounts, names and texts stand in the order of each language")
    func arguments() throws {
        let amount = Text.Argument.amount(Amount(minorUnits: 1_250, currency: "EUR"))
        let place = Text.Argument.text(Text { $0 == .italian ? "casa" : "home" })
        #expect(
            try Self.text("order.fare", amount, .string("A"), place, in: .english)
                == "about €12.50 from A: home (€12.50)"
        )
        #expect(
            try Self.text("order.fare", amount, .string("A"), place, in: .italian)
                == "da A, casa: circa 12,50\u{A0}€ "
        )
    }

    @Test("dates and times are written as each language writes them")
    func times() throws {
        let time = try #require(LocalTime(iso8601: "2026-11-24T08:42"))
        let arguments: [Text.Argument] = [.moment(time), .time(time), .date(time.date)]
        let catalogue = try Self.catalogue(Self.order)
        #expect(
            catalogue.text("order.until", arguments, in: .english)
                == "Tuesday 24 November 2026 at 08:42, 08:42, Tuesday 24 November 2026"
        )
        #expect(
            catalogue.text("order.until", arguments, in: .italian)
                == "martedì 24 novembre 2026 alle 08:42, 08:42, martedì 24 novembre 2026"
        )
    }

    @Test("an argument is never read as part of the sentence")
    func injection() throws {
        let amount = Text.Argument.amount(Amount(minorUnits: 5, currency: "EUR"))
        #expect(
            try Self.text(
                "order.fare",
                amount,
                .string("{amount}}{\\n"),
                .text(Text(same: "{from}")),
                in: .english
            ) == "about €0.05 from {amount}}{\\n: {from} (€0.05)"
        )
        #expect(try Self.text("order.signs", in: .english) == "{a}\nb")
    }

    @Test("texts are joined in each language")
    func joined() {
        let letter = Text { $0 == .italian ? "b" : "a" }
        let sign = Text { $0 == .italian ? "?" : "!" }
        let text = Text(joining: [letter, Text(same: "1")], separator: ", ") + sign
        #expect(text.in(.english) == "a, 1!")
        #expect(text.in(.italian) == "b, 1?")
    }

    @Test("a third language is one more file, and needs no code")
    func third() throws {
        let french = """
            [language]
            name
                fr: Français
            plurals
                fr: one: n = 0..1
            [order]
            people(_ count: count)
                fr one: {count} personne
                fr: {count} personnes
            fare
                fr: {place}, {from}, {amount}
            """
        let catalogue = try Self.catalogue(Self.order, french)
        #expect(catalogue.languages.map(\.rawValue) == ["en", "it", "fr"])
        let language = try #require(catalogue.languages.last)
        func people(_ count: Int) -> String {
            catalogue.text("order.people", [.number(count)], in: language)
        }
        #expect([0, 1, 2].map(people) == ["0 personne", "1 personne", "2 personnes"])
        // The keys that are missing in the file.
        #expect(catalogue.untranslated("order.title") == [language])
        #expect(catalogue.text("order.title", [], in: language) == "Where are you going?")
    }

    @Test(
        "an error names file, line and key",
        arguments: [
            ("x", 1, ".x", .unreadable),
            ("[A]", 1, "", .unreadable),
            ("[a] public", 1, "", .unreadable),
            ("[a]\nb c", 2, "a.b c", .unreadable),
            ("[a]\n    en: text", 2, "", .unreadable),
            ("[a]\nb\n    en text", 3, "a.b", .unreadable),
            ("[a]\nb\n        more", 3, "a.b", .unreadable),
            ("[a]\nb\n    en: x\n    it: y\n    en: z", 5, "a.b", .duplicate),
            ("[a]\nb\n    en: x\n[a]\nb\n    en one: y", 5, "a.b", .duplicate),
            ("[a]\nb\n    it: x", 2, "a.b", .noEnglish),
            ("[a]\nb\n    en: x\n    fr: y", 4, "a.b", .unknownLanguage("fr")),
            ("[a]\nb()\n    en: x", 2, "a.b", .badArguments),
            ("[a]\nb(c)\n    en: x", 2, "a.b", .badArguments),
            ("[a]\nb(c: float)\n    en: x", 2, "a.b", .badArguments),
            ("[a]\nb(c: count, d: rank)\n    en: x", 2, "a.b", .badArguments),
            ("[a]\nb(c: text)\n    en: {c}\nb(d: text)\n    it: {d}", 4, "a.b", .otherArguments),
            ("[a]\nb\n    en: {c}", 3, "a.b", .unknownArgument("c")),
            (
                "[a]\nb(c: text)\n    en: {c}\n    it: x", 4, "a.b",
                .missingArgument("c", language: "it")
            ),
            ("[a]\nb(c: text)\n    en: {c", 3, "a.b", .braces),
            ("[a]\nb(c: text)\n    en: {c}}", 3, "a.b", .braces),
            ("[a]\nb\n    en one: x\n    en: y", 3, "a.b", .badForm("one")),
            ("[a]\nb(c: count)\n    en some: {c}\n    en: y", 3, "a.b", .badForm("some")),
            ("[a]\nb(c: count)\n    en one: {c}", 3, "a.b", .noOtherForm(language: "en")),
            (
                "[language]\nname\n    fr: F\nplurals\n    fr: one: n is 1", 5, "language.plurals",
                .badRules(language: "fr")
            ),
        ] as [(String, Int, String, CatalogueError.Kind)]
    )
    func errors(text: String, line: Int, key: String, kind: CatalogueError.Kind) {
        #expect(throws: CatalogueError(file: "a.texts", line: line, key: key, kind: kind)) {
            try Self.catalogue(text)
        }
    }

    @Test("an error is one line")
    func errorLine() {
        let error = CatalogueError(file: "a/b.texts", line: 3, key: "a.b", kind: .noEnglish)
        #expect("\(error)" == "a/b.texts:3: a.b: noEnglish")
    }

    @Test(
        "plural rules of CLDR are understood",
        arguments: [
            // Polish has plural forms for one, few and many.
            (
                "one: n = 1; few: n % 10 = 2..4 and n % 100 != 12..14; many: n != 1",
                [0: "many", 1: "one", 2: "few", 5: "many", 12: "many", 22: "few", 111: "many"]
            ),
            // Alternatives, ranges and lists of values as in Lithuanian, then a single form as in
            // Latvian ordinals.
            (
                "few: n % 10 = 2..9 and n % 100 != 11..19; one: n % 10 = 1, 9 or n = 40",
                [
                    1: "one", 2: "few", 9: "few", 19: "one", 40: "one", 10: "other",
                ]
            ),
            ("other", [1: "other"]),
        ]
    )
    func rules(text: String, categories: [Int64: String]) throws {
        let rules = try #require(PluralRules(text))
        for (number, category) in categories {
            #expect(rules.category(of: number).rawValue == category, "\(number)")
        }
    }

    @Test(
        "other rules are not",
        arguments: [
            "one", "one: n", "one: m = 1", "one: n % 0 = 1", "some: n = 1", "one: n = 2..1",
        ]
    )
    func badRules(text: String) {
        #expect(PluralRules(text) == nil)
    }
}
