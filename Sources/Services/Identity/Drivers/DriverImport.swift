import Chronology
import Localization
import Storage

/// A line of a table that is not imported, with the reasons.
package struct RejectedLine: Equatable, Sendable {
    /// The line of the file, counted from 1; line 1 holds the column names.
    package let line: Int
    /// The problems of each field.
    package let problems: [FieldProblem]
}

/// The result of an import.
package struct ImportReport: Equatable, Sendable {
    /// The number of valid lines.
    package let good: Int
    /// The number of drivers entered; 0 in a dry run.
    package let entered: Int
    /// The invalid lines in file order.
    package let rejected: [RejectedLine]
}

/// How to treat the lines of a table.
package enum ImportMode: Equatable, Sendable {
    /// Validate the file and enter nothing.
    case dryRun
    /// Enter all lines, or none if one is invalid.
    case allOrNothing
    /// Enter the valid lines.
    case acceptGood

    /// Returns whether the valid lines are entered.
    package func enters(allAreGood: Bool) -> Bool {
        switch self {
        case .dryRun: false
        case .allOrNothing: allAreGood
        case .acceptGood: true
        }
    }
}

/// The columns of a driver table, in any order.
package enum DriverColumn: String, CaseIterable, Sendable {
    case name
    case surname
    case email
    case mobile
    case taxiCode = "taxi_code"
    case plate
    case taxiLicence = "taxi_licence"
    case taxiLicenceExpires = "taxi_licence_expires"
    case drivingLicence = "driving_licence"
    case drivingLicenceExpires = "driving_licence_expires"
    case userName = "user_name"
    case language
    case seats
    case wheelchair

    /// The optional columns.
    package static let optional: Set<DriverColumn> = [.userName, .language, .seats, .wheelchair]
}

extension DriverEntry {
    /// Returns the entries of a table by line; nil for a line that cannot be parsed.
    static func entries(
        _ table: CSVTable
    ) throws(BadTable) -> [(line: Int, entry: DriverEntry?)] {
        let lines = try table.values(of: DriverColumn.self, optional: DriverColumn.optional)
        return lines.map { line in
            (line.number, line.values.map { values in DriverEntry { values[$0] ?? "" } })
        }
    }

    private init(_ value: (DriverColumn) -> String) {
        self.init(
            userName: value(.userName),
            email: value(.email),
            name: value(.name),
            surname: value(.surname),
            mobile: value(.mobile),
            language: value(.language),
            papers: DriverPapers(
                taxiCode: value(.taxiCode),
                plate: value(.plate),
                taxiLicence: value(.taxiLicence),
                taxiLicenceExpires: value(.taxiLicenceExpires),
                drivingLicence: value(.drivingLicence),
                drivingLicenceExpires: value(.drivingLicenceExpires),
                seats: value(.seats),
                wheelchair: value(.wheelchair)
            )
        )
    }
}
