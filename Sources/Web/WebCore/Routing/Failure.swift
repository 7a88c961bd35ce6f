package import HTTPTypes
package import Localization
import Markup

/// Why a request failed: the status and the explanation for people and programs.
package struct Failure: Error, Hashable, Sendable {
    /// The identifier for programs: the last part of the problem's type (RFC 9457).
    package let name: String
    /// The HTTP status of the response.
    package let status: HTTPResponse.Status
    /// The number of seconds after which to retry; nil if retrying does not help.
    package let retryAfter: Int?
    /// A short description of what happened.
    package let title: Text
    /// What the person can do next.
    package let advice: Text
    /// The page that resolves the failure, after which the person can continue; nil if there is
    /// none.
    let remedy: Remedy?

    /// The pages that resolve a failure.
    enum Remedy: Hashable, Sendable {
        /// The sign-in page.
        case signIn
        /// The page that asks for the password again.
        case enterPassword
        /// The page for choosing a new password.
        case changePassword
    }

    /// Creates a failure specific to a product.
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
    /// The page does not exist, or the person may not know that it does.
    package static let notFound = Failure(
        "not-found",
        .notFound,
        title: FailureTexts.notFoundTitle,
        advice: FailureTexts.notFoundAdvice
    )

    /// The path exists, but does not support this method.
    package static let methodNotAllowed = Failure(
        "method-not-allowed",
        .methodNotAllowed,
        title: FailureTexts.methodNotAllowedTitle,
        advice: FailureTexts.reloadAdvice
    )

    /// The request requires a session.
    package static let notSignedIn = Failure(
        "not-signed-in",
        .unauthorized,
        title: FailureTexts.notSignedInTitle,
        advice: FailureTexts.notSignedInAdvice,
        .signIn
    )

    /// The person lacks the required role.
    package static let notAllowed = Failure(
        "not-allowed",
        .forbidden,
        title: FailureTexts.notAllowedTitle,
        advice: FailureTexts.notAllowedAdvice
    )

    /// The password was not entered recently enough.
    package static let askPassword = Failure(
        "password-needed",
        .unauthorized,
        title: FailureTexts.askPasswordTitle,
        advice: FailureTexts.askPasswordAdvice,
        .enterPassword
    )

    /// The person must choose a new password first.
    package static let mustChangePassword = Failure(
        "password-must-change",
        .forbidden,
        title: FailureTexts.mustChangePasswordTitle,
        advice: FailureTexts.mustChangePasswordAdvice,
        .changePassword
    )

    /// The form did not originate from a page made for this browser.
    package static let forged = Failure(
        "forged",
        .forbidden,
        title: FailureTexts.forgedTitle,
        advice: FailureTexts.forgedAdvice
    )

    /// The request is malformed.
    package static let badRequest = Failure(
        "bad-request",
        .badRequest,
        title: FailureTexts.badRequestTitle,
        advice: FailureTexts.reloadAdvice
    )

    /// A field that the page fills in has a value that the page never sends.
    package static func badField(_ name: String) -> Failure {
        Failure(
            "bad-request",
            .badRequest,
            title: FailureTexts.badRequestTitle,
            advice: FailureTexts.badFieldAdvice(name)
        )
    }

    /// The request body exceeds the limit in bytes.
    package static func tooLarge(limit: Int) -> Failure {
        Failure(
            "too-large",
            .contentTooLarge,
            title: FailureTexts.tooLargeTitle,
            advice: FailureTexts.tooLargeAdvice(limit / 1_024)
        )
    }

    /// The request body took too long to arrive.
    package static let tooSlow = Failure(
        "too-slow",
        .requestTimeout,
        title: FailureTexts.tooSlowTitle,
        advice: FailureTexts.tooSlowAdvice
    )

    /// Too many requests from one address or person.
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

    /// A required resource is temporarily unavailable, for example a database that is unreachable
    /// or full.
    package static func unavailable(retryAfter seconds: Int) -> Failure {
        Failure(
            "unavailable",
            .serviceUnavailable,
            retryAfter: seconds,
            title: FailureTexts.unavailableTitle,
            advice: FailureTexts.unavailableAdvice(seconds)
        )
    }

    /// The required backup could not be taken.
    package static let noBackup = Failure(
        "no-backup",
        .serviceUnavailable,
        title: FailureTexts.noBackupTitle,
        advice: FailureTexts.noBackupAdvice
    )

    /// The same form was submitted before, and the outcome is unknown.
    package static let unknownOutcome = Failure(
        "unknown-outcome",
        .conflict,
        title: FailureTexts.unknownOutcomeTitle,
        advice: FailureTexts.unknownOutcomeAdvice
    )

    /// An unexpected error, which the log contains under a reference.
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
    /// The address of the page that resolves the failure and then returns; nil if there is none.
    func address(for context: RequestContext) -> Address? {
        let next = context.method == .get ? context.path : context.formPage ?? "/dashboard"
        return switch remedy {
        case .signIn: Address("/login", query: ["notice": "needed", "next": next])
        case .enterPassword: Address("/login/again", query: ["next": next])
        case .changePassword: Address("/account/password")
        case nil: nil
        }
    }
}
