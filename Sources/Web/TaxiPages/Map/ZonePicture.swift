package import CityData
package import Geo
import HTTPTypes
import Localization
import Markup
package import WebCore
package import Zones

extension TaxiPageModule {
    /// A still picture of zones, for browsers without scripts.
    ///
    /// - Parameters:
    ///   - zones: the zones.
    ///   - code: the code of the zone to highlight; nil for none.
    ///   - marks: what is drawn above the zones.
    ///   - context: the visitor's request.
    /// - Returns: an SVG image that only the visitor's browser may cache.
    package func zonePicture(
        _ zones: [Zone],
        about code: String?,
        marks: [MapPicture.Overlay] = [],
        _ context: RequestContext
    ) -> Response {
        let picture = MapPicture(
            of: zoneBox(zones, about: code),
            overlays: zoneOverlays(zones, about: code) + marks,
            title: context.say(MapTexts.map)
        )
        return Response(
            type: "image/svg+xml",
            bytes: map.drawing(picture),
            headers: [.cacheControl: "private, no-cache"]
        )
    }
    /// The area around the highlighted zone; nil if no zone is highlighted.
    package func zoneBox(_ zones: [Zone], about code: String?) -> BoundingBox? {
        zones.first { $0.code == code }?.area.bounds?.expanded(byMetres: 300)
    }

    /// The zones as map overlays.
    ///
    /// If one is highlighted, the others are faint.
    package func zoneOverlays(_ zones: [Zone], about code: String?) -> [MapPicture.Overlay] {
        let hasMain = zones.contains { $0.code == code }
        return zones.flatMap { zone in
            zone.area.polygons.enumerated().map { part, polygon in
                MapPicture.Overlay(
                    .area(polygon.rings.map(\.points)),
                    // Label all zones only if there are few, since many names would cover the map.
                    label: part == 0 && (zone.code == code || zones.count <= 20) ? zone.name : "",
                    isFaint: hasMain && zone.code != code
                )
            }
        }
    }
}
