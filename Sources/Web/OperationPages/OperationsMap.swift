import CityData
import Dispatching
import Encoding
import Fares
import Geo
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension OperationPages {
    /// The maximum number of taxis on a map: more would be indistinguishable,
    /// and the tables list all.
    private static let marksShown = 500
    /// The maximum number of taxis that are labelled with their codes on a static map.
    private static let marksNamed = 25

    /// The map beside the lists, which contain the same information as text, with its legend.
    func operationsMap(
        _ stand: TaxiStand?,
        _ zone: ZoneNumber?,
        selected selection: OperationsView.Selection? = nil,
        hasLegend: Bool = true,
        _ context: RequestContext
    ) -> HTML {
        let query: KeyValuePairs = [
            "state": stand?.rawValue ?? "", "zone": zone.map { "\($0.rawValue)" } ?? "",
        ]
        let source = Address("/console/operations/map.json", query: query)
        let picture = Address("/console/operations/map.svg", query: query)
        let selected: HTML? = selection.map { selection in
            switch selection {
            case .request(let number): " data-selected=\"\(mapMark(number))\""
            case .taxi(let number): " data-selected=\"\(mapMark(number))\""
            }
        }
        return """
            <div id="operations-map" data-map="operations" data-source=\(source) \
            data-name="name" data-follows="operations"\(selected)>
            \(stillPicture(at: picture, OperationsMapTexts.picture, context))</div>
            \(hasLegend ? legend(context) : nil)
            """
    }

    /// The shapes and colours of the map, each with its word.
    private func legend(_ context: RequestContext) -> HTML {
        let stands = TaxiStand.allCases.filter { $0 != .off }
        let items = stands.map { "<li>\($0.html(context))</li>" as HTML }
        let levels = ZoneLevel.allCases.map { "<li>\(levelText($0, context))</li>" as HTML }
        return """
            <details class="map-key" open><summary>\(context.say(OperationsMapTexts.legend))\
            </summary><ul class="legend">\(items)<li><span class="waits"></span> \
            \(context.say(OperationsMapTexts.passenger))</li>\(levels)</ul>\
            <p class="hint">\(context.say(OperationsMapTexts.hint(Self.marksShown)))</p></details>
            """
    }

    /// The marker identifier of a taxi.
    func mapMark(_ taxi: TaxiNumber) -> String { "taxi-\(taxi.rawValue)" }

    /// The marker identifier of a request.
    func mapMark(_ request: RequestNumber) -> String { "request-\(request.rawValue)" }

    /// The identifier of a zone on the map.
    func mapMark(_ zone: ZoneNumber) -> String { "zone-\(zone.rawValue)" }

    private func marks(
        _ context: RequestContext
    ) async throws -> (taxis: [TaxiMark], requests: [RequestMark]) {
        try await checkOpen(context)
        let stand = context.query["state"].flatMap(TaxiStand.init(rawValue:))
        let zone = zoneNumber(context)
        let taxis = try await taxi.marks(stand, in: zone, limit: Self.marksShown).marks
        // A filter for taxis by state excludes requests.
        guard stand == nil else { return (taxis, []) }
        return (taxis, try await taxi.requestMarks(in: zone, limit: Self.marksShown))
    }

    /// Taxis and requests as GeoJSON, each with its state and the address of its page, and lines
    /// from taxis to the passengers who wait for them.
    func operationsMarks(_ context: RequestContext) async throws -> Response {
        let (taxis, requests) = try await marks(context)
        let names = try await taxiNames(taxis.map(\.taxi) + requests.compactMap(\.line.taxi))
        let ways = requests.compactMap { mark in
            mark.taxi.map { taxi in
                """
                {"type":"Feature","geometry":{"type":"LineString",\
                "coordinates":[\(Self.jsonPosition(taxi)),\(Self.jsonPosition(mark.place))]},\
                "properties":{"kind":"way"}}
                """
            }
        }
        let cars = taxis.map { mark -> String in
            let code = names[mark.taxi.code] ?? "\(mark.taxi.number.rawValue)"
            return mapPoint(
                mapMark(mark.taxi.number),
                at: mark.place,
                name: "\(code): \(context.say(mark.stand.label))",
                kind: mark.stand.rawValue,
                page: OperationsView().selecting(.taxi(mark.taxi.number)).address
            )
        }
        let waiting = requests.map { mark -> String in
            let request = mark.line.request
            let title = context.say(RequestFileTexts.title(request.number))
            return mapPoint(
                mapMark(request.number),
                at: mark.place,
                name: "\(title): \(context.say(stateText(mark.line, names)))",
                kind: "request \(RequestFilter(request)?.rawValue ?? "")",
                page: OperationsView().selecting(.request(request.number)).address
            )
        }
        let streets = try await streetMarks(context)
        return mapMarks(try await zoneAreas(context) + streets + ways + cars + waiting)
    }

    /// The zones with their level, unless the map is limited to taxis in a state.
    private func zoneAreas(_ context: RequestContext) async throws -> [String] {
        guard context.query["state"].flatMap(TaxiStand.init(rawValue:)) == nil,
            let zones = taxi.zonesInForce
        else { return [] }
        let chosen = zoneNumber(context)
        return try await taxi.zoneLines().compactMap { line in
            guard chosen == nil || chosen == line.number, let zone = zones.zone(code: line.code)
            else { return nil }
            let areas = zones[zone].area.polygons.map { polygon in
                let rings = polygon.rings.map { ring in
                    let closed = ring.points + ring.points.prefix(1)
                    return "[\(closed.map(Self.roundedPosition).joined(separator: ","))]"
                }
                return "[\(rings.joined(separator: ","))]"
            }
            let words = OperationsMapTexts.zone(
                OperationsTexts.people(line.waiting),
                OperationsTexts.freeCount(line.free),
                line.level.label
            )
            let page = OperationsView(.waiting, in: line.number).address
            return """
                {"type":"Feature","id":"\(mapMark(line.number))",\
                "geometry":{"type":"MultiPolygon","coordinates":[\(areas.joined(separator: ","))]},\
                "properties":{"kind":"zone","level":"\(line.level.rawValue)",\
                "name":\(JSONString.quoted(line.name)),\
                "words":\(JSONString.quoted(context.say(words))),\
                "waiting":\(line.waiting),"free":\(line.free),\
                "page":\(JSONString.quoted(page.text))}}
                """
        }
    }

    /// A corner of a zone, to a metre: the map is read again every few seconds.
    private static func roundedPosition(_ place: Coordinate) -> String {
        let numbers = [place.longitudeDegrees, place.latitudeDegrees].map {
            "\(($0 * 100_000).rounded() / 100_000)"
        }
        return "[\(numbers.joined(separator: ","))]"
    }

    private func mapPoint(
        _ mark: String,
        at place: Coordinate,
        name: String,
        kind: String,
        page: Address
    ) -> String {
        """
        {"type":"Feature","id":"\(mark)","geometry":{"type":"Point",\
        "coordinates":\(Self.jsonPosition(place))},"properties":{"name":\(JSONString.quoted(name)),\
        "kind":"\(kind)","page":\(JSONString.quoted(page.text))}}
        """
    }

    /// The same map as a static image, for browsers without scripts.
    func operationsPicture(_ context: RequestContext) async throws -> Response {
        let (taxis, requests) = try await marks(context)
        let isNamed = taxis.count + requests.count <= Self.marksNamed
        let names = isNamed ? try await taxiNames(taxis.map(\.taxi)) : [:]
        let zones = taxi.zonesInForce?.zones ?? []
        let areas = zones.flatMap { zone in
            zone.area.polygons.map { polygon in
                MapPicture.Overlay(.area(polygon.rings.map(\.points)), isFaint: true)
            }
        }
        let ways = requests.compactMap { mark in
            mark.taxi.map { MapPicture.Overlay(.line([$0, mark.place]), isFaint: true) }
        }
        let cars = taxis.map { mark in
            let code = names[mark.taxi.code].map { "\($0) \(context.say(mark.stand.label))" }
            return MapPicture.Overlay(
                .point(mark.place),
                label: code ?? "",
                isFaint: mark.stand != .free
            )
        }
        let waiting = requests.map { mark in
            let title = context.say(RequestFileTexts.title(mark.line.request.number))
            return MapPicture.Overlay(.point(mark.place), label: isNamed ? title : "")
        }
        let restricted = try await streetsOnMap(context)
        let streets = restricted.map { street in
            MapPicture.Overlay(
                .line(street.restriction.points),
                label: "\(street.name): \(context.say(street.restriction.text))"
            )
        }
        let places =
            taxis.map(\.place) + requests.map(\.place) + restricted.flatMap(\.restriction.points)
        return privatePicture(
            MapPicture(
                of: BoundingBox(around: places)?.expanded(byMetres: 500),
                overlays: areas + streets + ways + cars + waiting,
                title: context.say(MapTexts.map)
            )
        )
    }
}
