import CityData
import Dispatching
import Geo
import HTTPTypes
import Markup
import Taxi
import Words
import Zones

extension Site {
    /// How many taxis a map shows: more could not be told apart, and the tables have them all.
    private static let marksShown = 500
    /// Up to so many taxis have their codes on a still picture.
    private static let marksNamed = 25

    /// The map beside the tables: the text above it says the same.
    func operationsMap(_ stand: TaxiStand?, _ zone: ZoneNumber?, _ visit: Visit) -> HTML {
        let query: KeyValuePairs = [
            "state": stand?.rawValue ?? "", "zone": zone.map { "\($0.rawValue)" } ?? "",
        ]
        let source = Address("/console/operations/map.json", query: query)
        let picture = Address("/console/operations/map.svg", query: query)
        return """
            <p class="hint">\(visit.say(OperationsMapWords.hint(Self.marksShown)))</p>
            <div data-map data-source=\(source) data-name="name" data-follows="operations">
            \(stillPicture(at: picture, OperationsMapWords.picture, visit))</div>
            """
    }

    private func marks(_ visit: Visit) async throws -> [TaxiMark] {
        try await checkOpen(visit)
        let stand = visit.query["state"].flatMap(TaxiStand.init(rawValue:))
        return try await taxi.marks(stand, in: zoneNumber(visit), limit: Self.marksShown).marks
    }

    /// The taxis as GeoJSON, each with its code and what it does.
    func operationsMarks(_ visit: Visit) async throws -> Reply {
        let marks = try await marks(visit)
        let names = try await taxiNames(marks.map(\.taxi))
        let features = marks.map { mark -> String in
            let code = names[mark.taxi.code] ?? "\(mark.taxi.number.rawValue)"
            let name = "\(code): \(visit.say(mark.stand.label))"
            return """
                {"type":"Feature","id":\(mark.taxi.number.rawValue),"geometry":{"type":"Point",\
                "coordinates":[\(mark.place.longitudeDegrees),\(mark.place.latitudeDegrees)]},\
                "properties":{"name":\(JSONText(name)),"kind":"\(mark.stand.rawValue)"}}
                """
        }
        let json = """
            {"type":"FeatureCollection","features":[\(features.joined(separator: ","))]}
            """
        return Reply(
            type: "application/geo+json",
            bytes: Array(json.utf8),
            headers: [.cacheControl: "private, no-store"]
        )
    }

    /// The same as a still picture, for who has no scripts.
    func operationsPicture(_ visit: Visit) async throws -> Reply {
        let marks = try await marks(visit)
        let isNamed = marks.count <= Self.marksNamed
        let names = isNamed ? try await taxiNames(marks.map(\.taxi)) : [:]
        let zones = taxi.zonesInForce?.zones ?? []
        let areas = zones.flatMap { zone in
            zone.area.polygons.map { polygon in
                MapPicture.Overlay(.area(polygon.rings.map(\.points)), isFaint: true)
            }
        }
        let points = marks.map { mark in
            let code = names[mark.taxi.code].map { "\($0) \(visit.say(mark.stand.label))" }
            return MapPicture.Overlay(
                .point(mark.place),
                label: code ?? "",
                isFaint: mark.stand != .free
            )
        }
        return privatePicture(
            MapPicture(
                of: BoundingBox(around: marks.map(\.place))?.expanded(byMetres: 500),
                overlays: areas + points,
                title: visit.say(MapWords.map)
            )
        )
    }
}

enum OperationsMapWords {
    static func hint(_ count: Int) -> Text {
        Text(
            "At most \(count) taxis on duty are drawn; choose a state or a zone to see others.",
            "Sono disegnati al massimo \(count) taxi in servizio; scegli uno stato o una zona per "
                + "vederne altri."
        )
    }
    static let picture = Text(
        "The zones, and the taxis of the table where they were seen last",
        "Le zone, e i taxi della tabella dove sono stati visti l'ultima volta"
    )
}
