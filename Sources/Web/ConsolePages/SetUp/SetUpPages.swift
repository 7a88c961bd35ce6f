import Dispatching
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// The setup pages, which lead to the opening of the city.
    var setUpRoutes: [Route] {
        [
            .get("/console/setup", for: .administrator, showSetUp),
            .post("/console/setup/mail", for: .administrator, sendTestMail),
            .get("/console/setup/confirm", for: .graveAdministrator, confirmOpening),
            .post("/console/setup/confirm", for: .graveAdministrator, open),
        ]
    }

    private func showSetUp(_ visit: Visit) async throws -> Reply {
        let setUp = try await setUp(visit)
        let steps = SetUpStep.allCases.map { setUpItem($0, setUp, visit) }
        var page = Page(
            SetUpTexts.title,
            body: """
                \(setUpNotice(visit))
                <h1>\(visit.say(SetUpTexts.title))</h1>
                <p class="lead">\(visit.say(lead(setUp)))</p>
                <ol class="steps">\(steps)</ol>
                """
        )
        page.hasForm = true
        return reply(page, to: visit)
    }

    private func lead(_ setUp: SetUp) -> Text {
        if setUp.isOpen { return SetUpTexts.leadOpen }
        return setUp.isReady ? SetUpTexts.leadReady : SetUpTexts.lead(setUp.missing.count)
    }

    private func setUpNotice(_ visit: Visit) -> HTML? {
        SetUpTexts.notices[visit.query["notice"] ?? ""].map {
            "<div class=\"notice good\" role=\"status\"><p>\(visit.say($0))</p></div>"
        }
    }

    /// One step: its title, its state and the link or form that completes it.
    private func setUpItem(_ step: SetUpStep, _ setUp: SetUp, _ visit: Visit) -> HTML {
        let isDone = setUp.isDone(step)
        let state =
            isDone
            ? SetUpTexts.done : step.isRequired ? SetUpTexts.toDo : SetUpTexts.advised
        return """
            <li class="\(isDone ? "done" : "todo")">
            <h2>\(visit.say(step.title)) <span class="state">\(HTML.when(isDone, Icon.check.html))\
            \(visit.say(state))</span></h2>
            <p>\(visit.say(SetUpTexts.words(of: step, setUp)))</p>
            \(setUpAction(step, setUp, visit))
            </li>
            """
    }

    private func setUpAction(_ step: SetUpStep, _ setUp: SetUp, _ visit: Visit) -> HTML? {
        let link: (Address, Text)? =
            switch step {
            case .cityFile: nil
            case .zones: (Address("/console/zones"), SetUpTexts.toZones)
            case .drivers: (Address("/console/drivers"), SetUpTexts.toDrivers)
            case .policy: (Address("/console/policy"), SetUpTexts.toPolicy)
            case .tariff: (Address("/console/tariffs"), SetUpTexts.toTariffs)
            case .mail: nil
            case .opening:
                setUp.isReady ? (Address("/console/setup/confirm"), SetUpTexts.toOpening) : nil
            }
        if let link {
            // Opening is the only primary action and appears once nothing else is missing.
            return """
                <p><a class="\(step == .opening ? "button primary" : "button")" href=\(link.0)>\
                \(visit.say(link.1))</a></p>
                """
        }
        guard step == .mail, setUp.mail != .noRelay else { return nil }
        return """
            <form method="post" action="/console/setup/mail">\(visit.formToken)\
            <p><button data-busy="\(visit.say(CommonTexts.busy))">\
            \(visit.say(SetUpTexts.sendTest))</button></p></form>
            """
    }

    private func sendTestMail(_ visit: Visit, _ signedIn: SignedIn) async throws -> Reply {
        // Send one test mail at a time, even if the button is pressed repeatedly.
        if try await setUp(visit).mail != .waiting {
            try await accounts.sendTestMail(to: signedIn.session, at: visit.now)
        }
        return .redirect(to: Address("/console/setup", query: ["notice": "mail"]))
    }

    private func confirmOpening(_ visit: Visit) async throws -> Reply {
        let setUp = try await setUp(visit)
        guard setUp.isReady else {
            return .redirect(to: Address("/console/setup", query: ["notice": notReady(setUp)]))
        }
        return reply(openingPage(setUp, visit), to: visit)
    }

    private func notReady(_ setUp: SetUp) -> String { setUp.isOpen ? "open" : "missing" }

    private func openingPage(_ setUp: SetUp, _ visit: Visit, _ problem: Text? = nil) -> Page {
        var form = FormPage(
            action: Address("/console/setup/confirm"),
            fields: [],
            button: SetUpTexts.open,
            busy: CommonTexts.busy
        )
        form.problem = problem
        form.extra = """
            <input type="hidden" name="zones" value="\(setUp.zones)">
            <input type="hidden" name="taxis" value="\(setUp.taxis)">
            """
        let advised = setUp.advised.map { step -> HTML in
            "<li>\(visit.say(step.title)): \(visit.say(SetUpTexts.words(of: step, setUp)))</li>"
        }
        let warning: HTML = """
            <div class="notice warn"><p>\(visit.say(SetUpTexts.stillAdvised))</p>\
            <ul>\(advised)</ul></div>
            """
        var page = Page(
            SetUpTexts.openTitle,
            body: """
                <h1>\(visit.say(SetUpTexts.openTitle))</h1>
                <p class="lead">\(visit.say(SetUpTexts.openLead))</p>
                <dl class="summary">
                \(fact(SetUpStep.zones.title, "\(setUp.zones)", visit))
                \(fact(SetUpTexts.taxis, "\(setUp.taxis)", visit))
                \(fact(SetUpStep.policy.title, setUp.policy?.policy?.name ?? "", visit))
                \(fact(SetUpStep.tariff.title, setUp.tariff?.name ?? "–", visit))
                </dl>
                \(HTML.when(!advised.isEmpty, warning))
                <h2>\(visit.say(SetUpTexts.consequences))</h2>
                <ul>\(SetUpTexts.opens.map { "<li>\(visit.say($0))</li>" as HTML })</ul>
                \(form.html(visit))
                """
        )
        page.hasForm = true
        return page
    }

    private func fact(_ label: Text, _ value: String, _ visit: Visit) -> HTML {
        "<div><dt>\(visit.say(label))</dt><dd>\(value)</dd><dd></dd></div>"
    }

    private func open(_ visit: Visit, _ signedIn: SignedIn) async throws -> Reply {
        let setUp = try await setUp(visit)
        guard setUp.isReady else {
            return .redirect(to: Address("/console/setup", query: ["notice": notReady(setUp)]))
        }
        // The confirmation must match what was displayed; entries added since must be reviewed
        // first.
        guard visit.form["zones"] == "\(setUp.zones)", visit.form["taxis"] == "\(setUp.taxis)"
        else { return refusedOpening(setUp, SetUpTexts.changed, visit) }
        guard await isBackedUp(before: "open the service", visit) else {
            return refusedOpening(setUp, SetUpTexts.noBackup, visit)
        }
        let act = try accounts.noting(
            .openService,
            object: "zones \(setUp.zones), taxis \(setUp.taxis)",
            by: signedIn.session,
            at: visit.now
        )
        do {
            _ = try await taxi.dispatch.give(.completeSetup) { _ in [act] }
        } catch Refusal.setupAlreadyComplete {
            return .redirect(to: Address("/console/setup", query: ["notice": "open"]))
        } catch Refusal.nothingSetUp {
            return .redirect(to: Address("/console/setup", query: ["notice": "missing"]))
        }
        await settleActs(visit)
        return .redirect(to: Address("/console/setup", query: ["notice": "opened"]))
    }

    private func refusedOpening(_ setUp: SetUp, _ problem: Text, _ visit: Visit) -> Reply {
        var page = openingPage(setUp, visit, problem)
        page.status = .conflict
        return reply(page, to: visit)
    }
}
