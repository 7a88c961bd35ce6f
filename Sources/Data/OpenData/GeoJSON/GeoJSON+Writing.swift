import Geo

extension GeoJSON {
    /// The document as a feature collection in UTF-8, a feature a line.
    ///
    /// The same document always gives the same bytes. Outlines run counter-clockwise and holes
    /// clockwise (RFC 7946, 3.1.6), whatever they were read from.
    package var bytes: [UInt8] {
        let lines = features.map { Self.value($0).json }
        let text =
            "{\"type\":\"FeatureCollection\",\"features\":[\n"
            + lines.joined(separator: ",\n") + (lines.isEmpty ? "]}\n" : "\n]}\n")
        return Array(text.utf8)
    }

    fileprivate static func value(_ feature: Feature) -> JSONValue {
        var members = [JSONObject.Member("type", .text("Feature"))]
        if let id = feature.id { members.append(.init("id", id)) }
        members.append(.init("geometry", feature.geometry.map(value) ?? .null))
        members.append(.init("properties", .object(feature.properties)))
        return .object(JSONObject(members))
    }

    private static func value(_ geometry: Geometry) -> JSONValue {
        let (type, name, content): (String, String, JSONValue) =
            switch geometry {
            case .point(let place): ("Point", "coordinates", value(place))
            case .multiPoint(let places): ("MultiPoint", "coordinates", value(places))
            case .line(let places): ("LineString", "coordinates", value(places))
            case .multiLine(let lines):
                ("MultiLineString", "coordinates", .list(lines.map { value($0) }))
            case .polygon(let polygon): ("Polygon", "coordinates", value(polygon))
            case .multiPolygon(let area):
                ("MultiPolygon", "coordinates", .list(area.polygons.map { value($0) }))
            case .collection(let parts):
                ("GeometryCollection", "geometries", .list(parts.map { value($0) }))
            }
        return .object(JSONObject([.init("type", .text(type)), .init(name, content)]))
    }

    private static func value(_ polygon: Polygon) -> JSONValue {
        // A border without an area has no direction, and stays as it is.
        let turned = polygon.outline.reversed
        let outline = turned.isCounterClockwise ? turned : polygon.outline
        let holes = polygon.holes.map { $0.isCounterClockwise ? $0.reversed : $0 }
        let rings = [outline] + holes
        return .list(rings.map { value($0.points) })
    }

    private static func value(_ places: [Coordinate]) -> JSONValue {
        .list(places.map { value($0) })
    }

    private static func value(_ place: Coordinate) -> JSONValue {
        .list([.number(place.longitudeDegrees), .number(place.latitudeDegrees)])
    }
}

extension GeoJSON.Feature {
    /// The feature as a JSON object.
    package var json: JSONValue { GeoJSON.value(self) }
}
