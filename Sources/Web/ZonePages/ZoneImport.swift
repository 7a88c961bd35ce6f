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
        _ visit: Visit,
        problems: [Text] = [],
        properties: [String] = [],
        conflict: HTML? = nil
    ) async throws -> Page {
        let (work, zones) = try await zoneWork()
        var form = FormPage(
            action: Address("/console/zones/import"),
            fields: importFields(visit),
            button: ZoneImportTexts.button,
            busy: ZoneImportTexts.busy
        )
        form.hasFiles = true
        form.extra = "<input type=\"hidden\" name=\"revision\" value=\"\(work.revision)\">"
        let lost: HTML = "<p class=\"notice warn\">\(visit.say(ZoneImportTexts.replaces))</p>"
        var page = Page(
            ZoneTexts.importTitle,
            body: """
                \(importProblems(problems, properties, visit))
                <h1>\(visit.say(ZoneTexts.importTitle))</h1>
                <p class="lead">\(visit.say(ZoneImportTexts.lead))</p>
                \(conflict)
                \(HTML.when(zones != nil && conflict == nil, lost))
                \(form.html(visit))
                \(backToZones(visit))
                """
        )
        page.hasForm = true
        return page
    }

    private func importFields(_ visit: Visit) -> [Field] {
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
                value: visit.form["text"] ?? "",
                isRequired: false
            ),
            Field(
                name: "code_property",
                label: ZoneImportTexts.codeProperty,
                hint: ZoneImportTexts.codeHint,
                value: visit.form["code_property"] ?? "",
                isRequired: false
            ),
            Field(
                name: "name_property",
                label: ZoneImportTexts.nameProperty,
                hint: ZoneImportTexts.nameHint,
                value: visit.form["name_property"] ?? "",
                isRequired: false
            ),
        ]
    }

    /// The maximum number of problems to report; a file that is wrong throughout has thousands.
    static let zoneProblemLimit = 100

    private func importProblems(
        _ problems: [Text],
        _ properties: [String],
        _ visit: Visit
    ) -> HTML? {
        guard !problems.isEmpty else { return nil }
        let items = problems.prefix(Self.zoneProblemLimit).map {
            "<li>\(visit.say($0))</li>" as HTML
        }
        let rest = problems.count - items.count
        let names = properties.prefix(30).joined(separator: ", ")
        let listed: HTML = "<p>\(visit.say(ZoneImportTexts.properties)) \(names)</p>"
        return """
            <div class="notice bad" role="alert" tabindex="-1" data-focus>
            <h2>\(visit.say(ZoneImportTexts.unreadable))</h2><ul>\(items)</ul>
            \(HTML.when(rest > 0, "<p>\(visit.say(ZoneTexts.more(rest)))</p>"))
            \(HTML.when(!properties.isEmpty, listed))</div>
            """
    }

    /// Makes the contents of a file the draft without changes; a separate check finds conflicts.
    func importZones(_ visit: Visit) async throws -> Reply {
        let (work, zones) = try await zoneWork()
        let file = visit.form.file("file").flatMap { $0.bytes.isEmpty ? nil : $0 }
        let bytes = file?.bytes ?? Array((visit.form["text"] ?? "").utf8)
        guard !bytes.isEmpty else {
            return try await unreadable([ZoneImportTexts.nothing], [], visit)
        }
        let drawn: ZoneDraft
        do {
            drawn = try await taxi.zoneDesk.read(
                bytes,
                naming: ZoneNaming(
                    codeProperty: Self.property("code_property", visit),
                    nameProperty: Self.property("name_property", visit)
                )
            )
        } catch {
            let properties = (try? GeoJSON(bytes, file: ""))?.features.first?.properties
            return try await unreadable(
                error.problems.map { $0.words([:]) },
                properties?.members.map(\.name) ?? [],
                visit
            )
        }
        guard visit.form["revision"] == String(work.revision) else {
            return try await importConflict(drawn, work, zones, visit)
        }
        let object = "\(drawn.zones.count) zones as a draft"
        let act = try notingZones(.importZones, object, visit)
        do {
            try await save(drawn, from: work, visit, with: [act])
        } catch is ZoneDesk.Failure {
            return try await importConflict(drawn, work, zones, visit)
        }
        await settleActs(visit)
        return .redirect(to: Address("/console/zones", query: ["notice": "imported"]))
    }

    private static func property(_ name: String, _ visit: Visit) -> String? {
        let text = (visit.form[name] ?? "").trimmed
        return text.isEmpty ? nil : text
    }

    private func unreadable(
        _ problems: [Text],
        _ properties: [String],
        _ visit: Visit
    ) async throws -> Reply {
        var page = try await importPage(visit, problems: problems, properties: properties)
        page.status = .unprocessableContent
        return reply(page, to: visit)
    }

    /// The page shown when the draft was saved after the form was opened; it lists what the import
    /// would undo.
    private func importConflict(
        _ drawn: ZoneDraft,
        _ work: ZoneDesk.Work,
        _ zones: ZoneDraft?,
        _ visit: Visit
    ) async throws -> Reply {
        let author = try await authorName(work.author, visit)
        let conflict: HTML = """
            <div class="notice warn" role="alert"><h2>\(visit.say(ZoneTexts.conflict))</h2>
            <p>\(visit.say(ZoneImportTexts.conflict(author)))</p>
            \(differences(from: zones, to: drawn, visit))
            <p><a href="/console/zones">\(visit.say(ZoneConflictTexts.take))</a></p></div>
            """
        var page = try await importPage(visit, conflict: conflict)
        page.status = .conflict
        return reply(page, to: visit)
    }
}
