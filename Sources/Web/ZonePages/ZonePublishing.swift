import Dispatching
import HTTPTypes
import Identity
import Localization
import Logging
import Markup
import Storage
import Taxi
import TaxiPages
import WebCore
import Zones

/// The zones that can be put into force: the draft or an earlier version.
enum ZoneSource: Hashable {
    /// The draft with a revision number.
    case draft(Int64)
    /// The version with a number.
    case version(Int64)
}

extension ZonePages {
    /// Previews the effects of publishing the draft without changing anything.
    func showPublication(_ context: RequestContext) async throws -> Response {
        let (work, _) = try await zoneWork()
        guard let draft = work.draft, let checked = await taxi.zoneDrafts.check(work) else {
            return response(nothingToPublish(context), to: context)
        }
        switch checked {
        case .failure(let failure): return response(unfit(failure, draft, context), to: context)
        case .success(let zones):
            return response(try await plan(zones, .draft(work.revision), context), to: context)
        }
    }

    /// Publishes the draft, provided that it is the one that was previewed.
    func publishDraft(_ context: RequestContext) async throws -> Response {
        let (work, _) = try await zoneWork()
        guard work.draft != nil, let checked = await taxi.zoneDrafts.check(work),
            case .success(let zones) = checked
        else { return .redirect(to: Address("/console/zones/publish")) }
        let isSeen = context.form["revision"] == String(work.revision)
        return try await publish(zones, .draft(work.revision), isSeen: isSeen, context)
    }

    /// Previews the effects of restoring an earlier version without changing anything.
    func showRollBack(_ context: RequestContext) async throws -> Response {
        let (version, zones) = try await zoneVersion(context)
        return response(try await plan(zones, .version(version.number), context), to: context)
    }

    /// Puts the zones of an earlier version into force again, as a new version.
    func rollBack(_ context: RequestContext) async throws -> Response {
        let (version, zones) = try await zoneVersion(context)
        return try await publish(zones, .version(version.number), isSeen: true, context)
    }

    /// The version named in the path, with its zones.
    func zoneVersion(
        _ context: RequestContext
    ) async throws -> (version: ZoneVersion, zones: ZoneSet) {
        guard taxi.serves else { throw Failure.busy(retryAfter: 5) }
        guard let number = context.parameters["number"].flatMap({ Int64($0) }),
            let found = try await taxi.zoneDrafts.version(number)
        else { throw Failure.notFound }
        return found
    }

    /// Takes a backup, puts the zones into force, records this in the audit log and notifies open
    /// pages (R8).
    private func publish(
        _ zones: ZoneSet,
        _ source: ZoneSource,
        isSeen: Bool,
        _ context: RequestContext
    ) async throws -> Response {
        let plan = try await taxi.plan(zones)
        // The confirmation must refer to the previewed zones and to the zones still in force.
        guard isSeen, context.form["in_force"] == String(plan.replaces) else {
            return try await again(ZonePublishingTexts.outdated, .conflict, zones, source, context)
        }
        let note = String((context.form["note"] ?? "").asOneLine.prefix(Self.noteLimit))
        do {
            try await backupBeforeChange("new zones")
        } catch {
            context.logger.error("no backup before new zones", metadata: ["error": "\(error)"])
            let words = ZonePublishingTexts.noBackup(String(describing: error))
            return try await again(words, .serviceUnavailable, zones, source, context)
        }
        var publication = Publication(by: context.session?.person?.rawValue, note: note)
        if case .draft(let revision) = source { publication.draft = revision }
        do {
            _ = try await taxi.draw(plan, for: publication, with: [act(source, context)])
        } catch TaxiService.Failure.planOutdated {
            return try await again(ZonePublishingTexts.outdated, .conflict, zones, source, context)
        } catch DispatchService.Failure.outcomeUnknown {
            return try await again(
                ZonePublishingTexts.unknown,
                .serviceUnavailable,
                zones,
                source,
                context
            )
        }
        await settleActs(context)
        context.logger.notice("zones published", metadata: ["zones": "\(zones.count)"])
        return .redirect(to: Address("/console/zones", query: ["notice": "published"]))
    }

    /// The statement that records the publication in the same transaction.
    ///
    /// The version number is right even if two people publish at once: the second publication
    /// fails because its plan is outdated.
    private func act(_ source: ZoneSource, _ context: RequestContext) async throws -> SQL {
        let number = (try await taxi.zoneDrafts.versions(limit: 1).first?.number ?? 0) + 1
        return switch source {
        case .draft: try notingZones(.publishZones, "version \(number)", context)
        case .version(let old):
            try notingZones(.rollBackZones, "version \(number), as version \(old)", context)
        }
    }

