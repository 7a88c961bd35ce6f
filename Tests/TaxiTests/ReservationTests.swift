import Chronology
import Dispatching
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

@Suite("Reservations of the service")
struct ReservationTests {
    private static let pia = PassengerNumber(rawValue: 7)

    /// Runs a test in a town with an order and a time for which it can be reserved.
    private static func reserving(
        _ body: @escaping @Sendable (TaxiTown, RideOrder, Moment) async throws -> Void
    ) async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let due = town.test.clock.now().adding(seconds: 10_000)
                try await body(town, TaxiTown.order(7, from: 1_000, to: 6_000), due)
            }
        }
    }

    @Test("the times of a reservation follow the policy (R75, R78, R79)")
    func times() {
        let due = Moment(milliseconds: 1_800_000_000_000)
        let often = ReservationTimes(of: due, .milanoA)
        #expect(often.first == due.adding(seconds: -600))
        #expect(often.last == due.adding(seconds: 1_800))
        #expect(often.changeUntil == due.adding(seconds: -7_200))
        let once = ReservationTimes(of: due, .milanoB)
        #expect(once.retries == 0 && once.last == once.first)
    }

    @Test("another one takes the place of a reservation, once, however often it is asked (R80)")
    func change() async throws {
        try await Self.reserving { town, order, due in
            let service = town.service
            let old = try await service.reserve(order, due: due).request
            let key = DispatchService.Key(caller: "7", key: "once")
            let later = due.adding(seconds: 600)
            let new = try await service.change(old, to: order, due: later, key: key)
            #expect(try await service.reservations(of: Self.pia).map(\.request) == [new])
            #expect(try await service.replaced(by: new) == old)
            #expect(try await service.replaced(by: old) == nil)
            await #expect(throws: Refusal.noSuchRequest) {
                try await service.change(old, to: order, due: later, key: key)
            }
            #expect(try await service.reservations(of: Self.pia).count == 1)
            // Too early: the existing reservation stays unchanged.
            await #expect(throws: Refusal.self) {
                try await service.change(new, to: order, due: town.test.clock.now())
            }
            #expect(try await service.reservations(of: Self.pia).map(\.due) == [later])
            let stranger = TaxiTown.order(8, from: 1_000, to: 6_000)
            await #expect(throws: TaxiService.Failure.notYours) {
                try await service.change(new, to: stranger, due: later)
            }
        }
    }

    @Test("two windows that change the same reservation leave one, in either order (R80, F6)")
    func twoWindows() async throws {
        try await Self.reserving { town, order, due in
            let service = town.service
            let old = try await service.reserve(order, due: due).request
            let made = await withTaskGroup(of: RequestNumber?.self) { group in
                for window in 1...8 {
                    group.addTask {
                        try? await service.change(
                            old,
                            to: order,
                            due: due.adding(seconds: Int64(window) * 60),
                            key: DispatchService.Key(caller: "7", key: "window \(window)")
                        )
                    }
                }
                return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
            let left = try await service.reservations(of: Self.pia).map(\.request)
            #expect(made.count == 1)
            #expect(left == made)
        }
    }

    @Test("nobody has more reservations than anybody needs, but what is imported stands (R10)")
    func limit() async throws {
        try await Self.reserving { town, order, due in
            let service = town.service
            for _ in 0..<TaxiService.mostReservations {
                _ = try await service.reserve(order, due: due)
            }
            let failure = TaxiService.Failure.tooManyReservations(
                most: TaxiService.mostReservations
            )
            await #expect(throws: failure) { try await service.reserve(order, due: due) }
            _ = try await service.reserve(order, due: due, isImported: true)
            let other = TaxiTown.order(8, from: 1_000, to: 6_000)
            _ = try await service.reserve(other, due: due)
            let all = try await service.reservations(of: Self.pia)
            #expect(all.count == TaxiService.mostReservations + 1)
            // One of them can be changed nevertheless.
            let first = try #require(all.first?.request)
            _ = try await service.change(first, to: order, due: due.adding(seconds: 60))
        }
    }

    @Test("what a crash left between the new one and the old one is settled (F1)")
    func settle() async throws {
        try await Self.reserving { town, order, due in
            let service = town.service
            let old = try await service.reserve(order, due: due).request
            let new = try await service.reserve(order, due: due).request
            try await service.store.database.write { transaction in
                try transaction.execute(
                    """
                    INSERT INTO reservation_change (log, request, replaces)
                    VALUES ('town', \(new.stored), \(old.stored))
                    """
                )
            }
            try await service.settleChanges()
            #expect(try await service.reservations(of: Self.pia).map(\.request) == [new])
        }
    }

    @Test("a form that comes again completes its change, unless the change was refused (R80)")
    func complete() async throws {
        try await Self.reserving { town, order, due in
            let service = town.service
            func live() async throws -> [RequestNumber] {
                try await service.reservations(of: Self.pia).map(\.request)
            }
            let old = try await service.reserve(order, due: due).request
            let refused = try await service.reserve(order, due: due).request
            _ = try await town.give(.cancel(refused))
            #expect(try await !service.completeChange(of: old, to: refused, for: Self.pia))
            #expect(try await live() == [old])
            let new = try await service.reserve(order, due: due).request
            #expect(try await service.completeChange(of: old, to: new, for: Self.pia))
            #expect(try await live() == [new])
            #expect(try await service.completeChange(of: old, to: new, for: Self.pia))
            #expect(try await live() == [new])
        }
    }

    @Test("the next reservation is known by hour and zone (ui.md 4.5)")
    func next() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let service = town.service
                let now = town.test.clock.now()
                for (metres, seconds) in [(1_000.0, Int64(20_000)), (6_000.0, 10_000)] {
                    _ = try await service.reserve(
                        TaxiTown.order(7, from: metres, to: 3_000),
                        due: now.adding(seconds: seconds)
                    )
                }
                let next = try #require(try await service.nextReservation(withinSeconds: 86_400))
                #expect(next.due == now.adding(seconds: 10_000) && next.zone == "east")
                #expect(try await service.nextReservation(withinSeconds: 9_999) == nil)
            }
        }
    }
}
