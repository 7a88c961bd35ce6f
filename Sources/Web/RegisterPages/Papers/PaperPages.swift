import Chronology
import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension RegisterPages {
    /// A driver's own papers: how they stand, when they end, new ones (R104, SB14).
    var paperRoutes: [Route] {
        [
            .get("/account/papers", for: .person, showPapers),
            .get("/account/papers/new", for: .person) {
                reply(proposalPage($0, try await ownDriver($0)), to: $0)
            },
            .post("/account/papers/new", for: .person, proposePapers),
        ]
    }

    /// The driver who is signed in.
    private func ownDriver(_ visit: Visit) async throws -> Driver {
        guard let person = visit.session?.person else { throw Failure.notSignedIn }
        guard let driver = try await accounts.drivers.driver(person) else { throw Failure.notFound }
        return driver
    }

    private func showPapers(_ visit: Visit) async throws -> Reply {
        let driver = try await ownDriver(visit)
        let page = Page(
            CommonTexts.papers,
            body: """
                \(consoleNotice(PaperWords.notices, visit))
                <h1>\(visit.say(CommonTexts.papers))</h1>
                \(ownStanding(driver, visit))
                \(paperTable(driver, visit))
                <p class="actions"><a class="button primary" href="/account/papers/new">\
                \(visit.say(PaperWords.propose))</a></p>
                <p><a href="/account">\(visit.say(CommonTexts.backToAccount))</a></p>
                """
        )
        return reply(page, to: visit)
    }

    /// Whether the driver may drive, and if not why.
    private func ownStanding(_ driver: Driver, _ visit: Visit) -> HTML {
        var notices: [(HTML, Text)] = []
        switch driver.verification {
        case .verified: notices.append(("good", PaperWords.verified))
        case .awaiting: notices.append(("warn", PaperWords.awaiting))
        case .refused: notices.append(("bad", PaperWords.refused(driver.refusal ?? "")))
        }
        if driver.proposed != nil { notices.append(("warn", PaperWords.waits)) }
        if driver.verification == .verified, let refusal = driver.refusal, driver.proposed == nil {
            notices.append(("bad", PaperWords.refusedNew(refusal)))
        }
        let end = min(driver.papers.taxiLicenceExpires, driver.papers.drivingLicenceExpires)
        let soon = accounts.settings.today(visit.now).adding(days: DriverFilter.expiringDays)
        if end < today(visit) {
            notices.append(("bad", PaperWords.ended(end)))
        } else if end <= soon.iso8601 {
            notices.append(("warn", PaperWords.ends(end)))
        }
        return .joined(
            notices.map { look, text in
                "<p class=\"notice \(look)\">\(visit.say(text))</p>"
            }
        )
    }

    private func proposalPage(
        _ visit: Visit,
        _ driver: Driver,
        _ failure: AccountFailure? = nil
    ) -> Page {
        var form = FormPage(
            action: Address("/account/papers/new"),
            fields: paperFields(driver.papersToDecide, visit, failure),
            button: PaperWords.send,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        var page = formPage(PaperWords.propose, lead: PaperWords.proposeLead, form, visit)
        page.body += "<p><a href=\"/account/papers\">\(visit.say(PaperWords.back))</a></p>"
        return page
    }

    private func proposePapers(_ visit: Visit) async throws -> Reply {
        let driver = try await ownDriver(visit)
        do {
            try await accountRules().drivers.proposePapers(
                typedPapers(visit),
                of: driver.person,
                at: visit.now
            )
        } catch let failure as AccountFailure {
            return try refused(proposalPage(visit, driver, failure), failure, visit)
        }
        return .redirect(to: Address("/account/papers", query: ["notice": "sent"]))
    }
}

enum PaperWords {
    static let propose = Text("Propose new papers", "Proponi nuovi documenti")
    static let proposeLead = Text(
        "The city looks at them. Until then the old ones hold.",
        "La città li controlla. Fino ad allora valgono i vecchi."
    )
    static let send = Text("Send to the city", "Invia alla città")
    static let back = Text("Back to your papers", "Torna ai tuoi documenti")
    static let verified = Text(
        "The city has verified these papers.",
        "La città ha confermato questi documenti."
    )
    static let awaiting = Text(
        "The city has not looked at your papers yet. You get a mail when it has.",
        "La città non ha ancora controllato i tuoi documenti. Riceverai un'e-mail."
    )
    static func refused(_ reason: String) -> Text {
        Text(
            "The city did not accept your papers: \(reason) Propose others.",
            "La città non ha accettato i tuoi documenti: \(reason) Proponine altri."
        )
    }
    static func refusedNew(_ reason: String) -> Text {
        Text(
            "The city did not accept the papers that you proposed: \(reason)",
            "La città non ha accettato i documenti che hai proposto: \(reason)"
        )
    }
    static let waits = Text(
        "The papers that you proposed wait for the city.",
        "I documenti che hai proposto attendono la città."
    )
    static func ended(_ day: String) -> Text {
        Text(
            "A licence ended on \(day): you get no rides until a new one is verified.",
            "Una licenza è scaduta il \(day): non ricevi corse finché non ne viene confermata una."
        )
    }
    static func ends(_ day: String) -> Text {
        Text(
            "A licence ends on \(day). Propose the new one in time.",
            "Una licenza scade il \(day). Proponi per tempo quella nuova."
        )
    }
    static let notices: [String: Text] = [
        "sent": Text(
            "Your papers are with the city. You get a mail when it has looked at them.",
            "I tuoi documenti sono alla città. Riceverai un'e-mail quando li avrà controllati."
        )
    ]
}
