/// A random secret of 256 bits that an application receives: a code or a token.
///
/// Its first letters say what it is, so that programs which look for leaked secrets find it. The
/// database contains only its digest under the server's secret.
package struct GrantSecret: Hashable, Sendable {
    /// What a secret is good for.
    package enum Kind: String, CaseIterable, Sendable {
        /// Redeemed once, for tokens.
        case code = "vvc_"
        /// Sent with each request, for some minutes.
        case access = "vva_"
        /// Exchanged for a new access token and a new refresh token.
        case refresh = "vvr_"
        /// Sent by a device that waits for its person, until the person has decided.
        case device = "vvd_"
    }

    /// What the secret is good for.
    package let kind: Kind
    private let token: SecretToken

    /// Generates a new secret.
    static func random(_ kind: Kind) -> GrantSecret {
        GrantSecret(kind: kind, token: .random())
    }

    private init(kind: Kind, token: SecretToken) {
        self.kind = kind
        self.token = token
    }

    /// Parses a secret as an application sends it; nil if the format is wrong.
    package init?(_ text: String) {
        guard let kind = Kind.allCases.first(where: { text.hasPrefix($0.rawValue) }),
            let token = SecretToken(String(text.dropFirst(kind.rawValue.count)))
        else { return nil }
        self.init(kind: kind, token: token)
    }

    /// The secret as it is sent.
    package var text: String { kind.rawValue + token.text }

    /// The digest that the database contains.
    func digest(under secret: ServerSecret) -> [UInt8] {
        secret.digest(text, of: .grant)
    }
}

extension ServerSecret.Domain {
    /// A code or token of an application.
    static let grant = Self(rawValue: "grant")
    /// A person as an application knows them.
    static let subject = Self(rawValue: "grant subject")
    /// The code that a person copies from a device.
    static let userCode = Self(rawValue: "user code")
    /// What hides the kept answers to an application that acts for a person.
    static let grantAnswers = Self(rawValue: "grant answers")
}
