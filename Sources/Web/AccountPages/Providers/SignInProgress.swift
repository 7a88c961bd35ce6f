import Chronology
import Crypto
import Encoding
import Foundation
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

/// Encrypts and authenticates the progress, which the browser stores in a cookie.
///
/// Only this browser can finish what it began, and the server stores nothing about people who turn
/// back.
struct SignInSeal: Sendable {
    /// How long the progress is valid, in seconds: time enough to fill in a form.
    static let lasting: Int64 = 1_800
    /// The maximum size of the sealed text in bytes; browsers limit cookies to 4,096.
    static let limit = 3_800
    /// The longest address of a page that follows, in bytes; a longer one is forgotten.
    static let nextLimit = 1_500

    private struct Envelope: Codable {
        var progress: SignInProgress
        var until: Int64
    }

    private let key: SymmetricKey

    /// Creates a seal with a key of 32 bytes.
    init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// Seals the progress as letters, digits, `-` and `_`; nil if that is too long for a cookie.
    func seal(_ progress: SignInProgress, at now: Moment) -> String? {
        let until = now.adding(seconds: Self.lasting).milliseconds
        guard let bytes = try? JSONEncoder().encode(Envelope(progress: progress, until: until)),
            let box = try? ChaChaPoly.seal(bytes, using: key)
        else { return nil }
        let text = Base64.encodedForURL(Array(box.combined))
        return text.utf8.count <= Self.limit ? text : nil
    }

    /// Opens a sealed progress; nil if the text is invalid or too old.
    func open(_ text: String, at now: Moment) -> SignInProgress? {
        guard text.utf8.count <= Self.limit, let data = Base64.decoded(text),
            let box = try? ChaChaPoly.SealedBox(combined: data),
            let bytes = try? ChaChaPoly.open(box, using: key),
            let envelope = try? JSONDecoder().decode(Envelope.self, from: bytes),
            now.milliseconds < envelope.until
        else { return nil }
        return envelope.progress
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
            age: text == nil ? 0 : SignInSeal.lasting,
            isSecure: web.settings.hasTLS
        )
    }
}
