import HTTPTypes
package import Localization
package import WebCore

extension Failure {
    /// The city has not confirmed its data; what is missing, for those who can do it (R4).
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

    /// The service is suspended, for that reason, as the dispatcher holds it (R12).
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

    /// The taxis are served by another server, or by none yet.
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

    /// What is said before the city opens: to staff, what is missing.
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
