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
        title: Text("This page does not exist", "Questa pagina non esiste"),
        advice: Text(
            "Check the address, or start from the first page.",
            "Controlla l'indirizzo, oppure riparti dalla prima pagina."
        )
    )

    /// The path exists, but not with this method.
    package static let methodNotAllowed = Failure(
        "method-not-allowed",
        .methodNotAllowed,
        title: Text("This cannot be done here", "Qui non si può fare"),
        advice: Text(
            "Go back, reload the page and try again.",
            "Torna indietro, ricarica la pagina e riprova."
        )
    )

    /// A session is needed.
    package static let notSignedIn = Failure(
        "not-signed-in",
        .unauthorized,
        title: Text("Please sign in", "Accedi per continuare"),
        advice: Text("Sign in, and we bring you back here.", "Accedi e ti riportiamo qui."),
        .signIn
    )

    /// The person lacks the role.
    package static let notAllowed = Failure(
        "not-allowed",
        .forbidden,
        title: Text("You may not do this", "Non hai il permesso di farlo"),
        advice: Text(
            "Ask the city's administrators if you should be able to.",
            "Se dovresti poterlo fare, chiedi agli amministratori della città."
        )
    )

    /// The password was not entered lately enough.
    package static let askPassword = Failure(
        "password-needed",
        .unauthorized,
        title: Text("Your password is needed again", "Serve di nuovo la tua password"),
        advice: Text(
            "What you want to do is protected. Enter your password again.",
            "Quello che vuoi fare è protetto. Inserisci di nuovo la password."
        ),
        .enterPassword
    )

    /// A new password must be chosen first.
    package static let mustChangePassword = Failure(
        "password-must-change",
        .forbidden,
        title: Text("Choose a new password", "Scegli una nuova password"),
        advice: Text(
            "Before anything else, choose a new password.",
            "Prima di tutto scegli una nuova password."
        ),
        .changePassword
    )

    /// The form does not come from a page that was made for this browser.
    package static let forged = Failure(
        "forged",
        .forbidden,
        title: Text(
            "This form was not sent from our page",
            "Il modulo non viene da una nostra pagina"
        ),
        advice: Text(
            "Nothing was changed. Open the page again and repeat what you wanted to do.",
            "Non è cambiato nulla. Riapri la pagina e ripeti l'operazione."
        )
    )

    /// The request makes no sense.
    package static let badRequest = Failure(
        "bad-request",
        .badRequest,
        title: Text("We did not understand this", "Non abbiamo capito la richiesta"),
        advice: Text(
            "Go back, reload the page and try again.",
            "Torna indietro, ricarica la pagina e riprova."
        )
    )

    /// The body is larger than so many bytes.
    package static func tooLarge(limit: Int) -> Failure {
        Failure(
            "too-large",
            .contentTooLarge,
            title: Text("This is too large", "È troppo grande"),
            advice: Text(
                "At most \(limit / 1_024) kB are accepted here. Nothing was changed.",
                "Qui si accettano al massimo \(limit / 1_024) kB. Non è cambiato nulla."
            )
        )
    }

    /// The body took too long to arrive.
    package static let tooSlow = Failure(
        "too-slow",
        .requestTimeout,
        title: Text("This took too long to arrive", "L'invio ha richiesto troppo tempo"),
        advice: Text(
            "Nothing was changed. Check your connection and try again.",
            "Non è cambiato nulla. Controlla la connessione e riprova."
        )
    )

    /// Too many requests came from one address or person.
    package static func tooMany(retryAfter seconds: Int) -> Failure {
        Failure(
            "too-many-requests",
            .tooManyRequests,
            retryAfter: seconds,
            title: Text("Too many requests", "Troppe richieste"),
            advice: Text(
                "Nothing was changed. Try again in \(seconds) s.",
                "Non è cambiato nulla. Riprova tra \(seconds) s."
            )
        )
    }

    /// The server has no capacity left.
    package static func busy(retryAfter seconds: Int) -> Failure {
        Failure(
            "busy",
            .serviceUnavailable,
            retryAfter: seconds,
            title: Text("We are very busy", "In questo momento siamo molto occupati"),
            advice: Text(
                "Nothing was changed. Try again in \(seconds) s.",
                "Non è cambiato nulla. Riprova tra \(seconds) s."
            )
        )
    }

    /// What the request needs is not there at the moment: a database that is away or full.
    package static func unavailable(retryAfter seconds: Int) -> Failure {
        Failure(
            "unavailable",
            .serviceUnavailable,
            retryAfter: seconds,
            title: Text(
                "The service is not available at the moment",
                "Il servizio al momento non è disponibile"
            ),
            advice: Text(
                "Try again in \(seconds) s. If you sent a form, you can send it again: it takes "
                    + "effect only once.",
                "Riprova tra \(seconds) s. Se hai inviato un modulo, puoi inviarlo di nuovo: ha "
                    + "effetto una volta sola."
            )
        )
    }

    /// A backup that must come first could not be made.
    package static let noBackup = Failure(
        "no-backup",
        .serviceUnavailable,
        title: Text("No backup could be taken", "Non è stato possibile fare una copia"),
        advice: Text(
            "Nothing was changed. The log says why; look at the disk and at the backups.",
            "Non è cambiato nulla. Il log dice perché; controlla il disco e le copie."
        )
    )

    /// The same form was begun before, and nobody knows how that ended.
    package static let unknownOutcome = Failure(
        "unknown-outcome",
        .conflict,
        title: Text("We do not know yet", "Non lo sappiamo ancora"),
        advice: Text(
            "You sent this before, and the line broke. Look whether it was done before you "
                + "send it anew.",
            "Lo avevi già inviato e la linea è caduta. Controlla se è stato fatto prima di "
                + "inviarlo di nuovo."
        )
    )

    /// An unexpected error, which the log has under a reference.
    package static func broken(reference: String) -> Failure {
        Failure(
            "broken",
            .internalServerError,
            title: Text("Something broke on our side", "Qualcosa si è guastato da noi"),
            advice: Text(
                "Try again in a minute. If it goes on, tell us this number: \(reference).",
                "Riprova tra un minuto. Se continua, comunicaci questo numero: \(reference)."
            )
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
