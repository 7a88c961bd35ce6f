import CityData
import Dispatching
import Geo
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension OperationPages {
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
            <p class="hint">\(visit.say(OperationsMapTexts.hint(Self.marksShown)))</p>
            <div id="operations-map" data-map="operations" data-source=\(source) \
            data-name="name" data-follows="operations">
            \(stillPicture(at: picture, OperationsMapTexts.picture, visit))</div>
            """
    }

    /// The way from a row to its mark on the map of the same page.
    ///
    /// - Parameters:
    ///   - mark: what the map calls it.
    ///   - name: what people call it, for who hears the link alone.
    ///   - visit: the operator.
    /// - Returns: the link.
    func mapLink(to mark: String, _ name: Text, _ visit: Visit) -> HTML {
        """
        <a href="#operations-map" data-show="\(mark)">\(visit.say(OperationsMapTexts.show))\
        <span class="hidden">: \(visit.say(name))</span></a>
        """
    }

    /// What the map calls a taxi.
    func mapMark(_ taxi: TaxiNumber) -> String { "taxi-\(taxi.rawValue)" }

    /// What the map calls a request.
    func mapMark(_ request: RequestNumber) -> String { "request-\(request.rawValue)" }

    private func marks(_ visit: Visit) async throws -> (taxis: [TaxiMark], requests: [RequestMark])
    {
        try await checkOpen(visit)
        let stand = visit.query["state"].flatMap(TaxiStand.init(rawValue:))
        let zone = zoneNumber(visit)
        let taxis = try await taxi.marks(stand, in: zone, limit: Self.marksShown).marks
        // Who looks for taxis of a kind looks for nothing else.
        guard stand == nil else { return (taxis, []) }
        return (taxis, try await taxi.requestMarks(in: zone, limit: Self.marksShown))
    }

    /// Taxis and requests as GeoJSON, each with what it does and where its page is, and the ways of
    /// taxis to who waits for them.
    func operationsMarks(_ visit: Visit) async throws -> Reply {
        let (taxis, requests) = try await marks(visit)
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
                name: "\(code): \(visit.say(mark.stand.label))",
                kind: mark.stand.rawValue,
                page: address(of: mark.taxi.number)
            )
        }
        let waiting = requests.map { mark -> String in
            let request = mark.line.request
            let title = visit.say(RequestFileTexts.title(request.number))
            return mapPoint(
                mapMark(request.number),
                at: mark.place,
                name: "\(title): \(visit.say(stateWords(mark.line, names)))",
                kind: "request \(RequestFilter(request)?.rawValue ?? "")",
                page: requestAddress(request.number)
            )
        }
        return mapMarks(ways + cars + waiting)
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
        "coordinates":\(Self.jsonPosition(place))},"properties":{"name":\(JSONText(name)),\
        "kind":"\(kind)","page":\(JSONText(page.text))}}
        """
    }

    /// The same as a still picture, for who has no scripts.
    func operationsPicture(_ visit: Visit) async throws -> Reply {
        let (taxis, requests) = try await marks(visit)
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
            let code = names[mark.taxi.code].map { "\($0) \(visit.say(mark.stand.label))" }
            return MapPicture.Overlay(
                .point(mark.place),
                label: code ?? "",
                isFaint: mark.stand != .free
            )
        }
        let waiting = requests.map { mark in
            let title = visit.say(RequestFileTexts.title(mark.line.request.number))
            return MapPicture.Overlay(.point(mark.place), label: isNamed ? title : "")
        }
        let places = taxis.map(\.place) + requests.map(\.place)
        return privatePicture(
            MapPicture(
                of: BoundingBox(around: places)?.expanded(byMetres: 500),
                overlays: areas + ways + cars + waiting,
                title: visit.say(MapTexts.map)
            )
        )
    }
}
