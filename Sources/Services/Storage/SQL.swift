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
    /// - Parameters:
    ///   - dialect: the engine's dialect.
    ///   - now: what the clock says in this transaction; nil if the engine knows it by itself.
    /// - Returns: its text, with a numbered placeholder for each value, and the values.
    func rendered(
        for dialect: Dialect,
        at now: Int64? = nil
    ) -> (text: String, values: [SQLValue]) {
        var text = ""
        var values: [SQLValue] = []
        for piece in pieces {
            switch Self.bound(piece, now) {
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

    /// Whether the statement asks for the time.
    var asksForTime: Bool {
        pieces.contains { if case .word(.now) = $0 { true } else { false } }
    }

    /// A piece, with the time as a value where it is known.
    private static func bound(_ piece: Piece, _ now: Int64?) -> Piece {
        if case .word(.now) = piece, let now { .value(.integer(now)) } else { piece }
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

        /// Binds a value as a parameter of the statement.
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
