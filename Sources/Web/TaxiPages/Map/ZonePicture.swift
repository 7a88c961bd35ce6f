package import CityData
package import Geo
import HTTPTypes
import Localization
import Markup
package import WebCore
package import Zones

extension TaxiPageModule {
    /// A still picture of zones, for who has no scripts.
    ///
    /// - Parameters:
    ///   - zones: the zones.
    ///   - code: the one that the picture is about; nil where it is about all.
    ///   - visit: who sees it.
    /// - Returns: an SVG, which nobody but the visitor keeps.
    package func zonePicture(_ zones: [Zone], about code: String?, _ visit: Visit) -> Reply {
        let picture = MapPicture(
            of: zoneBox(zones, about: code),
            overlays: zoneOverlays(zones, about: code),
            title: visit.say(MapTexts.map)
        )
        return Reply(
            type: "image/svg+xml",
            bytes: map.drawing(picture),
            headers: [.cacheControl: "private, no-cache"]
        )
    }
    /// What a picture of zones must show where it is about one of them; nil where it is about all.
    package func zoneBox(_ zones: [Zone], about code: String?) -> BoundingBox? {
        zones.first { $0.code == code }?.area.bounds?.expanded(byMetres: 300)
    }

    /// Zones as they are drawn; all but the one that the picture is about stand back.
    package func zoneOverlays(_ zones: [Zone], about code: String?) -> [MapPicture.Overlay] {
        let hasMain = zones.contains { $0.code == code }
        return zones.flatMap { zone in
            zone.area.polygons.enumerated().map { part, polygon in
                MapPicture.Overlay(
                    .area(polygon.rings.map(\.points)),
                    // Eighty names would cover the map.
                    label: part == 0 && (zone.code == code || zones.count <= 20) ? zone.name : "",
                    isFaint: hasMain && zone.code != code
                )
            }
        }
    }
}
