import Agenda
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

/// Where a person's days end, by weekday: the next day begins there.
extension CalendarPages {
    var baseRoutes: [Route] {
        [
            .get("/calendar/bases", as: "calendar.bases.form", for: .person) { context, person in
                let settings = try await agenda.settings(of: person.person)
                return response(basesPage(settings, BaseForm(), context), to: context)
            }
            .taking([.notice]),
            .post("/calendar/bases", as: "calendar.bases", for: .person, takeBase)
                .taking(.place)
                .taking([.set("weekday", .choice(BaseForm.weekdays.map(\.value)), "The weekday.")]),
            .post("/calendar/bases/remove", as: "calendar.bases.remove", for: .person) {
                context,
                person in
                var settings = try await agenda.settings(of: person.person)
                guard let weekday = context.form["weekday"].flatMap({ Int($0) }) else {
                    throw Failure.badField("weekday")
                }
                settings.weekdayBases[weekday] = nil
                try await agenda.keep(settings, of: person.person)
                return Self.basesSaved
            }
            .taking([
                .set("weekday", .choice(BaseForm.weekdays.map(\.value)), "The weekday.").required
            ])
            .answering(.redirect),
        ]
    }

    private static let basesNotices: [String: Text] = ["saved": BaseTexts.saved]
    private static let basesSaved = Response.redirect(
        to: Address("/calendar/bases", query: ["notice": "saved"])
    )

    private func basesPage(
        _ settings: TravelSettings,
        _ form: BaseForm,
        _ context: RequestContext
    ) -> Page {
        let weekday = Field(
            name: "weekday",
            label: BaseTexts.weekday,
            kind: .choice(BaseForm.weekdays),
            value: form.weekday
        )
        var all = FormPage(
            action: Address("/calendar/bases"),
            fields: [weekday]
                + form.place.fields(
                    BaseTexts.place,
                    BaseTexts.placeHint,
                    isRequired: true,
                    form.problems
                ),
            button: CommonTexts.save,
            busy: EntryTexts.saving
        )
        all.extra = "\(form.place.hidden)"
        let known = settings.weekdayBases.sorted { $0.key < $1.key }
        let rows = known.compactMap { weekday, place -> Row? in
            guard LaterTexts.weekdays.indices.contains(weekday) else { return nil }
            let name = context.say(LaterTexts.weekdays[weekday])
            return Row(
                .home,
                """
                <span>\(name): \(shortPlace(place.name))</span>
                <form method="post" action="/calendar/bases/remove">\(context.formToken)\
                <input type="hidden" name="weekday" value="\(weekday)">\
                <button class="plain">\(context.say(BaseTexts.remove))\
                <span class="hidden"> (\(name))</span></button></form>
                """
            )
        }
        var page = formPage(BaseTexts.title, lead: BaseTexts.lead, all, context)
        page.body = """
            \(consoleNotice(Self.basesNotices, context))
            \(page.body)
            \(rows.isEmpty ? nil : """
                <section><h2>\(context.say(BaseTexts.known))</h2>\(Rows(rows).html)</section>
                """ as HTML)
            \(locatingScript(allowedMetres: -1, context))
            """
        if !form.problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    private func takeBase(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        var settings = try await agenda.settings(of: person.person)
        var form = BaseForm(context.form)
        let place = typedSpot(&form.place, context, &form.problems)
        if form.place.text.isEmpty { form.problems["place"] = EntryTexts.unknownPlace }
        if settings.base == nil { form.problems["place"] = BaseTexts.noBase }
        guard let place, form.problems.isEmpty, let weekday = Int(form.weekday) else {
            return response(basesPage(settings, form, context), to: context)
        }
        settings.weekdayBases[weekday] = place
        try await agenda.keep(settings, of: person.person)
        return Self.basesSaved
    }
}

/// What is typed about where a weekday ends.
private struct BaseForm {
    var weekday = "0"
    var place = PlaceInput()
    var problems: [String: Text] = [:]

    /// The weekdays to choose from, Monday first.
    static let weekdays: [(value: String, label: Text)] =
        LaterTexts.weekdays.enumerated().map { ("\($0)", $1) }

    init() {}

    init(_ form: Form) {
        weekday = form["weekday"] ?? weekday
        place = PlaceInput(form)
    }
}
