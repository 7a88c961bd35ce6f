package import HTTPTypes
package import Localization
import Markup

/// Why a request was not done: what people and programs are told, and with which status.
package struct Failure: Error, Hashable, Sendable {
    /// The name by which programs know it: the last part of the problem's type (RFC 9457).
    package let name: String
    /// The status of the response.
    package let status: HTTPResponse.Status
    /// After how many seconds to try again; nil where that is of no use.
    package let retryAfter: Int?
    /// What happened.
    package let title: Text
    /// What to do next.
    package let advice: Text
    /// The page on which a person can set it right and then go on; nil where there is none.
    let remedy: Remedy?

    /// The pages on which a person can set a failure right.
    enum Remedy: Hashable, Sendable {
        /// Signing in.
        case signIn
        /// Entering the password again.
        case enterPassword
        /// Choosing a new password.
        case changePassword
    }

    /// A failure of a product.
    package init(
        _ name: String,
        _ status: HTTPResponse.Status,
        retryAfter: Int? = nil,
        title: Text,
        advice: Text
    ) {
        self.init(name, status, retryAfter: retryAfter, title: title, advice: advice, nil)
    }

    private init(
        _ name: String,
        _ status: HTTPResponse.Status,
        retryAfter: Int? = nil,
        title: Text,
        advice: Text,
        _ remedy: Remedy?
    ) {
        self.name = name
        self.status = status
        self.retryAfter = retryAfter
        self.title = title
        self.advice = advice
        self.remedy = remedy
    }
}

extension Failure {
    /// The page does not exist, or is none of this person's business.
    package static let notFound = Failure(
        "not-found",
        .notFound,
        title: FailureTexts.notFoundTitle,
        advice: FailureTexts.notFoundAdvice
    )

    /// The path exists, but not with this method.
    package static let methodNotAllowed = Failure(
        "method-not-allowed",
        .methodNotAllowed,
        title: FailureTexts.methodNotAllowedTitle,
        advice: FailureTexts.reloadAdvice
    )

    /// A session is needed.
    package static let notSignedIn = Failure(
        "not-signed-in",
        .unauthorized,
        title: FailureTexts.notSignedInTitle,
        advice: FailureTexts.notSignedInAdvice,
        .signIn
    )

    /// The person lacks the role.
    package static let notAllowed = Failure(
        "not-allowed",
        .forbidden,
        title: FailureTexts.notAllowedTitle,
        advice: FailureTexts.notAllowedAdvice
    )

    /// The password was not entered lately enough.
    package static let askPassword = Failure(
        "password-needed",
        .unauthorized,
        title: FailureTexts.askPasswordTitle,
        advice: FailureTexts.askPasswordAdvice,
        .enterPassword
    )

    /// A new password must be chosen first.
    package static let mustChangePassword = Failure(
        "password-must-change",
        .forbidden,
        title: FailureTexts.mustChangePasswordTitle,
        advice: FailureTexts.mustChangePasswordAdvice,
        .changePassword
    )

    /// The form does not come from a page that was made for this browser.
    package static let forged = Failure(
        "forged",
        .forbidden,
        title: FailureTexts.forgedTitle,
        advice: FailureTexts.forgedAdvice
    )

    /// The request makes no sense.
    package static let badRequest = Failure(
        "bad-request",
        .badRequest,
        title: FailureTexts.badRequestTitle,
        advice: FailureTexts.reloadAdvice
    )

    /// The body is larger than so many bytes.
    package static func tooLarge(limit: Int) -> Failure {
        Failure(
            "too-large",
            .contentTooLarge,
            title: FailureTexts.tooLargeTitle,
            advice: FailureTexts.tooLargeAdvice(limit / 1_024)
        )
    }

    /// The body took too long to arrive.
    package static let tooSlow = Failure(
        "too-slow",
        .requestTimeout,
        title: FailureTexts.tooSlowTitle,
        advice: FailureTexts.tooSlowAdvice
    )

    /// Too many requests came from one address or person.
    package static func tooMany(retryAfter seconds: Int) -> Failure {
        Failure(
            "too-many-requests",
            .tooManyRequests,
            retryAfter: seconds,
            title: FailureTexts.tooManyTitle,
            advice: FailureTexts.tryAgainAdvice(seconds)
        )
    }

    /// The server has no capacity left.
    package static func busy(retryAfter seconds: Int) -> Failure {
        Failure(
            "busy",
            .serviceUnavailable,
            retryAfter: seconds,
            title: FailureTexts.busyTitle,
            advice: FailureTexts.tryAgainAdvice(seconds)
        )
    }

    /// What the request needs is not there at the moment: a database that is away or full.
    package static func unavailable(retryAfter seconds: Int) -> Failure {
        Failure(
            "unavailable",
            .serviceUnavailable,
            retryAfter: seconds,
            title: FailureTexts.unavailableTitle,
            advice: FailureTexts.unavailableAdvice(seconds)
        )
    }

    /// A backup that must come first could not be made.
    package static let noBackup = Failure(
        "no-backup",
        .serviceUnavailable,
        title: FailureTexts.noBackupTitle,
        advice: FailureTexts.noBackupAdvice
    )

    /// The same form was begun before, and nobody knows how that ended.
    package static let unknownOutcome = Failure(
        "unknown-outcome",
        .conflict,
        title: FailureTexts.unknownOutcomeTitle,
        advice: FailureTexts.unknownOutcomeAdvice
    )

    /// An unexpected error, which the log has under a reference.
    package static func broken(reference: String) -> Failure {
        Failure(
            "broken",
            .internalServerError,
            title: FailureTexts.brokenTitle,
            advice: FailureTexts.brokenAdvice(reference)
        )
    }
}

extension Failure {
    /// Where a person is sent who can set it right there and then go on; nil where nobody can.
    func address(for visit: Visit) -> Address? {
        let next = visit.method == .get ? visit.path : visit.formPage ?? "/dashboard"
        return switch remedy {
        case .signIn: Address("/login", query: ["notice": "needed", "next": next])
        case .enterPassword: Address("/login/again", query: ["next": next])
        case .changePassword: Address("/account/password")
        case nil: nil
        }
    }
}
