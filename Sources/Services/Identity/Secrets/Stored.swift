package import Chronology
package import Storage

extension PersonNumber: SQLConvertible {
    /// Stores the raw number as an integer.
    package var sqlValue: SQLValue { .integer(rawValue) }

    /// Reads the raw number from an integer.
    package init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self.init(rawValue: number)
    }
}

extension SQL.Interpolation {
    /// Binds an instant as milliseconds since 1970 UTC.
    package mutating func appendInterpolation(_ moment: Moment) {
        appendInterpolation(moment.milliseconds)
    }

    /// Binds an instant, or null.
    package mutating func appendInterpolation(_ moment: Moment?) {
        appendInterpolation(moment?.milliseconds)
    }

    /// Binds a date as days since 1970-01-01.
    package mutating func appendInterpolation(_ day: CivilDate) {
        appendInterpolation(day.daysSince1970)
    }
}

extension Row {
    /// Reads the instant in a column.
    package func moment(_ column: String) throws(DatabaseFailure) -> Moment {
        Moment(milliseconds: try value(column))
    }

    /// Reads the instant in a nullable column.
    package func optionalMoment(_ column: String) throws(DatabaseFailure) -> Moment? {
        let milliseconds: Int64? = try value(column)
        return milliseconds.map { Moment(milliseconds: $0) }
    }

    /// Reads the date in a column.
    package func day(_ column: String) throws(DatabaseFailure) -> CivilDate {
        CivilDate(daysSince1970: try value(column))
    }

    /// Reads the result column `count` of a counting statement.
    package func count() throws(DatabaseFailure) -> Int {
        try value("count")
    }
}

extension Transaction {
    /// Executes a statement that returns a number as `count`.
    package func count(_ statement: SQL) throws(DatabaseFailure) -> Int {
        try row(statement)?.count() ?? 0
    }
}
