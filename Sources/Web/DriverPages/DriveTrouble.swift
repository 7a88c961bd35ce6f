import Chronology
import Dispatching
import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// An error shown to a driver whose action was not carried out.
struct DriveTrouble: Error, Hashable, Sendable {
    /// The HTTP response status.
    var status = HTTPResponse.Status.conflict
    /// The machine-readable error name: the last part of the problem type.
    var name: String
    /// A summary of what happened.
    var title: Text
    /// What the driver can do next.
    var advice: Text
    /// The page where the driver can do that; by default the driver's own page.
    var remedy = Remedy(address: Address("/drive"), label: DriveWords.back)

    /// A link to a page where the problem can be resolved.
    struct Remedy: Hashable, Sendable {
        /// The address of the page.
        var address: Address
        /// The text of the link.
        var label: Text
    }

    /// Creates an error with the given name and texts.
    init(_ name: String, _ title: Text, _ advice: Text) {
        self.name = name
        self.title = title
        self.advice = advice
    }
}

extension DriverPages {
    /// Renders an error as a page, or as a problem (RFC 9457) for API clients.
    ///
    /// - Parameters:
    ///   - trouble: the error.
    ///   - visit: the current HTTP request.
    ///   - standing: a sentence about the driver's current status.
    ///   - waits: whether to replace the page with the driver's own page once
    ///     the problem is resolved.
    /// - Returns: the page or the problem, with the status of the error.
    func reply(
        _ trouble: DriveTrouble,
        to visit: Visit,
        standing: Text? = nil,
        waits: Bool = false
    ) -> Reply {
        if visit.wantsJSON {
            let details = [visit.say(trouble.advice), standing.map(visit.say)].compactMap(\.self)
            return soon(
                problem(
                    trouble.name,
                    trouble.status,
                    visit.say(trouble.title),
                    details.joined(separator: " ")
                )
            )
        }
        let remedy = trouble.remedy
        // The driver's own page has no such element, which ends the wait.
        let wait: HTML? = waits ? "<div id=\"drive-waits\" data-live=\"drive\"></div>" : nil
        var page = Page(
            trouble.title,
            body: """
                <h1>\(visit.say(trouble.title))</h1>
                \(standing.map { "<p class=\"lead\">\(visit.say($0))</p>" as HTML })
                <p>\(visit.say(trouble.advice))</p>
                <p class="actions"><a class="button primary drive" href=\(remedy.address)>\
                \(visit.say(remedy.label))</a></p>
                \(wait)
                """
        )
        page.status = trouble.status
        return soon(reply(page, to: visit))
    }

    /// Adds `Retry-After` where the failure is temporary.
    private func soon(_ reply: Reply) -> Reply {
        var reply = reply
        if reply.status == .serviceUnavailable { reply.headers[.retryAfter] = "5" }
        return reply
    }

    /// Renders an error with the driver's current status.
    func refused(_ trouble: DriveTrouble, _ visit: Visit) async -> Reply {
        // A driver who has lost the seat in the meantime learns that from the next page.
        let view = try? await seat(visit).view
        return reply(trouble, to: visit, standing: view.map { DriveStanding($0).sentence })
    }
}

extension DriveTrouble {
    /// Describes a failure that was not caused by a rule (R18, R36); nil where another
    /// server runs the dispatcher.
    init?(_ failure: DispatchService.Failure) {
        switch failure {
        case .notServing: return nil
        case .busy, .notDurable:
            self.init(
                "try-again",
                Text("This was not done", "Non è stato fatto"),
                Text(
                    "The service could not take it. Your status is unchanged; try again.",
                    "Il servizio non ha potuto registrarlo. Il tuo stato non è cambiato; riprova."
                )
            )
            status = .serviceUnavailable
        case .outcomeUnknown, .keyUsedForAnother:
            self.init(
                "unknown-outcome",
                Text("We do not know yet", "Non lo sappiamo ancora"),
                Text(
                    "Look at your page whether it was done, before you send it again.",
                    "Guarda sulla tua pagina se è stato fatto, prima di inviarlo di nuovo."
                )
            )
        }
    }
}

