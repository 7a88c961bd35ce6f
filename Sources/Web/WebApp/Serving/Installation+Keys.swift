import Backups
import Foundation
import Identity
import Storage

extension Installation {
    /// Opens the key database and checks that it belongs to the city's database.
    ///
    /// - Returns: the database, before migration, and the numbers of people with a key in it.
    /// - Throws: ``BackupFault/keysLost(_:)`` if people exist but none of their keys does; the
    ///   database is not created then. `DatabaseFailure` otherwise.
    static func keys(
        of settings: Settings,
        for data: Database,
        without erased: [Erasure]
    ) async throws -> (database: Database, coverage: KeyCoverage) {
        let tables = sealedTables
        var coverage = try await KeyCoverage(of: data, by: nil, without: erased, in: tables)
        let place = Settings.sqlitePath(settings.keyDatabase) ?? "the database of keys"
        if coverage.isLost, !isThere(settings.keyDatabase) { throw BackupFault.keysLost(place) }
        let keys = try await Database.open(settings.keyDatabase, failsFast: true)
        do {
            guard coverage.count > 0 else { return (keys, coverage) }
            guard try await hasTables(keys) else { throw BackupFault.keysLost(place) }
            coverage = try await KeyCoverage(of: data, by: keys, without: erased, in: tables)
            guard !coverage.isLost else { throw BackupFault.keysLost(place) }
            return (keys, coverage)
        } catch {
            keys.close()
            throw error
        }
    }

    /// Checks that the database of an existing installation exists: opening a missing SQLite file
    /// would create it.
    ///
    /// - Throws: ``BackupFault/unreadable(_:)``.
    static func checkIsThere(_ address: String) throws(BackupFault) {
        guard isThere(address) else {
            throw .unreadable(Settings.sqlitePath(address) ?? "the database")
        }
    }

    private static func isThere(_ address: String) -> Bool {
        Settings.sqlitePath(address).map { FileManager.default.fileExists(atPath: $0) } ?? true
    }

    private static func hasTables(_ database: Database) async throws -> Bool {
        do {
            try await database.checkEmpty()
            return false
        } catch BackupFailure.notEmpty {
            return true
        }
    }
}
