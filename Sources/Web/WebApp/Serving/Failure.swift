package import HTTPTypes
package import Localization
import Markup

/// Why a request was not done: the one table of what is said then, and with which status.
package enum Failure: Error, Hashable, Sendable {
    case notFound
    case methodNotAllowed
    case notSignedIn
    case notAllowed
    case askPassword
    case mustChangePassword
    case forged
    case badRequest
    case tooLarge(limit: Int)
    case tooSlow
    case tooMany(retryAfter: Int)
    case busy(retryAfter: Int)
    case noBackup
    /// The same form was begun before, and nobody knows how that ended.
    case unknownOutcome
    case broken(reference: String)
    /// The city has not confirmed its data; what is missing, for those who can do it (R4).
    case notOpenYet(missing: [SetUpStep])
    /// The service is suspended, for that reason, as the dispatcher holds it (R12).
    case suspended(reason: String)
    /// The taxis are served by another server, or by none yet.
    case standingBy

    /// The status.
    package var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notSignedIn, .askPassword: .unauthorized
        case .notAllowed, .mustChangePassword, .forged: .forbidden
        case .badRequest: .badRequest
        case .tooLarge: .contentTooLarge
        case .tooSlow: .requestTimeout
        case .tooMany: .tooManyRequests
        case .busy, .noBackup, .notOpenYet, .suspended, .standingBy: .serviceUnavailable
        case .unknownOutcome: .conflict
        case .broken: .internalServerError
        }
    }

    /// The name by which programs know it; the last part of the problem's type.
    package var name: String {
        switch self {
        case .notFound: "not-found"
        case .methodNotAllowed: "method-not-allowed"
        case .notSignedIn: "not-signed-in"
        case .notAllowed: "not-allowed"
        case .askPassword: "password-needed"
        case .mustChangePassword: "password-must-change"
        case .forged: "forged"
        case .badRequest: "bad-request"
        case .tooLarge: "too-large"
        case .tooSlow: "too-slow"
        case .tooMany: "too-many-requests"
        case .busy: "busy"
        case .noBackup: "no-backup"
        case .unknownOutcome: "unknown-outcome"
        case .broken: "broken"
        case .notOpenYet: "not-open-yet"
        case .suspended: "suspended"
        case .standingBy: "standing-by"
        }
    }

    /// After how many seconds to come again.
    package var retryAfter: Int? {
        switch self {
        case .tooMany(let seconds), .busy(let seconds): seconds
        case .standingBy: 5
        default: nil
        }
    }

    /// What happened.
    package var title: Text {
        switch self {
        case .notFound: Text("This page does not exist", "Questa pagina non esiste")
        case .methodNotAllowed:
            Text("This cannot be done here", "Qui non si può fare")
        case .notSignedIn: Text("Please sign in", "Accedi per continuare")
        case .notAllowed:
            Text("You may not do this", "Non hai il permesso di farlo")
        case .askPassword:
            Text("Your password is needed again", "Serve di nuovo la tua password")
        case .mustChangePassword: Text("Choose a new password", "Scegli una nuova password")
        case .forged:
            Text("This form was not sent from our page", "Il modulo non viene da una nostra pagina")
        case .badRequest:
            Text("We did not understand this", "Non abbiamo capito la richiesta")
        case .tooLarge: Text("This is too large", "È troppo grande")
        case .tooSlow: Text("This took too long to arrive", "L'invio ha richiesto troppo tempo")
        case .tooMany: Text("Too many requests", "Troppe richieste")
        case .noBackup:
            Text("No backup could be taken", "Non è stato possibile fare una copia")
        case .busy: Text("We are very busy", "In questo momento siamo molto occupati")
        case .unknownOutcome: Text("We do not know yet", "Non lo sappiamo ancora")
        case .broken: Text("Something broke on our side", "Qualcosa si è guastato da noi")
        case .notOpenYet:
            Text(
                "The taxi service has not opened yet",
                "Il servizio taxi non è ancora aperto"
            )
        case .suspended: Text("The taxi service is suspended", "Il servizio taxi è sospeso")
        case .standingBy:
            Text("The taxi service is starting", "Il servizio taxi si sta avviando")
        }
    }

    /// What to do next.
    package var advice: Text {
        switch self {
        case .notFound:
            Text(
                "Check the address, or start from the first page.",
                "Controlla l'indirizzo, oppure riparti dalla prima pagina."
            )
        case .methodNotAllowed, .badRequest:
            Text(
                "Go back, reload the page and try again.",
                "Torna indietro, ricarica la pagina e riprova."
            )
        case .notSignedIn:
            Text(
                "Sign in, and we bring you back here.",
                "Accedi e ti riportiamo qui."
            )
        case .notAllowed:
            Text(
                "Ask the city's administrators if you should be able to.",
                "Se dovresti poterlo fare, chiedi agli amministratori della città."
            )
        case .askPassword:
            Text(
                "What you want to do is protected. Enter your password again.",
                "Quello che vuoi fare è protetto. Inserisci di nuovo la password."
            )
        case .mustChangePassword:
            Text(
                "Before anything else, choose a new password.",
                "Prima di tutto scegli una nuova password."
            )
        case .forged:
            Text(
                "Nothing was changed. Open the page again and repeat what you wanted to do.",
                "Non è cambiato nulla. Riapri la pagina e ripeti l'operazione."
            )
        case .tooLarge(let limit):
            Text(
                "At most \(limit / 1_024) kB are accepted here. Nothing was changed.",
                "Qui si accettano al massimo \(limit / 1_024) kB. Non è cambiato nulla."
            )
        case .tooSlow:
            Text(
                "Nothing was changed. Check your connection and try again.",
                "Non è cambiato nulla. Controlla la connessione e riprova."
            )
        case .tooMany(let seconds), .busy(let seconds):
            Text(
                "Nothing was changed. Try again in \(seconds) s.",
                "Non è cambiato nulla. Riprova tra \(seconds) s."
            )
        case .unknownOutcome:
            Text(
                "You sent this before, and the line broke. Look whether it was done before you "
                    + "send it anew.",
                "Lo avevi già inviato e la linea è caduta. Controlla se è stato fatto prima di "
                    + "inviarlo di nuovo."
            )
        case .noBackup:
            Text(
                "Nothing was changed. The log says why; look at the disk and at the backups.",
                "Non è cambiato nulla. Il log dice perché; controlla il disco e le copie."
            )
        case .broken(let reference):
            Text(
                "Try again in a minute. If it goes on, tell us this number: \(reference).",
                "Riprova tra un minuto. Se continua, comunicaci questo numero: \(reference)."
            )
        case .notOpenYet(let missing): Self.opening(missing)
        case .suspended(let line):
            Text(
                SuspensionWords.because.in(.english) + " "
                    + SuspensionNotice(line: line).words.in(.english),
                SuspensionWords.because.in(.italian) + " "
                    + SuspensionNotice(line: line).words.in(.italian)
            )
        case .standingBy:
            Text(
                "Nothing was changed. Try again in a few seconds.",
                "Non è cambiato nulla. Riprova tra qualche secondo."
            )
        }
    }
}

extension Failure {
    /// What is said before the city opens: to staff, what is missing.
    private static func opening(_ missing: [SetUpStep]) -> Text {
        guard !missing.isEmpty else {
            return Text(
                "The city is preparing it. You can already create your account; come back soon.",
                "La città lo sta preparando. Puoi già creare il tuo account; torna presto."
            )
        }
        return Text(
            "Still to be done in the console: "
                + missing.map { $0.title.in(.english) }.joined(separator: "; ") + ".",
            "Resta da fare nella console: "
                + missing.map { $0.title.in(.italian) }.joined(separator: "; ") + "."
        )
    }

    /// Where a person is sent who can set it right there and then go on; nil where nobody can.
    func address(for visit: Visit) -> Address? {
        let next = visit.method == .get ? visit.path : visit.formPage ?? "/dashboard"
        return switch self {
        case .notSignedIn: Address("/login", query: ["notice": "needed", "next": next])
        case .askPassword: Address("/login/again", query: ["next": next])
        case .mustChangePassword: Address("/account/password")
        default: nil
        }
    }
}
