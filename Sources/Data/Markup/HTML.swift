/// A piece of a page.
///
/// It is made from a literal of the program; what is interpolated is escaped by its type, so text
/// that comes from outside can never become markup.
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The markup, ready to be sent as UTF-8.
    package private(set) var text: String

    /// Markup without values.
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

    /// Nothing.
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

    /// Appends a piece.
    package static func += (first: inout HTML, second: HTML) {
        first.text += second.text
    }

    /// What the compiler fills when it meets a literal with interpolations.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Makes room for one literal.
        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Adds markup that stands in the program.
        package mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        /// Adds text, escaped for elements and quoted attributes alike.
        package mutating func appendInterpolation(_ value: String) {
            text.appendEscaped(value)
        }

        /// Adds a whole number.
        package mutating func appendInterpolation(_ value: some BinaryInteger) {
            text += String(value)
        }

        /// Adds markup.
        package mutating func appendInterpolation(_ piece: HTML) {
            text += piece.text
        }

        /// Adds markup where there is some.
        ///
        /// There is no such thing for text: a literal that a closure gives, as in
        /// `hint.map { "<p>…</p>" }`, would then be taken for text.
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
    /// Appends text so that it is text in an element and in a quoted attribute.
    ///
    /// What no HTML document may hold (control characters but tab and line ends) is left out.
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
    /// Whether a byte of UTF-8 may belong to a character that is not appended as it is.
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
