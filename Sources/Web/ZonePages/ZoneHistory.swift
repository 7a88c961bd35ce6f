import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension ZonePages {
    /// The history of zone versions, newest first, with the option to restore one.
    func zoneHistory(_ context: RequestContext) async throws -> Response {
        let versions = try await taxi.zoneDrafts.versions()
        var names: [Int64: String] = [:]
        for author in Set(versions.compactMap(\.author)) {
            names[author] = try await authorName(author, context)
        }
        let rows = versions.map { version -> [HTML] in
            let author = version.author.flatMap { names[$0] } ?? context.say(ZoneTexts.nobody)
            let number = String(version.number)
            let back: HTML = """
                <a href=\(Address("/console/zones/history", number))>\
                \(context.say(ZoneHistoryTexts.back))<span class="hidden"> \(number)</span></a>
                """
            let inForce = StateChip(ZoneHistoryTexts.inForce, icon: .check, tone: .good)
            return [
                "\(number)", time(version.published, context), "\(author)", "\(version.note)",
                """
                <a href=\(Address("/console/zones/history", number, "zones.geojson"))>\
                \(context.say(ZoneHistoryTexts.download))\
                <span class="hidden"> \(number)</span></a>
                """,
                version.number == versions.first?.number ? inForce.html(context) : back,
            ]
        }
        let table = DataTable(
            caption: ZoneTexts.history,
            [
                DataTable.Column(ZoneHistoryTexts.version),
                DataTable.Column(ZoneHistoryTexts.published),
                DataTable.Column(ZoneHistoryTexts.author),
                DataTable.Column(ZonePublishingTexts.note),
                DataTable.Column(ZoneHistoryTexts.file),
                DataTable.Column(ZoneTexts.change),
            ],
            rows: rows,
            hidesCaption: true
        )
        let nothing = EmptyState(.area, ZoneTexts.none, ZoneTexts.noneAdvice)
        let page = Page(
            ZoneTexts.history,
            body: """
                <h1>\(context.say(ZoneTexts.history))</h1>
                <p class="lead">\(context.say(ZoneHistoryTexts.lead))</p>
                \(versions.isEmpty ? nothing.html(context) : table.html(context))
                """
        )
        return response(page, to: context)
    }

    /// Downloads the zones of a version.
    func downloadVersion(_ context: RequestContext) async throws -> Response {
        let (_, zones) = try await zoneVersion(context)
        return .download(zones.geoJSON, type: Self.zoneFileType, name: "zones.geojson")
    }
}
