import Foundation

/// A problem with the registration form of an application.
package enum ApplicationProblem: Hashable, Sendable {
    /// The name is empty.
    case nameMissing
    /// The name is not a single line of at most `most` characters.
    case badName(most: Int)
    /// The contact is not an e-mail address.
    case badContact
    /// There are more than `most` redirect URIs.
    case tooManyRedirects(most: Int)
    /// The redirect URI is not safe.
    case badRedirect(String)
    /// The same redirect URI is given twice.
    case repeatedRedirect(String)
    /// No scope is selected.
    case noScopes
    /// The request rate is outside the permitted range.
    case badRate(least: Int, most: Int)
    /// The city has reached the limit of registered applications.
    case tooManyApplications
}

/// The refusal of an application form, with all its problems.
package struct ApplicationRefusal: Error, Hashable, Sendable {
    /// The problems in the order of the form.
    package let problems: [ApplicationProblem]
}

extension ApplicationForm {
    /// Returns the normalised form.
    ///
    /// - Throws: ``ApplicationRefusal`` with all problems.
    func checked() throws(ApplicationRefusal) -> ApplicationForm {
        var problems: [ApplicationProblem] = []
        var form = self
        form.name = name.trimmed.composed
        let most = CheckedFields.nameLimit
        switch FieldProblem.Kind(ofLine: form.name, most: most) {
        case .missing: problems.append(.nameMissing)
        case .some: problems.append(.badName(most: most))
        case nil: break
        }
        if let email = EmailAddress(contact) {
            form.contact = email.text
        } else {
            problems.append(.badContact)
        }
        form.redirects = redirects.map(\.trimmed).filter { !$0.isEmpty }
        if form.redirects.count > Self.redirectLimit {
            problems.append(.tooManyRedirects(most: Self.redirectLimit))
        } else if let bad = form.redirects.first(where: { !mayRedirect(to: $0) }) {
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

    private func mayRedirect(to address: String) -> Bool {
        Self.isSafe(address) || isNative && Self.isOnDevice(address)
    }

    /// Returns whether a redirect URI is an address on the person's device, without the port, which
    /// is free (RFC 8252, 7.3).
    static func isOnDevice(_ text: String) -> Bool {
        let path = Loopback.origins.first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
        guard let path, text.utf8.count <= redirectBytes else { return false }
        return (path.isEmpty || path.hasPrefix("/")) && isPlain(path) && !path.contains("..")
    }

    private static func isPlain(_ text: some StringProtocol) -> Bool {
        let forbidden = Array("\\\"<>#@`{}|^".utf8)
        return text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !forbidden.contains($0) }
    }

    /// Returns whether a redirect URI is safe: `https`, a plain host name, no user, no fragment, no
    /// blanks (RFC 6749, 3.1.2; RFC 9700, 4.1).
    static func isSafe(_ text: String) -> Bool {
        guard text.utf8.count <= redirectBytes, text.hasPrefix("https://"), isPlain(text),
            let parts = URLComponents(string: text), let host = parts.host,
            parts.user == nil, parts.fragment == nil
        else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // The last label of a host name begins with a letter; this excludes IP addresses.
        return host.utf8.count <= 253 && labels.count >= 2 && labels.allSatisfy(isLabel)
            && labels.last?.first?.isLetter == true
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0 == "-" || $0.isLetter || $0.isNumber }
    }
}
