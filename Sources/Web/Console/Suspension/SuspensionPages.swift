import Accounts
import Dispatching
import HTTPTypes
import Markup
import Taxi
import Words

extension Site {
    /// The suspension of the duty to serve (R12): any of the staff, at any hour, with a reason.
    var suspensionRoutes: [Route] {
        [
            .get("/console/suspension", for: .staff, showSuspension),
            .post("/console/suspension", for: .staff, checkSuspension),
            .post("/console/suspension/begin", for: .staff, beginSuspension),
            .post("/console/suspension/end", for: .staff, endSuspension),
        ]
    }

    /// How many characters a reason may have: it stands on the first page.
    private static let reasonLimit = 200

    private struct Now: Sendable {
        var isOpen: Bool
        var reason: String?
        /// Requests that wait for a taxi, which a suspension ends.
        var waiting: Int
        /// Reservations, which stay.
        var reserved: Int
        /// Rides under way, which go on.
        var riding: Int
    }

    private func now() async throws -> Now {
        try await taxi.dispatch.read { state in
            var now = Now(
                isOpen: state.isSetUp,
                reason: state.suspension,
                waiting: 0,
                reserved: 0,
                riding: 0
            )
            for request in state.requests {
                switch request.phase {
                case .reserved: now.reserved += 1
                case .riding, .joined: now.riding += 1
                case .seeking, .offered, .held, .parked:
                    if request.due == nil { now.waiting += 1 } else { now.reserved += 1 }
                }
            }
            return now
        }
    }

    private func showSuspension(_ visit: Visit) async throws -> Reply {
        let now = try await now()
        guard now.isOpen else {
            return reply(suspensionMessage(SuspensionWords.notOpen, visit), to: visit)
        }
        let page = now.reason.map { liftPage($0, now, visit) } ?? suspendPage(nil, now, visit)
        return reply(page, to: visit)
    }

    private func suspensionMessage(_ words: Text, _ visit: Visit) -> Page {
        Page(
            SuspensionWords.title,
            body: """
                <h1>\(visit.say(SuspensionWords.title))</h1>
                <p class="lead">\(visit.say(words))</p>
                <p><a class="button" href="/console">\(visit.say(ConsoleHomeWords.title))</a></p>
                """
        )
    }

    private func suspensionNotice(_ visit: Visit) -> HTML? {
        SuspensionWords.notices[visit.query["notice"] ?? ""].map {
            "<div class=\"notice good\" role=\"status\"><p>\(visit.say($0))</p></div>"
        }
    }

    private func suspendPage(_ error: Text?, _ now: Now, _ visit: Visit) -> Page {
        let form = FormPage(
            action: Address("/console/suspension"),
            fields: [
                Field(
                    name: "reason",
                    label: SuspensionWords.reason,
                    hint: SuspensionWords.reasonHint,
                    value: visit.form["reason"] ?? "",
                    error: error
                )
            ],
            button: SuspensionWords.check,
            busy: LogInWords.busy
        )
        var page = formPage(
            SuspensionWords.title,
            lead: SuspensionWords.lead(now.waiting, now.reserved),
            form,
            visit
        )
        page.body = HTML.joined([suspensionNotice(visit)].compactMap(\.self)) + page.body
        return page
    }

    private func liftPage(_ reason: String, _ now: Now, _ visit: Visit) -> Page {
        let form = FormPage(
            action: Address("/console/suspension/end"),
            fields: [],
            button: SuspensionWords.lift,
            busy: LogInWords.busy
        )
        var page = Page(
            SuspensionWords.title,
            body: """
                \(suspensionNotice(visit))
                <h1>\(visit.say(SuspensionWords.isSuspended))</h1>
                <p class="lead">\(reason)</p>
                <p>\(visit.say(SuspensionWords.lifting(now.reserved)))</p>
                \(form.html(visit))
                """
        )
        page.hasForm = true
        return page
    }

    /// The reason as it will stand on the first page; nil where there is none in it.
    private func reason(_ visit: Visit) -> String? {
        let plain = (visit.form["reason"] ?? "").unicodeScalars.filter {
            $0.properties.generalCategory != .control
        }
        let text = String(String.UnicodeScalarView(plain)).trimmed
        return text.isEmpty ? nil : String(text.prefix(Self.reasonLimit))
    }

