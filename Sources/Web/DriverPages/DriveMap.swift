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
    /// The still map of what the driver sees on his page: his zone among the others, or the way of
    /// his ride; drawn for him alone.
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

    /// Where the still map is: under another address as soon as it shows something else, since
    /// browsers draw a picture of one address once for all the time that a page stays open.
    ///
    /// - Parameters:
    ///   - target: where the ride goes now; nil without one.
    ///   - seat: whose map it is.
    /// - Returns: the address.
    func driveMapAddress(to target: Coordinate? = nil, _ seat: Seat) -> Address {
        // Where he is by some 200 m: each step would be a picture of its own.
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

    /// The zone that a driver is in; nil where he is in none, or nobody knows.
    private func ownZone(_ seat: Seat) -> Zone? {
        guard let zones = taxi.zonesInForce?.zones,
            let number = seat.view.taxi.zone.map({ Int($0.rawValue) }), number < zones.count
        else { return nil }
        return zones[number]
    }

    /// A picture that nobody but the visitor keeps.
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
    /// Where the taxi has to drive now: to the meeting point, and from boarding on to the
    /// destination.
    var target: MeetingPlace? { ride.stage == .aboard ? destination : meeting }
}
