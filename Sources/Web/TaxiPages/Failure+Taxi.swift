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
            title: Text(
                "The taxi service has not opened yet",
                "Il servizio taxi non è ancora aperto"
            ),
            advice: opening(missing)
        )
    }

    /// The service is suspended, for the reason that the dispatcher stores (R12).
    package static func suspended(reason line: String) -> Failure {
        Failure(
            "suspended",
            .serviceUnavailable,
            title: Text("The taxi service is suspended", "Il servizio taxi è sospeso"),
            advice: Text(
                SuspensionWords.because.in(.english) + " "
                    + SuspensionNotice(line: line).words.in(.english),
                SuspensionWords.because.in(.italian) + " "
                    + SuspensionNotice(line: line).words.in(.italian)
            )
        )
    }

    /// Another server is active, or none is yet.
    package static let standingBy = Failure(
        "standing-by",
        .serviceUnavailable,
        retryAfter: 5,
        title: Text("The taxi service is starting", "Il servizio taxi si sta avviando"),
        advice: Text(
            "Nothing was changed. Try again in a few seconds.",
            "Non è cambiato nulla. Riprova tra qualche secondo."
        )
    )

    /// The message before the city opens.
    ///
    /// For staff it lists the missing steps.
    private static func opening(_ missing: [Text]) -> Text {
        guard !missing.isEmpty else {
            return Text(
                "The city is preparing it. You can already create your account; come back soon.",
                "La città lo sta preparando. Puoi già creare il tuo account; torna presto."
            )
        }
        return Text(
            "Still to be done in the console: "
                + missing.map { $0.in(.english) }.joined(separator: "; ") + ".",
            "Resta da fare nella console: "
                + missing.map { $0.in(.italian) }.joined(separator: "; ") + "."
        )
    }
}