    /// Shows what a suspension does before it is done.
    private func checkSuspension(_ visit: Visit) async throws -> Reply {
        let now = try await now()
        guard now.isOpen, now.reason == nil else {
            return .redirect(to: Address("/console/suspension"))
        }
        guard let reason = reason(visit) else {
            var page = suspendPage(SuspensionWords.reasonMissing, now, visit)
            page.status = .unprocessableContent
            return reply(page, to: visit)
        }
        var form = FormPage(
            action: Address("/console/suspension/begin"),
            fields: [],
            button: SuspensionWords.suspend,
            busy: LogInWords.busy
        )
        form.extra = "<input type=\"hidden\" name=\"reason\" value=\"\(reason)\">"
        let effects = SuspensionWords.effects(now.waiting, now.reserved, now.riding)
        var page = Page(
            SuspensionWords.confirm,
            body: """
                <h1>\(visit.say(SuspensionWords.confirm))</h1>
                <p class="lead">\(reason)</p>
                <ul>\(effects.map { "<li>\(visit.say($0))</li>" as HTML })</ul>
                \(form.html(visit))
                <p><a href="/console/suspension">\(visit.say(SuspensionWords.back))</a></p>
                """
        )
        page.hasForm = true
        return reply(page, to: visit)
    }

    private func beginSuspension(_ visit: Visit) async throws -> Reply {
        guard let session = visit.session else { throw Failure.notSignedIn }
        guard let reason = reason(visit) else {
            return .redirect(to: Address("/console/suspension"))
        }
        do {
            _ = try await taxi.dispatch.give(.suspend(reason: reason))
        } catch Refusal.suspended {
            // Somebody else was quicker: the page says so, with the reason that counts.
            return .redirect(to: Address("/console/suspension"))
        }
        try await accounts.note("suspend the service", object: reason, by: session, at: visit.now)
        return .redirect(to: Address("/console/suspension", query: ["notice": "suspended"]))
    }

    private func endSuspension(_ visit: Visit) async throws -> Reply {
        guard let session = visit.session else { throw Failure.notSignedIn }
        do {
            _ = try await taxi.dispatch.give(.resume)
        } catch Refusal.notSuspended {
            return .redirect(to: Address("/console/suspension"))
        }
        try await accounts.note("resume the service", by: session, at: visit.now)
        return .redirect(to: Address("/console/suspension", query: ["notice": "resumed"]))
    }
}

enum SuspensionWords {
    static let title = Text("Suspend the service", "Sospendi il servizio")
    static let notOpen = Text(
        "The service is not open yet: there is nothing to suspend.",
        "Il servizio non è ancora aperto: non c'è nulla da sospendere."
    )
    static func lead(_ waiting: Int, _ reserved: Int) -> Text {
        Text(
            "For a strike, severe weather or an order of the council. Now waiting for a taxi: "
                + "\(waiting). Reservations: \(reserved).",
            "Per sciopero, maltempo o ordine della giunta. Ora in attesa di un taxi: \(waiting). "
                + "Prenotazioni: \(reserved)."
        )
    }
    static let reason = Text(
        "Reason, as everybody will read it",
        "Motivo, come lo leggeranno tutti"
    )
    static let reasonHint = Text(
        "It stands on the first page as you write it, in every language. At most 200 characters.",
        "Sta sulla prima pagina come lo scrivi, in ogni lingua. Al massimo 200 caratteri."
    )
    static let reasonMissing = Text("Write the reason.", "Scrivi il motivo.")
    static let check = Text("See what happens", "Vedi cosa succede")
    static let confirm = Text("Really suspend the service?", "Sospendere davvero il servizio?")
    static let suspend = Text("Suspend now", "Sospendi adesso")
    static let back = Text("Back, change nothing", "Indietro, senza cambiare nulla")
    static func effects(_ waiting: Int, _ reserved: Int, _ riding: Int) -> [Text] {
        [
            Text(
                "Requests without a taxi end at once, and their passengers are told: \(waiting).",
                "Le richieste senza taxi finiscono subito e i passeggeri sono avvisati: \(waiting)."
            ),
            Text(
                "Reservations stay until their hour. Those that fall due meanwhile are tried again "
                    + "when you lift it, as long as their hour has not passed: \(reserved).",
                "Le prenotazioni restano fino alla loro ora. Quelle che scadono intanto si "
                    + "ritentano quando riprendi, se l'ora non è passata: \(reserved)."
            ),
            Text(
                "Passengers who are being fetched or driven arrive: \(riding).",
                "I passeggeri già assegnati o a bordo arrivano: \(riding)."
            ),
            Text(
                "New requests are refused with your reason. Drivers keep their places.",
                "Le nuove richieste sono rifiutate con il tuo motivo. I tassisti tengono il posto."
            ),
        ]
    }
    static let isSuspended = Text("The service is suspended", "Il servizio è sospeso")
    static func lifting(_ reserved: Int) -> Text {
        Text(
            "When you lift it, requests are served again at once, and reservations whose hour has "
                + "not passed are tried: \(reserved).",
            "Quando riprendi, le richieste si servono subito e si tentano le prenotazioni la cui "
                + "ora non è passata: \(reserved)."
        )
    }
    static let lift = Text("Lift the suspension", "Riprendi il servizio")
    static let notices: [String: Text] = [
        "suspended": Text("The service is suspended.", "Il servizio è sospeso."),
        "resumed": Text("The service goes on.", "Il servizio riprende."),
    ]
}
