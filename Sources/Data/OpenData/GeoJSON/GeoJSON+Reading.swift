import Geo

extension GeoJSON {
    /// Parses a document: a collection of features, one feature, or a geometry alone.
    ///
    /// Coordinates beyond longitude and latitude are ignored. Degrees are rounded to 1e-7. A
    /// geometry with an empty array of coordinates counts as unknown (RFC 7946, 3.1).
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8.
    ///   - file: the file name to give in errors.
    /// - Throws: the error, with the feature and the member where it occurred.
    package init(_ bytes: [UInt8], file: String) throws(GeoJSONFailure) {
        do {
            features = try Self.features(in: bytes)
        } catch {
            throw GeoJSONFailure(
                file: file,
                feature: error.feature,
                field: error.path,
                problem: error.problem
            )
        }
    }

    /// Reads a geometry within another document; nil if its array of coordinates is empty.
    static func geometry(_ value: JSONValue) throws(GeoJSONFailure) -> Geometry? {
        do {
            return try GeoJSONReader.geometry(value, depth: 0)
        } catch {
            throw GeoJSONFailure(
                file: "geometry",
                feature: nil,
                field: error.path,
                problem: error.problem
            )
        }
    }

    private static func features(in bytes: [UInt8]) throws(GeoJSONTrouble) -> [Feature] {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: bytes)
        } catch {
            throw GeoJSONTrouble("", .syntax(error))
        }
        let object = try GeoJSONReader.object(document)
        try GeoJSONReader.checkCoordinateSystem(object)
        switch try GeoJSONReader.type(of: object) {
        case "FeatureCollection":
            let list = try GeoJSONReader.list("features", of: object)
            var features: [Feature] = []
            features.reserveCapacity(list.count)
            for (number, value) in list.enumerated() {
                do {
                    features.append(try GeoJSONReader.feature(value))
                } catch {
                    throw error.inFeature(number)
                }
            }
            return features
        case "Feature": return [try GeoJSONReader.feature(document)]
        default:
            return [Feature(geometry: try GeoJSONReader.geometry(document, depth: 0))]
        }
    }
}

/// A problem and where it was found; the path is put together on the way out.
private struct GeoJSONTrouble: Error {
    private(set) var feature: Int?
    private(set) var path: String
    let problem: GeoJSONFailure.Problem

    init(_ path: String, _ problem: GeoJSONFailure.Problem) {
        self.path = path
        self.problem = problem
    }

    /// The same error, with the enclosing member added to its path.
    func within(_ member: String) -> GeoJSONTrouble {
        var outer = self
        outer.path = member + (path.isEmpty || path.hasPrefix("[") ? "" : ".") + path
        return outer
    }

    func inFeature(_ number: Int) -> GeoJSONTrouble {
        var outer = self
        outer.feature = number
        return outer
    }
}

private enum GeoJSONReader {
    /// How deep geometry collections may lie within one another; RFC 7946 advises against any.
    static let collectionDepthLimit = 4

    static func feature(_ value: JSONValue) throws(GeoJSONTrouble) -> GeoJSON.Feature {
        let object = try object(value)
        let type = try type(of: object)
        guard type == "Feature" else { throw GeoJSONTrouble("type", .unknownType(type)) }
        var feature = GeoJSON.Feature(geometry: nil)
        switch object["id"] {
        case nil, .null: break
        case .text, .integer, .number: feature.id = object["id"]
        default: throw GeoJSONTrouble("id", .expected(.textOrNumber))
        }
        switch object["properties"] {
        case nil, .null: break
        case .object(let properties): feature.properties = properties
        default: throw GeoJSONTrouble("properties", .expected(.object))
        }
        switch object["geometry"] {
        case nil: throw GeoJSONTrouble("geometry", .missing)
        case .null: break
        case .some(let value):
            do {
                feature.geometry = try geometry(value, depth: 0)
            } catch {
                throw error.within("geometry")
            }
        }
        return feature
    }

