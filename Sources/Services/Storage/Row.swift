/// A row of a result, read by column names.
package struct Row: Sendable, Equatable {
    /// The names of the columns, in the order of the statement.
    package let columns: [String]
    /// The values, one for each column.
    package let values: [SQLValue]

    /// Returns the value of a column.
    ///
    /// - Parameters:
    ///   - column: its name in the statement.
    ///   - type: the expected type; an optional type if it may be null.
    /// - Returns: the value.
    /// - Throws: `noColumn`, or `wrongType` if the value has another type or is out of range.
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
