import Chronology
import Dispatching
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

@Suite("Accepting offers")
struct AcceptingTests {
    @Test("naming another's request accepts one's own offer, and promises the other nothing (R58)")
    func anothersNumber() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 2) { town in
                let service = town.service
                let taxis = (0..<2).map { TaxiNumber(rawValue: $0) }
                let own = try await service.call(TaxiTown.order(7, from: 1_000)).request
                let others = try await service.call(TaxiTown.order(8, from: 2_000)).request
                let offer = try #require(try await service.offer(to: taxis[0]))
                #expect(offer.request == own)
                _ = try await service.accept(others, by: taxis[0], epoch: offer.epoch)
                let riding = try await service.dispatch.read { $0.request(own)?.ride?.taxi }
                #expect(riding == taxis[0])
                #expect(try await service.store.promise(of: own)?.seconds == 108)
                #expect(try await service.store.promise(of: others) == nil)
                let view = try await service.view(own, for: PassengerNumber(rawValue: 7))
                #expect(view?.arrival == .at(town.test.now.adding(seconds: 108)))
                let next = try #require(try await service.offer(to: taxis[1]))
                _ = try await service.accept(others, by: taxis[1], epoch: next.epoch)
                #expect(try await service.store.promise(of: others)?.seconds != nil)
            }
        }
    }
}
