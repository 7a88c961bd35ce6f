package import Geo
import HTTPTypes
package import WebCore

extension TaxiPageModule {
    /// Responds with a map's contents as GeoJSON that only the visitor's browser may cache.
    ///
    /// - Parameter features: the GeoJSON features (RFC 7946).
    /// - Returns: the feature collection.
    package func mapMarks(_ features: [String]) -> Response {
        let list = features.joined(separator: ",")
        return Response(
            type: "application/geo+json",
            bytes: Array("{\"type\":\"FeatureCollection\",\"features\":[\(list)]}".utf8),
            headers: [.cacheControl: "private, no-store"]
        )
    }

    /// A place as a GeoJSON position: longitude, then latitude.
    package static func jsonPosition(_ place: Coordinate) -> String {
        "[\(place.longitudeDegrees),\(place.latitudeDegrees)]"
    }

    /// A marker without a name or link, which keyboard focus skips.
    package func mapPoint(at place: Coordinate, kind: String) -> String {
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":\(Self.jsonPosition(place))},\
        "properties":{"kind":"\(kind)"}}
        """
    }
}
