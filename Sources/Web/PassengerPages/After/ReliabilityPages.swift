import Chronology
import Dispatching
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// How reliable a passenger was, what follows from it, and what he says against it (R111).
extension PassengerPages {
    var reliabilityRoutes: [Route] {
        [
            .get("/reliability", for: .person, showReliability),
            .post("/reliability", for: .person, takeAppeal),
        ]
    }

    /// Where whoever missed too many rides is told so; nil for everybody else.
    func unreliable(_ visit: Visit) async throws -> Reply? {
        guard let passenger = try passenger(visit),
            let until = try await taxi.limitedUntil(passenger.passenger)
        else { return nil }
        if passenger.isGuest {
            let words = ReliabilityWords.guest(until: written(until), phone: settings.phone)
            return notRequested(words, visit)
        }
        return .redirect(to: Address("/reliability", query: ["notice": "refused"]))
    }

    private func showReliability(_ visit: Visit) async throws -> Reply {
        reply(try await reliabilityPage(nil, visit), to: visit)
    }

    private func reliabilityPage(_ problem: Text?, _ visit: Visit) async throws -> Page {
        let passenger = try knownPassenger(visit).passenger
        let found = try await taxi.reliability(of: passenger)
        let appeals = try await taxi.appeals(of: passenger)
        let title = ReliabilityWords.answer(found.limitedUntil.map { written($0) })
        var page = Page(
            CommonTexts.reliability,
            body: """
                \(reliabilityNotice(visit))
                <h1>\(visit.say(title))</h1>
                <p class="lead">\(visit.say(ReliabilityWords.rule(found)))</p>
                \(incidents(found, visit))
                \(appealPart(found, appeals, problem, visit))
                """
        )
        page.hasForm = true
        if problem != nil { page.status = .unprocessableContent }
        return page
    }

    private func reliabilityNotice(_ visit: Visit) -> HTML? {
        switch visit.query["notice"] {
        case "refused":
            """
            <div class="notice bad" role="alert"><p>\(visit.say(CheckTexts.nothingSent))</p></div>
            """
        case "sent":
            """
            <div class="notice good" role="status"><p>\(visit.say(ReliabilityWords.sent))</p></div>
            """
        default: nil
        }
    }

    private func incidents(_ found: Reliability, _ visit: Visit) -> HTML {
        guard !found.incidents.isEmpty else {
            return "<p>\(visit.say(ReliabilityWords.none(found.days)))</p>"
        }
        let rows = found.incidents.map { one -> HTML in
            """
            <tr><th scope="row"><a href=\(Self.ride(one.request))>\(time(one.at, visit))</a></th>\
            <td>\(visit.say(one.isMissed ? ReliabilityWords.missed : ReliabilityWords.late))</td>\
            </tr>
            """
        }
        return ConsoleTable(
            caption: ReliabilityWords.counted(found.days),
            heads: [CommonTexts.rideTime, ReliabilityWords.what],
            rows: rows
        ).html(visit)
    }

    /// What he said against it so far; and a form, where there is something to say it against.
    private func appealPart(
        _ found: Reliability,
        _ appeals: [Appeal],
        _ problem: Text?,
        _ visit: Visit
    ) -> HTML? {
        let latest = appeals.first.map { appeal -> HTML in
            """
            <div class="notice"><p>\(time(appeal.made, visit)): \
            \(visit.say(ReliabilityWords.state(appeal)))</p></div>
            """
        }
        let waits = appeals.contains { $0.decided == nil }
        guard !found.incidents.isEmpty, !waits else { return latest }
        let form = FormPage(
            action: Address("/reliability"),
            fields: [
                Field(
                    name: "words",
                    label: ReliabilityWords.why,
                    kind: .longText,
                    hint: FeedbackWords.wordsHint(TaxiService.wordsLimit),
                    value: visit.form["words"] ?? "",
                    error: problem
                )
            ],
            button: ReliabilityWords.send,
            busy: OrderTexts.busy
        )
        return """
            \(latest)
            <h2>\(visit.say(ReliabilityWords.appeal))</h2>
            <p>\(visit.say(ReliabilityWords.appealLead))</p>
            \(form.html(visit))
            """
    }

