/// Why nobody can be signed in with a provider.
package enum ProviderFailure: Error, Equatable, Sendable {
    /// The provider does not answer, or with an error of its own; for the log.
    case down(String)
    /// The provider's description of itself cannot be used, or it does not know this server; for
    /// the log.
    case misconfigured(String)
    /// The provider does not accept the code: it is used up, too old, or was never issued.
    case codeRefused
    /// The answer cannot be believed.
    case doubted(Doubt)

    /// What is wrong with an answer.
    package enum Doubt: String, Sendable {
        case malformed = "the ID token is malformed"
        case algorithm = "the ID token is signed by an algorithm that is not allowed"
        case unknownKey = "the ID token is signed by a key that the provider does not publish"
        case signature = "the signature of the ID token is wrong"
        case issuer = "the answer comes from another issuer"
        case audience = "the ID token is for another client"
        case expired = "the ID token has expired"
        case tooEarly = "the ID token is issued in the future or too long ago"
        case nonce = "the ID token is for another attempt"
        case subject = "the ID token names nobody"
        case userInfo = "the profile is of somebody else"
    }

    /// A description for the log, without anything about the person.
    package var text: String {
        switch self {
        case .down(let reason), .misconfigured(let reason): reason
        case .codeRefused: "the code was refused"
        case .doubted(let doubt): doubt.rawValue
        }
    }
}