    /// Shows the page again, with the reason why nothing was done.
    private func again(
        _ problem: Text,
        _ status: HTTPResponse.Status,
        _ zones: ZoneSet,
        _ source: ZoneSource,
        _ context: RequestContext
    ) async throws -> Response {
        var page = try await plan(zones, source, context, problem: problem)
        page.status = status
        return response(page, to: context)
    }

    /// The maximum number of characters in a note.
    private static let noteLimit = 500

    // MARK: Preview of a publication

    private func nothingToPublish(_ context: RequestContext) -> Page {
        Page(
            ZonePublishingTexts.title,
            body: """
                <h1>\(context.say(ZonePublishingTexts.title))</h1>
                <p class="lead">\(context.say(ZoneTexts.noDraft))</p>
                \(backToZones(context))
                """
        )
    }

    /// The page that explains why a draft cannot be put into force.
    private func unfit(
        _ failure: ZoneFailure,
        _ draft: ZoneDraft,
        _ context: RequestContext
    ) -> Page {
        let names = draft.names
        let items = failure.problems.prefix(Self.zoneProblemLimit).map { problem -> HTML in
            let links = problem.codes.map { code in
                Chip(
                    ZonePublishingTexts.edit(names[code] ?? code),
                    icon: .edit,
                    .link(Address("/console/zones/draft", code))
                )
            }
            let actions = Chips(links).html(context)
            return """
                <li>\(context.say(problem.text(names)))\(HTML.when(!links.isEmpty, actions))</li>
                """
        }
        let rest = failure.problems.count - items.count
        let more: HTML = "<p>\(context.say(ZonePublishingTexts.moreProblems(rest)))</p>"
        var page = Page(
            ZonePublishingTexts.unfit,
            body: """
                <h1>\(context.say(ZonePublishingTexts.unfit))</h1>
                <p class="lead">\(context.say(ZonePublishingTexts.unfitLead))</p>
                <ol class="findings">\(items)</ol>
                \(HTML.when(rest > 0, more))
                """
        )
        page.layout = .console
        page.map = zoneMap(nil, naming: draft.writtenNaming, marksProblems: true, context)
        return page
    }

    /// The changes and their effects, with the form that confirms them.
    private func plan(
        _ zones: ZoneSet,
        _ source: ZoneSource,
        _ context: RequestContext,
        problem: Text? = nil
    ) async throws -> Page {
        let plan = try await taxi.plan(zones)
        let inForce = taxi.zonesInForce
        let changes = ZoneChanges(from: inForce?.zones ?? [], to: zones.zones)
        let title: Text
        let action: Address
        switch source {
        case .draft:
            title = ZonePublishingTexts.title
            action = Address("/console/zones/publish")
        case .version(let number):
            title = ZonePublishingTexts.rollBack(number)
            action = Address("/console/zones/history", String(number))
        }
        let isNew = inForce.map { $0 != zones } ?? true
        let lead = isNew ? ZonePublishingTexts.lead : ZonePublishingTexts.same
        let form = isNew ? confirmation(action, plan, source, problem, context) : .empty
        var page = Page(
            title,
            body: """
                <h1>\(context.say(title))</h1>
                <p class="lead">\(context.say(lead))</p>
                <h2>\(context.say(ZonePublishingTexts.changes))</h2>
                \(list(changes, context))
                <h2>\(context.say(ZonePublishingTexts.moves))</h2>
                \(moves(plan, inForce, context))
                \(borders(zones, context))
                \(form)
                """
        )
        page.layout = .console
        page.map = zoneMap(nil, naming: zones.draft.writtenNaming, context)
        page.hasForm = true
        return page
    }

    /// The form that puts the zones into force, whose button stays on screen.
    private func confirmation(
        _ action: Address,
        _ plan: RedrawPlan,
        _ source: ZoneSource,
        _ problem: Text?,
        _ context: RequestContext
    ) -> HTML {
        let note = Field(
            name: "note",
            label: ZonePublishingTexts.note,
            hint: ZonePublishingTexts.noteHint,
            value: context.form["note"] ?? "",
            isRequired: false
        )
        let revision: HTML? =
            if case .draft(let revision) = source {
                "<input type=\"hidden\" name=\"revision\" value=\"\(revision)\">"
            } else {
                nil
            }
        var button = Button(ZonePublishingTexts.button, look: .primary)
        button.busy = ZonePublishingTexts.busy
        return """
            \(problem.map { Notice(.error, isAnnounced: true, "\(context.say($0))").html(context) })
            <form method="post" action=\(action) novalidate>\(context.formToken)
            \(note.html(context))
            <input type="hidden" name="in_force" value="\(String(plan.replaces))">\(revision)
            <p class="hint">\(context.say(ZonePublishingTexts.backup))</p>
            \(Dock(button.html(context)).html)
            </form>
            """
    }

