import Chronology
import Dispatching
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

/// The table that pages read tells the same story as the log itself, which the command line reads
/// (spec/taxi.md 4).
@Suite("The table of stories")
struct StoryTableTests {
    @Test("a fact comes back from its bytes as it was", arguments: Everything.facts)
    func coding(fact: Fact) throws {
        #expect(try Fact(bytes: fact.bytes) == fact)
    }

    @Test("damaged bytes are told as such, and never trap", arguments: Everything.facts)
    func damage(fact: Fact) {
        let bytes = fact.bytes
        for length in 0..<bytes.count {
            #expect(throws: CodingFailure.self) { try Fact(bytes: Array(bytes.prefix(length))) }
        }
        #expect(throws: CodingFailure.self) { try Fact(bytes: bytes + [0]) }
        for place in bytes.indices {
            var other = bytes
            other[place] = ~other[place]
            _ = try? Fact(bytes: other)
        }
    }

    @Test("a fact names its taxis, and can be told with other names", arguments: Everything.facts)
    func names(fact: Fact) {
        #expect(fact.naming { $0 } == fact)
        let renamed = fact.naming { "x" + $0 }
        #expect(renamed.taxis == fact.taxis.map { "x" + $0 })
    }

    @Test(
        "the table tells what the log tells, over refusals, acts, a restart and the end",
        arguments: TestEngine.allCases
    )
    func sameStory(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = SettableClock.atMidnight()
            // A taxi of another zone is not asked, so the last request ends at once.
            let policy = try Policy.viavai.with(.neighbourReach, "0")
            try await TaxiTown.open(in: database, clock, taxis: 3, policy: policy) { town in
                try await Self.firstHalf(town)
            }
            // Nothing was lost: the next server continues from the stored position.
            try await TaxiTown.run(in: database, clock, holder: "two") { town in
                try await Self.secondHalf(town)
                try await Self.compare(town)
                try await Self.checkOffers(town)
            }
        }
    }

    /// A taxi refuses; an operator assigns another, sets the request aside and reactivates it.
    private static func firstHalf(_ town: TaxiTown) async throws {
        let request = try await town.service.call(TaxiTown.order(7, from: 1_000)).request
        let first = try await offer(of: request, town)
        _ = try await town.give(.refuse(request, first.taxi, epoch: first.epoch))
        let second = try await offer(of: request, town)
        let others = (0..<UInt32(3)).map { TaxiNumber(rawValue: $0) }
            .filter { $0 != first.taxi && $0 != second.taxi }
        _ = try await town.give(.assign(request, others[0], reason: "flat tyre"))
        _ = try await town.give(.park(request, reason: "caller moves"))
        _ = try await town.give(.unpark(request))
    }

    private static func secondHalf(_ town: TaxiTown) async throws {
        let request = RequestNumber(rawValue: 1)
        let last = try await offer(of: request, town)
        _ = try await town.service.accept(request, by: last.taxi, epoch: last.epoch)
        _ = try await town.give(.withdraw(request, reason: "duplicate"))
        _ = try await town.service.call(TaxiTown.order(8, from: 9_000))
    }

    private static func offer(of request: RequestNumber, _ town: TaxiTown) async throws -> Offer {
        try #require(try await town.service.dispatch.read { $0.request(request)?.offer })
    }

    private static func compare(_ town: TaxiTown) async throws {
        let log = town.service.store.log
        for number in [UInt64(1), 2] {
            let request = RequestNumber(rawValue: number)
            var story = Story(of: request)
            try await town.until("the table has followed") {
                let told = try await town.service.store.story(of: request)
                guard case .ended = told.last?.fact else { return false }
                return true
            }
            var head = try await log.genesis()
            while true {
                let records = try await log.records(after: head)
                for record in records {
                    try story.hear(try Entry(bytes: record.entry))
                    head = record.head
                }
                if records.isEmpty { break }
            }
            #expect(!story.told.isEmpty)
            #expect(try await town.service.store.story(of: request) == story.told)
        }
    }

    private static func checkOffers(_ town: TaxiTown) async throws {
        let ends = try await town.database.read { transaction in
            try transaction.rows("SELECT outcome, passed_assigned FROM ride_offer ORDER BY epoch")
                .map { try $0.value("outcome", as: Int64?.self) }
        }
        let end = { (end: OfferRecord.End) in Int64?(Int64(end.rawValue)) }
        #expect(ends.first == end(.refused))
        #expect(ends.dropFirst().prefix(2).allSatisfy { $0 == end(.withdrawn) })
        #expect(ends.last == end(.accepted))
    }
}
