import Chronology
import Localization
import Storage

/// A line of a table that is not imported, and why.
package struct RejectedLine: Equatable, Sendable {
    /// The line of the file, from 1, the first line being the names of the columns.
    package let line: Int
    /// What is wrong, field by field.
    package let problems: [FieldProblem]
}

/// What an import found or did.
package struct ImportReport: Equatable, Sendable {
    /// How many lines are in order.
    package let good: Int
    /// How many drivers were entered: none in a dry run.
    package let entered: Int
    /// The other lines, in their order.
    package let rejected: [RejectedLine]
}

/// What to do with a table.
package enum ImportMode: Equatable, Sendable {
    /// Only look.
    case dryRun
    /// Enter all lines, or none where one is wrong.
    case allOrNothing
    /// Enter the lines that are in order.
    case acceptGood

    /// Whether the lines that are in order are entered.
    package func enters(allAreGood: Bool) -> Bool {
        switch self {
        case .dryRun: false
        case .allOrNothing: allAreGood
        case .acceptGood: true
        }
    }
}

/// The columns of a table of drivers, in any order.
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

    /// The columns that may be left out.
    package static let optional: Set<DriverColumn> = [.userName, .language, .seats, .wheelchair]
}

extension DriverEntry {
    /// The entries of a table, each with its line; nil for a line that cannot be read.
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
