import HTTPTypes
package import Localization
package import WebCore

extension Failure {
    /// The city has not confirmed its data; what is missing, for those who can do it (R4).
    package static func notOpenYet(missing: [Text]) -> Failure {
        Failure(
            "not-open-yet",
            .serviceUnavailable,
            title: CommonTexts.theTaxiServiceHasNot,
            advice: opening(missing)
        )
    }

    /// The service is suspended, for that reason, as the dispatcher holds it (R12).
    package static func suspended(reason line: String) -> Failure {
        Failure(
            "suspended",
            .serviceUnavailable,
            title: CommonTexts.theTaxiServiceIsSuspended,
            advice: Text(joining: [
                SuspensionTexts.because, Text(same: " "), SuspensionNotice(line: line).words,
            ])
        )
    }

    /// The taxis are served by another server, or by none yet.
    package static let standingBy = Failure(
        "standing-by",
        .serviceUnavailable,
        retryAfter: 5,
        title: CommonTexts.theTaxiServiceIsStarting,
        advice: CommonTexts.nothingWasChangedTryAgain
    )

    /// What is said before the city opens: to staff, what is missing.
    private static func opening(_ missing: [Text]) -> Text {
        guard !missing.isEmpty else {
            return CommonTexts.theCityIsPreparingIt
        }
        return CommonTexts.stillToBeDoneIn(Text(joining: missing, separator: "; "))
    }
}
