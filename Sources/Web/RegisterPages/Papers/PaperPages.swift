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
            .get("/account/papers", as: "papers.show", for: .person, showPapers)
                .taking([.notice])
                .failing(.notFound),
            .get("/account/papers/new", as: "papers.propose.form", for: .person) {
                response(proposalPage($0, try await ownDriver($0)), to: $0)
            }
            .failing(.notFound),
            .post("/account/papers/new", as: "papers.propose", for: .person, proposePapers)
                .taking(.papers)
                .taking(.vehicle)
                .failing(.notFound),
        ]
    }

    /// The signed-in person's driver record.
    private func ownDriver(_ context: RequestContext) async throws -> Driver {
        guard let person = context.session?.person else { throw Failure.notSignedIn }
        guard let driver = try await accounts.drivers.driver(person) else { throw Failure.notFound }
        return driver
    }

    private func showPapers(_ context: RequestContext) async throws -> Response {
        let driver = try await ownDriver(context)
        // New papers are due only if the present ones end, or the city refused some.
        let isDue =
            driver.refusal != nil || driver.verification == .refused
            || driver.papers.firstEnd <= lastWarning(context)
        let button = Button(
            PaperTexts.propose,
            .link(Address("/account/papers/new")),
            look: isDue ? .primary : .secondary
        )
        let page = Page(
            CommonTexts.papers,
            body: """
                <div class="narrow">\(consoleNotice(PaperTexts.notices, context))
                <h1>\(context.say(CommonTexts.papers))</h1>
                \(ownStanding(driver, context))
                \(paperTable(driver, context))
                <p class="actions">\(button.html(context))</p></div>
                \(backToAccount(context))
                """
        )
        return response(page, to: context)
    }

    /// Whether the driver may drive, and otherwise the reason.
    private func ownStanding(_ driver: Driver, _ context: RequestContext) -> HTML {
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
        let end = driver.papers.firstEnd
        if end < today(context) {
            notices.append(("bad", PaperTexts.ended(paperValue(end, context))))
        } else if end <= lastWarning(context) {
            notices.append(("warn", PaperTexts.ends(paperValue(end, context))))
        }
        return .joined(
            notices.map { look, text in
                "<p class=\"notice \(look)\">\(context.say(text))</p>"
            }
        )
    }

    private func proposalPage(
        _ context: RequestContext,
        _ driver: Driver,
        _ failure: AccountFailure? = nil
    ) -> Page {
        var form = FormPage(
            action: Address("/account/papers/new"),
            fields: paperFields(driver.papersToDecide, context, failure),
            button: PaperTexts.send,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        let lead = PaperTexts.proposeLead
        var page = formPage(PaperTexts.propose, icon: .licence, lead: lead, form, context)
        page.body += """
            <div class="below"><p><a href="/account/papers">\(context.say(PaperTexts.back))</a></p>\
            </div>
            """
        return page
    }

    private func proposePapers(_ context: RequestContext) async throws -> Response {
        let driver = try await ownDriver(context)
        do {
            try await accountRules().drivers.proposePapers(
                typedPapers(context),
                of: driver.person,
                at: context.now
            )
        } catch let failure as AccountFailure {
            return try refused(proposalPage(context, driver, failure), failure, context)
        }
        return .redirect(to: Address("/account/papers", query: ["notice": "sent"]))
    }
}

extension PaperTexts {
    static let notices: [String: Text] = [
        "sent": PaperTexts.papersSent
    ]
}