    /// Where something is; nil if its coordinates are an empty array.
    static func geometry(
        _ value: JSONValue,
        depth: Int
    ) throws(GeoJSONTrouble) -> GeoJSON.Geometry? {
        let object = try object(value)
        let type = try type(of: object)
        if type == "GeometryCollection" { return .collection(try parts(of: object, depth: depth)) }
        guard
            ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"]
                .contains(type)
        else { throw GeoJSONTrouble("type", .unknownType(type)) }
        let coordinates = try list("coordinates", of: object)
        if coordinates.isEmpty { return nil }
        do {
            return switch type {
            case "Point": .point(try position(.list(coordinates)))
            case "MultiPoint": .multiPoint(try each(of: coordinates, position))
            case "LineString": .line(try line(.list(coordinates)))
            case "MultiLineString": .multiLine(try each(of: coordinates, line))
            case "Polygon": .polygon(try polygon(.list(coordinates)))
            default: .multiPolygon(MultiPolygon(try each(of: coordinates, polygon)))
            }
        } catch {
            throw error.within("coordinates")
        }
    }

    private static func parts(
        of object: JSONObject,
        depth: Int
    ) throws(GeoJSONTrouble) -> [GeoJSON.Geometry] {
        guard depth < collectionDepthLimit else {
            throw GeoJSONTrouble("", .tooDeep(limit: collectionDepthLimit))
        }
        let list = try list("geometries", of: object)
        do {
            return try each(of: list) { value throws(GeoJSONTrouble) in
                try geometry(value, depth: depth + 1)
            }.compactMap { $0 }
        } catch {
            throw error.within("geometries")
        }
    }

    private static func polygon(_ value: JSONValue) throws(GeoJSONTrouble) -> Polygon {
        let rings = try each(of: try list(value), ring)
        guard let outline = rings.first else {
            throw GeoJSONTrouble("", .ring(.tooFewCorners(0)))
        }
        return Polygon(outline: outline, holes: Array(rings.dropFirst()))
    }

    private static func ring(_ value: JSONValue) throws(GeoJSONTrouble) -> Ring {
        let points = try each(of: try list(value), position)
        do {
            return try Ring(points)
        } catch {
            throw GeoJSONTrouble("", .ring(error))
        }
    }

    private static func line(_ value: JSONValue) throws(GeoJSONTrouble) -> [Coordinate] {
        let places = try each(of: try list(value), position)
        guard places.count >= 2 else { throw GeoJSONTrouble("", .shortLine) }
        return places
    }

    private static func position(_ value: JSONValue) throws(GeoJSONTrouble) -> Coordinate {
        guard let numbers = value.list, numbers.count >= 2, let longitude = numbers[0].double,
            let latitude = numbers[1].double
        else { throw GeoJSONTrouble("", .expected(.position)) }
        guard let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
            throw GeoJSONTrouble("", .offEarth)
        }
        return place
    }

    /// Parses every element of an array; an error names the index of the element.
    private static func each<Part>(
        of list: [JSONValue],
        _ read: (JSONValue) throws(GeoJSONTrouble) -> Part
    ) throws(GeoJSONTrouble) -> [Part] {
        var parts: [Part] = []
        parts.reserveCapacity(list.count)
        for (index, value) in list.enumerated() {
            do {
                parts.append(try read(value))
            } catch {
                throw error.within("[\(index)]")
            }
        }
        return parts
    }

    static func object(_ value: JSONValue) throws(GeoJSONTrouble) -> JSONObject {
        guard let object = value.object else { throw GeoJSONTrouble("", .expected(.object)) }
        return object
    }

    private static func list(_ value: JSONValue) throws(GeoJSONTrouble) -> [JSONValue] {
        guard let list = value.list else { throw GeoJSONTrouble("", .expected(.list)) }
        return list
    }

    static func list(
        _ name: String,
        of object: JSONObject
    ) throws(GeoJSONTrouble) -> [JSONValue] {
        guard let value = object[name] else { throw GeoJSONTrouble(name, .missing) }
        guard let list = value.list else { throw GeoJSONTrouble(name, .expected(.list)) }
        return list
    }

    static func type(of object: JSONObject) throws(GeoJSONTrouble) -> String {
        guard let value = object["type"] else { throw GeoJSONTrouble("type", .missing) }
        guard let type = value.text else { throw GeoJSONTrouble("type", .expected(.text)) }
        return type
    }

    /// Refuses coordinates of another system, which files from before RFC 7946 may name in `crs`.
    static func checkCoordinateSystem(_ document: JSONObject) throws(GeoJSONTrouble) {
        guard let system = document["crs"], system != .null else { return }
        let name = system.object?["properties"]?.object?["name"]?.text ?? ""
        let known = [
            "urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84", "OGC:CRS84", "CRS84",
            "EPSG:4326", "urn:ogc:def:crs:EPSG::4326",
        ]
        guard known.contains(name) else {
            throw GeoJSONTrouble("crs", .otherCoordinateSystem(name))
        }
    }
}
