import Identity

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
    case make
    case colour

    /// The optional columns.
    package static let optional: Set<DriverColumn> = [
        .userName, .language, .seats, .wheelchair, .make, .colour,
    ]
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
                wheelchair: value(.wheelchair),
                make: value(.make),
                colour: value(.colour)
            )
        )
    }
}
