import Dispatch
import Storage

/// Empty PostgreSQL databases for tests that run at the same time.
///
/// Making a database takes a second, emptying one some milliseconds; so a test gets an emptied
/// one, and waits while a few others have theirs.
actor DatabasePool {
    /// How many tests use PostgreSQL at once; each has up to a dozen connections.
    private static let limit = 4

    static let shared = DatabasePool()

    private var cluster: Task<PostgresCluster, any Error>?
    private var free: [String] = []
    private var made = 0
    private var used = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs a test on an empty database; gives its address.
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
        // One that cannot be emptied is not used again.
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

/// Runs what waits for a program, on a thread that may wait.
package func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
}
