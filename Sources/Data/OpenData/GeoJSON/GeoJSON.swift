package import Geo

/// A GeoJSON document (RFC 7946) as its features.
package struct GeoJSON: Hashable, Sendable {
    /// The features in document order.
    package var features: [Feature]

    /// Creates a document from features.
    package init(_ features: [Feature] = []) {
        self.features = features
    }

    /// A GeoJSON feature: a geometry with properties.
    package struct Feature: Hashable, Sendable {
        /// Its identifier, a text or a number; nil if it has none.
        package var id: JSONValue?
        /// The geometry; nil if it is unknown.
        package var geometry: Geometry?
        /// The properties of the feature.
        package var properties: JSONObject

        /// Creates a feature from its parts.
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
        /// One position on the map.
        case point(Coordinate)
        /// Several separate positions.
        case multiPoint([Coordinate])
        /// `LineString`, of at least 2 places.
        case line([Coordinate])
        /// `MultiLineString`, of lines of at least 2 places.
        case multiLine([[Coordinate]])
        /// A polygon with its holes.
        case polygon(Polygon)
        /// Several separate polygons.
        case multiPolygon(MultiPolygon)
        /// Several geometries of any kind.
        case collection([Geometry])

        /// The areas that it consists of; nil if it is something else.
        package var area: MultiPolygon? {
            switch self {
            case .polygon(let polygon): MultiPolygon([polygon])
            case .multiPolygon(let area): area
            default: nil
            }
        }
    }
}
