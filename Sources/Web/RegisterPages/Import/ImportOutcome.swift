import Identity
import Localization
import TaxiPages

/// What an import found or did, in words.
struct ImportOutcome: Sendable {
    /// A line that is not imported, and why.
    struct Rejected: Sendable {
        /// The line of the file, from 1.
        var line: Int
        /// The fields that are wrong, and how.
        var problems: [(field: Text, reason: Text)]
    }

    /// How many lines are in order.
    var good: Int
    /// How many were entered: none in a dry run.
    var entered: Int
    /// The other lines, in their order.
    var rejected: [Rejected]

    /// An outcome.
    init(good: Int, entered: Int, rejected: [Rejected]) {
        self.good = good
        self.entered = entered
        self.rejected = rejected
    }

    /// The outcome of an import of people.
    init(_ report: ImportReport) {
        good = report.good
        entered = report.entered
        rejected = report.rejected.map { line in
            Rejected(
                line: line.line,
                problems: line.problems.map {
                    (field: $0.field.label, reason: $0.kind.words(for: $0.field))
                }
            )
        }
    }
}
