import Chronology
package import Storage

extension PersonNumber: SQLConvertible {
    /// The number.
    package var sqlValue: SQLValue { .integer(rawValue) }

    /// The number.
    package init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self.init(rawValue: number)
    }
}

extension SQL.Interpolation {
    /// Binds a moment as milliseconds since 1970 UTC.
    mutating func appendInterpolation(_ moment: Moment) {
        appendInterpolation(moment.milliseconds)
    }

    /// Binds a moment, or null.
    mutating func appendInterpolation(_ moment: Moment?) {
        appendInterpolation(moment?.milliseconds)
    }

    /// Binds a day as days since 1970-01-01.
    mutating func appendInterpolation(_ day: CivilDate) {
        appendInterpolation(day.daysSince1970)
    }
}

extension Row {
    /// The moment in a column.
    func moment(_ column: String) throws(DatabaseFailure) -> Moment {
        Moment(milliseconds: try value(column))
    }

    /// The moment in a column that may be null.
    func optionalMoment(_ column: String) throws(DatabaseFailure) -> Moment? {
        let milliseconds: Int64? = try value(column)
        return milliseconds.map { Moment(milliseconds: $0) }
    }

    /// The day in a column.
    func day(_ column: String) throws(DatabaseFailure) -> CivilDate {
        CivilDate(daysSince1970: try value(column))
    }

    /// The number in the first column of a statement that counts.
    func count() throws(DatabaseFailure) -> Int {
        try value("count")
    }
}

extension Transaction {
    /// The number that a statement counts as `count`.
    func count(_ statement: SQL) throws(DatabaseFailure) -> Int {
        try row(statement)?.count() ?? 0
    }
}
