import Chronology
import Dispatching
import HTTPTypes
import Identity
import Localization
import Markup
import Storage
import Taxi
import TaxiPages
package import WebCore
import Zones

extension ZonePages {
    /// The pages and actions for viewing, editing, checking, publishing and restoring zones (R3,
    /// R7, R8).
    ///
    /// Editing the draft does not affect the zones in force and therefore does not ask for the
    /// password; publishing does.
    package var routes: [Route] {
        [
            .get("/console/zones", as: "zones.list", for: .administrator, listZones)
                .taking([.notice]),
            .get(
                "/console/zones/zones.geojson",
                as: "zones.zones.geojson",
                for: .administrator,
                downloadZones
            )
            .answering(.file("application/geo+json"))
            .failing(.notFound),
            .get(
                "/console/zones/draft.geojson",
                as: "zones.draft.geojson",
                for: .administrator,
                downloadDraft
            )
            .taking([.problems])
            .answering(.file("application/geo+json"))
            .failing(.notFound),
            .get(
                "/console/zones/map.svg",
                as: "zones.map.svg",
                for: .administrator,
                showZonePicture
            )
            .taking([
                .query("zone", .text(400), "The code of the zone that the picture shows."),
                .problems,
            ])
            .answering(.picture)
            .failing(.notFound),
            .get("/console/zones/import", as: "zones.import.form", for: .administrator) {
                response(try await importPage($0), to: $0)
            },
            .post(
                "/console/zones/import",
                as: "zones.import",
                for: .administrator,
                bodyLimit: Self.zoneFileLimit,
                importZones
            )
            .taking([
                .typed("file", .file(Self.zoneFileLimit), "The zones as GeoJSON."),
                .typed("text", .opaque(Self.zoneFileLimit), "The zones as pasted GeoJSON."),
                .typed("code_property", .text(200), "The property that holds the code of a zone."),
                .typed("name_property", .text(200), "The property that holds the name of a zone."),
                .set("again", .flag("yes"), "Reads the draft again, by other properties."),
                .revision,
            ]),
            .get("/console/zones/new", as: "zones.new.form", for: .administrator) {
                response(try await newZonePage($0), to: $0)
            },
            .post(
                "/console/zones/new",
                as: "zones.new",
                for: .administrator,
                bodyLimit: Self.zoneFileLimit,
                addZone
            )
            .taking([
                .typed("code", .text(40), "The code of the zone."),
                .typed("name", .text(ZoneForm.nameLimit), "The name of the zone."),
                .typed("border", .opaque(Self.zoneFileLimit), "The border as text."),
            ]),
            .get(
                "/console/zones/draft/{code}",
                as: "zones.draft.show",
                for: .administrator,
                showZone
            )
            .taking([
                .path("code", .text(400), "The code of the zone."),
                .notice,
                .query("border", .identifier, "The border that is shown."),
                .query("first", .identifier, "The first corner that is shown."),
            ]),
            .post(
                "/console/zones/draft/{code}",
                as: "zones.draft.change",
                for: .administrator,
                bodyLimit: Self.zoneFileLimit,
                changeZone
            )
            .taking([.path("code", .text(400), "The code of the zone.")])
            .taking(ZoneForm.input),
            .post("/console/zones/undo", as: "zones.undo", for: .administrator, undoZones)
                .taking([.revision]),
            .post("/console/zones/discard", as: "zones.discard", for: .administrator, discardZones)
                .taking([.revision]),
            .get(
                "/console/zones/publish",
                as: "zones.publish.form",
                for: .graveAdministrator,
                showPublication
            )
            .answering(.page, .redirect),
            .post(
                "/console/zones/publish",
                as: "zones.publish",
                for: .graveAdministrator,
                publishDraft
            )
            .taking([
                .revision,
                .zonesInForce,
                .typed("note", .text(500), "Why the zones change."),
            ]),
            .get("/console/zones/history", as: "zones.history", for: .administrator, zoneHistory)
                .taking([.notice]),
            .get(
                "/console/zones/history/{number}/zones.geojson",
                as: "zones.history.zones.geojson",
                for: .administrator,
                downloadVersion
            )
            .taking([.version])
            .answering(.file("application/geo+json")),
            .get(
                "/console/zones/history/{number}",
                as: "zones.restore.form",
                for: .graveAdministrator,
                showRollBack
            )
            .taking([.version]),
            .post(
                "/console/zones/history/{number}",
                as: "zones.restore",
                for: .graveAdministrator,
                rollBack
            )
            .taking([
                .version,
                .zonesInForce,
                .typed("note", .text(500), "Why the zones change."),
            ]),
        ]
    }

