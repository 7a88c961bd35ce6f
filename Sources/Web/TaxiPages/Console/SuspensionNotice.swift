package import Chronology
import Dispatching
package import Localization
package import Markup
package import Taxi
package import WebCore

/// Why the service is suspended, in the languages in which the staff said it, and until when it is
/// thought to last (R12).
///
/// The dispatcher and its log know one line of text. This is that line: whoever reads a log reads
/// both languages, and a line that was written before, or at the command line, is one reason in no
/// known language.
package struct SuspensionNotice: Hashable, Sendable {
    /// The reason in English; empty where it was not given.
    package var english: String
    /// The reason in Italian; empty where it was not given.
    package var italian: String
    /// Until when it is thought to last; nobody is bound by it.
    package var until: Moment?
    /// A reason in no known language.
    private var plain = ""

    /// A reason of one or two languages.
    package init(english: String, italian: String, until: Moment? = nil) {
        self.english = Self.tidy(english)
        self.italian = Self.tidy(italian)
        self.until = until
    }

    /// How many characters a reason may have in one language: it stands on the first page.
    private static let limit = 200

    /// One line without what divides its parts.
    private static func tidy(_ text: String) -> String {
        String(text.asOneLine.prefix(limit)).replacing("[", with: "(").replacing("]", with: ")")
    }

    /// That the service is suspended.
    package static let title = Failure.suspended(reason: "").title

    /// Whether no language has a reason.
    package var isEmpty: Bool { english.isEmpty && italian.isEmpty && plain.isEmpty }

    /// The line that the dispatcher and its log hold.
    package var line: String {
        if !plain.isEmpty { return plain }
        var parts: [String] = []
        if !english.isEmpty { parts.append("[en] \(english)") }
        if !italian.isEmpty { parts.append("[it] \(italian)") }
        if let until { parts.append("[until] \(until.milliseconds)") }
        return parts.joined(separator: " ")
    }

    /// Reads a line of the dispatcher.
    package init(line: String) {
        self.init(english: "", italian: "")
        guard line.hasPrefix("[") else {
            plain = line
            return
        }
        for part in line.split(separator: "[") {
            let pair = part.split(separator: "]", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let text = String(pair[1]).trimmed
            switch pair[0] {
            case "en": english = text
            case "it": italian = text
            case "until": until = Int64(text).map { Moment(milliseconds: $0) }
            default: continue
            }
        }
        if isEmpty { plain = line }
    }

    /// The reason for a reader, and its language where that is another than the reader's.
    package func reason(in language: Language) -> (text: String, other: Language?) {
        if !plain.isEmpty { return (plain, nil) }
        let (own, other, otherLanguage) =
            language == .italian
            ? (italian, english, Language.english) : (english, italian, Language.italian)
        return own.isEmpty ? (other, otherLanguage) : (own, nil)
    }

    /// The reason in every language, the other where one is missing.
    package var words: Text { Text { reason(in: $0).text } }

    /// The reason as it stands on a page, marked where it is in another language.
    package func html(in language: Language) -> HTML {
        let (text, other) = reason(in: language)
        guard let other else { return "\(text)" }
        return "<span lang=\"\(other.rawValue)\">\(text)</span>"
    }
}

extension TaxiPageModule {
    /// Until when a suspension is thought to last, where the staff said so.
    package func until(_ notice: SuspensionNotice, _ visit: Visit) -> HTML? {
        notice.until.map {
            "<p>\(visit.say(SuspensionTexts.thought)) \(time($0, visit)).</p>"
        }
    }
}

extension DriverNotice {
    /// What a notice says, marked where it is in another language than the reader's.
    package func html(in language: Language) -> HTML {
        SuspensionNotice(english: english, italian: italian).html(in: language)
    }
}
