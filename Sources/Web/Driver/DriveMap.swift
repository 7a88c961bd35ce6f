import CityData
import Dispatching
import Fares
import Geo
import HTTPTypes
import Markup
import Taxi
import Words
import Zones

extension Site {
    /// The still map of what the driver sees on his page: his zone, or the way of his ride; drawn
    /// for him alone.
    func showDriveMap(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        var overlays: [MapPicture.Overlay] = []
        var target: Coordinate?
        switch seat.view.taxi.work {
        case .none: overlays = zoneOverlays(seat)
        case .offer: target = try await taxi.offer(to: seat.number)?.meeting?.place
        case .ride:
            let ride = try await taxi.ride(of: seat.number)
            target = ride?.ride.stage == .aboard ? ride?.destination?.place : ride?.meeting?.place
        }
        if let target { overlays.append(MapPicture.Overlay(.point(target), label: "★")) }
        if let own = seat.view.position?.place {
            overlays.append(MapPicture.Overlay(.point(own), label: visit.say(MapDriverWords.you)))
        }
        let places = [target, target == nil ? nil : seat.view.position?.place].compactMap(\.self)
        let box = BoundingBox(around: places)?.expanded(byMetres: 200)
        return driveMap(of: box, overlays, visit)
    }

    private func zoneOverlays(_ seat: Seat) -> [MapPicture.Overlay] {
        guard let zones = taxi.zonesInForce?.zones else { return [] }
        let own = seat.view.taxi.zone.map { Int($0.rawValue) }
        let shown = own.map { $0 < zones.count ? [zones[$0]] : [] } ?? zones
        return shown.flatMap { zone in
            zone.area.polygons.enumerated().map { part, polygon in
                MapPicture.Overlay(
                    .area(polygon.rings.map(\.points)),
                    // Eighty names would cover the map.
                    label: part == 0 && shown.count <= 20 ? zone.name : ""
                )
            }
        }
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
            title: visit.say(MapWords.map)
        )
        return Reply(
            type: "image/svg+xml",
            bytes: map.drawing(picture),
            headers: [.cacheControl: "private, no-cache"]
        )
    }
}

enum MapDriverWords {
    static let you = Text("You", "Tu")
}
