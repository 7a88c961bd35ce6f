import Localization
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
            let author = version.author.flatMap { names[$0] } ?? visit.say(ZoneWords.nobody)
            let number = String(version.number)
            let isInForce = version.number == versions.first?.number
            let back: HTML = """
                <a href=\(Address("/console/zones/history", number))>\
                \(visit.say(ZoneHistoryWords.back))<span class="hidden"> \(number)</span></a>
                """
            return """
                <tr><th scope="row">\(number)</th><td>\(time(version.published, visit))</td>\
                <td>\(author)</td><td>\(version.note)</td><td>\
                <a href=\(Address("/console/zones/history", number, "zones.geojson"))>\
                \(visit.say(ZoneHistoryWords.download))\
                <span class="hidden"> \(number)</span></a></td>\
                <td>\(isInForce ? "\(visit.say(ZoneHistoryWords.inForce))" : back)</td></tr>

                """
        }
        let table: HTML = """
            <div class="scroll"><table>
            <caption class="hidden">\(visit.say(ZoneWords.history))</caption>
            <thead><tr><th scope="col">\(visit.say(ZoneHistoryWords.version))</th>\
            <th scope="col">\(visit.say(ZoneHistoryWords.published))</th>\
            <th scope="col">\(visit.say(ZoneHistoryWords.author))</th>\
            <th scope="col">\(visit.say(ZonePublishingWords.note))</th>\
            <th scope="col">\(visit.say(ZoneHistoryWords.file))</th>\
            <th scope="col">\(visit.say(ZoneWords.change))</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
        let page = Page(
            ZoneWords.history,
            body: """
                <h1>\(visit.say(ZoneWords.history))</h1>
                <p class="lead">\(visit.say(ZoneHistoryWords.lead))</p>
                \(versions.isEmpty ? "<p>\(visit.say(ZoneWords.none))</p>" : table)
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

enum ZoneHistoryWords {
    static let lead = Text(
        "Every version that was in force is kept. You can look at what returning to one would "
            + "change, and then do it.",
        "Ogni versione che è stata in vigore è conservata. Puoi vedere che cosa cambierebbe "
            + "tornando a una di esse, e poi farlo."
    )
    static let version = Text("Version", "Versione")
    static let published = Text("Published", "Pubblicata")
    static let author = Text("By", "Da")
    static let file = Text("File", "File")
    static let download = Text("Download", "Scarica")
    static let back = Text("What returning would change", "Che cosa cambierebbe tornando")
    static let inForce = Text("In force", "In vigore")
}
