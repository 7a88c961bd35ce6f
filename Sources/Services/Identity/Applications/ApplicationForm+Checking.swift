import Foundation

/// What is wrong with the form of an application.
package enum ApplicationProblem: Hashable, Sendable {
    /// It has no name.
    case nameMissing
    /// Its name is not one line of at most so many characters.
    case badName(most: Int)
    /// The contact is no mail address.
    case badContact
    /// There are more addresses than that.
    case tooManyRedirects(most: Int)
    /// People must not be sent to that address.
    case badRedirect(String)
    /// An address stands twice.
    case repeatedRedirect(String)
    /// It would be allowed nothing.
    case noScopes
    /// So many requests a minute are not given.
    case badRate(least: Int, most: Int)
    /// The city has as many applications as it can have.
    case tooManyApplications
}

/// Why an application was not entered: all that is wrong with its form.
package struct ApplicationRefusal: Error, Hashable, Sendable {
    /// What is wrong, in the order of the form.
    package let problems: [ApplicationProblem]
}

extension ApplicationForm {
    /// The form with everything in order.
    ///
    /// - Throws: ``ApplicationRefusal`` with all that is wrong.
    func checked() throws(ApplicationRefusal) -> ApplicationForm {
        var problems: [ApplicationProblem] = []
        var form = self
        form.name = name.trimmed.composed
        let most = CheckedFields.nameLimit
        if form.name.isEmpty {
            problems.append(.nameMissing)
        } else if form.name.count > most || form.name.utf8.count > most * 4 || !form.name.isOneLine
        {
            problems.append(.badName(most: most))
        }
        if let email = EmailAddress(contact) {
            form.contact = email.text
        } else {
            problems.append(.badContact)
        }
        form.redirects = redirects.map(\.trimmed).filter { !$0.isEmpty }
        if form.redirects.count > Self.redirectLimit {
            problems.append(.tooManyRedirects(most: Self.redirectLimit))
        } else if let bad = form.redirects.first(where: { !Self.isSafe($0) }) {
            problems.append(.badRedirect(bad))
        } else if let twice = form.repeatedRedirect {
            problems.append(.repeatedRedirect(twice))
        }
        if scopes.isEmpty { problems.append(.noScopes) }
        if !Self.rates.contains(requestsPerMinute) {
            problems.append(.badRate(least: Self.rates.lowerBound, most: Self.rates.upperBound))
        }
        if !problems.isEmpty { throw ApplicationRefusal(problems: problems) }
        return form
    }

    private var repeatedRedirect: String? {
        redirects.indices.first { redirects[..<$0].contains(redirects[$0]) }.map { redirects[$0] }
    }

    /// Whether people may be sent to an address: `https`, a plain name of a host, no user, no
    /// fragment, no blanks (RFC 6749, 3.1.2; RFC 9700, 4.1).
    static func isSafe(_ text: String) -> Bool {
        let forbidden = Array("\\\"<>#@`{}|^".utf8)
        guard text.utf8.count <= redirectBytes, text.hasPrefix("https://"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !forbidden.contains($0) }),
            let parts = URLComponents(string: text), let host = parts.host,
            parts.user == nil, parts.fragment == nil
        else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // The last label of a name begins with a letter: addresses of machines are not names.
        return host.utf8.count <= 253 && labels.count >= 2 && labels.allSatisfy(isLabel)
            && labels.last?.first?.isLetter == true
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0 == "-" || $0.isLetter || $0.isNumber }
    }
}
