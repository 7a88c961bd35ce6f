package import Dispatching
import HTTPTypes
package import Localization
package import WebCore

extension Failure {
    /// The city is not open yet.
    ///
    /// Visitors who can complete the missing steps see them (R4).
    package static func notOpenYet(missing: [Text]) -> Failure {
        Failure(
            "not-open-yet",
            .serviceUnavailable,
            title: CommonTexts.serviceNotOpen,
            advice: opening(missing)
        )
    }

    /// The service is suspended, for the reason that the dispatcher stores (R12).
    package static func suspended(reason line: String) -> Failure {
        Failure(
            "suspended",
            .serviceUnavailable,
            title: CommonTexts.theTaxiServiceIsSuspended,
            advice: Text(joining: [
                SuspensionTexts.because, Text(same: " "), SuspensionNotice(line: line).text,
            ])
        )
    }

    /// Another server is active, or none is yet.
    package static let standingBy = Failure(
        "standing-by",
        .serviceUnavailable,
        retryAfter: 5,
        title: CommonTexts.theTaxiServiceIsStarting,
        advice: CommonTexts.nothingWasChangedTryAgain
    )

    /// The message before the city opens.
    ///
    /// For staff it lists the missing steps.
    private static func opening(_ missing: [Text]) -> Text {
        guard !missing.isEmpty else {
            return CommonTexts.theCityIsPreparingIt
        }
        return CommonTexts.stillToDo(Text(joining: missing, separator: "; "))
    }
}

extension Refusal {
    /// The error to show if the city as a whole is not in service.
    ///
    /// It is nil for refusals of a single action, which that action's page explains.
    package var failure: Failure? {
        switch self {
        case .setupIncomplete: .notOpenYet(missing: [])
        case .suspended(let reason): .suspended(reason: reason)
        default: nil
        }
    }
}
