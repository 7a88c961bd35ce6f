/// A fragment of an HTML page.
///
/// It is built from literals of the program. Interpolated values are escaped according to their
/// type, so text that comes from outside can never become markup.
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The markup, ready to be sent as UTF-8.
    package private(set) var text: String

    /// Creates markup from a literal without interpolations.
    package init(stringLiteral value: StaticString) {
        text = value.description
    }

    /// Markup with values in it.
    package init(stringInterpolation: Interpolation) {
        text = stringInterpolation.text
    }

    private init(markup: String) {
        text = markup
    }

    /// A fragment without content.
    package static let empty: HTML = ""

    /// A piece of markup where a condition holds, else nothing.
    package static func when(_ condition: Bool, _ piece: @autoclosure () -> HTML) -> HTML {
        condition ? piece() : .empty
    }

    /// Pieces one after the other.
    package static func joined(_ pieces: some Sequence<HTML>) -> HTML {
        HTML(markup: pieces.map(\.text).joined())
    }

    /// One piece after the other.
    package static func + (first: HTML, second: HTML) -> HTML {
        HTML(markup: first.text + second.text)
    }

    /// Appends a fragment to another.
    package static func += (first: inout HTML, second: HTML) {
        first.text += second.text
    }

    /// Collects the parts of a literal with interpolations; the compiler calls it.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Reserves capacity for one literal.
        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Appends literal markup.
        package mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        /// Adds text, escaped for elements and quoted attributes alike.
        package mutating func appendInterpolation(_ value: String) {
            text.appendEscaped(value)
        }

        /// Appends a whole number.
        package mutating func appendInterpolation(_ value: some BinaryInteger) {
            text += String(value)
        }

        /// Appends a fragment of markup.
        package mutating func appendInterpolation(_ piece: HTML) {
            text += piece.text
        }

        /// Appends a fragment if there is one.
        ///
        /// There is no such overload for text: a literal returned by a closure, as in
        /// `hint.map { "<p>…</p>" }`, would otherwise be treated as text.
        package mutating func appendInterpolation(_ piece: HTML?) {
            if let piece { text += piece.text }
        }

        /// Adds pieces one after the other.
        package mutating func appendInterpolation(_ pieces: some Sequence<HTML>) {
            for piece in pieces { text += piece.text }
        }

        /// Adds an address as an attribute's value, with its quotes.
        package mutating func appendInterpolation(_ address: Address) {
            text += "\""
            text.appendEscaped(address.text)
            text += "\""
        }
    }
}

extension String {
    /// Appends text, escaped for use in an element and in a quoted attribute.
    ///
    /// Characters that HTML does not allow (control characters except tab and
    /// line ends) are left out.
    fileprivate mutating func appendEscaped(_ value: String) {
        // Most texts have nothing of the kind, and are appended as a whole.
        guard value.utf8.contains(where: \.mayNeedEscaping) else {
            self += value
            return
        }
        for character in value.unicodeScalars {
            switch character {
            case "&": self += "&amp;"
            case "<": self += "&lt;"
            case ">": self += "&gt;"
            case "\"": self += "&quot;"
            case "'": self += "&#39;"
            case "\t", "\n", "\r": unicodeScalars.append(character)
            case "\0"..<" ", "\u{7F}"..."\u{9F}": break
            default: unicodeScalars.append(character)
            }
        }
    }
}

extension UInt8 {
    /// Whether a byte of UTF-8 may belong to a character that needs escaping.
    fileprivate var mayNeedEscaping: Bool {
        switch self {
        case 0..<0x20, 0x7F: true
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        case UInt8(ascii: "\""), UInt8(ascii: "'"): true
        // The first byte of U+0080 to U+00BF.
        case 0xC2: true
        default: false
        }
    }
}
