import Testing

@testable import Localization

/// Issue 29, "Localization": what people write in several languages needs no code for a third.
@Suite("Written texts")
struct WrittenTextTests {
    @Test("a text is stored as one line, and read from it again")
    func line() {
        let text = WrittenText([.italian: " Nebbia ", .english: "Fog [A4]"])
        #expect(text.line == "[en] Fog (A4) [it] Nebbia")
        #expect(WrittenText(line: text.line) == text)
        #expect(WrittenText([.italian: "Nebbia"]).line == "[it] Nebbia")
        #expect(text.languages == [.english, .italian])
    }

    @Test(
        "what has no known language is no text",
        arguments: ["", "Fog", "[xx] Fog", "[en]", "[en] ", "[", "]["]
    )
    func unknown(line: String) {
        #expect(WrittenText(line: line).isEmpty)
        #expect(WrittenText(line: line).line == "")
    }

    @Test("a reader gets the text in their language, or else another one with its language")
    func reading() {
        let both = WrittenText([.english: "Fog", .italian: "Nebbia"])
        #expect(both.reading(in: .italian).text == "Nebbia")
        #expect(both.reading(in: .italian).other == nil)
        let one = WrittenText([.italian: "Nebbia", .english: ""])
        #expect(one.reading(in: .english).text == "Nebbia")
        #expect(one.reading(in: .english).other == .italian)
        #expect(one[.english] == "")
        #expect(WrittenText().reading(in: .english).text == "")
        #expect(WrittenText().reading(in: .english).other == nil)
    }
}
