/// A SQL statement: text from the source code and values that are bound to it.
///
/// It can only be created from a literal. Interpolated values become parameters, so that outside
/// text cannot become code; an interpolated `SQL` or `SQLWord` becomes part of the statement. Both
/// engines get the same statement in their own dialects.
package struct SQL: Sendable, ExpressibleByStringInterpolation {
    /// A piece of a statement, in the order of the text.
    enum Piece: Sendable {
        case text(String)
        case word(SQLWord)
        case value(SQLValue)
    }

    let pieces: [Piece]

    /// Creates a statement without values.
    package init(stringLiteral value: StaticString) {
        pieces = [.text(value.description)]
    }

    /// Creates a statement with interpolated values, words or statements.
    package init(stringInterpolation: Interpolation) {
        pieces = stringInterpolation.pieces
    }

    /// Renders the statement for an engine.
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

    /// Collects the segments of a literal with interpolations.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        /// Reserves space for the pieces of one literal.
        package init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(interpolationCount * 2 + 1)
        }

        /// Adds text from the source code.
        package mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { pieces.append(.text(literal.description)) }
        }

        /// Adds a parameter for a value.
        package mutating func appendInterpolation(_ value: some SQLConvertible) {
            pieces.append(.value(value.sqlValue))
        }

        /// Adds a parameter for a value or null.
        package mutating func appendInterpolation<Value: SQLConvertible>(_ value: Value?) {
            pieces.append(.value(value.sqlValue))
        }

        /// Adds a word that depends on the dialect.
        package mutating func appendInterpolation(_ word: SQLWord) {
            pieces.append(.word(word))
        }

        /// Adds another statement, or a part of one, with its values.
        package mutating func appendInterpolation(_ part: SQL) {
            pieces += part.pieces
        }
    }
}
