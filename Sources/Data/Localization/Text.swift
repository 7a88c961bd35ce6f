/// A language of the product.
package enum Language: String, Hashable, Sendable, CaseIterable, Codable {
    case english = "en"
    case italian = "it"

    /// The default language.
    package static let usual = Language.english

    /// The name of the language in that language.
    package var ownName: String {
        switch self {
        case .english: "English"
        case .italian: "Italiano"
        }
    }
}

/// A sentence in every language of the product.
package struct Text: Hashable, Sendable {
    private let english: String
    private let italian: String

    /// A sentence, first in English, then in Italian.
    package init(_ english: String, _ italian: String) {
        self.english = english
        self.italian = italian
    }

    /// A text that is the same in all languages: a name, a number.
    package init(same text: String) {
        english = text
        italian = text
    }

    /// The sentence in a language.
    package func `in`(_ language: Language) -> String {
        switch language {
        case .english: english
        case .italian: italian
        }
    }
}
