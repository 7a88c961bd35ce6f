/// A statement of SQL: text written in the program, and values that are bound to it.
///
/// It is made from a literal only. What is interpolated becomes a parameter, so text that comes
/// from outside can never become code; another `SQL` or a word of the dialect becomes part of the
/// statement. Both engines are given the same statement in their own spelling.
package struct SQL: Sendable, ExpressibleByStringInterpolation {
    /// A piece of a statement, in the order of the text.
    enum Piece: Sendable {
        case text(String)
        case word(SQLWord)
        case value(SQLValue)
    }

    let pieces: [Piece]

    /// A statement without values.
    package init(stringLiteral value: StaticString) {
        pieces = [.text(value.description)]
    }

    /// A statement with values, words or other statements in it.
    package init(stringInterpolation: Interpolation) {
        pieces = stringInterpolation.pieces
    }

    /// The statement as an engine wants it.
    ///
    /// - Parameter dialect: the engine's dialect.
    /// - Returns: its text, with a numbered placeholder for each value, and the values.
    func rendered(for dialect: Dialect) -> (text: String, values: [SQLValue]) {
        var text = ""
        var values: [SQLValue] = []
        for piece in pieces {
            switch piece {
            case .text(let written):
                text += written
            case .word(let word):
                text += word.spelling(in: dialect)
            case .value(let value):
                values.append(value)
                text += dialect == .postgres ? "$\(values.count)" : "?\(values.count)"
            }
        }
        return (text, values)
    }

    /// What the compiler fills when it meets a literal with interpolations.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        /// Makes room for the pieces of one literal.
        package init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(interpolationCount * 2 + 1)
        }

        /// Adds text that stands in the program.
        package mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { pieces.append(.text(literal.description)) }
        }

        /// Binds a value.
        package mutating func appendInterpolation(_ value: some SQLConvertible) {
            pieces.append(.value(value.sqlValue))
        }

        /// Binds a value, or null.
        package mutating func appendInterpolation<Value: SQLConvertible>(_ value: Value?) {
            pieces.append(.value(value.sqlValue))
        }

        /// Adds a word that each engine spells in its own way.
        package mutating func appendInterpolation(_ word: SQLWord) {
            pieces.append(.word(word))
        }

        /// Adds another statement, or a part of one, with its values.
        package mutating func appendInterpolation(_ part: SQL) {
            pieces += part.pieces
        }
    }
}
