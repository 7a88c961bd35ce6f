import Chronology
import Dispatching
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

/// ui.md 4.1, 3 and 6: the information shown to a passenger is correct.
@Suite("What a passenger is told of waiting")
struct PassengerViewTests {
    @Test("before a request, only taxis that can carry the party count")
    func needs() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                var order = TaxiTown.order(7, from: 1_000)
                let quote = try await town.service.quote(order)
                #expect(quote.taxisWaiting == 1 && quote.waitSeconds != nil)
                order.needs = Capacity(seats: 1, wheelchair: true)
                let other = try await town.service.quote(order)
                #expect(other.taxisWaiting == 0 && other.waitSeconds == nil)
            }
        }
    }

    @Test("an arrival that has passed without the taxi is not told any more (F14)")
    func passed() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let service = town.service
                let (request, _) = try await town.ride(7, from: 500)
                let now = town.test.now
                let soon = now.adding(seconds: 1)
                for (told, shown) in [
                    (soon, RideView.Arrival.at(soon)), (now, .unknown),
                    (now.adding(seconds: -60), .unknown),
                ] {
                    service.tell(told, of: request, at: now)
                    let view = try await service.view(
                        request,
                        for: PassengerNumber(rawValue: 7)
                    )
                    #expect(view?.arrival == shown)
                }
            }
        }
    }
}
