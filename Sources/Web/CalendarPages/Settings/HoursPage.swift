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

/// The hours in which a person does not use some means, and whether the person cycles in the rain
/// (V70, V72).
extension CalendarPages {
    var hoursRoutes: [Route] {
        [
            .get("/calendar/hours", as: "calendar.hours.form", for: .person) { context, person in
                let settings = try await agenda.settings(of: person.person)
                return response(hoursPage(settings, HoursForm(settings), context), to: context)
            }
            .taking([.notice]),
            .post("/calendar/hours", as: "calendar.hours", for: .person, takeHours)
                .taking([
                    .set("rain", .several(.choice(["dry"]), 1), "Whether nobody cycles in rain."),
                    .set("avoid", .choice(TravelPages.avoidable.map(\.value)), "The means."),
                    .typed("avoid-from", .text(5), "The first hour."),
                    .typed("avoid-to", .text(5), "The last hour."),
                ]),
            .post("/calendar/hours/remove", as: "calendar.hours.remove", for: .person, removeHours)
                .taking([.set("rule", .text(Self.ruleBytes), "The rule.").required])
                .answering(.redirect),
        ]
    }

    /// The longest rule as the trip planner writes it.
    private static let ruleBytes = 40

    private static let hoursNotices: [String: Text] = ["saved": HoursTexts.saved]

    private func hoursPage(
        _ settings: TravelSettings,
        _ form: HoursForm,
        _ context: RequestContext
    ) -> Page {
        let all = FormPage(
            action: Address("/calendar/hours"),
            fields: form.fields,
            button: CommonTexts.save,
            busy: EntryTexts.saving
        )
        let rows = settings.avoidedHours.compactMap { ModeHours($0) }.map { rule -> Row in
            let text = context.say(TravelPages.words(rule))
            let name = context.say(TravelPages.name(of: rule.mode))
            return Row(
                .clock,
                """
                <span>\(name): \(text)</span>
                <form method="post" action="/calendar/hours/remove">\(context.formToken)\
                <input type="hidden" name="rule" value="\(rule.text)">\
                <button class="plain">\(context.say(HoursTexts.remove))\
                <span class="hidden"> (\(name): \(text))</span></button></form>
                """
            )
        }
        var page = formPage(HoursTexts.title, lead: HoursTexts.lead, all, context)
        page.body = """
            \(consoleNotice(Self.hoursNotices, context))
            \(page.body)
            \(rows.isEmpty ? nil : """
                <section><h2>\(context.say(HoursTexts.known))</h2>\(Rows(rows).html)</section>
                """ as HTML)
            """
        if !form.problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    private func takeHours(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        var settings = try await agenda.settings(of: person.person)
        var form = HoursForm(context.form)
        settings.avoidsRain = form.avoidsRain
        if let rule = form.rule, !settings.avoidedHours.contains(rule.text) {
            if settings.avoidedHours.count >= TravelSettings.avoidedLimit {
                form.problems["avoid"] = HoursTexts.tooMany(TravelSettings.avoidedLimit)
            }
            settings.avoidedHours.append(rule.text)
        }
        guard form.problems.isEmpty else {
            let known = try await agenda.settings(of: person.person)
            return response(hoursPage(known, form, context), to: context)
        }
        try await agenda.keep(settings, of: person.person)
        return .redirect(to: Address("/calendar/hours", query: ["notice": "saved"]))
    }

    private func removeHours(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        var settings = try await agenda.settings(of: person.person)
        settings.avoidedHours.removeAll { $0 == context.form["rule"] }
        try await agenda.keep(settings, of: person.person)
        return .redirect(to: Address("/calendar/hours", query: ["notice": "saved"]))
    }
}

/// What is typed about hours and rain.
private struct HoursForm {
    var avoidsRain: Bool
    var mode = ""
    var from = ""
    var to = ""
    var problems: [String: Text] = [:]

    init(_ settings: TravelSettings) {
        avoidsRain = settings.avoidsRain
    }

    init(_ form: Form) {
        avoidsRain = form.all("rain").contains("dry")
        mode = form["avoid"] ?? ""
        from = String((form["avoid-from"] ?? "").trimmingBlanks().prefix(5))
        to = String((form["avoid-to"] ?? "").trimmingBlanks().prefix(5))
        if !mode.isEmpty, rule == nil { problems["avoid-from"] = RulesTexts.badHours }
        if mode.isEmpty, !(from.isEmpty && to.isEmpty) { problems["avoid"] = HoursTexts.noMeans }
    }

    /// The rule; nil if none is typed, or it is malformed.
    var rule: ModeHours? {
        mode.isEmpty ? nil : ModeHours(mode: mode, from: from, to: to)
    }

    var fields: [Field] {
        var fields =
            [TravelPages.rainField(avoidsRain)]
            + TravelPages.hourFields(
                TravelPages.avoidable,
                mode: mode,
                from: from,
                to: to,
                problems
            )
        for index in fields.indices { fields[index].hidesOptional = true }
        return fields
    }
}