    // MARK: Moves and borders

    private func moves(_ plan: RedrawPlan, _ inForce: ZoneSet?, _ context: RequestContext) -> HTML {
        let old = inForce?.draft.names ?? [:]
        let new = plan.zones.draft.names
        let taxis = ZoneFlow.all(plan.taxis.map { ($0.from, $0.to) })
        let requests = ZoneFlow.all(plan.requests.map { ($0.from, $0.to) })
        var rows = taxis.map { Row(.taxi, "\(context.say($0.taxis(old, new)))") }
        rows += requests.map { Row(.person, "\(context.say($0.requests(old, new)))") }
        if rows.isEmpty {
            rows.append(Row(.check, "\(context.say(ZonePublishingTexts.nothingMoves))"))
        }
        if plan.unheard > 0 {
            let words = context.say(ZonePublishingTexts.unheard(plan.unheard))
            rows.append(Row(.offline, "\(words)"))
        }
        return Rows(rows).html
    }

    /// The adjustments that made the borders fit, and the remaining gaps.
    private func borders(_ zones: ZoneSet, _ context: RequestContext) -> HTML {
        let names = zones.zones.map(\.title)
        let gaps = zones.report.gaps.map { $0.text(names) }
        let repairs = zones.report.repairs.map { $0.text(names) }
        func items(_ texts: [Text]) -> [HTML] {
            let more = texts.count - Self.zoneProblemLimit
            return (texts.prefix(Self.zoneProblemLimit) + (more > 0 ? [ZoneTexts.more(more)] : []))
                .map { "<li>\(context.say($0))</li>" }
        }
        let gapList: HTML = """
            <p>\(context.say(ZonePublishingTexts.gapsLead))</p><ul>\(items(gaps))</ul>
            """
        let repairList: HTML = """
            <details><summary>\(context.say(ZonePublishingTexts.repairs(repairs.count)))</summary>
            <ul>\(items(repairs))</ul></details>
            """
        return """
            <h2>\(context.say(ZonePublishingTexts.borders))</h2>
            \(HTML.when(gaps.isEmpty, "<p>\(context.say(ZonePublishingTexts.noGaps))</p>"))
            \(HTML.when(!gaps.isEmpty, gapList))
            \(HTML.when(!repairs.isEmpty, repairList))
            """
    }
}

/// The number of taxis or requests that would move from one zone to another.
struct ZoneFlow: Hashable {
    /// The code of the current zone; nil if outside all zones.
    var from: String?
    /// The code of the future zone; nil if outside all zones.
    var to: String?
    /// The number of taxis or requests that move.
    var count: Int

    /// The moves grouped by origin and destination, sorted by descending count, then by code.
    static func all(_ moves: [(String?, String?)]) -> [ZoneFlow] {
        var counts: [ZoneFlow: Int] = [:]
        for (from, to) in moves { counts[ZoneFlow(from: from, to: to, count: 0), default: 0] += 1 }
        return counts.map { ZoneFlow(from: $0.from, to: $0.to, count: $1) }.sorted {
            ($1.count, $0.from ?? "", $0.to ?? "") < ($0.count, $1.from ?? "", $1.to ?? "")
        }
    }

    private func places(
        _ old: [String: String],
        _ new: [String: String]
    ) -> (from: Text, to: Text) {
        let outside = ZonePublishingTexts.outside
        return (
            from.map { Text(same: old[$0] ?? $0) } ?? outside,
            to.map { Text(same: new[$0] ?? $0) } ?? outside
        )
    }

    /// A description of the move for taxis.
    func taxis(_ old: [String: String], _ new: [String: String]) -> Text {
        let (from, to) = places(old, new)
        return ZonePublishingTexts.taxis(count, from, to)
    }

    /// A description of the move for requests.
    func requests(_ old: [String: String], _ new: [String: String]) -> Text {
        let (from, to) = places(old, new)
        if self.to == nil { return ZonePublishingTexts.requestsEnd(count, from) }
        return ZonePublishingTexts.requests(count, from, to)
    }
}
