package import Dispatching
import Geo
import Identity
import Positions
import Taxi
import TaxiPages
import TestClock
import Testing
import WebApp

extension ServedSite {
    /// Opens a city whose zones and drivers are entered, and gives a passenger a ride that has
    /// ended and a live request.
    package func rides(
        of passenger: PassengerNumber
    ) async throws -> (ended: RequestNumber, live: RequestNumber) {
        let taxi = installation.taxi
        try await installation.fleet.reconcile()
        _ = try await taxi.dispatch.give(.completeSetup)
        let number = try #require(
            try await taxi.dispatch.read { $0.taxis.last { !$0.isRemoved }?.number }
        )
        let place = Coordinate(latitude: 454_500_000, longitude: 91_500_000)
        let now = clock.now
        let report = PositionReport(at: now, place: place, accuracyMetres: 5)
        try await until("the taxi is heard") {
            _ = try taxi.report(PositionBatch(taxi: number, sentAt: now, reports: [report]))
            return try await taxi.dispatch.read { $0.taxi(number)?.isReachable == true }
        }
        _ = try await taxi.dispatch.give(.goOnDuty(number))
        let order = RideOrder(passenger, from: place)
        let ended = try await taxi.call(order).request
        let offer = try #require(try await taxi.offer(to: number))
        _ = try await taxi.accept(ended, by: number, epoch: offer.epoch)
        _ = try await taxi.dispatch.give(.reachMeetingPoint(number))
        let code = try await taxi.ride(of: number)?.code
        #expect(try await taxi.board(number, aboard: 1, code: code))
        _ = try await taxi.endRide(number)
        return (ended, try await taxi.call(order).request)
    }
}
