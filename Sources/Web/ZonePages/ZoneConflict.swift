import HTTPTypes
import Localization
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
    ///   - visit: the request.
    /// - Returns: the page, with status 409.
    /// - Throws: any database error.
    func zoneConflict(
        _ form: ZoneForm,
        _ work: ZoneDesk.Work,
        _ zones: ZoneDraft?,
        _ visit: Visit
    ) async throws -> Reply {
        let code = visit.parameters["code"] ?? ""
        let theirs = work.draft ?? taxi.zonesInForce?.draft
        let base = try await origin(of: form, work, zones)
        let zone = base?.zone(code) ?? theirs?.zone(code)
        // The submitted values cover part of a border and mean nothing without the rest of it.
        let canSave = base?.zone(code).map { ZoneShape($0.area).fingerprint } == form.fingerprint
        let hidden = visit.form.fields
            .filter { !["token", "over"].contains($0.name) }
            .map { name, value -> HTML in
                "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
            }
        let author = try await authorName(work.author, visit)
        let over: HTML = """
            <button class="primary">\(visit.say(ZoneConflictWords.over))</button>
            """
        let page = Address("/console/zones/draft", code)
        var answer = Page(
            ZoneWords.conflict,
            body: """
                <h1>\(visit.say(ZoneWords.conflict))</h1>
                <p class="lead">\(visit.say(ZoneConflictWords.lead))</p>
                <h2>\(visit.say(ZoneConflictWords.theirs(author)))</h2>
                \(differences(from: base, to: theirs, visit))
                <h2>\(visit.say(ZoneConflictWords.mine))</h2>
                \(mine(form, zone, isKept: canSave, visit))
                <form method="post" action=\(page)>
                \(visit.formToken)\(hidden)
                <input type="hidden" name="over" value="\(work.revision)">
                <p>\(visit.say(canSave ? ZoneConflictWords.overLead : ZoneConflictWords.gone))</p>
                <p class="actions">\(HTML.when(canSave, over)) <a class="button" href=\(page)>\
                \(visit.say(ZoneConflictWords.take))</a></p>
                </form>
                \(backToZones(visit))
                """
        )
        answer.status = .conflict
        answer.hasForm = true
        return reply(answer, to: visit)
    }

    /// The changes that the form would make or, if these can no longer be determined, the submitted
    /// values.
    private func mine(
        _ form: ZoneForm,
        _ zone: Zone?,
        isKept: Bool,
        _ visit: Visit
    ) -> HTML {
        if isKept, let zone, let drawn = try? form.applied(to: zone)?.zone {
            return list(ZoneChanges(from: [zone], to: [drawn]), visit)
        }
        let rows = form.rows.map { "<li>\($0.latitude), \($0.longitude)</li>" as HTML }
        return "<p>\(form.name)</p><ol>\(rows)</ol>"
    }

    /// A description of the changes from one draft to another.
    func differences(from old: ZoneDraft?, to new: ZoneDraft?, _ visit: Visit) -> HTML {
        list(ZoneChanges(from: old?.zones ?? [], to: new?.zones ?? []), visit)
    }
}

enum ZoneConflictWords {
    static let lead = Text(
        "While you were editing, the draft was saved by somebody else. Nothing of yours is saved "
            + "yet, and nothing of theirs is lost.",
        "Mentre modificavi, qualcun altro ha salvato la bozza. Nulla di tuo è ancora salvato, e "
            + "nulla di suo è perso."
    )
    static func theirs(_ author: String) -> Text {
        Text("What \(author) changed", "Che cosa ha modificato \(author)")
    }
    static let mine = Text("What you changed", "Che cosa hai modificato tu")
    static let overLead = Text(
        "If you save yours, this zone will be as you drew it; other zones stay as they are now.",
        "Se salvi la tua, questa zona sarà come l'hai disegnata tu; le altre restano come sono "
            + "ora."
    )
    static let gone = Text(
        "The zone that you started from is no longer kept, so yours cannot be put in its place. "
            + "Note what you typed, then go on from theirs.",
        "La zona da cui sei partito non è più conservata, quindi la tua non può prendere il suo "
            + "posto. Annota ciò che hai scritto, poi riparti dalla loro."
    )
    static let over = Text("Save mine over it", "Salva la mia al suo posto")
    static let take = Text("Take theirs", "Tieni la loro")
}
