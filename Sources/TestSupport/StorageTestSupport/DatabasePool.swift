import Dispatch
import Storage
import TestSupport

/// Empty PostgreSQL databases for tests that run at the same time.
///
/// Creating a database takes a second, emptying one some milliseconds. A test therefore gets a
/// reused, emptied database, and waits while the maximum number is in use.
actor DatabasePool {
    /// How many tests use PostgreSQL at once; each has up to a dozen connections.
    private static let limit = 4

    static let shared = DatabasePool()

    private var cluster: Task<PostgresCluster, any Error>?
    private var free: [String] = []
    private var made = 0
    private var used = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs a test with the address of an empty database.
    func withDatabase(_ body: @Sendable (String) async throws -> Void) async throws {
        while used >= Self.limit {
            await withCheckedContinuation { waiting.append($0) }
        }
        used += 1
        defer {
            used -= 1
            if !waiting.isEmpty { waiting.removeFirst().resume() }
        }
        let cluster = try await startedCluster()
        let name: String
        if let emptied = free.popLast() {
            name = emptied
        } else {
            name = try await make(in: cluster)
        }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(cluster.address(of: name)))
        } catch {
            outcome = .failure(error)
        }
        // A database that cannot be emptied is not reused.
        if (try? await Self.empty(cluster.address(of: name))) != nil { free.append(name) }
        try outcome.get()
    }

    private func startedCluster() async throws -> PostgresCluster {
        if let cluster { return try await cluster.value }
        let starting = Task { try await onThread { try PostgresCluster() } }
        cluster = starting
        return try await starting.value
    }

    private func make(in cluster: PostgresCluster) async throws -> String {
        made += 1
        let name = "test\(made)"
        try await onThread { try cluster.makeDatabase(name) }
        return name
    }

    private static func empty(_ address: String) async throws {
        let database = try await Database.open(address)
        defer { database.close() }
        try await database.write { transaction in
            try transaction.execute(["DROP SCHEMA public CASCADE", "CREATE SCHEMA public"])
        }
    }
}
