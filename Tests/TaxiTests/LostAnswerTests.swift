import Dispatching
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

/// Commands that became durable although the database's answer was lost count like any in the log.
@Suite("Answers of the database that are lost")
struct LostAnswerTests {
    private static let taxi = TaxiNumber(rawValue: 0)

    /// Opens a town whose taxi is at the pickup point, 900 m from its start.
    private static func open(
        on engine: TestEngine,
        _ body: @escaping @Sendable (TaxiTown, RequestNumber) async throws -> Void
    ) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let (request, _) = try await town.ride(7, from: 1_000, to: 6_000)
                try await town.drive(taxi, from: 100, to: 1_000)
                try await town.until("the history knows that it is there") {
                    try await town.service.store.record(of: request)?.reached != nil
                }
                try await body(town, request)
            }
        }
    }

    /// Records boarding in the log without answering anybody.
    private static func boardUnheard(_ town: TaxiTown) async throws {
        let dispatch = town.service.dispatch
        var state = try await dispatch.read { $0 }
        let entry = try #require(try state.log(.board(taxi, aboard: 1, code: .right)))
        _ = try await dispatch.eventLog.append(
            LogBatch(entries: [entry.bytes]),
            after: await dispatch.head,
            under: try #require(await dispatch.lease)
        )
    }

    /// The next command detects it.
    private static func findOut(_ town: TaxiTown) async throws {
        await #expect(throws: DispatchService.Failure.self) {
            try await town.give(.suspend(reason: "a test"))
        }
    }

    /// Completes the ride and returns its fare.
    private static func finish(_ town: TaxiTown, _ request: RequestNumber) async throws {
        let service = town.service
        try await town.until("the meter runs") {
            service.intake.meter(of: taxi, on: request) != nil
        }
        try await town.drive(taxi, from: 1_000, to: 6_000)
        _ = try await service.endRide(taxi)
        let fare = try #require(try await service.store.fare(of: request))
        #expect((49_000...51_000).contains(fare.decimetres))
    }

    @Test("a boarding whose answer was lost starts the meter", arguments: TestEngine.allCases)
    func announced(engine: TestEngine) async throws {
        try await Self.open(on: engine) { town, request in
            try await Self.boardUnheard(town)
            try await Self.findOut(town)
            try await Self.finish(town, request)
        }
    }

    @Test(
        "what was written into the tables without an answer is acted on all the same",
        arguments: TestEngine.allCases
    )
    func written(engine: TestEngine) async throws {
        try await Self.open(on: engine) { town, request in
            let store = town.service.store
            try await town.untilRead()
            try await Self.boardUnheard(town)
            var history = try await store.projection(codes: [:])
            var stories = try await store.follower(at: history.head)
            let old = history.head
            var changes = RideProjection.Changes()
            var told = StoryChanges()
            for record in try await store.log.records(after: old) {
                let entry = try Entry(bytes: record.entry)
                history.follow(entry, at: record.head, &changes)
                try stories.follow(entry, &told)
            }
            try await store.save(changes, told, from: old, to: history.head, learned: nil)
            try await Self.findOut(town)
            try await Self.finish(town, request)
        }
    }

    @Test(
        "a ride without a meter costs the time and the way as the crow flies",
        arguments: TestEngine.allCases
    )
    func withoutMeter(engine: TestEngine) async throws {
        try await Self.open(on: engine) { town, request in
            let service = town.service
            let code = try await service.ride(of: Self.taxi)?.code
            _ = try await service.board(Self.taxi, aboard: 1, code: code)
            try await town.untilRead()
            try await town.drive(Self.taxi, from: 1_000, to: 6_000)
            service.intake.stopMeters { $0 == request }
            _ = try await service.endRide(Self.taxi)
            let fare = try #require(try await service.store.fare(of: request))
            #expect((49_000...51_000).contains(fare.decimetres))
            #expect(fare.milliseconds == 500_000)
        }
    }
}
