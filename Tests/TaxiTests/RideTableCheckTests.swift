import Dispatching
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

/// Issue 29, fault 12: rows deleted by hand from tables that pages read.
@Suite("Tables of rides compared with the log")
struct RideTableCheckTests {
    /// Checks a backup of the database for missing rows.
    private static func missing(
        in database: Database,
        backedUpTo path: String
    ) async throws -> (table: String, rows: Int)? {
        try await database.backup(to: path)
        var check = RideTableCheck()
        try Database.check(backup: path, lending: RideTableCheck.placeTables) {
            try check.takePlace($1)
        }
        try Database.check(backup: path, lending: RideTableCheck.tables) {
            try check.take($0, $1)
        }
        return check.missing
    }

    /// Deletes the rows of a request; returns how many there were.
    private static func delete(
        _ request: Int64,
        from table: SQL,
        in database: Database
    )
        async throws -> Int
    {
        try await database.write {
            try $0.execute("DELETE FROM \(table) WHERE request = \(request)")
        }
    }

    @Test(
        "whole tables lack nothing, and each row that is deleted is missed",
        arguments: TestEngine.allCases
    )
    func deleted(engine: TestEngine) async throws {
        try await withTemporaryFolder { folder in
            try await withStorage(on: engine) { database in
                try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 2) {
                    town in
                    let request = Int64(try await town.ride(7, from: 900).request.rawValue)
                    _ = try await town.ride(8, from: 1_500)
                    let whole = try await Self.missing(in: database, backedUpTo: folder + "/whole")
                    #expect(whole == nil)
                    // The check reports the first incomplete table by name, so the last one is
                    // emptied first.
                    for (name, table) in [
                        ("ride_story", "ride_story"), ("ride_offer", "ride_offer"),
                        ("ride", "ride"),
                    ] as [(String, SQL)] {
                        let rows = try await Self.delete(request, from: table, in: database)
                        #expect(rows > 0, "\(name)")
                        let found = try await Self.missing(
                            in: database,
                            backedUpTo: "\(folder)/\(name)"
                        )
                        #expect(found?.table == name)
                        #expect(found?.rows == rows)
                    }
                }
            }
        }
    }

    @Test("what the log tells after the tables were written is not missed")
    func ahead() async throws {
        try await withTemporaryFolder { folder in
            try await withStorage(on: .sqlite) { database in
                try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) {
                    town in
                    _ = try await town.ride(7, from: 900)
                    // The table cannot be written while it has another name.
                    try await database.write {
                        try $0.execute("ALTER TABLE ride_cursor RENAME TO gone")
                    }
                    let request = try await town.service.call(TaxiTown.order(8, from: 900)).request
                    try await database.write {
                        try $0.execute("ALTER TABLE gone RENAME TO ride_cursor")
                    }
                    let found = try await Self.missing(in: database, backedUpTo: folder + "/copy")
                    #expect(found == nil)
                    try await town.until("the tables are written") {
                        town.test.advance(seconds: 1)
                        return try await town.service.store.record(of: request) != nil
                    }
                    let later = try await Self.missing(in: database, backedUpTo: folder + "/later")
                    #expect(later == nil)
                }
            }
        }
    }
}
