/// A text for people in one language or several.
package struct LocalizedText: Hashable, Sendable {
    /// A text with its language.
    package struct Variant: Hashable, Sendable {
        /// The IETF language tag; "" if the source does not state one.
        package let language: String
        /// The text in that language.
        package let text: String

        /// Creates a text with its language.
        package init(language: String, text: String) {
            self.language = language
            self.text = text
        }
    }

    /// The texts in the order of the source.
    package let variants: [Variant]

    /// Creates a text from its variants.
    package init(_ variants: [Variant]) {
        self.variants = variants
    }

    /// Creates a text whose language is not stated.
    package init(_ text: String) {
        variants = [Variant(language: "", text: text)]
    }

    /// The text in a language, or else in English, or else the first; "" if there is none.
    package func text(in language: String) -> String {
        func variant(_ wanted: String) -> Variant? {
            variants.first { $0.language.lowercased().prefix(2) == wanted.lowercased().prefix(2) }
        }
        return (variant(language) ?? variant("en") ?? variants.first)?.text ?? ""
    }
}

extension FeedFields {
    /// A text for people: a plain one, as up to GBFS 2.3, or one for each language.
    func localized(_ name: String) throws(FeedTrouble) -> LocalizedText? {
        switch self[name] {
        case nil: return nil
        case .text(let text): return LocalizedText(text)
        case .list:
            let variants = try each(name) { fields throws(FeedTrouble) in
                LocalizedText.Variant(
                    language: try fields.text("language") ?? "",
                    text: try fields.required("text", try fields.text("text"))
                )
            }
            return LocalizedText(variants)
        default: throw FeedTrouble(name, .expected("a text"))
        }
    }
}
