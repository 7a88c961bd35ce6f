import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import OpenData
import Taxi
import TaxiPages
import WebCore
import Zones

extension ZonePages {
    /// The page for importing a file of zones.
    func importPage(
        _ context: RequestContext,
        problems: [Text] = [],
        properties: [String] = [],
        conflict: HTML? = nil
    ) async throws -> Page {
        let (work, zones) = try await zoneWork()
        var form = FormPage(
            action: Address("/console/zones/import"),
            fields: importFields(context),
            button: ZoneImportTexts.button,
            busy: ZoneImportTexts.busy
        )
        form.hasFiles = true
        let again: HTML = "<input type=\"hidden\" name=\"again\" value=\"yes\">"
        form.extra = """
            <input type="hidden" name="revision" value="\(work.revision)">\
            \(HTML.when(Self.isAgain(context), again))
            """
        let lost: HTML = "<p class=\"notice warn\">\(context.say(ZoneImportTexts.replaces))</p>"
        var page = Page(
            ZoneTexts.importTitle,
            body: """
                \(importProblems(problems, properties, context))
                <h1>\(context.say(ZoneTexts.importTitle))</h1>
                <p class="lead">\(context.say(ZoneImportTexts.lead))</p>
                \(conflict)
                \(HTML.when(zones != nil && conflict == nil, lost))
                \(form.html(context))
                \(backToZones(context))
                """
        )
        page.hasForm = true
        return page
    }

    private func importFields(_ context: RequestContext) -> [Field] {
        [
            Field(
                name: "file",
                label: ZoneImportTexts.file,
                kind: .file(accept: ".geojson,.json,application/geo+json,application/json"),
                hint: ZoneImportTexts.fileHint,
                isRequired: false
            ),
            Field(
                name: "text",
                label: ZoneImportTexts.text,
                kind: .longText,
                value: context.form["text"] ?? "",
                isRequired: false
            ),
            Field(
                name: "code_property",
                label: ZoneImportTexts.codeProperty,
                hint: ZoneImportTexts.codeHint,
                value: context.form["code_property"] ?? "",
                isRequired: false
            ),
            Field(
                name: "name_property",
                label: ZoneImportTexts.nameProperty,
                hint: ZoneImportTexts.nameHint,
                value: context.form["name_property"] ?? "",
                isRequired: false
            ),
        ]
    }

    /// The maximum number of problems to report; a file that is wrong throughout has thousands.
    static let zoneProblemLimit = 100

    private func importProblems(
        _ problems: [Text],
        _ properties: [String],
        _ context: RequestContext
    ) -> HTML? {
        guard !problems.isEmpty else { return nil }
        let items = problems.prefix(Self.zoneProblemLimit).map {
            "<li>\(context.say($0))</li>" as HTML
        }
        let rest = problems.count - items.count
        let names = properties.prefix(30).joined(separator: ", ")
        let listed: HTML = "<p>\(context.say(ZoneImportTexts.properties)) \(names)</p>"
        return """
            <div class="notice bad" role="alert" tabindex="-1" data-focus>
            <h2>\(context.say(ZoneImportTexts.unreadable))</h2><ul>\(items)</ul>
            \(HTML.when(rest > 0, "<p>\(context.say(ZoneTexts.more(rest)))</p>"))
            \(HTML.when(!properties.isEmpty, listed))</div>
            """
    }

    /// Makes the contents of a file the draft without changes; a separate check finds conflicts.
    func importZones(_ context: RequestContext) async throws -> Response {
        let (work, zones) = try await zoneWork()
        let file = context.form.file("file").flatMap { $0.bytes.isEmpty ? nil : $0 }
        var bytes = file?.bytes ?? Array((context.form["text"] ?? "").utf8)
        // The draft has kept all properties of the file that it came from.
        if bytes.isEmpty, Self.isAgain(context), let draft = work.draft {
            bytes = Array(draft.geoJSON)
        }
        guard !bytes.isEmpty else {
            return try await unreadable([ZoneImportTexts.nothing], [], context)
        }
        let drawn: ZoneDraft
        do {
            drawn = try await taxi.zoneDrafts.read(
                bytes,
                naming: ZoneNaming(
                    codeProperty: Self.property("code_property", context),
                    nameProperty: Self.property("name_property", context)
                )
            )
        } catch {
            let properties = (try? GeoJSON(bytes, file: ""))?.features.first?.properties
            return try await unreadable(
                error.problems.map { $0.text([:]) },
                properties?.members.map(\.name) ?? [],
                context
            )
        }
        guard context.form["revision"] == String(work.revision) else {
            return try await importConflict(drawn, work, zones, context)
        }
        let object = "\(drawn.zones.count) zones as a draft"
        let act = try notingZones(.importZones, object, context)
        do {
            try await save(drawn, from: work, context, with: [act])
        } catch is ZoneDrafts.Failure {
            return try await importConflict(drawn, work, zones, context)
        }
        await settleActs(context)
        return .redirect(to: Address("/console/zones", query: ["notice": "imported"]))
    }

    /// Whether the zones of the draft are to be read again, by other properties.
    private static func isAgain(_ context: RequestContext) -> Bool {
        context.form["again"] == "yes"
    }

    private static func property(_ name: String, _ context: RequestContext) -> String? {
        let text = (context.form[name] ?? "").trimmingBlanks()
        return text.isEmpty ? nil : text
    }

    private func unreadable(
        _ problems: [Text],
        _ properties: [String],
        _ context: RequestContext
    ) async throws -> Response {
        var page = try await importPage(context, problems: problems, properties: properties)
        page.status = .unprocessableContent
        return response(page, to: context)
    }

    /// The page shown when the draft was saved after the form was opened; it lists what the import
    /// would undo.
    private func importConflict(
        _ drawn: ZoneDraft,
        _ work: ZoneDrafts.Work,
        _ zones: ZoneDraft?,
        _ context: RequestContext
    ) async throws -> Response {
        let author = try await authorName(work.author, context)
        let conflict: HTML = """
            <div class="notice warn" role="alert"><h2>\(context.say(ZoneTexts.conflict))</h2>
            <p>\(context.say(ZoneImportTexts.conflict(author)))</p>
            \(differences(from: zones, to: drawn, context))
            <p><a href="/console/zones">\(context.say(ZoneConflictTexts.take))</a></p></div>
            """
        var page = try await importPage(context, conflict: conflict)
        page.status = .conflict
        return response(page, to: context)
    }
}
