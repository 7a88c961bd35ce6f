import Dispatching
import Fares
import Geo
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

/// The map of the driver's page. It is always there, so that it moves on while its page changes
/// from the queue to an offer and to the ride.
extension DriverPages {
    /// The map in the queue: the driver's zone and car.
    ///
    /// - Parameters:
    ///   - driver: the driver and taxi.
    ///   - isLive: whether events reload the map; not where the address has no page to reload.
    ///   - context: the current HTTP request.
    /// - Returns: the map.
    func homeMap(
        _ driver: WorkingDriver,
        isLive: Bool = true,
        _ context: RequestContext
    ) -> HTML? {
        let border = ownZone(driver).map { zone in
            zone.area.polygons.compactMap { $0.rings.first?.points }
                .filter { $0.count <= Self.mostCorners }
                .map { MapScene.Line(.zone, $0) }
        }
        let scene = MapScene(car(driver, towards: nil), lines: border ?? [])
        return sceneMap(
            scene,
            still: driveMapAddress(driver),
            topic: isLive ? "drive" : nil,
            context
        )
    }

    /// The map on the way to a place: the place, the car, and the way between them through the
    /// streets.
    ///
    /// - Parameters:
    ///   - target: the pickup point or the destination; nil if the driver may not see it.
    ///   - kind: how the target is marked.
    ///   - label: what the target is.
    ///   - guided: the way there; nil where it is not known yet.
    ///   - isThere: whether the taxi has arrived, and no way is drawn.
    ///   - driver: the driver and taxi.
    ///   - isLive: whether events reload the map.
    ///   - context: the current HTTP request.
    /// - Returns: the map.
    func wayMap(
        to target: Coordinate?,
        _ kind: MapScene.Mark.Kind,
        _ label: Text,
        along guided: GuidedWay? = nil,
        isThere: Bool = false,
        _ driver: WorkingDriver,
        isLive: Bool = true,
        _ context: RequestContext
    ) async -> HTML? {
        guard let target else { return homeMap(driver, isLive: isLive, context) }
        // The guided way ends on the street; the last metres to the place are drawn, too.
        let points: [Coordinate]? =
            if isThere { nil } else if let guided { guided.points + [target] } else {
                await taxi.way(from: driver.view.position?.place, to: target)
            }
        let way = points.map { MapScene.Line(.route, $0) }
        let mark = MapScene.Mark(kind, at: target, label)
        let scene = MapScene(
            [mark] + car(driver, towards: way),
            lines: way.map { [$0] } ?? []
        )
        let address = driveMapAddress(to: target, driver)
        return sceneMap(scene, still: address, topic: isLive ? "drive" : nil, context)
    }

    private func car(_ driver: WorkingDriver, towards way: MapScene.Line?) -> [MapScene.Mark] {
        guard let position = driver.view.position else { return [] }
        return [
            MapScene.Mark(
                .taxi,
                at: position.place,
                MapDriverTexts.you,
                headingDegrees: way?.headingDegrees,
                isFaint: !driver.view.taxi.isReachable
            )
        ]
    }

    /// The largest border that the page carries, in corners: about 2 kB of its size.
    private static let mostCorners = 400
}
