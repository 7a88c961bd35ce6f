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
            .get("/console/setup", as: "setup", for: .administrator, showSetUp)
                .taking([.notice]),
            .post("/console/setup/mail", as: "setup.mail", for: .administrator, sendTestMail)
                .answering(.redirect),
            .get(
                "/console/setup/confirm",
                as: "setup.confirm.form",
                for: .graveAdministrator,
                confirmOpening
            ),
            .post("/console/setup/confirm", as: "setup.confirm", for: .graveAdministrator, open)
                .taking([
                    .set("zones", .identifier, "The number of zones that the page showed."),
                    .set("taxis", .identifier, "The number of taxis that the page showed."),
                ]),
        ]
    }

    private func showSetUp(_ context: RequestContext) async throws -> Response {
        let setUp = try await setUp(context)
        let steps = SetUpStep.allCases.map { setUpItem($0, setUp, context) }
        let done = SetUpStep.allCases.count { setUp.isDone($0) }
        let all = SetUpStep.allCases.count
        var page = Page(
            SetUpTexts.title,
            body: """
                \(setUpNotice(context))
                <h1>\(context.say(SetUpTexts.title))</h1>
                \(HeroNumber(
                    "\(done)",
                    unit: "/ \(all)",
                    label: "\(context.say(SetUpTexts.stepsDone))"
                ).html)
                <progress class="bar" max="\(all)" value="\(done)" \
                aria-label="\(context.say(SetUpTexts.stepsDone))"></progress>
                <p class="lead">\(context.say(lead(setUp)))</p>
                <ol class="set-up">\(steps)</ol>
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    private func lead(_ setUp: SetUp) -> Text {
        if setUp.isOpen { return SetUpTexts.leadOpen }
        return setUp.isReady ? SetUpTexts.leadReady : SetUpTexts.lead(setUp.missing.count)
    }

    private func setUpNotice(_ context: RequestContext) -> HTML? {
        consoleNotice(SetUpTexts.notices, context)
    }

    /// One step: its title, its state and the link or form that completes it.
    private func setUpItem(_ step: SetUpStep, _ setUp: SetUp, _ context: RequestContext) -> HTML {
        let isDone = setUp.isDone(step)
        let state =
            isDone
            ? StateChip(SetUpTexts.done, icon: .check, tone: .good)
            : step.isRequired
                ? StateChip(SetUpTexts.toDo, icon: .edit, tone: .live)
                : StateChip(SetUpTexts.advised, icon: .information, tone: .quiet)
        return """
            <li class="\(isDone ? "done" : "todo")">
            <h2>\(context.say(step.title)) \(state.html(context))</h2>
            <p>\(context.say(SetUpTexts.text(of: step, setUp)))</p>
            \(setUpAction(step, setUp, context))
            </li>
            """
    }

    private func setUpAction(_ step: SetUpStep, _ setUp: SetUp, _ context: RequestContext) -> HTML?
    {
        let link: (Address, Text, Icon)? =
            switch step {
            case .cityFile: nil
            case .zones: (Address("/console/zones"), SetUpTexts.toZones, .area)
            case .drivers: (Address("/console/drivers"), SetUpTexts.toDrivers, .taxi)
            case .policy: (Address("/console/policy"), SetUpTexts.toPolicy, .rules)
            case .tariff: (Address("/console/tariffs"), SetUpTexts.toTariffs, .coin)
            case .mail: nil
            case .opening:
                setUp.isReady
                    ? (Address("/console/setup/confirm"), SetUpTexts.toOpening, .play) : nil
            }
        if let (address, words, icon) = link {
            // The next required step has the primary action; opening comes last.
            let isNext = step == setUp.missing.first
            let button = Button(
                words,
                .link(address),
                look: isNext ? .primary : .secondary,
                icon: icon
            )
            return "<p>\(button.html(context))</p>"
        }
        guard step == .mail, setUp.mail != .noRelay else { return nil }
        var button = Button(SetUpTexts.sendTest, icon: .mail)
        button.busy = CommonTexts.busy
        return """
            <form method="post" action="/console/setup/mail">\(context.formToken)\
            <p>\(button.html(context))</p></form>
            """
    }

    private func sendTestMail(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        // Send one test mail at a time, even if the button is pressed repeatedly.
        if try await setUp(context).mail != .waiting {
            try await accounts.sendTestMail(to: signedIn.session, at: context.now)
        }
        return .redirect(to: Address("/console/setup", query: ["notice": "mail"]))
    }

    private func confirmOpening(_ context: RequestContext) async throws -> Response {
        let setUp = try await setUp(context)
        guard setUp.isReady else {
            return .redirect(to: Address("/console/setup", query: ["notice": notReady(setUp)]))
        }
        return response(openingPage(setUp, context), to: context)
    }

    private func notReady(_ setUp: SetUp) -> String { setUp.isOpen ? "open" : "missing" }

    private func openingPage(
        _ setUp: SetUp,
        _ context: RequestContext,
        _ problem: Text? = nil
    ) -> Page {
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
            "<li>\(context.say(step.title)): \(context.say(SetUpTexts.text(of: step, setUp)))</li>"
        }
        let warning: HTML = """
            <div class="notice warn"><p>\(context.say(SetUpTexts.stillAdvised))</p>\
            <ul>\(advised)</ul></div>
            """
        var page = Page(
            SetUpTexts.openTitle,
            body: """
                <h1>\(context.say(SetUpTexts.openTitle))</h1>
                <p class="lead">\(context.say(SetUpTexts.openLead))</p>
                <dl class="summary">
                \(fact(SetUpStep.zones.title, "\(setUp.zones)", context))
                \(fact(SetUpTexts.taxis, "\(setUp.taxis)", context))
                \(fact(SetUpStep.policy.title, setUp.policy?.policy?.name ?? "", context))
                \(fact(SetUpStep.tariff.title, setUp.tariff?.name ?? "–", context))
                </dl>
                \(HTML.when(!advised.isEmpty, warning))
                <h2>\(context.say(SetUpTexts.consequences))</h2>
                <ul>\(SetUpTexts.opens.map { "<li>\(context.say($0))</li>" as HTML })</ul>
                \(form.html(context))
                """
        )
        page.hasForm = true
        return page
    }

    private func fact(_ label: Text, _ value: String, _ context: RequestContext) -> HTML {
        "<div><dt>\(context.say(label))</dt><dd>\(value)</dd><dd></dd></div>"
    }

    private func open(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let setUp = try await setUp(context)
        guard setUp.isReady else {
            return .redirect(to: Address("/console/setup", query: ["notice": notReady(setUp)]))
        }
        // The confirmation must match what was displayed; entries added since must be reviewed
        // first.
        guard context.form["zones"] == "\(setUp.zones)", context.form["taxis"] == "\(setUp.taxis)"
        else { return refusedOpening(setUp, SetUpTexts.changed, context) }
        guard await isBackedUp(before: "open the service", context) else {
            return refusedOpening(setUp, SetUpTexts.noBackup, context)
        }
        let act = try accounts.noting(
            .openService,
            object: "zones \(setUp.zones), taxis \(setUp.taxis)",
            by: signedIn.session,
            at: context.now
        )
        do {
            _ = try await taxi.dispatch.give(.completeSetup) { _ in [act] }
        } catch Refusal.setupAlreadyComplete {
            return .redirect(to: Address("/console/setup", query: ["notice": "open"]))
        } catch Refusal.nothingSetUp {
            return .redirect(to: Address("/console/setup", query: ["notice": "missing"]))
        }
        await settleActs(context)
        return .redirect(to: Address("/console/setup", query: ["notice": "opened"]))
    }

    private func refusedOpening(
        _ setUp: SetUp,
        _ problem: Text,
        _ context: RequestContext
    ) -> Response {
        var page = openingPage(setUp, context, problem)
        page.status = .conflict
        return response(page, to: context)
    }
}
