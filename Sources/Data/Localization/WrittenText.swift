/// A text that people wrote in one or several languages, such as a notice to drivers.
///
/// It is stored as one line, in which the tag of a language precedes its text:
/// `[en] Fog [it] Nebbia`. A further language of the catalogue needs no other form.
package struct WrittenText: Hashable, Sendable {
    /// The text by language; none is empty.
    private var texts: [Language: String] = [:]

    /// Creates a text; languages with an empty one are left out.
    package init(_ texts: [Language: String] = [:]) {
        for (language, text) in texts { self[language] = text }
    }

    /// Reads a stored line, without the parts that have no language of the catalogue.
    package init(line: String) {
        for part in line.split(separator: "[") {
            let pair = part.split(separator: "]", maxSplits: 1)
            guard pair.count == 2, let language = Language(rawValue: String(pair[0])) else {
                continue
            }
            self[language] = String(pair[1])
        }
    }

    /// The text in a language, without blanks around it; empty if nobody wrote one.
    ///
    /// Brackets become parentheses, because in the stored line they enclose the languages.
    package subscript(language: Language) -> String {
        get { texts[language] ?? "" }
        set {
            let text = newValue.replacing("[", with: "(").replacing("]", with: ")")[...].trimmed
            texts[language] = text.isEmpty ? nil : text
        }
    }

    /// Whether there is no text in any language.
    package var isEmpty: Bool { texts.isEmpty }

    /// The languages of the text, in the order of the catalogue.
    package var languages: [Language] { Language.allCases.filter { texts[$0] != nil } }

    /// The line that is stored.
    package var line: String {
        languages.map { "[\($0.rawValue)] \(self[$0])" }.joined(separator: " ")
    }

    /// The text for a reader, and its language if that differs from the reader's.
    package func reading(in language: Language) -> (text: String, other: Language?) {
        if let own = texts[language] { return (own, nil) }
        let other = languages.first
        return (other.map { self[$0] } ?? "", other)
    }
}
