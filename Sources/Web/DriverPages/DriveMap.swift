import CityData
import Dispatching
import Fares
import Geo
import HTTPTypes
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension DriverPages {
    /// The static map on the driver's page: the current zone among the others, or
    /// the route of the ride.
    ///
    /// It is rendered for this driver only.
    func showDriveMap(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        var overlays: [MapPicture.Overlay] = []
        var box: BoundingBox?
        var target: Coordinate?
        switch driver.view.taxi.work {
        case .none:
            let zones = taxi.zonesInForce?.zones ?? []
            let own = ownZone(driver)?.code
            box = zoneBox(zones, about: own)
            overlays = zoneOverlays(zones, about: own)
        case .offer: target = try await taxi.offer(to: driver.number)?.meeting?.place
        case .ride: target = try await taxi.ride(of: driver.number)?.target?.place
        }
        let here = driver.view.position?.place
        if let target {
            overlays.append(MapPicture.Overlay(.point(target), label: "★"))
            box = BoundingBox(around: [target, here].compactMap(\.self))?.expanded(byMetres: 200)
        }
        if let here {
            overlays.append(
                MapPicture.Overlay(.point(here), label: context.say(MapDriverTexts.you))
            )
        }
        return driveMap(of: box, overlays, context)
    }

    /// The address of the static map.
    ///
    /// It changes whenever the map does, because a browser loads an image only once per address
    /// while a page stays open.
    ///
    /// - Parameters:
    ///   - target: the current destination of the taxi; nil without one.
    ///   - driver: the driver and taxi that the map is for.
    /// - Returns: the address.
    func driveMapAddress(to target: Coordinate? = nil, _ driver: WorkingDriver) -> Address {
        // Rounded to about 200 m, so that not every small movement requires a new image.
        let here = driver.view.position.map {
            "\($0.place.latitude / 20_000),\($0.place.longitude / 20_000)"
        }
        return Address(
            "/drive/map.svg",
            query: [
                "to": target.map { "\($0.latitude),\($0.longitude)" } ?? ownZone(driver)?.code
                    ?? "",
                "from": here ?? "",
            ]
        )
    }

    /// The zone that the driver is in; nil outside of all zones, or where the zone is unknown.
    func ownZone(_ driver: WorkingDriver) -> Zone? {
        guard let zones = taxi.zonesInForce?.zones,
            let number = driver.view.taxi.zone.map({ Int($0.rawValue) }), number < zones.count
        else { return nil }
        return zones[number]
    }

    /// A map image that only the browser of this driver may cache.
    func driveMap(
        of box: BoundingBox?,
        _ overlays: [MapPicture.Overlay],
        _ context: RequestContext,
        side: Int? = nil
    ) -> Response {
        let picture = MapPicture(
            of: box,
            pixelsWide: side ?? 640,
            pixelsHigh: side ?? 400,
            overlays: overlays,
            title: context.say(MapTexts.map)
        )
        return Response(
            type: "image/svg+xml",
            bytes: map.drawing(picture),
            headers: [.cacheControl: "private, no-cache"]
        )
    }
}

extension RideShown {
    /// Where the taxi has to go now: to the meeting point, and after boarding to the destination.
    var target: MeetingPlace? { ride.stage == .aboard ? destination : meeting }
}
