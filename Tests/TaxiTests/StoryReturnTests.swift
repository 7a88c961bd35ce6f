import Chronology
import Dispatching
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

/// Decision 0023: stories are rebuilt after their stored position is deleted, and are correct after
/// the follower of the log restarts.
@Suite("Stories that begin anew")
struct StoryReturnTests {
    @Test(
        "where somebody else has moved the cursor the stories are those of the log, each once",
        arguments: TestEngine.allCases
    )
    func movedOn(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 3) { town in
                let request = try await town.service.call(TaxiTown.order(7, from: 1_000)).request
                try await Self.untilTold(request, town) { fact in
                    if case .offered = fact { true } else { false }
                }
                // The next save finds another stored position and restarts at the beginning of the
                // log, with an in-memory state that is ahead.
                try await town.database.write { try $0.execute("DELETE FROM ride_cursor") }
                for _ in 0..<2 {
                    let found = try await town.service.dispatch.read { $0.request(request)?.offer }
                    let offer = try #require(found)
                    _ = try await town.give(.refuse(request, offer.taxi, epoch: offer.epoch))
                }
                _ = try await town.give(.withdraw(request, reason: "duplicate"))
                try await Self.untilTold(request, town) { fact in
                    if case .ended = fact { true } else { false }
                }
                let told = try await town.service.store.story(of: request)
                let log = try await Self.story(of: request, in: town.service.store.log)
                #expect(told == log)
                let ends = try await town.database.read { transaction in
                    try transaction.rows("SELECT outcome FROM ride_offer ORDER BY epoch").map {
                        try $0.value("outcome", as: Int64?.self)
                    }
                }
                let expected: [OfferRecord.End] = [.refused, .refused, .withdrawn]
                #expect(ends == expected.map { Int64($0.rawValue) })
            }
        }
    }

    /// Waits until the table contains a fact.
    private static func untilTold(
        _ request: RequestNumber,
        _ town: TaxiTown,
        _ isIt: @escaping @Sendable (Fact) -> Bool
    ) async throws {
        try await town.until("the table has followed") {
            try await town.service.store.story(of: request).contains { isIt($0.fact) }
        }
    }

    /// Returns the story of a request derived from the log itself.
    private static func story(of request: RequestNumber, in log: EventLog) async throws -> [Told] {
        var story = Story(of: request)
        var head = try await log.genesis()
        while true {
            let records = try await log.records(after: head)
            if records.isEmpty { return story.told }
            for record in records {
                try story.hear(try Entry(bytes: record.entry))
                head = record.head
            }
        }
    }
}
