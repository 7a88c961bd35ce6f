import Chronology
import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension RegisterPages {
    /// A driver's own papers: status, expiry dates and renewal (R104, SB14).
    var paperRoutes: [Route] {
        [
            .get("/account/papers", for: .person, showPapers),
            .get("/account/papers/new", for: .person) {
                reply(proposalPage($0, try await ownDriver($0)), to: $0)
            },
            .post("/account/papers/new", for: .person, proposePapers),
        ]
    }

    /// The signed-in person's driver record.
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
                \(consoleNotice(PaperTexts.notices, visit))
                <h1>\(visit.say(CommonTexts.papers))</h1>
                \(ownStanding(driver, visit))
                \(paperTable(driver, visit))
                <p class="actions"><a class="button primary" href="/account/papers/new">\
                \(visit.say(PaperTexts.propose))</a></p>
                <p><a href="/account">\(visit.say(CommonTexts.backToAccount))</a></p>
                """
        )
        return reply(page, to: visit)
    }

    /// Whether the driver may drive, and otherwise the reason.
    private func ownStanding(_ driver: Driver, _ visit: Visit) -> HTML {
        var notices: [(HTML, Text)] = []
        switch driver.verification {
        case .verified: notices.append(("good", PaperTexts.verified))
        case .awaiting: notices.append(("warn", PaperTexts.awaiting))
        case .refused: notices.append(("bad", PaperTexts.refused(driver.refusal ?? "")))
        }
        if driver.proposed != nil { notices.append(("warn", PaperTexts.waits)) }
        if driver.verification == .verified, let refusal = driver.refusal, driver.proposed == nil {
            notices.append(("bad", PaperTexts.refusedNew(refusal)))
        }
        let end = min(driver.papers.taxiLicenceExpires, driver.papers.drivingLicenceExpires)
        let soon = accounts.settings.today(visit.now).adding(days: DriverFilter.expiringDays)
        if end < today(visit) {
            notices.append(("bad", PaperTexts.ended(end)))
        } else if end <= soon.iso8601 {
            notices.append(("warn", PaperTexts.ends(end)))
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
            button: PaperTexts.send,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        var page = formPage(PaperTexts.propose, lead: PaperTexts.proposeLead, form, visit)
        page.body += "<p><a href=\"/account/papers\">\(visit.say(PaperTexts.back))</a></p>"
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

extension PaperTexts {
    static let notices: [String: Text] = [
        "sent": PaperTexts.yourPapersAreWithThe
    ]
}
