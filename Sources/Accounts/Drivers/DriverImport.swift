import Chronology
import Storage
import Words

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

    /// The columns that may be left out.
    package static let optional: Set<DriverColumn> = [.userName, .language]
}

extension DriverEntry {
    /// The entries of a table, each with its line; nil for a line that cannot be read.
    static func entries(
        _ table: CSVTable
    ) throws(BadTable) -> [(line: Int, entry: DriverEntry?)] {
        let known = Set(DriverColumn.allCases.map(\.rawValue))
        let unknown = table.columns.enumerated().filter { place, name in
            !known.contains(name) || table.columns[..<place].contains(name)
        }
        guard unknown.isEmpty else { throw .unknownColumns(unknown.map(\.element)) }
        let missing = DriverColumn.allCases.filter {
            !DriverColumn.optional.contains($0) && !table.columns.contains($0.rawValue)
        }
        guard missing.isEmpty else { throw .missingColumns(missing.map(\.rawValue)) }
        return table.rows.map { row in
            guard let fields = row.fields, fields.count == table.columns.count else {
                return (row.line, nil)
            }
            let values = Dictionary(uniqueKeysWithValues: zip(table.columns, fields))
            return (row.line, DriverEntry { values[$0.rawValue] ?? "" })
        }
    }

    private init(_ value: (DriverColumn) -> String) {
        let language = value(.language).trimmed.lowercased()
        self.init(
            userName: value(.userName),
            email: value(.email),
            name: value(.name),
            surname: value(.surname),
            mobile: value(.mobile),
            language: language.isEmpty ? Language.italian.rawValue : language,
            papers: DriverPapers(
                taxiCode: value(.taxiCode),
                plate: value(.plate),
                taxiLicence: value(.taxiLicence),
                taxiLicenceExpires: value(.taxiLicenceExpires),
                drivingLicence: value(.drivingLicence),
                drivingLicenceExpires: value(.drivingLicenceExpires)
            )
        )
    }
}
