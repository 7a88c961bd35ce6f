package import Geo
import HTTPTypes
package import WebCore

extension TaxiPageModule {
    /// What a map shows, as GeoJSON that nobody but the visitor keeps.
    ///
    /// - Parameter features: each a feature of GeoJSON (RFC 7946).
    /// - Returns: the collection of them.
    package func mapMarks(_ features: [String]) -> Reply {
        let list = features.joined(separator: ",")
        return Reply(
            type: "application/geo+json",
            bytes: Array("{\"type\":\"FeatureCollection\",\"features\":[\(list)]}".utf8),
            headers: [.cacheControl: "private, no-store"]
        )
    }

    package static func jsonPosition(_ place: Coordinate) -> String {
        "[\(place.longitudeDegrees),\(place.latitudeDegrees)]"
    }

    /// A mark without a name, which leads nowhere: nobody stops at it by keys.
    package func mapPoint(at place: Coordinate, kind: String) -> String {
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":\(Self.jsonPosition(place))},\
        "properties":{"kind":"\(kind)"}}
        """
    }
}
