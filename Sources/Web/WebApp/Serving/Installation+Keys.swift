import Backups
import Foundation
import Identity
import Storage

extension Installation {
    /// Opens the database of keys, and sees whether it is the one that belongs to the city.
    ///
    /// - Returns: the database, not migrated yet, and who has a key in it.
    /// - Throws: ``BackupFault/keysLost(_:)`` where there are people and no key of any of them;
    ///   then no database was made. `DatabaseFailure`.
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

    /// Checks that a database of an existing installation is there: opening a missing file of
    /// SQLite would make it.
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
