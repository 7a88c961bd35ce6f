import Testing

@testable import Identity

/// RFC 8628, 6.1: codes that people copy.
@Suite("Codes of devices")
struct UserCodeTests {
    @Test("a code is read as it is typed: small letters, blanks and any hyphen")
    func typed() throws {
        let code = UserCode.random()
        let letters = code.text.replacing("-", with: "")
        #expect(letters.count == 8)
        for text in [
            code.text, letters, letters.lowercased(), " " + code.text + " ",
            code.text.replacing("-", with: "\u{2013}"),
            letters.map(String.init).joined(separator: " "),
        ] {
            #expect(UserCode(text) == code, "\(text)")
        }
    }

    @Test(
        "other texts are no code, without a trap",
        arguments: ["", "BCDF", "BCDF-GHJA", "BCDF-GHJ1", "BCDF-GHJKL", "\u{0}", "ǅBCDFGHJ"]
    )
    func wrong(text: String) {
        #expect(UserCode(text) == nil)
        #expect(UserCode(String(repeating: text + "B", count: 10_000)) == nil)
    }

    @Test("codes have no vowels and nothing that looks like another letter")
    func alphabet() {
        let letters = UserCode.alphabet
        #expect(Set(letters).count == 20)
        #expect(Set(letters).isDisjoint(with: "AEIOUY0123456789"))
    }
}
