/// A line of a table that is not imported, with the reasons.
package struct RejectedLine: Equatable, Sendable {
    /// The line of the file, counted from 1; line 1 holds the column names.
    package let line: Int
    /// The problems of each field.
    package let problems: [FieldProblem]

    /// Creates the report on a line.
    package init(line: Int, problems: [FieldProblem]) {
        precondition(!problems.isEmpty, "a rejected line has a problem")
        self.line = line
        self.problems = problems
    }
}

/// The result of an import.
package struct ImportReport: Equatable, Sendable {
    /// The number of valid lines.
    package let good: Int
    /// The number of people entered; 0 in a dry run.
    package let entered: Int
    /// The invalid lines in file order.
    package let rejected: [RejectedLine]

    /// Creates a report.
    package init(good: Int, entered: Int, rejected: [RejectedLine]) {
        precondition(entered == 0 || entered == good, "either all valid lines are entered or none")
        self.good = good
        self.entered = entered
        self.rejected = rejected
    }
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
