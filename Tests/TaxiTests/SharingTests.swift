import Chronology
import Dispatching
import Fares
import Geo
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

@Suite("Shared rides")
struct SharingTests {
    private static let owner = PassengerNumber(rawValue: 7)
    private static let joiner = PassengerNumber(rawValue: 8)

    @Test(
        "two share a ride: one meeting point, one code, and a fare split to the cent (R85 to R91)"
    )
    func shared() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let service = town.service
                let (host, taxi) = try await town.ride(7, from: 1_000, to: 6_000, isShared: true)
                let order = TaxiTown.order(8, from: 1_050, to: 7_000)
                let way = try #require(try await service.sharing(host, joinedBy: order))
                #expect(way.walkSeconds < way.taxiSeconds)
                let guest = try await service.join(order, to: host).request
                let view = try #require(try await service.view(guest, for: Self.joiner))
                #expect(view.ride == host)
                #expect(view.meeting == TaxiTown.place(1_000))
                let hostView = try await service.view(host, for: Self.owner)
                #expect(view.code == hostView?.code)
                #expect(view.position != nil)
                try await town.drive(taxi, from: 100, to: 1_000)
                try await town.until("there") {
                    try await service.store.record(of: guest)?.reached != nil
                }
                _ = try await service.board(taxi, aboard: 2, code: view.code)
                #expect(service.intake.meter(of: taxi, on: host) != nil, "it runs at once")
                // R92, I27: a passenger who gets out first does not see the other's destination.
                for (number, passenger) in [(host, Self.owner), (guest, Self.joiner)] {
                    let aboard = try await service.view(number, for: passenger)
                    #expect(aboard != nil && aboard?.position == nil)
                }
                try await town.drive(taxi, from: 1_000, to: 7_000)
                try await town.until("at the last destination") {
                    try await service.dispatch.read {
                        $0.request(host)?.ride?.isAtDestination == true
                    }
                }
                _ = try await service.endRide(taxi)
                try await town.until("the history knows") {
                    try await service.store.record(of: guest)?.outcome == .completed
                }
                let fares = try await [host, guest].asyncMap {
                    try #require(try await service.store.fare(of: $0))
                }
                let total = fares[0].fare.total.minorUnits
                #expect(fares[1].fare.total.minorUnits == total)
                #expect(fares[0].share.minorUnits + fares[1].share.minorUnits == total)
                #expect(fares[0].share.minorUnits < fares[1].share.minorUnits)
                let record = try await service.store.record(of: guest)
                #expect(record?.taxi == taxi)
                #expect(record?.owner == host)
            }
        }
    }

    @Test(
        "when the owner leaves, the taxi comes to the same place for who joined (R87)",
        arguments: TestEngine.allCases
    )
    func heir(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let service = town.service
                let car = TaxiNumber(rawValue: 0)
                _ = try await town.give(.goOffDuty(car))
                _ = try await service.beginShift(car, 41)
                let (host, taxi) = try await town.ride(7, from: 1_000, to: 6_000, isShared: true)
                let order = TaxiTown.order(8, from: 1_050, to: 7_000)
                let guest = try await service.join(order, to: host).request
                let code = try #require(try await service.ride(of: taxi)?.code)
                _ = try await town.give(.cancel(host))
                let ride = try #require(try await service.ride(of: taxi))
                #expect(ride.request == guest)
                // The code that the passengers were given stays valid (R59).
                #expect(ride.code == code)
                #expect(try await service.view(guest, for: Self.joiner)?.code == code)
                #expect(ride.meeting?.place == TaxiTown.place(1_000))
                try await town.drive(taxi, from: 100, to: 1_000)
                try await town.until("there") {
                    try await service.store.record(of: guest)?.reached != nil
                }
                let record = try #require(try await service.store.record(of: guest))
                #expect(record.owner == nil)
                #expect(record.taxi == taxi)
                let driven = try await service.history.lines(of: .driver(41), limit: 2)
                #expect(driven.map(\.request) == [guest], "one ride, of its last owner")
            }
        }
    }

    @Test("places are destroyed on demand, of live requests too (R103)")
    func erasure() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let service = town.service
                let (request, taxi) = try await town.ride(7, from: 1_000)
                try await database.write { try RidePlaces.forget(Self.owner, in: $0) }
                let left = try await service.store.places(of: [request])
                #expect(left.isEmpty)
                // The driver of the current ride still sees the place.
                #expect(try await service.ride(of: taxi)?.meeting != nil)
            }
        }
    }
}

extension Array {
    /// The results of an asynchronous function, one after another.
    fileprivate func asyncMap<Result>(
        _ body: (Element) async throws -> Result
    ) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
