import IdentityTestSupport
import StorageTestSupport
import Testing

@testable import Identity

/// Issue 29, faults 3 and 12: names contain no links, and do not imitate others.
@Suite("Names that others read")
struct NameTests {
    @Test(
        "what is taken for a web address is no name",
        arguments: [
            "http://evil.example", "HTTPS://evil.example/x", "ftp://x", "Win www.evil.example",
            "evil.example/win", "Ana evil.co.uk/x?y", "(evil.com)", "evil.com.", "EVIL.IT!",
            "see evil.xyz:8080", "//evil.com", "me@evil.org", "t.co/abc", "Anna\u{A0}evil.com",
        ]
    )
    func links(text: String) {
        #expect(FieldProblem.Kind(ofLine: text, most: 80) == .webAddress)
    }

    @Test(
        "marks of direction, invisible characters and line ends are in no name",
        arguments: [
            "a\u{202E}b", "a\u{202A}", "\u{2066}a\u{2069}", "a\u{200E}b", "a\u{200F}b",
            "a\u{200B}b", "a\u{200C}b", "a\u{200D}b", "a\u{2060}b", "\u{FEFF}a", "a\u{AD}b",
            "a\u{E0041}", "a\u{E0020}b", "a\u{61C}b", "a\u{180E}b", "a\u{3164}b", "\u{2800}",
            "\u{115F}", "\u{2060}", "a\nb", "a\u{2028}b", "a\u{7}b", "a\u{FE00}b", "a\u{34F}b",
        ]
    )
    func invisible(text: String) {
        let problem = FieldProblem.Kind(ofLine: text, most: 80)
        #expect(problem == .badFormat, "\(text.debugDescription)")
    }

    @Test(
        "blanks alone are no name",
        arguments: ["", " ", "\t", "\u{A0}", "\u{3000}\u{2003}", "\u{200B}"]
    )
    func blank(text: String) {
        #expect(FieldProblem.Kind(ofLine: text, most: 80) == .missing)
    }

    @Test(
        "people, streets and places have their names",
        arguments: [
            "Ana", "Dott.ssa Anna", "J.R. Smith", "Maria-José O’Neill", "D'Angelo", "St.John",
            "Via Roma 5/A, Milano", "P.zza Duomo 1", "C.so Como 10", "李小龍", "محمد", "שָׁלוֹם",
            "Nonna ☀\u{FE0F}", "Casa 🏠", "e\u{301}", "Hotel 24/7", "C/O Rossi", "A/B",
        ]
    )
    func names(text: String) {
        #expect(FieldProblem.Kind(ofLine: text, most: 80) == nil)
    }

    @Test("no form takes them: registration, profile")
    func forms() async throws {
        try await TestCity.with(.sqlite) { city in
            let accounts = city.accounts
            let mario = try await city.person("mario")
            for (text, kind) in [
                ("evil.example/win", FieldProblem.Kind.webAddress), ("a\u{202E}b", .badFormat),
                ("\u{2060}", .badFormat), ("\u{2003}", .missing),
            ] {
                var form = Registration.sample("luigi")
                form.name = text
                form.surname = text
                let problems = [FieldProblem(.name, kind), FieldProblem(.surname, kind)]
                let registered = try await refusal { [form] in
                    try await accounts.register(form, from: TestCity.home, at: TestCity.start)
                }
                #expect(registered == .invalid(problems))
                var change = ProfileChange()
                change.name = text
                change.surname = text
                let changed = try await refusal { [change] in
                    try await accounts.change(change, of: mario, at: TestCity.start)
                }
                #expect(changed == .invalid(problems))
            }
            #expect(try await accounts.profile(of: mario).name == "Nomemario")
        }
    }
}
