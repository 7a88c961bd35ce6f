import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension ZonePages {
    /// The page for editing one zone of the draft.
    func showZone(_ context: RequestContext) async throws -> Response {
        let (work, zones) = try await zoneWork()
        guard let zone = zones?.zone(context.parameters["code"]) else { throw Failure.notFound }
        let shape = ZoneShape(zone.area)
        let border = min(
            context.query["border"].flatMap { Int($0) }.map { max(0, $0) } ?? 0,
            shape.borders.count - 1
        )
        let corners = shape.borders[border].corners.count
        let wanted = context.query["first"].flatMap { Int($0) } ?? 0
        let first = max(0, min(wanted, corners - 1))
        let end = min(corners, first + ZoneForm.stretch)
        let sheet = ZoneSheet(
            zone: zone,
            shape: shape,
            revision: work.revision,
            border: border,
            first: first,
            count: end - first,
            name: zone.name,
            rows: shape.borders[border].corners[first..<end].map { ZoneForm.Row($0) },
            naming: zones?.writtenNaming
        )
        return response(zonePage(sheet, context), to: context)
    }

    /// Performs the action of the button that submitted the zone's form, and saves all entered
    /// values.
    func changeZone(_ context: RequestContext) async throws -> Response {
        guard let form = ZoneForm(context.form) else { throw Failure.badRequest }
        let (work, zones) = try await zoneWork()
        let code = context.parameters["code"] ?? ""
        let isCurrent = form.revision == work.revision || form.over == work.revision
        guard isCurrent else { return try await zoneConflict(form, work, zones, context) }
        guard let zones else { throw Failure.notFound }
        guard let zone = try await origin(of: form, work, zones)?.zone(code) else {
            throw Failure.notFound
        }
        guard ZoneShape(zone.area).fingerprint == form.fingerprint else {
            return try await zoneConflict(form, work, zones, context)
        }
        if form.action == .removeZone { return try await remove(zone, zones, work, form, context) }
        do {
            guard let outcome = try form.applied(to: zone) else { throw Failure.badRequest }
            let drawn = try zones.replacing(outcome.zone)
            if drawn.zones != zones.zones { try await save(drawn, from: work, context) }
            return .redirect(to: address(of: outcome, form))
        } catch let problem as ZoneForm.Problem {
            return wrong(form, zone, [problem.text], context, work)
        } catch let failure as ZoneFailure {
            let words = failure.problems.map { $0.text(zones.names) }
            return wrong(form, zone, words, context, work)
        } catch is ZoneDrafts.Failure {
            return try await zoneConflict(form, try await taxi.zoneDrafts.work(), zones, context)
        }
    }

    /// The zones from which the page was made, if they are still stored.
    ///
    /// When someone overwrites the work of others, this is the state before that work.
    func origin(
        of form: ZoneForm,
        _ work: ZoneDrafts.Work,
        _ zones: ZoneDraft?
    ) async throws -> ZoneDraft? {
        if form.revision == work.revision { return zones }
        return try await taxi.zoneDrafts.draft(form.revision) ?? taxi.zonesInForce?.draft
    }

    /// The same page again, with the entered values and the errors.
    private func wrong(
        _ form: ZoneForm,
        _ zone: Zone,
        _ problems: [Text],
        _ context: RequestContext,
        _ work: ZoneDrafts.Work
    ) -> Response {
        let sheet = ZoneSheet(
            zone: zone,
            shape: ZoneShape(zone.area),
            revision: form.revision,
            over: form.over,
            border: form.border,
            first: form.first,
            count: form.count,
            name: form.name,
            rows: form.rows,
            pasted: form.pasted,
            naming: work.draft?.writtenNaming,
            problems: problems
        )
        var page = zonePage(sheet, context)
        page.status = .unprocessableContent
        return response(page, to: context)
    }

    private func remove(
        _ zone: Zone,
        _ zones: ZoneDraft,
        _ work: ZoneDrafts.Work,
        _ form: ZoneForm,
        _ context: RequestContext
    ) async throws -> Response {
        do {
            try await save(try zones.applying([.remove(code: zone.code)]), from: work, context)
        } catch let failure as ZoneFailure {
            let isLast = failure.problems == [.empty]
            let words = failure.problems.map { isLast ? ZoneTexts.lastZone : $0.text(zones.names) }
            return wrong(form, zone, words, context, work)
        } catch is ZoneDrafts.Failure {
            return try await zoneConflict(form, try await taxi.zoneDrafts.work(), zones, context)
        }
        return .redirect(to: Address("/console/zones", query: ["notice": "removed"]))
    }

    /// The address of the page that shows the changed part of the border.
    private func address(of outcome: ZoneForm.Outcome, _ form: ZoneForm) -> Address {
        let isInSight =
            outcome.border == form.border
            && (form.first..<(form.first + ZoneForm.stretch)).contains(outcome.corner)
        var first = outcome.corner
        if case .show = form.action {
        } else {
            first = isInSight ? form.first : first - first % ZoneForm.stretch
        }
        let isRow: Bool =
            switch form.action {
            case .up, .down, .remove, .insert: true
            default: false
            }
        let border = "\(outcome.border)"
        // The table of corners is unfolded where a row of it was pressed, or another part shown.
        guard isRow || first > 0 else {
            return Address(
                "/console/zones/draft",
                outcome.zone.code,
                query: ["border": border, "notice": "saved"]
            )
        }
        return Address(
            "/console/zones/draft",
            outcome.zone.code,
            query: ["border": border, "first": "\(first)", "notice": "saved"],
            fragment: isRow ? "vertex-\(outcome.corner + 1)" : ""
        )
    }
}

extension ZoneDraft {
    /// The zone with a code; nil if there is none.
    func zone(_ code: String?) -> Zone? {
        zones.first { $0.code == code }
    }

    /// The names of the zones, keyed by code.
    var names: [String: String] {
        Dictionary(zones.map { ($0.code, $0.title) }, uniquingKeysWith: { first, _ in first })
    }

    /// A copy of the draft in which a zone replaces the one with the same code, or is added.
    ///
    /// - Throws: the reason why the result is not a valid draft.
    func replacing(_ zone: Zone) throws(ZoneFailure) -> ZoneDraft {
        guard let known = self.zone(zone.code) else { return try applying([.insert(zone)]) }
        var edits: [ZoneEdit] = []
        if known.area != zone.area { edits.append(.redraw(code: zone.code, area: zone.area)) }
        if known.name != zone.name { edits.append(.rename(code: zone.code, name: zone.name)) }
        return edits.isEmpty ? self : try applying(edits)
    }
}
