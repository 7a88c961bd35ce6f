import Agenda
import Chronology
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import TravelPages
import WebCore

/// The templates of a person's appointments (V36, ST6).
extension CalendarPages {
    var templateRoutes: [Route] {
        [
            .get("/calendar/templates", as: "calendar.templates", for: .person) {
                context,
                person in
                let settings = try await agenda.settings(of: person.person)
                return response(templatesPage(settings.templates, context), to: context)
            }
            .taking([.notice]),
            .get("/calendar/template", as: "calendar.template.form", for: .person) {
                context,
                person in
                let form = try await knownTemplate(context, person)
                return response(templatePage(form, context), to: context)
            }
            .taking([Self.formerName]),
            .post("/calendar/template", as: "calendar.template", for: .person, takeTemplate)
                .taking(Self.templateFields),
            .post(
                "/calendar/template/delete",
                as: "calendar.template.delete",
                for: .person,
                deleteTemplate
            )
            .taking([.set("former", .text(EntryTemplate.nameLimit), "The template.").required])
            .answering(.redirect),
        ]
    }

    private static let formerName = InputField.query(
        "name",
        .text(EntryTemplate.nameLimit),
        "The template that is changed."
    )

    private static let templateFields: [InputField] =
        [
            .set("former", .text(EntryTemplate.nameLimit), "The template that is changed."),
            .typed("name", .text(EntryTemplate.nameLimit), "What the template is called."),
            .set("follow", .choice(["yes", "no"]), "Whether entries made with it change too."),
        ] + .wishes

