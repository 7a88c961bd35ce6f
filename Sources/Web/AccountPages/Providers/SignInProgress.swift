import Chronology
import Identity
import OpenIDConnect
import TaxiPages
import WebCore

/// How far a browser is on its way through a provider.
enum SignInProgress: Codable, Sendable {
    /// The person is at the provider.
    case away(SignInAttempt)
    /// The provider has proved who the person is, and nobody is connected yet.
    case arrived(NewPerson)
}

/// An attempt to sign in with a provider.
struct SignInAttempt: Codable, Sendable {
    /// What the person wants with it.
    enum Purpose: Codable, Hashable, Sendable {
        /// To be signed in, or to register.
        case entering
        /// To connect the identity to the account of this session.
        case connecting(session: Int64)
        /// To prove who they are before something protected (R8).
        case confirming(session: Int64)
    }

    /// The name of the provider.
    var provider: String
    /// What must come back.
    var secrets = SignInSecrets()
    var purpose: Purpose
    /// The page that follows, within this site; empty for the usual one.
    var next: String
    /// When the person left, in milliseconds since 1970 UTC.
    var began: Int64

    /// How long the person may take at the provider, in seconds.
    static let lasting: Int64 = 900

    /// When the answer is too late.
    var end: Moment { Moment(milliseconds: began).adding(seconds: Self.lasting) }
}

/// Somebody who came from a provider and has no account yet.
struct NewPerson: Codable, Sendable {
    var provider: String
    var issuer: String
    var subject: String
    var email: String
    var isEmailVerified: Bool
    var name: String
    var surname: String
    /// When the person proved who they are, in milliseconds since 1970 UTC.
    var proved: Int64?
    /// The page that follows, within this site; empty for the usual one.
    var next: String

    /// The identity to connect.
    var identity: OutsideIdentity {
        OutsideIdentity(issuer: issuer, subject: subject, shown: email)
    }
}

/// Seals the progress, which the browser stores in a cookie.
///
/// Only this browser can finish what it began.
typealias SignInSeal = CookieSeal<SignInProgress>

extension CookieSeal<SignInProgress> {
    /// The longest address of a page that follows, in bytes; a longer one is forgotten.
    static var nextLimit: Int { 1_500 }

    /// Creates a seal with a key of 32 bytes; the progress is valid long enough to fill in a form.
    init(key: [UInt8]) {
        self.init(key: key, lasting: 1_800)
    }
}

extension AccountPages {
    private var progressCookie: String { web.settings.hasTLS ? "__Host-sign-in" : "sign-in" }

    /// How far this browser is; nil if it has not begun, or too long ago.
    func progress(_ context: RequestContext) -> SignInProgress? {
        context.cookie(progressCookie).flatMap { seal.open($0, at: context.now) }
    }

    /// The cookie that stores the progress; for nil it deletes the stored one.
    func progressCookie(_ progress: SignInProgress?, _ context: RequestContext) -> Cookie {
        let text = progress.flatMap { seal.seal($0, at: context.now) }
        return Cookie(
            name: progressCookie,
            value: text ?? "",
            age: text == nil ? 0 : seal.lasting,
            isSecure: web.settings.hasTLS
        )
    }
}
