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
        let rows = versions.map { version -> HTML in
            let author = version.author.flatMap { names[$0] } ?? context.say(ZoneTexts.nobody)
            let number = String(version.number)
            let isInForce = version.number == versions.first?.number
            let back: HTML = """
                <a href=\(Address("/console/zones/history", number))>\
                \(context.say(ZoneHistoryTexts.back))<span class="hidden"> \(number)</span></a>
                """
            return """
                <tr><th scope="row">\(number)</th><td>\(time(version.published, context))</td>\
                <td>\(author)</td><td>\(version.note)</td><td>\
                <a href=\(Address("/console/zones/history", number, "zones.geojson"))>\
                \(context.say(ZoneHistoryTexts.download))\
                <span class="hidden"> \(number)</span></a></td>\
                <td>\(isInForce ? "\(context.say(ZoneHistoryTexts.inForce))" : back)</td></tr>

                """
        }
        let table: HTML = """
            <div class="scroll"><table>
            <caption class="hidden">\(context.say(ZoneTexts.history))</caption>
            <thead><tr><th scope="col">\(context.say(ZoneHistoryTexts.version))</th>\
            <th scope="col">\(context.say(ZoneHistoryTexts.published))</th>\
            <th scope="col">\(context.say(ZoneHistoryTexts.author))</th>\
            <th scope="col">\(context.say(ZonePublishingTexts.note))</th>\
            <th scope="col">\(context.say(ZoneHistoryTexts.file))</th>\
            <th scope="col">\(context.say(ZoneTexts.change))</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
        let page = Page(
            ZoneTexts.history,
            body: """
                <h1>\(context.say(ZoneTexts.history))</h1>
                <p class="lead">\(context.say(ZoneHistoryTexts.lead))</p>
                \(versions.isEmpty ? "<p>\(context.say(ZoneTexts.none))</p>" : table)
                \(backToZones(context))
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
