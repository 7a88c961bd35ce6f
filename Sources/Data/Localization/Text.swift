/// A sentence that can be read in every language: a key of the catalogue and its arguments.
///
/// Keys are written by generated code only (`scripts/texts`), so that a text that does not exist
/// does not compile. Arguments are inserted once and never read as part of the sentence; the result
/// is plain text, which HTML escapes where it is inserted.
package struct Text: Hashable, Sendable {
    private let content: Content

    private enum Content: Hashable, Sendable {
        case same(String)
        case both(english: String, italian: String)
        case key(String, [Argument])
        case joined([Text], separator: String)
    }

    /// The text with a key of the catalogue.
    package init(key: String, _ arguments: Argument...) {
        content = .key(key, arguments)
    }

    /// A sentence that is not in the catalogue yet, first in English, then in Italian.
    package init(_ english: String, _ italian: String) {
        content = .both(english: english, italian: italian)
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
        case .both(let english, let italian): language == .italian ? italian : english
        case .key(let key, let arguments): catalogue.text(key, arguments, in: language)
        case .joined(let texts, let separator):
            texts.map { $0.written(in: language, from: catalogue) }.joined(separator: separator)
        }
    }
}
