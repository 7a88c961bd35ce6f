/// A language of the product: one that the catalogue names (`language.name`).
package struct Language: RawRepresentable, Hashable, Sendable, CaseIterable, Codable {
    /// The tag of the language (RFC 5646), such as `it`.
    package let rawValue: String

    /// The language with a tag; nil if the catalogue has none.
    package init?(rawValue: String) {
        guard Catalogue.embedded.languages.contains(where: { $0.rawValue == rawValue }) else {
            return nil
        }
        self.rawValue = rawValue
    }

    init(tag: String) {
        rawValue = tag
    }

    /// The language in which every text exists.
    package static let english = Language(tag: "en")
    /// The language of the first city.
    package static let italian = Language(tag: "it")

    /// The default language.
    package static let usual = Language.english

    /// All languages, in the order of the catalogue.
    package static var allCases: [Language] { Catalogue.embedded.languages }

    /// The name of the language in that language.
    package var ownName: String { LanguageTexts.name.in(self) }

    /// The locale by which the system formats for readers of the language, such as `it_IT`.
    package var locale: String { LanguageTexts.locale.in(self) }
}
