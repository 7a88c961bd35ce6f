import HTTPTypes
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension ZonePages {
    /// Shows what others changed while a zone was being edited, and offers to overwrite it or to
    /// keep it.
    ///
    /// - Parameters:
    ///   - form: the submitted values.
    ///   - work: the draft as saved by others.
    ///   - zones: the zones of the draft, or else those in force.
    ///   - context: the request.
    /// - Returns: the page, with status 409.
    /// - Throws: any database error.
    func zoneConflict(
        _ form: ZoneForm,
        _ work: ZoneDrafts.Work,
        _ zones: ZoneDraft?,
        _ context: RequestContext
    ) async throws -> Response {
        let code = context.parameters["code"] ?? ""
        let theirs = work.draft ?? taxi.zonesInForce?.draft
        let base = try await origin(of: form, work, zones)
        let zone = base?.zone(code) ?? theirs?.zone(code)
        // The submitted values cover part of a border and mean nothing without the rest of it.
        let canSave = base?.zone(code).map { ZoneShape($0.area).fingerprint } == form.fingerprint
        let hidden = context.form.fields
            .filter { !["token", "over"].contains($0.name) }
            .map { name, value -> HTML in
                "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
            }
        let author = try await authorName(work.author, context)
        let over: HTML = """
            <button class="primary">\(context.say(ZoneConflictTexts.over))</button>
            """
        let page = Address("/console/zones/draft", code)
        var answer = Page(
            ZoneTexts.conflict,
            body: """
                <h1>\(context.say(ZoneTexts.conflict))</h1>
                <p class="lead">\(context.say(ZoneConflictTexts.lead))</p>
                <h2>\(context.say(ZoneConflictTexts.theirs(author)))</h2>
                \(differences(from: base, to: theirs, context))
                <h2>\(context.say(ZoneConflictTexts.mine))</h2>
                \(mine(form, zone, isKept: canSave, context))
                <form method="post" action=\(page)>
                \(context.formToken)\(hidden)
                <input type="hidden" name="over" value="\(work.revision)">
                <p>\(context.say(canSave ? ZoneConflictTexts.overLead : ZoneConflictTexts.gone))</p>
                <p class="actions">\(HTML.when(canSave, over)) <a class="button" href=\(page)>\
                \(context.say(ZoneConflictTexts.take))</a></p>
                </form>
                \(backToZones(context))
                """
        )
        answer.status = .conflict
        answer.hasForm = true
        return response(answer, to: context)
    }

    /// The changes that the form would make or, if these can no longer be determined, the submitted
    /// values.
    private func mine(
        _ form: ZoneForm,
        _ zone: Zone?,
        isKept: Bool,
        _ context: RequestContext
    ) -> HTML {
        if isKept, let zone, let drawn = try? form.applied(to: zone)?.zone {
            return list(ZoneChanges(from: [zone], to: [drawn]), context)
        }
        let rows = form.rows.map { "<li>\($0.latitude), \($0.longitude)</li>" as HTML }
        return "<p>\(form.name)</p><ol>\(rows)</ol>"
    }

    /// A description of the changes from one draft to another.
    func differences(from old: ZoneDraft?, to new: ZoneDraft?, _ context: RequestContext) -> HTML {
        list(ZoneChanges(from: old?.zones ?? [], to: new?.zones ?? []), context)
    }
}