extension SeatObstacle {
    /// The error shown to a person who cannot drive now, with what they can do.
    var trouble: DriveTrouble {
        var trouble: DriveTrouble
        switch self {
        case .papers(let obstacle):
            trouble = DriveTrouble(
                "may-not-drive",
                Text("You cannot drive now", "Ora non puoi guidare"),
                obstacle.advice
            )
            trouble.status = .forbidden
            trouble.remedy = obstacle.remedy
        case .notRegistered:
            trouble = DriveTrouble(
                "taxi-not-registered",
                Text("Your taxi is being registered", "Il tuo taxi viene registrato"),
                Text(
                    "Your papers are in order. The dispatcher hears of your taxi within a minute.",
                    "I tuoi documenti sono in regola. Il servizio conoscerà il tuo taxi entro un "
                        + "minuto."
                )
            )
            trouble.remedy.label = DriveWords.again
            trouble.status = .serviceUnavailable
        case .anotherDrives:
            trouble = DriveTrouble(
                "another-drives",
                Text("Somebody else drives your taxi", "Un altro guida il tuo taxi"),
                Text(
                    "You share this taxi, and the other driver has the shift. When it is over, "
                        + "begin yours.",
                    "Condividi questo taxi e ora è il turno dell'altro tassista. Quando finisce, "
                        + "comincia il tuo."
                )
            )
            trouble.remedy.label = DriveWords.again
        }
        return trouble
    }
}

extension DrivingObstacle {
    /// The advice on resolving the obstacle.
    fileprivate var advice: Text {
        switch self {
        case .noDriver:
            Text(
                "This page is for taxi drivers, and your account is not one of a driver. If you "
                    + "drive a taxi of this city, ask the city's administrators.",
                "Questa pagina è per i tassisti, e il tuo account non è di un tassista. Se guidi "
                    + "un taxi di questa città, rivolgiti agli amministratori."
            )
        case .account:
            Text(
                "Your account is not confirmed, or it is suspended. Open the link in our mail, or "
                    + "ask the city's administrators.",
                "Il tuo account non è confermato, oppure è sospeso. Apri il link nella nostra "
                    + "e-mail, o rivolgiti agli amministratori della città."
            )
        case .awaitingVerification:
            Text(
                "The city has not looked at your papers yet. You get a mail when it has.",
                "La città non ha ancora controllato i tuoi documenti. Riceverai un'e-mail."
            )
        case .refused:
            Text(
                "The city did not accept your papers. See why, and propose others.",
                "La città non ha accettato i tuoi documenti. Guarda perché e proponine altri."
            )
        case .taxiLicenceExpired(let day):
            Text(
                "Your taxi licence ended on \(day.iso8601). Send the new one to the city; when it "
                    + "is verified, you can drive again.",
                "La tua licenza taxi è scaduta il \(day.iso8601). Invia quella nuova alla città; "
                    + "quando è confermata puoi guidare di nuovo."
            )
        case .drivingLicenceExpired(let day):
            Text(
                "Your driving licence ended on \(day.iso8601). Send the new one to the city; when "
                    + "it is verified, you can drive again.",
                "La tua patente è scaduta il \(day.iso8601). Invia quella nuova alla città; quando "
                    + "è confermata puoi guidare di nuovo."
            )
        }
    }

    /// The page where the obstacle can be resolved.
    fileprivate var remedy: DriveTrouble.Remedy {
        switch self {
        case .noDriver, .account:
            DriveTrouble.Remedy(address: Address("/dashboard"), label: CommonWords.dashboard)
        default:
            DriveTrouble.Remedy(address: Address("/account/papers"), label: CommonWords.papers)
        }
    }
}