    /// The maximum size of an uploaded zone file in bytes: 16 MiB, plus 1 MiB for the rest of the
    /// form.
    static let zoneFileLimit = 17 << 20

    /// The current draft, and the zones that a page about it shows: those of the draft, or else
    /// those in force; nil if there are none yet.
    func zoneWork() async throws -> (work: ZoneDrafts.Work, zones: ZoneDraft?) {
        guard taxi.serves else { throw Failure.busy(retryAfter: 5) }
        let work = try await taxi.zoneDrafts.work()
        return (work, work.draft ?? taxi.zonesInForce?.draft)
    }

    /// Saves a draft that was derived from the given state of the work.
    @discardableResult
    func save(
        _ draft: ZoneDraft?,
        from work: ZoneDrafts.Work,
        _ context: RequestContext,
        with further: [SQL] = []
    ) async throws -> Int64 {
        try await taxi.zoneDrafts.save(
            draft,
            from: work.revision,
            by: context.session?.person?.rawValue,
            base: work.draft == nil ? taxi.zonesInForce?.versionHash : work.base,
            at: context.now,
            with: further
        )
    }

    /// The statement that records an action on zones in the audit log.
    func notingZones(_ act: AuditAct, _ object: String, _ context: RequestContext) throws -> SQL {
        guard let session = context.session else { throw Failure.notSignedIn }
        return try accounts.noting(act, object: object, by: session, at: context.now)
    }

    /// The name of a person as shown to colleagues: the user name.
    func authorName(_ author: Int64?, _ context: RequestContext) async throws -> String {
        guard let author else { return context.say(ZoneTexts.nobody) }
        do {
            let profile = try await accounts.profile(of: PersonNumber(rawValue: author))
            return profile.userName ?? profile.name
        } catch AccountFailure.noSuchPerson {
            return context.say(ZoneTexts.erased)
        }
    }

    /// The confirmation of an action, shown after the redirect.
    func zoneNotice(_ context: RequestContext) -> HTML? {
        ZoneTexts.notices[context.query["notice"] ?? ""].map {
            "<div class=\"notice good\" role=\"status\"><p>\(context.say($0))</p></div>"
        }
    }

    /// The link back to the list of zones, on pages with a single message.
    func backToZones(_ context: RequestContext) -> HTML {
        "<p>\(Button(ZoneTexts.back, .link(Address("/console/zones"))).html(context))</p>"
    }

    /// The list of differences between two drafts, zone by zone.
    func list(_ changes: ZoneChanges, _ context: RequestContext) -> HTML {
        guard !changes.isEmpty else { return "<p>\(context.say(ZoneTexts.noDifference))</p>" }
        let groups: [(Text, [String])] = [
            (ZoneTexts.added, changes.added.map(\.title)),
            (ZoneTexts.removed, changes.removed.map(\.title)),
            (ZoneTexts.redrawn, changes.redrawn.map(\.title)),
            (ZoneTexts.renamed, changes.renamed.map { "\($0.from) → \($0.to) (\($0.code))" }),
        ]
        let items = groups.filter { !$1.isEmpty }.map { title, zones -> HTML in
            let rest = zones.count - Self.namedLimit
            let names = zones.prefix(Self.namedLimit).joined(separator: ", ")
            let all: HTML =
                "\(names)\(HTML.when(rest > 0, ", \(context.say(ZoneTexts.more(rest)))"))"
            let head: HTML = "<b>\(context.say(title))</b> (\(zones.count))"
            // Long lists are collapsed at first.
            return zones.count > 12
                ? "<li><details><summary>\(head)</summary>\(all)</details></li>"
                : "<li>\(head): \(all)</li>"
        }
        return "<ul>\(items)</ul>"
    }

    /// The maximum number of zones named in a sentence; a file of a whole city changes all of them.
    private static let namedLimit = 100
}

extension Zone {
    /// The name, followed by the code if it differs.
    var title: String { name == code ? name : "\(name) (\(code))" }
}

extension InputField {
    /// A hash of the zones that the administrator saw in force: others are not replaced.
    fileprivate static let zonesInForce = set(
        "in_force",
        .opaque(20),
        "A hash of the zones in force when the page was made."
    )

    /// Whether a map of the draft marks what is wrong with it.
    fileprivate static let problems = query(
        "problems",
        .text(3),
        "\"yes\" to mark what is wrong with the draft."
    )

    /// The draft that the administrator saw: a newer one is not overwritten.
    static let revision = set("revision", .anyNumber, "The draft that the page showed.")

    /// A version of the zones that was in force.
    fileprivate static let version = path("number", .identifier, "The number of the version.")
}
