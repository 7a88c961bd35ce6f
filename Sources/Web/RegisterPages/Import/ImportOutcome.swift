import Identity
import Localization
import TaxiPages

/// The displayable result of an import or a dry run.
struct ImportOutcome: Sendable {
    /// A row that is not imported, with the reasons.
    struct Rejected: Sendable {
        /// The line number in the file, starting at 1.
        var line: Int
        /// The invalid fields, each with the reason.
        var problems: [(field: Text, reason: Text)]
    }

    /// The number of valid rows.
    var good: Int
    /// The number of imported rows; zero in a dry run.
    var entered: Int
    /// The invalid rows in the order of the file.
    var rejected: [Rejected]

    /// Creates the result of an import.
    init(good: Int, entered: Int, rejected: [Rejected]) {
        self.good = good
        self.entered = entered
        self.rejected = rejected
    }

    /// Creates the result of an import of people.
    init(_ report: ImportReport) {
        good = report.good
        entered = report.entered
        rejected = report.rejected.map { line in
            Rejected(
                line: line.line,
                problems: line.problems.map {
                    (field: $0.field.label, reason: $0.kind.text(for: $0.field))
                }
            )
        }
    }
}
