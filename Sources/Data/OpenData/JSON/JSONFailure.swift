/// Why bytes are not JSON, and where.
package struct JSONFailure: Error, Hashable, Sendable {
    /// The number of the line, from 1.
    package let line: Int
    /// The byte in the line, from 1.
    package let column: Int
    /// The error that occurred there.
    package let problem: Problem

    /// The kinds of errors in a JSON text.
    package enum Problem: Error, Hashable, Sendable {
        /// The text ends too early.
        case unexpectedEnd
        /// A byte that is not allowed at this position.
        case unexpectedByte(UInt8)
        /// A string that is not UTF-8.
        case notUTF8
        /// An escape that does not exist, or half of a surrogate pair.
        case badEscape
        /// A number that is spelt wrongly or is too large or too long.
        case badNumber
        /// Arrays and objects within one another beyond the limit.
        case tooDeep(limit: Int)
    }
}

extension JSONFailure: CustomStringConvertible {
    /// One line for people, which names the place.
    package var description: String {
        let text =
            switch problem {
            case .unexpectedEnd: "ends too early"
            case .unexpectedByte(let byte): "has an unexpected \(Self.name(of: byte))"
            case .notUTF8: "has a string that is not UTF-8"
            case .badEscape: "has a string with a wrong escape"
            case .badNumber: "has a number that is spelt wrongly or too large"
            case .tooDeep(let limit): "is nested more than \(limit) deep"
            }
        return "\(text) (line \(line), byte \(column))"
    }

    private static func name(of byte: UInt8) -> String {
        (0x21...0x7E).contains(byte)
            ? "\"\(Character(UnicodeScalar(byte)))\"" : "byte \(byte)"
    }
}
