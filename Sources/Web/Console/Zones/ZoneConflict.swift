import HTTPTypes
import Markup
import Taxi
import Words
import Zones

extension Site {
    /// What others changed while a zone was being edited, and both ways on.
    ///
    /// - Parameters:
    ///   - form: what was typed.
    ///   - work: the draft as others left it.
    ///   - zones: its zones, else those in force.
    ///   - visit: the request.
    /// - Returns: the page, with status 409.
    /// - Throws: what the database throws.
    func zoneConflict(
        _ form: ZoneForm,
        _ work: ZoneDesk.Work,
        _ zones: ZoneDraft?,
        _ visit: Visit
    ) async throws -> Reply {
        let code = visit.parameters["code"] ?? ""
        let theirs = work.draft ?? taxi.zonesInForce?.draft
        let base = try await taxi.zoneDesk.draft(form.revision) ?? taxi.zonesInForce?.draft
        let zone = base?.zone(code) ?? theirs?.zone(code)
        let hidden = visit.form.fields
            .filter { !["token", "over"].contains($0.name) }
            .map { name, value -> HTML in
                "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
            }
        var page = Page(
            ZoneWords.conflict,
            body: """
                <h1>\(visit.say(ZoneWords.conflict))</h1>
                <p class="lead">\(visit.say(ConflictWords.lead))</p>
                <h2>\(visit.say(ConflictWords.theirs(try await authorName(work.author, visit))))</h2>
                \(differences(from: base, to: theirs, visit))
                <h2>\(visit.say(ConflictWords.mine))</h2>
                <p>\(zone?.title ?? code)</p>
                <form method="post" action=\(Address("/console/zones/draft", code))>
                \(visit.formToken)\(hidden)
                <input type="hidden" name="over" value="\(work.revision)">
                <p>\(visit.say(ConflictWords.overLead))</p>
                <p class="actions"><button class="primary">\(visit.say(ConflictWords.over))\
                </button> <a class="button" href=\(Address("/console/zones/draft", code))>\
                \(visit.say(ConflictWords.take))</a></p>
                </form>
                \(backToZones(visit))
                """
        )
        page.status = .conflict
        page.hasForm = true
        return reply(page, to: visit)
    }

    /// What changed from one draft to another, in words.
    func differences(from old: ZoneDraft?, to new: ZoneDraft?, _ visit: Visit) -> HTML {
        list(ZoneChanges(from: old?.zones ?? [], to: new?.zones ?? []), visit)
    }
}

enum ConflictWords {
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
    static let over = Text("Save mine over it", "Salva la mia al suo posto")
    static let take = Text("Take theirs", "Tieni la loro")
}
