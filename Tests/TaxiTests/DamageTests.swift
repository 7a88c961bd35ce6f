import Storage
import StorageTestSupport
import Testing

/// spec/taxi.md F3: damage on disk is detected or bypassed.
@Suite("Damaged logs and snapshots")
struct DamageTests {
    /// Provides a database in which three passengers were driven.
    private static func withTown(
        on engine: TestEngine,
        _ body:
            @Sendable (_ address: String, _ history: History, _ folder: String) async throws
            -> Void
    ) async throws {
        try await withDatabase(on: engine) { place in
            try await withTemporaryFolder { folder in
                let plan = "drive 1 3 2 3"
                let probe = try Probe(plan, on: place.address, output: folder + "/before")
                #expect(try await probe.end() == 0, "\(probe.text.suffix(800))")
                var history = History()
                history.add(probe.text)
                try await body(place.address, history, folder)
            }
        }
    }

    private static func run(_ statements: [SQL], on address: String) async throws {
        let database = try await Database.open(address)
        defer { database.close() }
        try await database.write { transaction in _ = try transaction.execute(statements) }
    }

    @Test("snapshots that are damaged are not needed", arguments: TestEngine.allCases)
    func snapshots(engine: TestEngine) async throws {
        try await Self.withTown(on: engine) { address, history, folder in
            var history = history
            try await Self.run(["UPDATE snapshot SET state = digest"], on: address)
            let plan = "drive 1 6 2 3"
            let probe = try Probe(plan, on: address, output: folder + "/after")
            #expect(try await probe.end() == 0, "\(probe.text.suffix(800))")
            history.add(probe.text)
            try await Self.run(["DELETE FROM snapshot WHERE state = digest"], on: address)
            try await Aftermath.check(address, history, passengers: 1..<7, "no snapshot was sound")
        }
    }

    @Test(
        "a log that lost or changed its tail is not gone on with, and named",
        arguments: TestEngine.allCases,
        [
            ("missing", "DELETE FROM log_record WHERE sequence = (SELECT sequence FROM log)"),
            (
                "altered",
                """
                UPDATE log_record SET entry = hash WHERE sequence = (SELECT sequence FROM log)
                """
            ),
            ("wrongHead", "UPDATE log SET hash = genesis"),
            ("beyondHead", "UPDATE log SET sequence = sequence - 1"),
        ] as [(String, SQL)]
    )
    func tail(engine: TestEngine, damage: (name: String, statement: SQL)) async throws {
        try await Self.withTown(on: engine) { address, _, folder in
            // A killed server has stored no final snapshot.
            try await Self.run(["DELETE FROM snapshot", damage.statement], on: address)
            let plan = "drive 4 3 2 3"
            let probe = try Probe(plan, on: address, output: folder + "/after")
            #expect(try await probe.end() == 3)
            #expect(probe.text.hasPrefix("failed \(damage.name)"), "\(probe.text)")
        }
    }
}
