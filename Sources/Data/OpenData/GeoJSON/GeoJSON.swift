package import Geo

/// A GeoJSON document (RFC 7946) as its features.
package struct GeoJSON: Hashable, Sendable {
    /// The features in the order in which they stand.
    package var features: [Feature]

    /// A document of features.
    package init(_ features: [Feature] = []) {
        self.features = features
    }

    /// Something on the map, with what is known of it.
    package struct Feature: Hashable, Sendable {
        /// Its identifier, a text or a number; nil where it has none.
        package var id: JSONValue?
        /// Where it is; nil where that is not known.
        package var geometry: Geometry?
        /// What is known of it.
        package var properties: JSONObject

        /// A feature.
        package init(
            id: JSONValue? = nil,
            geometry: Geometry?,
            properties: JSONObject = JSONObject()
        ) {
            self.id = id
            self.geometry = geometry
            self.properties = properties
        }
    }

    /// Where something is; heights are not kept.
    package indirect enum Geometry: Hashable, Sendable {
        /// `Point`.
        case point(Coordinate)
        /// `MultiPoint`.
        case multiPoint([Coordinate])
        /// `LineString`, of at least 2 places.
        case line([Coordinate])
        /// `MultiLineString`, of lines of at least 2 places.
        case multiLine([[Coordinate]])
        /// `Polygon`.
        case polygon(Polygon)
        /// `MultiPolygon`.
        case multiPolygon(MultiPolygon)
        /// `GeometryCollection`.
        case collection([Geometry])

        /// The areas that it consists of; nil where it is something else.
        package var area: MultiPolygon? {
            switch self {
            case .polygon(let polygon): MultiPolygon([polygon])
            case .multiPolygon(let area): area
            default: nil
            }
        }
    }
}