    private func takeAppeal(_ visit: Visit) async throws -> Reply {
        let words = (visit.form["words"] ?? "").withoutInvisible.trimmed
        guard !words.isEmpty else {
            return reply(try await reliabilityPage(ReliabilityWords.missing, visit), to: visit)
        }
        let passenger = try knownPassenger(visit).passenger
        // Where nothing counts there is nothing to say against it.
        guard try await !taxi.reliability(of: passenger).incidents.isEmpty else {
            return .redirect(to: Address("/reliability"))
        }
        // Where another one waits it is that one that the page shows.
        _ = try await taxi.appeal(words, of: passenger)
        return .redirect(to: Address("/reliability", query: ["notice": "sent"]))
    }
}

enum ReliabilityWords {
    static func answer(_ until: Text?) -> Text {
        guard let until else {
            return Text("You can ask for taxis", "Puoi chiedere taxi")
        }
        return Text(
            "You cannot ask for a taxi until \(until.in(.english))",
            "Non puoi chiedere un taxi fino a \(until.in(.italian))"
        )
    }
    static func rule(_ found: Reliability) -> Text {
        let minutes = found.lateSeconds / 60
        guard found.most > 0 else {
            return Text(
                "In this city missed rides have no consequence. Here you see what is noted.",
                "In questa città le corse mancate non hanno conseguenze. Qui vedi cosa risulta."
            )
        }
        return Text(
            "Who misses \(found.most) taxis within \(found.days) days cannot ask for another until "
                + "one of them is forgotten. A taxi that waited more than \(minutes) min counts "
                + "half.",
            "Chi manca \(found.most) taxi in \(found.days) giorni non può chiederne altri finché "
                + "uno non è dimenticato. Un taxi che ha aspettato più di \(minutes) min conta "
                + "la metà."
        )
    }
    static func none(_ days: Int64) -> Text {
        Text(
            "In the last \(days) days no taxi waited for you in vain or long.",
            "Negli ultimi \(days) giorni nessun taxi ti ha aspettato invano o a lungo."
        )
    }
    static func counted(_ days: Int64) -> Text {
        Text("What counts of the last \(days) days", "Cosa conta degli ultimi \(days) giorni")
    }
    static let what = Text("What happened", "Cosa è successo")
    /// A guest has no page of his own: whom he may ask stands here.
    static func guest(until: Text, phone: String?) -> Text {
        let appeal = phone.map { phone in
            Text(
                " If that is not right, call the city's staff: \(phone).",
                " Se non è giusto, chiama il personale della città: \(phone)."
            )
        }
        return Text(
            "Too many of your taxis waited in vain lately: you can ask for another from "
                + "\(until.in(.english)) on.\(appeal?.in(.english) ?? "")",
            "Ultimamente troppi taxi ti hanno aspettato invano: puoi chiederne un altro da "
                + "\(until.in(.italian)).\(appeal?.in(.italian) ?? "")"
        )
    }
    static let missed = Text("you did not come", "non ti sei presentato")
    static let late = Text("the taxi waited for you", "il taxi ti ha aspettato")
    static let appeal = Text("That is not right?", "Non è giusto?")
    static let appealLead = Text(
        "Write what happened. An operator reads it; if it is granted, nothing of this counts.",
        "Scrivi cosa è successo. Lo legge un operatore; se lo accoglie, niente di questo conta."
    )
    static let why = Text("What happened", "Cosa è successo")
    static let send = Text("Send the appeal", "Invia il reclamo")
    static let missing = Text("Write what happened.", "Scrivi cosa è successo.")
    static let sent = Text(
        "An operator has your appeal. The answer will stand here.",
        "Un operatore ha il tuo reclamo. Qui troverai la risposta."
    )
    static func state(_ appeal: Appeal) -> Text {
        if appeal.decided == nil {
            return Text("your appeal waits for an operator", "il tuo reclamo aspetta un operatore")
        }
        return appeal.isGranted
            ? Text(
                "your appeal was granted: nothing before it counts",
                "il tuo reclamo è stato accolto: niente di prima conta"
            ) : Text("your appeal was not granted", "il tuo reclamo non è stato accolto")
    }
}
