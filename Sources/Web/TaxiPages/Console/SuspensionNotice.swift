package import Chronology
import Dispatching
import Encoding
package import Localization
package import Markup
package import Taxi
package import WebCore

/// The reason for a suspension in one or both languages, and its expected end (R12).
///
/// The dispatcher and its log store the notice as one line of text, which this type reads and
/// writes. The line holds both languages. A line from an older version or from the command line is
/// one reason in an unknown language.
package struct SuspensionNotice: Hashable, Sendable {
    /// The reason in English; empty if it was not given.
    package var english: String
    /// The reason in Italian; empty if it was not given.
    package var italian: String
    /// The expected end, which is not binding.
    package var until: Moment?
    /// A reason in an unknown language.
    private var plain = ""

    /// Creates a notice from a reason in one or two languages.
    package init(english: String, italian: String, until: Moment? = nil) {
        self.english = Self.tidy(english)
        self.italian = Self.tidy(italian)
        self.until = until
    }

    /// The maximum length of a reason per language, in characters, so that it fits on the home
    /// page.
    private static let limit = 200

    /// Returns one line without the characters that separate the parts of the stored line.
    private static func tidy(_ text: String) -> String {
        String(text.asOneLine.prefix(limit)).replacing("[", with: "(").replacing("]", with: ")")
    }

    /// The heading of the notice: that the service is suspended.
    package static let title = Failure.suspended(reason: "").title

    /// Whether there is no reason in any language.
    package var isEmpty: Bool { english.isEmpty && italian.isEmpty && plain.isEmpty }

    /// The line that the dispatcher and its log store.
    package var line: String {
        if !plain.isEmpty { return plain }
        var parts: [String] = []
        if !english.isEmpty { parts.append("[en] \(english)") }
        if !italian.isEmpty { parts.append("[it] \(italian)") }
        if let until { parts.append("[until] \(until.milliseconds)") }
        return parts.joined(separator: " ")
    }

    /// Parses a line that the dispatcher stores.
    package init(line: String) {
        self.init(english: "", italian: "")
        guard line.hasPrefix("[") else {
            plain = line
            return
        }
        for part in line.split(separator: "[") {
            let pair = part.split(separator: "]", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let text = String(pair[1]).trimmingBlanks()
            switch pair[0] {
            case "en": english = text
            case "it": italian = text
            case "until": until = Int64(text).map { Moment(milliseconds: $0) }
            default: continue
            }
        }
        if isEmpty { plain = line }
    }

    /// The reason for a reader, and its language if that differs from the reader's.
    package func reason(in language: Language) -> (text: String, other: Language?) {
        if !plain.isEmpty { return (plain, nil) }
        let (own, other, otherLanguage) =
            language == .italian
            ? (italian, english, Language.english) : (english, italian, Language.italian)
        return own.isEmpty ? (other, otherLanguage) : (own, nil)
    }

    /// The reason in both languages.
    ///
    /// If one is missing, the other stands in for it.
    package var text: Text { Text { reason(in: $0).text } }

    /// The reason as HTML, with a `lang` attribute if it is not in the reader's language.
    package func html(in language: Language) -> HTML {
        let (text, other) = reason(in: language)
        guard let other else { return "\(text)" }
        return "<span lang=\"\(other.rawValue)\">\(text)</span>"
    }
}

extension TaxiPageModule {
    /// The expected end of a suspension; nil if staff gave none.
    package func until(_ notice: SuspensionNotice, _ context: RequestContext) -> HTML? {
        notice.until.map {
            "<p>\(context.say(SuspensionTexts.thought)) \(time($0, context)).</p>"
        }
    }
}

extension DriverNotice {
    /// The notice as HTML, with a `lang` attribute if it is not in the reader's language.
    package func html(in language: Language) -> HTML {
        SuspensionNotice(english: english, italian: italian).html(in: language)
    }
}
