import Agenda
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

/// How far, how long and for how much a person travels by single means (V75).
extension CalendarPages {
    var limitRoutes: [Route] {
        [
            .get("/calendar/limits", as: "calendar.limits.form", for: .person) { context, person in
                let settings = try await agenda.settings(of: person.person)
                return response(limitsPage(settings, ModeLimitInput(), [:], context), to: context)
            }
            .taking([.notice]),
            .post("/calendar/limits", as: "calendar.limits", for: .person, takeLimit)
                .taking(ModeLimitInput.inputs),
            .post(
                "/calendar/limits/remove",
                as: "calendar.limits.remove",
                for: .person,
                removeLimit
            )
            .taking([
                .set("limit", .text(ModeLimitInput.textLimit), "The limit.").required
            ])
            .answering(.redirect),
        ]
    }

    private static let limitNotices: [String: Text] = ["saved": LimitsTexts.saved]

    private func limitsPage(
        _ settings: TravelSettings,
        _ input: ModeLimitInput,
        _ problems: [String: Text],
        _ context: RequestContext
    ) -> Page {
        let all = FormPage(
            action: Address("/calendar/limits"),
            // People open this page to add a limit, so "no further limit" is not offered here.
            fields: input.fields(problems, none: LimitsTexts.choose),
            button: CommonTexts.save,
            busy: EntryTexts.saving
        )
        let rows = settings.modeLimits.compactMap { ModeLimit($0) }.map { limit -> HTML in
            let text = context.say(TravelPages.words(limit))
            let remove = "\(context.say(LimitsTexts.remove)): \(text)"
            return """
                <li class="row">\(Icon.rules.html)<b>\(text)</b>\
                <form method="post" action="/calendar/limits/remove">\(context.formToken)\
                <input type="hidden" name="limit" value="\(limit.text)">\
                <button class="plain round" title="\(remove)">\(Icon.bin.html)\
                <span class="hidden">\(remove)</span></button></form></li>
                """
        }
        let known: HTML = """
            <section><h2>\(context.say(LimitsTexts.known))</h2>\
            <ul class="rows">\(rows)</ul></section>
            """
        var page = formPage(LimitsTexts.title, lead: LimitsTexts.lead, all, context)
        page.body = """
            \(consoleNotice(Self.limitNotices, context))
            \(page.body)
            \(HTML.when(!rows.isEmpty, known))
            <p><a href="/calendar/settings">\(context.say(CalendarTexts.settings))</a></p>
            """
        if !problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    private func takeLimit(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        var settings = try await agenda.settings(of: person.person)
        let input = ModeLimitInput(context.form)
        var problems: [String: Text] = [:]
        let limit = input.limit(in: travel.limitCurrency(context), &problems)
        if limit == nil, problems.isEmpty { problems["limit-mode"] = LimitsTexts.noMode }
        if let limit, !settings.modeLimits.contains(limit.text) {
            if settings.modeLimits.count >= ModeLimit.countLimit {
                problems["limit-mode"] = LimitsTexts.tooMany(Int64(ModeLimit.countLimit))
            } else {
                settings.modeLimits.append(limit.text)
            }
        }
        guard problems.isEmpty else {
            return response(limitsPage(settings, input, problems, context), to: context)
        }
        try await agenda.keep(settings, of: person.person)
        return leavingLimits(context)
    }

    private func removeLimit(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        var settings = try await agenda.settings(of: person.person)
        settings.modeLimits.removeAll { $0 == context.form["limit"] }
        try await agenda.keep(settings, of: person.person)
        return leavingLimits(context)
    }

    private func leavingLimits(_ context: RequestContext) -> Response {
        let saved = Response.redirect(to: Address("/calendar/limits", query: ["notice": "saved"]))
        return forgettingTravel(saved, context)
    }
}
