package import Chronology
import Dispatching
import Encoding
package import Localization
package import Markup
package import Taxi
package import WebCore

/// The reason for a suspension in one or several languages, and its expected end (R12).
///
/// The dispatcher and its log store the notice as one line of text, which this type reads and
/// writes. The line holds all languages. A line from an older version or from the command line is
/// one reason in an unknown language.
package struct SuspensionNotice: Hashable, Sendable {
    /// The reason by language.
    package private(set) var reasons: WrittenText
    /// The expected end, which is not binding.
    package var until: Moment?
    /// A reason in an unknown language.
    private var plain = ""

    /// Creates a notice from a reason by language.
    package init(_ reasons: [Language: String], until: Moment? = nil) {
        self.reasons = WrittenText(
            reasons.mapValues { String($0.asOneLine.prefix(Self.limit)) }
        )
        self.until = until
    }

    /// The maximum length of a reason per language, in characters, so that it fits on the home
    /// page.
    private static let limit = 200

    /// The heading of the notice: that the service is suspended.
    package static let title = Failure.suspended(reason: "").title

    /// Whether there is no reason in any language.
    package var isEmpty: Bool { reasons.isEmpty && plain.isEmpty }

    /// The line that the dispatcher and its log store.
    package var line: String {
        if !plain.isEmpty { return plain }
        let end = until.map { "[until] \($0.milliseconds)" }
        return [reasons.line, end].compactMap(\.self).filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// Parses a line that the dispatcher stores.
    package init(line: String) {
        reasons = WrittenText()
        guard line.hasPrefix("[") else {
            plain = line
            return
        }
        reasons = WrittenText(line: line)
        if let end = line.split(separator: "[").last, end.hasPrefix("until]") {
            until = Int64(String(end.dropFirst("until]".count)).trimmingBlanks())
                .map { Moment(milliseconds: $0) }
        }
        if isEmpty { plain = line }
    }

    /// The reason for a reader, and its language if that differs from the reader's.
    package func reason(in language: Language) -> (text: String, other: Language?) {
        plain.isEmpty ? reasons.reading(in: language) : (plain, nil)
    }

    /// The reason in each language; another stands in for one that is missing.
    package var text: Text { Text { reason(in: $0).text } }

    /// The reason as HTML, with a `lang` attribute if it is not in the reader's language.
    package func html(in language: Language) -> HTML { .written(reason(in: language)) }
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
        .written(text.reading(in: language))
    }
}

extension HTML {
    /// A text that people wrote, with the attribute `lang` if its language is not the reader's.
    fileprivate static func written(_ reading: (text: String, other: Language?)) -> HTML {
        guard let other = reading.other else { return "\(reading.text)" }
        return "<span lang=\"\(other.rawValue)\">\(reading.text)</span>"
    }
}
