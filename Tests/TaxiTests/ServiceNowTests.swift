import Chronology
import Dispatching
import StorageTestSupport
import Synchronization
import TestClock
import Testing

@testable import Storage
@testable import Taxi

/// Issue 29, 1: policy and reliability count are read once, in one place.
@Suite("What an order needs to know is read once")
struct ServiceNowTests {
    @Test("missed rides are counted once for a page that then orders (issue 29, 1)")
    func count() async throws {
        try await Self.withCountedReads { database, counts in
            let policy = try Policy.viavai.with(.maxMissed, "2")
            try await TaxiTown.open(
                in: database,
                SettableClock.atMidnight(),
                taxis: 1,
                policy: policy
            ) { town in
                let order = TaxiTown.order(7, from: 1_000)
                let now = try await town.service.now(for: order.passenger)
                let key = DispatchService.Key(caller: "order session 1", key: "form")
                _ = try await town.service.call(order, given: now, key: key)
                #expect(counts.found == 1)
            }
        }
    }

    @Test("an order is decided by what was read for it, not by what holds a moment later")
    func policy() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 2) { town in
                let service = town.service
                var order = TaxiTown.order(7, from: 1_000)
                order.accuracyMetres = 40
                var other = TaxiTown.order(8, from: 1_000)
                other.accuracyMetres = 40
                let now = try await service.now(for: order.passenger)
                let strict = try Policy.viavai.with(.gpsAccuracy, "20")
                _ = try await town.give(.adopt(strict))
                _ = try await service.call(order, given: now)
                let vague = TaxiService.Failure.positionTooVague(allowedMetres: 20)
                await #expect(throws: vague) { _ = try await service.call(other) }
            }
        }
    }

    /// Counts the statements that read a passenger's missed rides.
    private static func withCountedReads(
        _ body: @Sendable (Database, Counts) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let counts = Counts()
            let engine = CountingEngine(try SQLiteEngine(path: folder + "/town.sqlite"), counts)
            let database = Database(engine: engine, Availability())
            defer { database.close() }
            try await body(database, counts)
        }
    }
}

/// How often missed rides were counted.
private final class Counts: Sendable {
    private let number = Mutex(0)

    var found: Int { number.withLock { $0 } }

    func look(at statements: [SQL]) {
        let texts = statements.map { $0.rendered(for: .sqlite).text }
        let more = texts.count {
            $0.contains("FROM ride\n") && $0.contains("FROM passenger_appeal")
        }
        number.withLock { $0 += more }
    }
}

/// An engine whose sessions tell what they are asked.
private final class CountingEngine: Engine {
    private let engine: any Engine
    private let counts: Counts

    init(_ engine: any Engine, _ counts: Counts) {
        self.engine = engine
        self.counts = counts
    }

    private func counted(
        _ found: Result<any Session, DatabaseFailure>
    ) -> Result<any Session, DatabaseFailure> {
        found.map { CountingSession($0, counts) }
    }

    func withWriter(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void) {
        engine.withWriter { [self] in work(counted($0)) }
    }

    func withReader(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void) {
        engine.withReader { [self] in work(counted($0)) }
    }

    func withReaderHere(_ work: (Result<any Session, DatabaseFailure>) -> Void) {
        engine.withReaderHere { work(counted($0)) }
    }

    func changes() -> AsyncStream<Void> { engine.changes() }
    func scrub(_ done: @escaping @Sendable (Result<Void, DatabaseFailure>) -> Void) {
        engine.scrub(done)
    }
    func failFast() { engine.failFast() }
    func close() { engine.close() }
}

private final class CountingSession: Session {
    private let session: any Session
    private let counts: Counts

    init(_ session: any Session, _ counts: Counts) {
        self.session = session
        self.counts = counts
    }

    func begin(_ access: Access, deadline: ContinuousClock.Instant) throws(DatabaseFailure) {
        try session.begin(access, deadline: deadline)
    }

    func limit(to deadline: ContinuousClock.Instant) { session.limit(to: deadline) }

    func run(_ statements: [SQL]) throws(DatabaseFailure) -> [Answer] {
        counts.look(at: statements)
        return try session.run(statements)
    }

    func queue(_ statement: SQL) throws(DatabaseFailure) { try session.queue(statement) }
    var isInTransaction: Bool { session.isInTransaction }
    func commit() throws(DatabaseFailure) { try session.commit() }
    func endReading() { session.endReading() }
    func rollback() { session.rollback() }
}
