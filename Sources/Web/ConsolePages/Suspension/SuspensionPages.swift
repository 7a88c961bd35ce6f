import Dispatching
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// The suspension of the obligation to serve (R12): any staff member, at any time, with a
    /// reason.
    var suspensionRoutes: [Route] {
        [
            .get("/console/suspension", as: "suspension.show", for: .staff, showSuspension)
                .taking([.notice]),
            .post("/console/suspension", as: "suspension.check", for: .staff, checkSuspension)
                .taking(Self.suspensionFields)
                .repeated(because: "it shows what would happen, and changes nothing"),
            .post("/console/suspension/begin", as: "suspension.begin", for: .staff, beginSuspension)
                .taking(Self.suspensionFields),
            .post("/console/suspension/end", as: "suspension.end", for: .staff, endSuspension)
                .answering(.redirect),
        ]
    }

    private static var suspensionFields: [InputField] {
        let reasons = Language.allCases.map { language in
            InputField.typed(
                reasonField(language),
                .text(200),
                "Why the service is suspended, in the language \(language.rawValue)."
            )
        }
        return reasons + [.typed("until", .text(40), "Until when, in the city's time zone.")]
    }

    /// The name of the field for the reason in a language.
    private static func reasonField(_ language: Language) -> String {
        "reason_\(language.rawValue)"
    }

    private struct Now: Sendable {
        var isOpen: Bool
        var reason: String?
        /// The number of waiting requests, which a suspension ends.
        var waiting: Int
        /// The number of reservations, which a suspension leaves in place.
        var reserved: Int
        /// The number of rides in progress, which continue.
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

    private func showSuspension(_ context: RequestContext) async throws -> Response {
        let now = try await now()
        guard now.isOpen else {
            return response(suspensionMessage(SuspensionTexts.notOpen, context), to: context)
        }
        let page =
            now.reason.map { liftPage(SuspensionNotice(line: $0), now, context) }
            ?? suspendPage(nil, now, context)
        return response(page, to: context)
    }

    private func suspensionMessage(_ words: Text, _ context: RequestContext) -> Page {
        Page(
            SuspensionTexts.title,
            body: """
                <h1>\(context.say(SuspensionTexts.title))</h1>
                <p class="lead">\(context.say(words))</p>
                <p><a class="button" href="/console">\(context.say(CommonTexts.console))</a></p>
                """
        )
    }

    private func suspensionNotice(_ context: RequestContext) -> HTML? {
        consoleNotice(SuspensionTexts.notices, context)
    }

    private func suspendPage(_ wrong: Wrong?, _ now: Now, _ context: RequestContext) -> Page {
        let missing = wrong == .noReason ? SuspensionTexts.reasonMissing : nil
        let reasons = Language.allCases.enumerated().map { place, language in
            Field(
                name: Self.reasonField(language),
                label: SuspensionTexts.reasonIn(language.ownName),
                hint: place == 0 ? SuspensionTexts.reasonHint : nil,
                value: context.form[Self.reasonField(language)] ?? "",
                error: missing,
                isRequired: false
            )
        }
        let form = FormPage(
            action: Address("/console/suspension"),
            fields: reasons + [
                Field(
                    name: "until",
                    label: SuspensionTexts.until,
                    kind: .moment,
                    hint: SuspensionTexts.untilHint,
                    value: context.form["until"] ?? "",
                    error: wrong == .badTime ? SuspensionTexts.badUntil : nil,
                    isRequired: false
                )
            ],
            button: SuspensionTexts.check,
            busy: CommonTexts.busy
        )
        let lead = SuspensionTexts.lead(now.waiting, now.reserved)
        var page = formPage(SuspensionTexts.title, icon: .stop, lead: lead, form, context)
        page.body = "\(suspensionNotice(context))\(page.body)"
        return page
    }

    private func liftPage(_ notice: SuspensionNotice, _ now: Now, _ context: RequestContext) -> Page
    {
        let form = FormPage(
            action: Address("/console/suspension/end"),
            fields: [],
            button: SuspensionTexts.lift,
            busy: CommonTexts.busy
        )
        var dialog = Dialog(SuspensionTexts.isSuspended, icon: .stop)
        dialog.content = """
            \(Notice(.error, "\(notice.html(in: context.language))").html(context))
            \(until(notice, context))
            <p>\(context.say(SuspensionTexts.lifting(now.reserved)))</p>
            \(form.html(context))
            """
        var page = Page(
            SuspensionTexts.title,
            body: "\(suspensionNotice(context))\(dialog.html(context))"
        )
        page.hasForm = true
        return page
    }

    /// The errors in the form.
    private enum Wrong: Error {
        case noReason
        case badTime
    }

    /// The reason as the start page will show it.
    private func notice(_ context: RequestContext) -> Result<SuspensionNotice, Wrong> {
        let reasons = Language.allCases.map { language in
            (language, context.form[Self.reasonField(language)] ?? "")
        }
        var notice = SuspensionNotice(Dictionary(uniqueKeysWithValues: reasons))
        if notice.isEmpty { return .failure(.noReason) }
        if let text = context.form["until"]?.trimmingBlanks(), !text.isEmpty {
            notice.until = web.settings.zoneTable.moment(written: text)
            guard let until = notice.until, until > context.now else { return .failure(.badTime) }
        }
        return .success(notice)
    }

    /// Previews the effects of a suspension.
    private func checkSuspension(_ context: RequestContext) async throws -> Response {
        let now = try await now()
        guard now.isOpen, now.reason == nil else {
            return .redirect(to: Address("/console/suspension"))
        }
        let notice: SuspensionNotice
        switch self.notice(context) {
        case .success(let read): notice = read
        case .failure(let wrong):
            var page = suspendPage(wrong, now, context)
            page.status = .unprocessableContent
            return response(page, to: context)
        }
        let suspend: HTML = """
            <button class="primary danger" data-busy="\(context.say(CommonTexts.busy))">\
            \(Icon.stop.html) <span>\(context.say(SuspensionTexts.suspend))</span></button>
            """
        let reasons = Language.allCases.map { language -> HTML in
            """
            <input type="hidden" name="\(Self.reasonField(language))" \
            value="\(notice.reasons[language])">
            """
        }
        let form: HTML = """
            <form class="fields" method="post" action="/console/suspension/begin">
            \(context.formToken)
            \(HTML.joined(reasons))
            <input type="hidden" name="until" value="\(context.form["until"] ?? "")">
            <p class="actions">\(suspend) \
            \(Button(SuspensionTexts.back, .link(Address("/console/suspension"))).html(context))</p>
            \(context.languageButtons(Address("/console/suspension")))
            </form>
            """
        let icons: [Icon] = [.close, .calendar, .taxi, .stop]
        let effects = SuspensionTexts.effects(now.waiting, now.reserved, now.riding)
        let rows = zip(icons, effects).map { Row($0, "\(context.say($1))") }
        var dialog = Dialog(SuspensionTexts.confirm, icon: .warning)
        dialog.isBad = true
        dialog.content = """
            \(Notice(.error, "\(notice.html(in: context.language))").html(context))
            \(until(notice, context))
            \(Rows(rows).html)
            \(form)
            """
        var page = Page(SuspensionTexts.confirm, body: dialog.html(context))
        page.hasForm = true
        return response(page, to: context)
    }

    private func beginSuspension(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        guard case .success(let notice) = notice(context) else {
            return .redirect(to: Address("/console/suspension"))
        }
        let act = try accounts.noting(
            .suspendService,
            object: notice.line,
            by: signedIn.session,
            at: context.now
        )
        do {
            _ = try await taxi.dispatch.give(.suspend(reason: notice.line)) { _ in [act] }
        } catch Refusal.suspended {
            // Someone else suspended the service first: show the page with the reason in force.
            return .redirect(to: Address("/console/suspension"))
        }
        await settleActs(context)
        return .redirect(to: Address("/console/suspension", query: ["notice": "suspended"]))
    }

    private func endSuspension(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        let act = try accounts.noting(.resumeService, by: signedIn.session, at: context.now)
        do {
            _ = try await taxi.dispatch.give(.resume) { _ in [act] }
        } catch Refusal.notSuspended {
            return .redirect(to: Address("/console/suspension"))
        }
        await settleActs(context)
        return .redirect(to: Address("/console/suspension", query: ["notice": "resumed"]))
    }
}
