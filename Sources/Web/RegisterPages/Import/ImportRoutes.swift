import Chronology
import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension RegisterPages {
    /// Imports tables from a previous system in three steps: upload, dry run, confirmation (R8,
    /// R10).
    var consoleImportRoutes: [Route] {
        [
            .get("/console/import", as: "import.kinds", for: .graveAdministrator) {
                response(importOverview($0), to: $0)
            }
            .taking([.query("entered", .identifier, "How many rows were entered.")]),
            .get("/console/import/{kind}", as: "import.upload.form", for: .graveAdministrator) {
                let kind = try kind(in: $0)
                return response(try await closedPage(kind, $0) ?? uploadPage(kind, $0), to: $0)
            }
            .taking([.kind, .notice])
            .failing(.conflict),
            .post(
                "/console/import/{kind}",
                as: "import.upload",
                for: .graveAdministrator,
                bodyLimit: Self.tableLimit,
                upload
            )
            .taking([.kind, .typed("table", .file(nil), "A table as CSV.")]),
            .get(
                "/console/import/{kind}/template.csv",
                as: "import.template",
                for: .staff,
                template
            )
            .taking([.kind])
            .answering(.file("text/csv")),
            .get(
                "/console/import/{kind}/file/{upload}",
                as: "import.preview",
                for: .graveAdministrator,
                tryImport
            )
            .taking([.kind, .upload, .notice])
            .answering(.page, .redirect)
            .failing(.conflict),
            .post(
                "/console/import/{kind}/file/{upload}",
                as: "import.enter",
                for: .graveAdministrator,
                doImport
            )
            .taking([
                .kind,
                .upload,
                .set(
                    "mode",
                    .choice(["good", "all"]),
                    "Whether the good rows of a table with errors are entered."
                ),
                .invite,
            ]),
        ]
    }

    /// The maximum size of an uploaded table in bytes, including the rest of its form: slightly
    /// more than 16 MiB.
    private static let tableLimit = 16 * 1_024 * 1_024 + 65_536
    /// The maximum number of invalid rows on a page; these should be fixed before the others.
    private static let linesShown = 1_000

    private func kind(in context: RequestContext) throws(Failure) -> ImportKind {
        guard let kind = context.parameters["kind"].flatMap(ImportKind.init(rawValue:)) else {
            throw .notFound
        }
        return kind
    }

    /// The page that explains why drivers cannot be imported: the policy requires self-registration
    /// (C13).
    private func closedPage(_ kind: ImportKind, _ context: RequestContext) async throws -> Page? {
        guard kind == .drivers, try await !mayEnterDrivers() else { return nil }
        return noEntryPage(context)
    }

    private func importOverview(_ context: RequestContext) -> Page {
        let rows = ImportKind.allCases.map { kind in
            Row(
                kind.icon,
                "\(context.say(kind.title))",
                detail: "\(context.say(kind.lead))",
                address: Address("/console/import", kind.rawValue)
            )
        }
        return Page(
            ImportTexts.title,
            body: """
                \(importNotice(context))
                <h1>\(context.say(ImportTexts.title))</h1>
                <p class="lead">\(context.say(ImportTexts.lead))</p>
                \(Rows(rows).html)
                <p><a href="/dashboard">\(context.say(DriverListTexts.back))</a></p>
                """
        )
    }

    /// The number of imported rows, shown after an import.
    func importNotice(_ context: RequestContext) -> HTML? {
        guard let count = context.query["entered"].flatMap({ Int($0) }), count > 0 else {
            return nil
        }
        let text = context.say(ImportTexts.entered(count))
        return "<div class=\"notice good\" role=\"status\"><p>\(text)</p></div>"
    }

    private func uploadPage(
        _ kind: ImportKind,
        _ context: RequestContext,
        _ problem: Text? = nil
    ) -> Page {
        var form = FormPage(
            action: Address("/console/import", kind.rawValue),
            fields: [
                Field(
                    name: "table",
                    label: ImportTexts.file,
                    kind: .file(accept: ".csv,text/csv"),
                    hint: ImportTexts.fileHint,
                    error: problem
                )
            ],
            button: ImportTexts.check,
            busy: ImportTexts.checking
        )
        form.hasFiles = true
        let rows = kind.columns.map { column -> [HTML] in
            let needed = column.isRequired ? ImportTexts.required : ImportTexts.mayMiss
            return [
                "<code>\(column.name)</code>", "\(context.say(column.meaning))",
                "\(context.say(needed))", "\(column.example)",
            ]
        }
        let heads = [
            ImportTexts.column, ImportTexts.meaning, ImportTexts.needed, ImportTexts.example,
        ]
        let table = DataTable(
            caption: ImportTexts.caption,
            heads.map { DataTable.Column($0) },
            rows: rows
        )
        var page = formPage(kind.title, lead: kind.lead, form, context)
        if context.query["notice"] == "gone" {
            page.body = "<p class=\"notice warn\">\(context.say(ImportTexts.gone))</p>" + page.body
        }
        page.body += """
            <h2>\(context.say(ImportTexts.columns))</h2>
            <p><a href=\(Address("/console/import", kind.rawValue, "template.csv")) download>\
            \(context.say(ImportTexts.template))</a></p>
            \(table.html(context))
            <p><a href=\(kind.back)>\(context.say(ImportTexts.back))</a></p>
            """
        if problem != nil { page.status = .unprocessableContent }
        return page
    }

    private func template(_ context: RequestContext) throws -> Response {
        let names = try kind(in: context).columns.map(\.name).joined(separator: ",")
        return .download(Array((names + "\r\n").utf8), type: "text/csv", name: "template.csv")
    }

    private func upload(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let kind = try kind(in: context)
        if let closed = try await closedPage(kind, context) { return response(closed, to: context) }
        guard let file = context.form.file("table"), !file.bytes.isEmpty else {
            return response(uploadPage(kind, context, ImportTexts.noFile), to: context)
        }
        do {
            // Reject a file that cannot be parsed before storing it.
            _ = try CSVTable(file.bytes)
        } catch {
            return response(uploadPage(kind, context, error.text), to: context)
        }
        let name = uploads.keep(file.bytes, of: signedIn.person, at: context.now)
        return .redirect(to: Address("/console/import", kind.rawValue, "file", name))
    }

    /// The uploaded file; nil if it has expired or is on another server.
    private func table(
        _ context: RequestContext,
        of owner: PersonNumber
    ) -> (name: String, bytes: [UInt8])? {
        let name = context.parameters["upload"] ?? ""
        return uploads.find(name, of: owner, at: context.now).map { (name, $0) }
    }

    private func sendAgain(_ kind: ImportKind) -> Response {
        .redirect(to: Address("/console/import", kind.rawValue, query: ["notice": "gone"]))
    }

    private func run(
        _ kind: ImportKind,
        _ bytes: [UInt8],
        _ mode: ImportMode,
        by session: Session,
        _ context: RequestContext
    ) async throws -> ImportOutcome {
        let invites = context.form["invite"] == "yes"
        return switch kind {
        case .drivers:
            ImportOutcome(
                try await accountRules().drivers.importTable(
                    bytes,
                    mode,
                    invites: invites,
                    by: session,
                    at: context.now
                )
            )
        case .passengers:
            ImportOutcome(
                try await accounts.importPassengers(
                    bytes,
                    mode,
                    invites: invites,
                    by: session,
                    at: context.now
                )
            )
        case .reservations: try await reservations(bytes, mode, by: session, at: context.now)
        case .rides:
            try await importRides(bytes, mode, by: session, at: context.now)
        }
    }

    /// Imports reservations if this server runs the dispatcher.
    private func reservations(
        _ bytes: [UInt8],
        _ mode: ImportMode,
        by session: Session,
        at now: Moment
    ) async throws -> ImportOutcome {
        do {
            return try await importReservations(bytes, mode, by: session, at: now)
        } catch DispatchService.Failure.notServing {
            throw Failure.busy(retryAfter: Self.takeOverSeconds)
        } catch TaxiService.Failure.notServing {
            throw Failure.busy(retryAfter: Self.takeOverSeconds)
        }
    }

    /// The number of seconds within which another server takes over or hands over the dispatcher.
    private static let takeOverSeconds = 5

    private func tryImport(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response
    {
        let kind = try kind(in: context)
        if let closed = try await closedPage(kind, context) { return response(closed, to: context) }
        guard let (name, bytes) = table(context, of: signedIn.person) else {
            return sendAgain(kind)
        }
        do {
            let report = try await run(kind, bytes, .dryRun, by: signedIn.session, context)
            return response(reportPage(kind, name, report, context), to: context)
        } catch let bad as BadTable {
            return response(uploadPage(kind, context, bad.text), to: context)
        }
    }

    private func doImport(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response
    {
        let kind = try kind(in: context)
        if let closed = try await closedPage(kind, context) { return response(closed, to: context) }
        guard let (name, bytes) = table(context, of: signedIn.person) else {
            return sendAgain(kind)
        }
        let mode = context.form["mode"] == "good" ? ImportMode.acceptGood : .allOrNothing
        try await backup(before: "importing \(kind.rawValue)", context)
        let report = try await run(kind, bytes, mode, by: signedIn.session, context)
        guard report.entered > 0 else {
            return response(reportPage(kind, name, report, context), to: context)
        }
        uploads.forget(name)
        if kind == .drivers { await tellDispatcher(context) }
        let count = "\(report.entered)"
        return switch kind {
        case .drivers: .redirect(to: Address("/console/drivers", query: ["entered": count]))
        default: .redirect(to: Address("/console/import", query: ["entered": count]))
        }
    }

    /// The preview of an import: the number of valid rows, and the errors in the others.
    private func reportPage(
        _ kind: ImportKind,
        _ name: String,
        _ report: ImportOutcome,
        _ context: RequestContext
    ) -> Page {
        let action = Address("/console/import", kind.rawValue, "file", name)
        let isClean = report.rejected.isEmpty
        let button: HTML =
            isClean
            ? """
            <button class="primary" name="mode" value="all" \
            data-busy="\(context.say(ImportTexts.entering))">\
            \(context.say(ImportTexts.enterAll(report.good)))</button>
            """
            : """
            <button class="primary" name="mode" value="good" \
            data-busy="\(context.say(ImportTexts.entering))">\
            \(context.say(ImportTexts.enterGood(report.good)))</button>
            """
        let form: HTML = """
            <form class="fields" method="post" action=\(action)>
            \(context.formToken)
            \(kind.hasPeople ? inviteBox(isOn: context.form["invite"] == "yes", context) : .empty)
            <p class="actions">\(button)
            <a class="button" href=\(Address("/console/import", kind.rawValue))>\
            \(context.say(ImportTexts.another))</a></p></form>
            """
        var page = Page(
            kind.title,
            body: """
                <h1>\(context.say(kind.title))</h1>
                \(Notice(
                    isClean ? .success : report.good > 0 ? .warning : .error,
                    "\(context.say(ImportTexts.found(report)))"
                ).html(context))
                \(report.good > 0 ? form : tryAgain(kind, context))
                \(isClean ? .empty : rejected(report.rejected, context))
                """
        )
        page.hasForm = true
        return page
    }

    private func tryAgain(_ kind: ImportKind, _ context: RequestContext) -> HTML {
        """
        <p class="actions"><a class="button primary" \
        href=\(Address("/console/import", kind.rawValue))>\(context.say(ImportTexts.another))</a>\
        </p>
        """
    }

    private func rejected(_ lines: [ImportOutcome.Rejected], _ context: RequestContext) -> HTML {
        let rows = lines.prefix(Self.linesShown).flatMap { line in
            line.problems.map { problem -> [HTML] in
                [
                    "\(line.line)", "\(context.say(problem.field))",
                    "\(context.say(problem.reason))",
                ]
            }
        }
        let heads = [FormField.line.label, ImportTexts.field, ImportTexts.wrong]
        let table = DataTable(
            caption: ImportTexts.wrongLines,
            heads.map { DataTable.Column($0) },
            rows: rows
        )
        let more: HTML = .when(
            lines.count > Self.linesShown,
            "<p>\(context.say(ImportTexts.more(lines.count - Self.linesShown)))</p>"
        )
        return """
            \(table.html(context))
            \(more)
            """
    }
}

extension InputField {
    /// What a table lists.
    fileprivate static let kind = path(
        "kind",
        .choice(of: ImportKind.self),
        "What the table lists."
    )

    /// A table that was uploaded and not entered yet.
    fileprivate static let upload = path("upload", .text(100), "The uploaded table.")
}
