package import Dispatching
import Drivers
package import Geo
package import Identity
import Positions
import Taxi
import TaxiPages
import TestClock
import Testing
import WebApp
import Zones

/// A city of one zone, and taxis whose papers are in order.
package enum FleetSamples {
    /// A corner of the city's only zone, which is a tenth of a degree wide and high.
    package static let corner = Coordinate(latitude: 454_600_000, longitude: 91_000_000)

    /// Opens a city of one zone, once a taxi is registered.
    package static func openCity(_ site: ServedSite) async throws {
        let taxi = site.installation.taxi
        let corners = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)].map { east, north in
            Coordinate(
                latitude: corner.latitude + Int32(north) * 1_000_000,
                longitude: corner.longitude + Int32(east) * 1_000_000
            )
        }
        let area = MultiPolygon([Polygon(outline: try Ring(corners))])
        let draft = try ZoneDraft([Zone(code: "1", name: "Centro", area: area)])
        let zones = try ZoneSet.read(draft.healed().geoJSON, file: "town")
        try await site.started()
        _ = try await taxi.dispatch.give(.adopt(.viavai))
        _ = try await taxi.draw(try await taxi.plan(zones))
        _ = try await taxi.dispatch.give(.completeSetup)
    }

    /// Enters a driver, whose taxi then has a ride.
    ///
    /// - Returns: who entered the driver, the driver, and the taxi.
    package static func drivenTaxi(
        _ site: ServedSite
    ) async throws -> (admin: Session, driver: PersonNumber, taxi: TaxiNumber) {
        try await site.started()
        let (_, admin) = try await site.administrator()
        let driver = try await site.accounts.drivers.enter(
            .numbered(1),
            invites: false,
            by: admin,
            at: site.clock.now
        )
        try await site.installation.fleet.reconcile()
        return (admin, driver, try await accept(site))
    }

    /// Lets the only taxi go on duty and accept a ride.
    package static func accept(_ site: ServedSite) async throws -> TaxiNumber {
        let taxi = site.installation.taxi
        try await openCity(site)
        let found = try await taxi.dispatch.read { $0.taxis.first?.number }
        let car = try #require(found)
        let place = Coordinate(
            latitude: corner.latitude + 500_000,
            longitude: corner.longitude + 500_000
        )
        let now = site.clock.now
        let report = PositionReport(at: now, place: place, accuracyMetres: 5)
        try await site.until("the taxi is heard") {
            _ = try taxi.report(PositionBatch(taxi: car, sentAt: now, reports: [report]))
            return try await taxi.dispatch.read { $0.taxi(car)?.isReachable == true }
        }
        _ = try await taxi.dispatch.give(.goOnDuty(car))
        let order = RideOrder(PassengerNumber(rawValue: 7), from: place)
        let request = try await taxi.call(order).request
        let offer = try await taxi.dispatch.read { $0.request(request)?.offer }
        _ = try await taxi.accept(request, by: car, epoch: try #require(offer).epoch)
        return car
    }
}
