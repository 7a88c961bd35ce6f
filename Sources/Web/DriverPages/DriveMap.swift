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
    func showDriveMap(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        var overlays: [MapPicture.Overlay] = []
        var box: BoundingBox?
        var target: Coordinate?
        switch seat.view.taxi.work {
        case .none:
            let zones = taxi.zonesInForce?.zones ?? []
            let own = ownZone(seat)?.code
            box = zoneBox(zones, about: own)
            overlays = zoneOverlays(zones, about: own)
        case .offer: target = try await taxi.offer(to: seat.number)?.meeting?.place
        case .ride: target = try await taxi.ride(of: seat.number)?.target?.place
        }
        let here = seat.view.position?.place
        if let target {
            overlays.append(MapPicture.Overlay(.point(target), label: "★"))
            box = BoundingBox(around: [target, here].compactMap(\.self))?.expanded(byMetres: 200)
        }
        if let here {
            overlays.append(MapPicture.Overlay(.point(here), label: visit.say(MapDriverTexts.you)))
        }
        return driveMap(of: box, overlays, visit)
    }

    /// The address of the static map.
    ///
    /// It changes whenever the map does, because a browser loads an image only once per address
    /// while a page stays open.
    ///
    /// - Parameters:
    ///   - target: the current destination of the taxi; nil without one.
    ///   - seat: the driver and taxi that the map is for.
    /// - Returns: the address.
    func driveMapAddress(to target: Coordinate? = nil, _ seat: Seat) -> Address {
        // Rounded to about 200 m, so that not every small movement requires a new image.
        let here = seat.view.position.map {
            "\($0.place.latitude / 20_000),\($0.place.longitude / 20_000)"
        }
        return Address(
            "/drive/map.svg",
            query: [
                "to": target.map { "\($0.latitude),\($0.longitude)" } ?? ownZone(seat)?.code ?? "",
                "from": here ?? "",
            ]
        )
    }

    /// The zone that the driver is in; nil outside of all zones, or where the zone is unknown.
    private func ownZone(_ seat: Seat) -> Zone? {
        guard let zones = taxi.zonesInForce?.zones,
            let number = seat.view.taxi.zone.map({ Int($0.rawValue) }), number < zones.count
        else { return nil }
        return zones[number]
    }

    /// A map image that only the browser of this driver may cache.
    func driveMap(
        of box: BoundingBox?,
        _ overlays: [MapPicture.Overlay],
        _ visit: Visit,
        side: Int? = nil
    ) -> Reply {
        let picture = MapPicture(
            of: box,
            pixelsWide: side ?? 640,
            pixelsHigh: side ?? 400,
            overlays: overlays,
            title: visit.say(MapTexts.map)
        )
        return Reply(
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
