import CityData
import Geo
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
    /// The list of zones with the available actions.
    func listZones(_ context: RequestContext) async throws -> Response {
        let (work, zones) = try await zoneWork()
        guard let zones else { return response(try await noZones(work, context), to: context) }
        let rows = try await zoneRows(zones, work, context)
        let caption = work.draft == nil ? ZoneTexts.inForce : ZoneTexts.drawn
        var page = Page(
            ZoneTexts.title,
            body: """
                \(zoneNotice(context))
                \(importedProperties(zones, work, context))
                <h1>\(context.say(ZoneTexts.title))</h1>
                <p class="lead">\(context.say(ZoneTexts.lead(taxi.zonesInForce?.count ?? 0)))</p>
                \(try await draftState(work, context))
                \(zoneLinks(work, context))
                <h2>\(context.say(caption))</h2>
                \(Rows(rows).html)
                \(publishing(work, context))
                """
        )
        page.layout = .console
        page.map = zoneMap(nil, naming: zones.writtenNaming, context)
        page.hasForm = true
        return response(page, to: context)
    }

    /// After an import, which properties of the file were taken as code and name, with the others
    /// to choose from.
    private func importedProperties(
        _ zones: ZoneDraft,
        _ work: ZoneDrafts.Work,
        _ context: RequestContext
    ) -> HTML? {
        guard context.query["notice"] == "imported", let code = zones.naming.codeProperty else {
            return nil
        }
        let name = zones.naming.nameProperty ?? code
        let found = zones.zones.first?.properties.members.map(\.name) ?? []
        let all = found + [code, name].filter { !found.contains($0) }
        guard work.draft != nil, all.count > 1 else {
            return "<p class=\"notice\">\(context.say(ZoneTexts.identifiedBy(code, name)))</p>"
        }
        let choice = Field.Kind.choice(
            all.prefix(Self.propertyLimit).map { ($0, Text(same: $0)) }
        )
        let fields = [
            Field(
                name: "code_property",
                label: ZoneImportTexts.codeProperty,
                kind: choice,
                value: code
            ),
            Field(
                name: "name_property",
                label: ZoneImportTexts.nameProperty,
                kind: choice,
                value: name
            ),
        ]
        let button = Button(ZoneImportTexts.again, icon: .upload)
        return """
            <div class="notice"><p>\(context.say(ZoneTexts.identifiedBy(code, name)))</p>
            <form class="fields" method="post" action="/console/zones/import">\(context.formToken)\
            <input type="hidden" name="again" value="yes">\
            <input type="hidden" name="revision" value="\(work.revision)">
            \(fields.map { $0.html(context) })
            <p class="actions">\(button.html(context))</p></form></div>
            """
    }

    /// The number of properties of a file that can be chosen, more than maps have.
    private static let propertyLimit = 200

    private func noZones(_ work: ZoneDrafts.Work, _ context: RequestContext) async throws -> Page {
        let state = work.canUndo ? try await draftState(work, context) : .empty
        var page = Page(
            ZoneTexts.title,
            body: """
                \(zoneNotice(context))
                <h1>\(context.say(ZoneTexts.title))</h1>
                \(EmptyState(
                    .area,
                    ZoneTexts.none,
                    ZoneTexts.noneAdvice,
                    action: Button(
                        ZoneTexts.importTitle,
                        .link(Address("/console/zones/import")),
                        look: .primary,
                        icon: .upload
                    )
                ).html(context))
                \(Rows([
                    Row(
                        .plus,
                        "\(context.say(ZoneTexts.newTitle))",
                        address: Address("/console/zones/new")
                    ),
                ]).html)
                \(state)
                """
        )
        page.hasForm = true
        return page
    }

    /// The page's primary action, if there is a draft.
    private func publishing(_ work: ZoneDrafts.Work, _ context: RequestContext) -> HTML? {
        guard work.draft != nil else { return nil }
        let button = Button(
            ZoneTexts.check,
            .link(Address("/console/zones/publish")),
            look: .primary,
            icon: .check
        )
        return Dock(button.html(context)).html
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
        let links: [(address: Address, icon: Icon, words: Text, isThere: Bool)] = [
            (Address("/console/zones/new"), .plus, ZoneTexts.newTitle, true),
            (Address("/console/zones/import"), .upload, ZoneTexts.importTitle, true),
            (Address("/console/zones/history"), .history, ZoneTexts.history, true),
            (
                Address("/console/zones/zones.geojson"), .download, ZoneTexts.exportZones,
                taxi.zonesInForce != nil
            ),
            (
                Address("/console/zones/draft.geojson"), .download, ZoneTexts.exportDraft,
                work.draft != nil
            ),
        ]
        let chips = links.filter(\.isThere).map {
            Chip($0.words, icon: $0.icon, .link($0.address))
        }
        return Chips(chips).html(context)
    }

    /// The rows for each zone of the draft and for each zone that it removes.
    private func zoneRows(
        _ zones: ZoneDraft,
        _ work: ZoneDrafts.Work,
        _ context: RequestContext
    ) async throws -> [Row] {
        let inForce = taxi.zonesInForce
        let queues = try await taxi.queueLengths()
        var states: [String: StateChip] = [:]
        var removed: [Zone] = []
        if work.draft != nil {
            // Compare aligned borders with the borders in force, which were aligned as well.
            let healed = try? await taxi.zoneDrafts.check(work)?.get()
            let changes = ZoneChanges(
                from: inForce?.zones ?? [],
                to: healed?.zones ?? zones.zones
            )
            removed = changes.removed
            let edited = { StateChip($0, icon: .edit, tone: .live) }
            for zone in changes.added {
                states[zone.code] = StateChip(ZoneTexts.isNew, icon: .plus, tone: .good)
            }
            for zone in changes.redrawn { states[zone.code] = edited(ZoneTexts.isRedrawn) }
            for zone in changes.renamed {
                states[zone.code] = states[zone.code] ?? edited(ZoneTexts.isRenamed)
            }
            for zone in changes.removed {
                states[zone.code] = StateChip(ZoneTexts.isRemoved, icon: .bin, tone: .bad)
            }
        }
        let gone = Set(removed.map(\.code))
        return (zones.zones + removed).map { zone in
            let area = BorderText.number(zone.area.areaSquareMetres / 1e6, context.language)
            let measures = ZoneTexts.measures(area, zone.area.vertexCount)
            let queue = context.say(ZoneTexts.queue(queues[zone.code] ?? 0))
            let state = states[zone.code]?.html(context)
            return Row(
                .area,
                "\(zone.name)",
                detail:
                    "\(zone.code == zone.name ? "" : "\(zone.code) · ")\(context.say(measures))",
                value: state ?? "<small>\(queue)</small>",
                address: gone.contains(zone.code)
                    ? nil : Address("/console/zones/draft", zone.code)
            )
        }
    }

    /// Downloads the draft or, without one, the zones in force, for maps and for people.
    ///
    /// For a map, places where something is wrong are marked.
    func downloadDraft(_ context: RequestContext) async throws -> Response {
        let (work, zones) = try await zoneWork()
        guard let zones else { throw Failure.notFound }
        let problems = await problems(work, context)
        return .download(
            problems.isEmpty ? zones.geoJSON : zones.geoJSON(marking: problems, context),
            type: Self.zoneFileType,
            name: "draft.geojson"
        )
    }

    /// A static picture of the draft or of the zones in force, for browsers without scripts.
    func showZonePicture(_ context: RequestContext) async throws -> Response {
        let (work, zones) = try await zoneWork()
        guard let zones else { throw Failure.notFound }
        let code = context.query["zone"].flatMap { $0.isEmpty ? nil : $0 }
        let marks = await problems(work, context).enumerated().flatMap { number, problem in
            problem.places.map { MapPicture.Overlay(.point($0), label: "\(number + 1)") }
        }
        return zonePicture(zones.zones, about: code, marks: marks, context)
    }

    /// What is wrong with the draft, if the request asks for it.
    private func problems(
        _ work: ZoneDrafts.Work,
        _ context: RequestContext
    ) async -> [ZoneProblem] {
        guard context.query["problems"] == "yes",
            case .failure(let failure) = await taxi.zoneDrafts.check(work)
        else { return [] }
        return Array(failure.problems.prefix(Self.zoneProblemLimit))
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

extension ZoneDraft {
    /// The zones as GeoJSON with a point for each place where something is wrong, named by the
    /// number and words of the problem.
    fileprivate func geoJSON(marking problems: [ZoneProblem], _ context: RequestContext) -> [UInt8]
    {
        let name = writtenNaming.nameProperty ?? "name"
        let marks = problems.enumerated().flatMap { number, problem in
            let words = "\(number + 1). \(context.say(problem.text(names)))"
            return problem.places.map { place in
                GeoJSON.Feature(
                    geometry: .point(place),
                    properties: JSONObject([
                        JSONObject.Member(name, .text(words)),
                        JSONObject.Member("kind", .text("problem")),
                    ])
                )
            }
        }
        return GeoJSON(features + marks).bytes
    }
}
