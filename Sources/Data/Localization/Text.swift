/// A sentence that can be read in every language: a key of the catalogue and its arguments.
///
/// Keys are written by generated code only (`scripts/texts`), so that a text that does not exist
/// does not compile. Arguments are inserted once and never read as part of the sentence; the result
/// is plain text, which HTML escapes where it is inserted.
package struct Text: Hashable, Sendable {
    private let content: Content

    private enum Content: Hashable, Sendable {
        case same(String)
        case each([Language: String])
        case key(String, [Argument])
        case joined([Text], separator: String)
    }

    /// The text with a key of the catalogue.
    package init(key: String, _ arguments: Argument...) {
        content = .key(key, arguments)
    }

    /// What differs by language without being in the catalogue: a number, what people wrote in
    /// several languages.
    package init(inEach written: (Language) -> String) {
        content = .each(
            Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, written($0)) })
        )
    }

    /// A text that is the same in all languages: a name, a number.
    package init(same text: String) {
        content = .same(text)
    }

    /// Several texts as one, with what separates them in every language.
    package init(joining texts: [Text], separator: String = "") {
        content = .joined(texts, separator: separator)
    }

    /// One text followed directly by another.
    package static func + (left: Text, right: Text) -> Text {
        Text(joining: [left, right])
    }

    /// The sentence in a language, or in English where it is not translated.
    package func `in`(_ language: Language) -> String {
        written(in: language, from: .embedded)
    }

    /// The sentence as a catalogue has it.
    func written(in language: Language, from catalogue: Catalogue) -> String {
        switch content {
        case .same(let text): text
        case .each(let texts): texts[language] ?? texts[.usual] ?? ""
        case .key(let key, let arguments): catalogue.text(key, arguments, in: language)
        case .joined(let texts, let separator):
            texts.map { $0.written(in: language, from: catalogue) }.joined(separator: separator)
        }
    }
}
