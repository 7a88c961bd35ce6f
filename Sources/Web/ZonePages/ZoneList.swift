import Geo
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension ZonePages {
    /// The list of zones with the available actions.
    func listZones(_ context: RequestContext) async throws -> Response {
        let (work, zones) = try await zoneWork()
        guard let zones else { return response(try await noZones(work, context), to: context) }
        let rows = try await zoneRows(zones, work, context)
        var page = Page(
            ZoneTexts.title,
            body: """
                \(zoneNotice(context))
                <h1>\(context.say(ZoneTexts.title))</h1>
                <p class="lead">\(context.say(ZoneTexts.lead(taxi.zonesInForce?.count ?? 0)))</p>
                \(try await draftState(work, context))
                \(primary(work, context))
                \(zoneLinks(work, context))
                <div class="scroll"><table>
                <caption>\(context.say(work.draft == nil ? ZoneTexts.inForce : ZoneTexts.drawn))\
                </caption>
                <thead><tr><th scope="col">\(context.say(ZoneTexts.name))</th>\
                <th scope="col">\(context.say(ZoneTexts.code))</th>\
                <th scope="col" class="number">\(context.say(ZoneTexts.vertices))</th>\
                <th scope="col" class="number">\(context.say(ZoneTexts.area))</th>\
                <th scope="col" class="number">\(context.say(ZoneTexts.queue))</th>\
                \(HTML.when(work.draft != nil, stateHead(context)))</tr></thead>
                <tbody>\(rows)</tbody></table></div>
                \(zoneMap(nil, naming: zones.writtenNaming, context))
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    private func noZones(_ work: ZoneDrafts.Work, _ context: RequestContext) async throws -> Page {
        let state = work.canUndo ? try await draftState(work, context) : .empty
        var page = Page(
            ZoneTexts.title,
            body: """
                \(zoneNotice(context))
                <h1>\(context.say(ZoneTexts.title))</h1>
                <p class="lead">\(context.say(ZoneTexts.none))</p>
                <p>\(context.say(ZoneTexts.noneAdvice))</p>
                <p class="actions"><a class="button primary" href="/console/zones/import">\
                \(context.say(ZoneTexts.importTitle))</a>
                <a class="button" href="/console/zones/new">\(context.say(ZoneTexts.newTitle))</a>\
                </p>
                \(state)
                """
        )
        page.hasForm = true
        return page
    }

    private func stateHead(_ context: RequestContext) -> HTML {
        "<th scope=\"col\">\(context.say(ZoneTexts.state))</th>"
    }

    /// The page's primary action.
    private func primary(_ work: ZoneDrafts.Work, _ context: RequestContext) -> HTML? {
        guard work.draft != nil else { return nil }
        return """
            <p class="actions"><a class="button primary" href="/console/zones/publish">\
            \(context.say(ZoneTexts.check))</a></p>
            """
    }

    /// The authors, times and changes of the draft, with the options to undo or discard it.
    private func draftState(_ work: ZoneDrafts.Work, _ context: RequestContext) async throws -> HTML
    {
        let hasDraft = work.draft != nil
        guard hasDraft || work.canUndo else {
            return "<p>\(context.say(ZoneTexts.noDraft))</p>"
        }
        let author = try await authorName(work.author, context)
        let hasMoved = hasDraft && work.base != taxi.zonesInForce?.versionHash
        let buttons: [HTML] = [
            work.canUndo
                ? button(Address("/console/zones/undo"), ZoneTexts.undo, work, context) : .empty,
            hasDraft
                ? button(Address("/console/zones/discard"), ZoneTexts.discard, work, context)
                : .empty,
        ]
        let state: HTML = """
            <p>\(context.say(hasDraft ? ZoneTexts.draftBy(author) : ZoneTexts.noDraft)) \
            \(hasDraft ? work.saved.map { time($0, context) } : nil)</p>
            \(HTML.when(hasMoved, "<p>\(context.say(ZoneTexts.baseMoved))</p>"))
            """
        return "<div class=\"notice\">\(state)<div class=\"actions\">\(buttons)</div></div>"
    }

    private func button(
        _ address: Address,
        _ words: Text,
        _ work: ZoneDrafts.Work,
        _ context: RequestContext
    ) -> HTML {
        """
        <form method="post" action=\(address)>\(context.formToken)\
        <input type="hidden" name="revision" value="\(work.revision)">\
        <button>\(context.say(words))</button></form>
        """
    }

    private func zoneLinks(_ work: ZoneDrafts.Work, _ context: RequestContext) -> HTML {
        let links: [(address: Address, words: Text, isThere: Bool)] = [
            (Address("/console/zones/new"), ZoneTexts.newTitle, true),
            (Address("/console/zones/import"), ZoneTexts.importTitle, true),
            (
                Address("/console/zones/zones.geojson"), ZoneTexts.exportZones,
                taxi.zonesInForce != nil
            ),
            (Address("/console/zones/draft.geojson"), ZoneTexts.exportDraft, work.draft != nil),
            (Address("/console/zones/history"), ZoneTexts.history, true),
        ]
        let items = links.filter(\.isThere).map { link -> HTML in
            "<li><a href=\(link.address)>\(context.say(link.words))</a></li>"
        }
        return "<ul>\(items)</ul>"
    }

    /// The rows for each zone of the draft and for each zone that it removes.
    private func zoneRows(
        _ zones: ZoneDraft,
        _ work: ZoneDrafts.Work,
        _ context: RequestContext
    ) async throws -> [HTML] {
        let inForce = taxi.zonesInForce
        let queues = try await taxi.queueLengths()
        var states: [String: Text] = [:]
        var removed: [Zone] = []
        if work.draft != nil {
            // Compare aligned borders with the borders in force, which were aligned as well.
            let healed = try? await taxi.zoneDrafts.check(work)?.get()
            let changes = ZoneChanges(
                from: inForce?.zones ?? [],
                to: healed?.zones ?? zones.zones
            )
            removed = changes.removed
            for zone in changes.added { states[zone.code] = ZoneTexts.isNew }
            for zone in changes.redrawn { states[zone.code] = ZoneTexts.isRedrawn }
            for zone in changes.renamed {
                states[zone.code] = states[zone.code] ?? ZoneTexts.isRenamed
            }
            for zone in changes.removed { states[zone.code] = ZoneTexts.isRemoved }
        }
        return (zones.zones + removed).map { zone -> HTML in
            let area = zone.area.areaSquareMetres / 1e6
            let isGone = states[zone.code] == ZoneTexts.isRemoved
            let link: HTML = """
                <a href=\(Address("/console/zones/draft", zone.code))>\(zone.name)</a>
                """
            let state: HTML = """
                <td>\(context.say(states[zone.code] ?? ZoneTexts.isSame))</td>
                """
            return """
                <tr><th scope="row">\(isGone ? "\(zone.name)" : link)</th><td>\(zone.code)</td>\
                <td class="number">\(zone.area.vertexCount)</td>\
                <td class="number">\(BorderText.number(area, context.language))</td>\
                <td class="number">\(queues[zone.code] ?? 0)</td>\
                \(HTML.when(work.draft != nil, state))</tr>

                """
        }
    }

    /// Downloads the draft or, without one, the zones in force, for maps and for people.
    func downloadDraft(_ context: RequestContext) async throws -> Response {
        guard let zones = try await zoneWork().zones else { throw Failure.notFound }
        return .download(zones.geoJSON, type: Self.zoneFileType, name: "draft.geojson")
    }

    /// A static picture of the draft or of the zones in force, for browsers without scripts.
    func showZonePicture(_ context: RequestContext) async throws -> Response {
        guard let zones = try await zoneWork().zones else { throw Failure.notFound }
        let code = context.query["zone"].flatMap { $0.isEmpty ? nil : $0 }
        return zonePicture(zones.zones, about: code, context)
    }

    /// Downloads the zones in force.
    func downloadZones(_ context: RequestContext) async throws -> Response {
        guard let zones = taxi.zonesInForce else { throw Failure.notFound }
        return .download(zones.geoJSON, type: Self.zoneFileType, name: "zones.geojson")
    }

    /// The media type of GeoJSON (RFC 7946, section 12).
    static let zoneFileType = "application/geo+json"

    /// Undoes the last change of the draft.
    func undoZones(_ context: RequestContext) async throws -> Response {
        let (work, _) = try await zoneWork()
        guard context.form["revision"] == String(work.revision) else { return outdated(context) }
        do {
            try await taxi.zoneDrafts.undo(
                from: work.revision,
                by: context.session?.person?.rawValue,
                at: context.now
            )
        } catch is ZoneDrafts.Failure {
            return outdated(context)
        }
        return .redirect(to: Address("/console/zones", query: ["notice": "undone"]))
    }

    /// Discards the draft; undo restores it.
    func discardZones(_ context: RequestContext) async throws -> Response {
        let (work, _) = try await zoneWork()
        guard work.draft != nil, context.form["revision"] == String(work.revision) else {
            return outdated(context)
        }
        let act = try notingZones(.discardZoneDraft, "revision \(work.revision)", context)
        do {
            try await save(nil, from: work, context, with: [act])
        } catch is ZoneDrafts.Failure {
            return outdated(context)
        }
        await settleActs(context)
        return .redirect(to: Address("/console/zones", query: ["notice": "discarded"]))
    }

    /// The response when someone else changed the draft first and no entered values could be lost.
    private func outdated(_ context: RequestContext) -> Response {
        var page = Page(
            ZoneTexts.conflict,
            body: """
                <h1>\(context.say(ZoneTexts.conflict))</h1>
                <p class="lead">\(context.say(ZoneTexts.outdated))</p>
                \(backToZones(context))
                """
        )
        page.status = .conflict
        return response(page, to: context)
    }
}
