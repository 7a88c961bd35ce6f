import Agenda
import DayPlanning
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import OpenData
import TaxiPages
import WebCore

/// What is typed to import a calendar.
struct ImportForm {
    var address = ""
    /// What is wrong, by field.
    var problems: [String: Text] = [:]
}

/// Importing calendars from files and addresses.
extension CalendarPages {
    /// The largest file in megabytes.
    private static let megabytes = CalendarImport.bytesLimit >> 20
    /// What a form has besides the file, in bytes.
    private static let formBytes = 1 << 16
    /// How many lines are listed that were not used.
    private static let linesLimit = 50

    var importRoutes: [Route] {
        [
            .post(
                "/calendar/exchange",
                as: "calendar.import",
                for: .person,
                bodyLimit: CalendarImport.bytesLimit + Self.formBytes,
                importCalendar
            )
            .taking([
                .typed("file", .file(CalendarImport.bytesLimit), "A file of calendars."),
                .typed(
                    "address",
                    .text(CalendarAddress.lengthLimit),
                    "The address of a calendar, which is read once."
                ),
            ])
        ]
    }

    /// The form of the import.
    func importForm(_ form: ImportForm) -> FormPage {
        var page = FormPage(
            action: Address("/calendar/exchange"),
            fields: [
                Field(
                    name: "file",
                    label: ImportingTexts.file,
                    kind: .file(accept: ".ics,.ical,text/calendar"),
                    hint: ImportingTexts.fileHint(Self.megabytes, CalendarImport.entriesLimit),
                    error: form.problems["file"],
                    isRequired: false
                ),
                Field(
                    name: "address",
                    label: ImportingTexts.address,
                    hint: ImportingTexts.addressHint,
                    value: form.address,
                    error: form.problems["address"],
                    isRequired: false
                ),
            ],
            button: ImportingTexts.button,
            busy: ImportingTexts.busy
        )
        for index in page.fields.indices { page.fields[index].hidesOptional = true }
        page.fields[1].icon = .link
        page.hasFiles = true
        return page
    }

    private func importCalendar(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        var form = ImportForm(address: (context.form["address"] ?? "").trimmingBlanks())
        let file = context.form.file("file").map(\.bytes).flatMap { $0.isEmpty ? nil : $0 }
        let bytes: [UInt8]
        switch (file, form.address.isEmpty) {
        case (let file?, true): bytes = file
        case (nil, false):
            do throws(CalendarFetcher.Failure) {
                bytes = try await exchange.fetcher.fetch(
                    form.address,
                    for: person.person
                )
            } catch {
                form.problems["address"] = error.words(megabytes: Self.megabytes)
                return try await refused(form, person, context)
            }
        case (nil, true):
            form.problems["file"] = ImportingTexts.nothing
            return try await refused(form, person, context)
        case (_?, false):
            form.problems["address"] = ImportingTexts.both
            return try await refused(form, person, context)
        }
        let field = file == nil ? "address" : "file"
        do {
            let found = try await Self.read(bytes, zone: agenda.zone)
            let merge = try await agenda.merge(found.calendars, of: person.person)
            var done = response(imported(found, merge, context), to: context)
            done.repeated = Address("/calendar/exchange", query: ["notice": "imported"])
            return done
        } catch let failure as CalendarImport.Failure {
            form.problems[field] = failure.words(megabytes: Self.megabytes)
        } catch AgendaFailure.tooManyEntries(let limit) {
            form.problems[field] = ImportingTexts.calendarFull(limit)
        }
        return try await refused(form, person, context)
    }

    /// Reads a file away from the thread of the request.
    @concurrent
    private static func read(
        _ bytes: [UInt8],
        zone: NamedZone
    ) async throws(CalendarImport.Failure) -> CalendarImport {
        try CalendarImport(bytes, zone: zone, leavingOut: JourneyEvents.mark)
    }

    private func refused(
        _ form: ImportForm,
        _ person: SignedIn,
        _ context: RequestContext
    ) async throws -> Response {
        var page = try await exchangePage(form, of: person.person, context)
        page.status = .unprocessableContent
        return response(page, to: context)
    }

    // MARK: What became of it

    private func imported(
        _ found: CalendarImport,
        _ merge: AgendaMerge,
        _ context: RequestContext
    ) -> Page {
        let isEmpty = found.calendars.isEmpty
        let title = isEmpty ? ImportedTexts.empty : ImportedTexts.title
        func row(_ icon: Icon, _ text: Text, _ count: Int, hint: Text? = nil) -> Row {
            Row(
                icon,
                "\(context.say(text))",
                detail: hint.map { "\(context.say($0))" },
                value: "<b>\(count)</b>"
            )
        }
        var rows: [Row] = []
        if !isEmpty {
            rows = [
                row(.plus, ImportedTexts.added, merge.addedCount),
                row(.refresh, ImportedTexts.replaced, merge.replacedCount),
            ]
        }
        if found.journeyCount > 0 {
            rows.append(
                row(
                    .route,
                    ImportedTexts.journeys,
                    found.journeyCount,
                    hint: ImportedTexts.journeysHint
                )
            )
        }
        if !found.omissions.isEmpty {
            rows.append(row(.warning, ImportedTexts.omitted, found.omissions.count))
        }
        let none: HTML = "<p class=\"lead\">\(context.say(ImportedTexts.noEvents))</p>"
        let calendar = Button(
            ImportedTexts.toCalendar,
            .link(Address("/calendar/list")),
            look: .primary,
            icon: .calendar
        )
        let back = Button(ExchangeTexts.title, .link(Address("/calendar/exchange")))
        return Page(
            title,
            body: """
                <h1>\(context.say(title))</h1>
                \(HTML.when(rows.isEmpty, none))\(HTML.when(!rows.isEmpty, Rows(rows).html))
                \(omissions(found.omissions, context))
                <p class="actions">\(calendar.html(context))\(back.html(context))</p>
                """
        )
    }

    /// The lines that were not used, with the reasons.
    private func omissions(
        _ omissions: [CalendarImport.Omission],
        _ context: RequestContext
    ) -> HTML? {
        guard !omissions.isEmpty else { return nil }
        let items = omissions.prefix(Self.linesLimit).map { omission -> HTML in
            "<li>\(context.say(ImportedTexts.omission(omission.line, omission.reason.words)))</li>"
        }
        let rest = omissions.count - items.count
        let more: HTML = "<p>\(context.say(ImportedTexts.more(rest)))</p>"
        return Card(
            "\(context.say(ImportedTexts.omitted))",
            content: "<ul>\(items)</ul>\(HTML.when(rest > 0, more))"
        ).html
    }
}
