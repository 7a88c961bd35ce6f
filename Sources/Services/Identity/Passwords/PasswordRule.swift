/// One of the rules of R96 for a new password; each is checked and told on its own.
package enum PasswordRule: CaseIterable, Sendable {
    /// At least ``leastCharacters`` characters.
    case length
    /// At least one digit.
    case digit
    /// At least one capital letter, of any alphabet.
    case capital

    /// The fewest characters of a password.
    package static let leastCharacters = 8
    /// The most bytes of a password: hashing more would only cost time.
    package static let mostBytes = 1_024

    /// Whether a password obeys the rule.
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

    /// All that is wrong with a new password.
    ///
    /// - Parameters:
    ///   - password: the password.
    ///   - again: what was typed the second time.
    /// - Returns: a problem for each rule that is broken; none for a good password.
    package static func problems(of password: String, again: String) -> [FieldProblem] {
        if password.isEmpty { return [FieldProblem(.password, .missing)] }
        var problems: [FieldProblem] = []
        if password.utf8.count > mostBytes {
            // Nothing else is looked at: what is too long is not worth the work.
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
