/// One row of an answer, read by the names of its columns.
package struct Row: Sendable, Equatable {
    /// The names of the columns, in the order of the statement.
    package let columns: [String]
    /// The values, one for each column.
    package let values: [SQLValue]

    /// The value of a column.
    ///
    /// - Parameters:
    ///   - column: its name as the statement gives it.
    ///   - type: what it must be; an optional type where it may be null.
    /// - Returns: the value.
    /// - Throws: `noColumn`, or `wrongType` where the value is of another kind or too large.
    package func value<Value: SQLConvertible>(
        _ column: String,
        as type: Value.Type = Value.self
    ) throws(DatabaseFailure) -> Value {
        guard let place = columns.firstIndex(of: column) else { throw .noColumn(column) }
        guard let value = Value(sqlValue: values[place]) else {
            throw .wrongType(column: column, expected: "\(type)", found: values[place].kind)
        }
        return value
    }
}
