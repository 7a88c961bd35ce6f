import Foundation
package import Storage

/// The engines on which every storage test runs.
package enum TestEngine: String, CaseIterable, Sendable, CustomStringConvertible {
    case sqlite
    case postgres

    /// The name of the engine.
    package var description: String { rawValue }
}

/// An empty database that belongs to one test.
package struct TestDatabase: Sendable {
    /// The engine that stores the database.
    package let engine: TestEngine
    /// The address to pass to `Database.open`.
    package let address: String
    /// The path of the file; nil for PostgreSQL.
    package let path: String?

    fileprivate init(engine: TestEngine, address: String, path: String?) {
        self.engine = engine
        self.address = address
        self.path = path
    }

    /// A database on a server that the test controls.
    package init(of cluster: PostgresCluster) throws {
        try cluster.makeDatabase("own")
        self.init(engine: .postgres, address: cluster.address(of: "own"), path: nil)
    }

    /// Opens a connection to the database.
    package func open() async throws -> Database {
        try await Database.open(address)
    }
}

/// Runs a test on a fresh database and removes it afterwards.
///
/// - Parameters:
///   - engine: the engine to use.
///   - body: the test to run.
/// - Throws: the error of the test, or the one that kept it from running.
package func withDatabase(
    on engine: TestEngine,
    _ body: @Sendable (TestDatabase) async throws -> Void
) async throws {
    switch engine {
    case .sqlite:
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite"
            try await body(
                TestDatabase(engine: engine, address: "sqlite:" + path, path: path)
            )
        }
    case .postgres:
        try PostgresCluster.requireInstalled()
        try await DatabasePool.shared.withDatabase { address in
            try await body(TestDatabase(engine: engine, address: address, path: nil))
        }
    }
}

/// Runs a test with an open database that has the Storage module's own tables.
///
/// - Parameters:
///   - engine: the engine to use.
///   - body: the test to run.
/// - Throws: the error of the test, or the one that kept it from running.
package func withStorage(
    on engine: TestEngine,
    _ body: @Sendable (Database) async throws -> Void
) async throws {
    try await withDatabase(on: engine) { place in
        let database = try await place.open()
        defer { database.close() }
        try await database.migrate(Migration.storage)
        try await body(database)
    }
}

/// Runs a test with a temporary folder and removes it afterwards.
package func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    let name = "viavai-storage-\(UInt64.random(in: .min ... .max))"
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}