    /// The template that the address names, as a form; an empty form if it names none.
    private func knownTemplate(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> TemplateForm {
        guard let name = context.query["name"] else { return TemplateForm() }
        let settings = try await agenda.settings(of: person.person)
        guard let template = settings.templates.first(where: { $0.name == name }) else {
            throw Failure.notFound
        }
        return TemplateForm(template)
    }

    // MARK: The list

    private func templatesPage(_ templates: [EntryTemplate], _ context: RequestContext) -> Page {
        let rows = templates.map { template -> Row in
            let address = Address("/calendar/template", query: ["name": template.name])
            return Row(
                .star,
                "\(template.name)",
                detail: "\(facts(template, context))",
                address: address
            )
        }
        let new = Button(
            TemplateTexts.new,
            .link(Address("/calendar/template")),
            look: .primary,
            icon: .plus
        )
        let empty = EmptyState(.star, TemplateTexts.noneTitle, TemplateTexts.none, action: new)
        return Page(
            TemplateTexts.title,
            body: """
                \(consoleNotice(Self.notices, context))
                <h1>\(context.say(TemplateTexts.title))</h1>
                \(templates.isEmpty ? empty.html(context) : """
                    <p class="lead">\(context.say(TemplateTexts.lead))</p>
                    \(Rows(rows).html)
                    <p class="actions">\(new.html(context))</p>
                    """)
                """
        )
    }

    /// What a template asks, in a line.
    private func facts(_ template: EntryTemplate, _ context: RequestContext) -> String {
        let means = template.means.map { $0.inOrder.map(\.text) } ?? [EntryTexts.anyMeans]
        let lead = template.leadMinutes > 0 ? [EntryTexts.leadFact(template.leadMinutes)] : []
        return (means + lead).map(context.say).joined(separator: ", ")
    }

    // MARK: One template

    private func templatePage(
        _ form: TemplateForm,
        asking count: Int = 0,
        _ context: RequestContext
    ) -> Page {
        var all = FormPage(
            action: Address("/calendar/template"),
            fields: fields(form, asking: count),
            button: CommonTexts.save,
            busy: EntryTexts.saving
        )
        all.extra = "<input type=\"hidden\" name=\"former\" value=\"\(form.former)\">"
        let isNew = form.former.isEmpty
        var page = formPage(
            isNew ? TemplateTexts.new : TemplateTexts.edit,
            lead: TemplateTexts.formLead,
            all,
            context
        )
        if !isNew {
            let delete = Button(TemplateTexts.delete, look: .destructive, icon: .bin)
            page.body += """
                <form method="post" action="/calendar/template/delete">\(context.formToken)\
                <input type="hidden" name="former" value="\(form.former)">\
                \(delete.html(context))</form>
                """
        }
        if !form.problems.isEmpty || count > 0 { page.status = .unprocessableContent }
        return page
    }

    private func fields(_ form: TemplateForm, asking count: Int) -> [Field] {
        var fields = [
            Field(
                name: "name",
                label: TemplateTexts.name,
                hint: TemplateTexts.nameHint,
                value: form.name,
                error: form.problems["name"]
            ),
            Field(
                name: "means",
                label: EntryTexts.means,
                kind: TravelMeans.choice(hasRentals: travel.hasRentals, form.means),
                hint: EntryTexts.meansHint,
                value: form.means.value,
                isRequired: false
            ),
            Field(
                name: "lead",
                label: EntryTexts.lead,
                kind: .number,
                value: form.lead,
                error: form.problems["lead"],
                isRequired: false
            ),
            Field(
                name: "category",
                label: EntryTexts.kind,
                kind: EntryCategory.choice,
                value: form.category.rawValue
            ),
            Field(
                name: "belongs",
                label: EntryTexts.belongs,
                kind: Belonging.choice,
                value: form.belongs.rawValue
            ),
        ]
        if count > 0 {
            fields.insert(
                Field(
                    name: "follow",
                    label: TemplateTexts.follow(count),
                    kind: .oneOf([
                        ("yes", TemplateTexts.followYes), ("no", TemplateTexts.followNo),
                    ]),
                    value: "yes"
                ),
                at: 0
            )
        }
        return fields
    }

    private func takeTemplate(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        var form = TemplateForm(context.form)
        var settings = try await agenda.settings(of: person.person)
        let others = settings.templates.filter { $0.name != form.former }
        let template = form.template(besides: others)
        guard let template else { return response(templatePage(form, context), to: context) }
        let users = form.former.isEmpty ? [] : try await entries(madeWith: form.former, of: person)
        guard users.isEmpty || context.form["follow"] != nil else {
            return response(templatePage(form, asking: users.count, context), to: context)
        }
        settings.templates = (others + [template]).sorted { $0.name < $1.name }
        try await agenda.keep(settings, of: person.person)
        if context.form["follow"] == "yes" {
            try await follow(template, users, context, person)
        }
        return .redirect(to: Address("/calendar/templates", query: ["notice": "template"]))
    }

    private func deleteTemplate(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        var settings = try await agenda.settings(of: person.person)
        // Entries that were made with it stay as they are.
        settings.templates.removeAll { $0.name == context.form["former"] }
        try await agenda.keep(settings, of: person.person)
        return .redirect(to: Address("/calendar/templates", query: ["notice": "template-deleted"]))
    }

    /// The entries from today on that were made with a template.
    private func entries(
        madeWith name: String,
        of person: SignedIn
    ) async throws -> [AgendaEntry] {
        let now = Instant(web.now())
        let from = now..<now.adding(seconds: Agenda.lookAheadSeconds)
        return try await agenda.entries(of: person.person).entries.filter { entry in
            guard entry.details(of: nil, zone: agenda.zone)?.template == name else { return false }
            let isOpen = AgendaExcerpt(version: 0, entries: [entry])
                .occurrences(in: from, zone: agenda.zone)
            return !isOpen.isEmpty || entry.details(of: nil, zone: agenda.zone)?.timing == .someday
        }
    }

    /// Lets entries take over what their template says now.
    private func follow(
        _ template: EntryTemplate,
        _ entries: [AgendaEntry],
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws {
        let changes = entries.compactMap { entry -> AgendaChange? in
            guard var details = entry.details(of: nil, zone: agenda.zone) else { return nil }
            details.take(template)
            let calendar = entry.changed(to: details, zone: agenda.zone, at: Instant(context.now))
            return AgendaChange(entry, to: calendar)
        }
        try await refusing { try await agenda.change(changes, of: person.person) }
    }
}

/// What is typed about a template.
private struct TemplateForm {
    /// The name of the template that is changed; empty for a new one.
    var former = ""
    var name = ""
    var means: Set<TravelMeans> = []
    var lead = ""
    var category = EntryCategory.other
    var belongs = Belonging.unsaid
    var problems: [String: Text] = [:]

    init() {}

    init(_ template: EntryTemplate) {
        former = template.name
        name = template.name
        means = template.means ?? []
        lead = template.leadMinutes == 0 ? "" : "\(template.leadMinutes)"
        category = template.category
        belongs = Belonging(isWork: template.isWork)
    }

    init(_ form: Form) {
        former = form["former"] ?? ""
        name = (form["name"] ?? "").trimmingBlanks()
        means = Set(form.all("means").compactMap(TravelMeans.init(rawValue:)))
        lead = (form["lead"] ?? "").trimmingBlanks()
        category = EntryCategory(rawValue: form["category"] ?? "") ?? .other
        belongs = form["belongs"].flatMap(Belonging.init) ?? .unsaid
    }

    /// The template that the form states; nil if something is wrong.
    mutating func template(besides others: [EntryTemplate]) -> EntryTemplate? {
        if name.isEmpty || name.count > EntryTemplate.nameLimit || name.contains(where: \.isNewline)
        {
            problems["name"] = TemplateTexts.badName
        }
        if others.contains(where: { $0.name == name }) { problems["name"] = TemplateTexts.taken }
        if others.count >= EntryTemplate.countLimit { problems["name"] = TemplateTexts.tooMany }
        let minutes = lead.isEmpty ? 0 : lead.count <= 4 ? Int64(lead) : nil
        guard let minutes, (0...EntryDetails.leadLimit).contains(minutes) else {
            problems["lead"] = EntryTexts.leadTooLong
            return nil
        }
        guard problems.isEmpty else { return nil }
        var template = EntryTemplate(name)
        template.means = means.isEmpty ? nil : means
        template.leadMinutes = minutes
        template.category = category
        template.isWork = belongs.isWork
        return template
    }
}
