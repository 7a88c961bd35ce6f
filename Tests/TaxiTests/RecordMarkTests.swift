import Chronology
import Dispatching
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

/// ui.md 4.1, 6: a page shows the result of its form, without waiting in vain or forever.
@Suite("Waiting for the history of rides")
struct RecordMarkTests {
    private static let now = Moment(milliseconds: 1_000)
    private static let end = Moment(milliseconds: 11_000)

    @Test("nobody waits for what is there, nor for a history that nobody follows")
    func atOnce() async {
        let mark = RecordMark()
        #expect(await !mark.reached(1, by: Self.end))
        mark.begin(at: 3)
        #expect(await mark.reached(3, by: Self.end))
        mark.end()
        #expect(await !mark.reached(3, by: Self.end))
    }

    @Test("who waits goes on at the entry, at the end of the service, or after some time (I30)")
    func everybody() async throws {
        let mark = RecordMark()
        mark.begin(at: 0)
        func answer(to sequence: Int64, after event: () -> Void) async -> Bool {
            async let answer = mark.reached(sequence, by: Self.end)
            while mark.count == 0 { await Task.yield() }
            event()
            return await answer
        }
        #expect(await answer(to: 2) { mark.reach(2) })
        #expect(await !answer(to: 5) { mark.giveUp(at: Self.end) })
        #expect(await !answer(to: 5) { mark.end() })
        #expect(mark.count == 0)
        mark.begin(at: 2)
        let patient = await answer(to: 4) {
            mark.giveUp(at: Self.now)
            mark.reach(3)
            #expect(mark.count == 1)
            mark.reach(4)
        }
        #expect(patient)
    }

    @Test("a database that was away is caught up with although nothing more happens (F2)")
    func away() async throws {
        try await withStorage(on: .sqlite) { database in
            // A taxi of another zone is not asked, so the request ends at once.
            let policy = try Policy.viavai.with(.neighbourReach, "0")
            try await TaxiTown.open(
                in: database,
                SettableClock.atMidnight(),
                taxis: 1,
                policy: policy
            ) { town in
                let service = town.service
                func rename(_ from: SQL, _ to: SQL) async throws {
                    try await database.write { transaction in
                        try transaction.execute("ALTER TABLE \(from) RENAME TO \(to)")
                    }
                }
                try await rename("ride_cursor", "gone")
                // There is no taxi: the request ends at once with the last entry.
                let request = try await service.call(TaxiTown.order(7, from: 7_000)).request
                town.test.advance(seconds: 1)
                try await rename("gone", "ride_cursor")
                try await town.until("the history knows") {
                    town.test.advance(seconds: 1)
                    return try await service.store.record(of: request)?.ended != nil
                }
                let passenger = PassengerNumber(rawValue: 7)
                let ended = try await service.ended(request, for: passenger)
                #expect(ended?.record.outcome == .noTaxi)
                await #expect(throws: TaxiService.Failure.notYours) {
                    _ = try await service.ended(request, for: PassengerNumber(rawValue: 8))
                }
            }
        }
    }
}
