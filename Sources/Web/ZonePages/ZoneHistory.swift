import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension ZonePages {
    /// The history of zone versions, newest first, with the option to restore one.
    func zoneHistory(_ visit: Visit) async throws -> Reply {
        let versions = try await taxi.zoneDesk.versions()
        var names: [Int64: String] = [:]
        for author in Set(versions.compactMap(\.author)) {
            names[author] = try await authorName(author, visit)
        }
        let rows = versions.map { version -> HTML in
            let author = version.author.flatMap { names[$0] } ?? visit.say(ZoneTexts.nobody)
            let number = String(version.number)
            let isInForce = version.number == versions.first?.number
            let back: HTML = """
                <a href=\(Address("/console/zones/history", number))>\
                \(visit.say(ZoneHistoryTexts.back))<span class="hidden"> \(number)</span></a>
                """
            return """
                <tr><th scope="row">\(number)</th><td>\(time(version.published, visit))</td>\
                <td>\(author)</td><td>\(version.note)</td><td>\
                <a href=\(Address("/console/zones/history", number, "zones.geojson"))>\
                \(visit.say(ZoneHistoryTexts.download))\
                <span class="hidden"> \(number)</span></a></td>\
                <td>\(isInForce ? "\(visit.say(ZoneHistoryTexts.inForce))" : back)</td></tr>

                """
        }
        let table: HTML = """
            <div class="scroll"><table>
            <caption class="hidden">\(visit.say(ZoneTexts.history))</caption>
            <thead><tr><th scope="col">\(visit.say(ZoneHistoryTexts.version))</th>\
            <th scope="col">\(visit.say(ZoneHistoryTexts.published))</th>\
            <th scope="col">\(visit.say(ZoneHistoryTexts.author))</th>\
            <th scope="col">\(visit.say(ZonePublishingTexts.note))</th>\
            <th scope="col">\(visit.say(ZoneHistoryTexts.file))</th>\
            <th scope="col">\(visit.say(ZoneTexts.change))</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
        let page = Page(
            ZoneTexts.history,
            body: """
                <h1>\(visit.say(ZoneTexts.history))</h1>
                <p class="lead">\(visit.say(ZoneHistoryTexts.lead))</p>
                \(versions.isEmpty ? "<p>\(visit.say(ZoneTexts.none))</p>" : table)
                \(backToZones(visit))
                """
        )
        return reply(page, to: visit)
    }

    /// Downloads the zones of a version.
    func downloadVersion(_ visit: Visit) async throws -> Reply {
        let (_, zones) = try await zoneVersion(visit)
        return .download(zones.geoJSON, type: Self.zoneFileType, name: "zones.geojson")
    }
}
