/// A rule of R96 for a new password; each is checked and reported separately.
package enum PasswordRule: CaseIterable, Sendable {
    /// At least ``leastCharacters`` characters.
    case length
    /// Requires at least one digit.
    case digit
    /// Requires at least one capital letter of any alphabet.
    case capital

    /// The shortest password, in characters.
    package static let leastCharacters = 8
    /// The longest password, in bytes; a longer one would only take longer to hash.
    package static let mostBytes = 1_024

    /// Returns whether a password satisfies the rule.
    package func isObeyed(by password: String) -> Bool {
        switch self {
        case .length: password.composed.count >= Self.leastCharacters
        case .digit: password.contains { $0.isNumber && $0.isWholeNumber }
        case .capital: password.contains(where: \.isUppercase)
        }
    }

    private var problem: FieldProblem.Kind {
        switch self {
        case .length: .tooShort(least: Self.leastCharacters)
        case .digit: .noDigit
        case .capital: .noCapital
        }
    }

    /// Returns all problems of a new password.
    ///
    /// - Parameters:
    ///   - password: the password.
    ///   - again: the repetition of the password.
    /// - Returns: one problem for each violated rule; empty for a good password.
    package static func problems(of password: String, again: String) -> [FieldProblem] {
        if password.isEmpty { return [FieldProblem(.password, .missing)] }
        var problems: [FieldProblem] = []
        if password.utf8.count > mostBytes {
            // Skip the other rules, which would cost time on an oversized text.
            return [FieldProblem(.password, .tooLong(most: mostBytes))]
        }
        for rule in allCases where !rule.isObeyed(by: password) {
            problems.append(FieldProblem(.password, rule.problem))
        }
        if password.composed != again.composed {
            problems.append(FieldProblem(.passwordAgain, .differs))
        }
        return problems
    }
}
