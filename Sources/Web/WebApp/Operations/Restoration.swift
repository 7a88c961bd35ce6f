package import Backups
import Chronology
import Foundation
package import Identity
import Storage
package import Taxi

/// Restores a backup into the databases named in the settings, which must be new and empty.
package struct Restoration: Sendable {
    /// The parts of a backup that can be restored.
    package enum Part: Sendable {
        /// The city's data and the encryption keys.
        case both
        /// The city's data, if the key database still exists.
        case data
        /// The keys, if the city's data still exists.
        case keys
    }

    /// The result of a restore.
    package struct Outcome: Sendable {
        /// The backup that was restored.
        package let backup: Backup
        /// The number of restored rows in both databases.
        package let rows: Int
        /// People whom the backup brought back although they had been erased, and who were erased
        /// again.
        package let erasedAgain: [PersonNumber]
        /// The number of people and taxis without a key in any copy; their data is unreadable.
        package let keyless: Int
    }

    private let settings: Settings
    private let folder: BackupFolder
    private let clock: ServiceClock

    /// Creates a restore operation.
    ///
    /// - Parameters:
    ///   - settings: name the backups and the target databases.
    ///   - clock: the time source.
    package init(_ settings: Settings, clock: ServiceClock) {
        self.settings = settings
        self.clock = clock
        folder = BackupFolder(settings)
    }

    /// Restores a backup and erases again everyone on the list of erased people.
    ///
    /// - Parameters:
    ///   - name: the backup's name, or `newest`.
    ///   - part: the part to restore.
    /// - Returns: the result of the restore.
    /// - Throws: ``BackupFault``, `BackupFailure`, ``Installation/Fault``, or any database error.
    package func run(_ name: String, _ part: Part) async throws -> Outcome {
        let backup = try folder.find(name)
        try folder.verify(backup)
        // Fail early: otherwise a missing secret would surface only after everything else is done.
        guard FileManager.default.isReadableFile(atPath: settings.secret) else {
            throw BackupFault.noSecret(settings.secret)
        }
        _ = try folder.erasures()
        let keys = part == .data ? nil : try folder.keys(for: backup)
        if let keys { _ = try Database.check(backup: keys) }
        if part == .data { try Installation.checkIsThere(settings.keyDatabase) }
        let databases = try await open()
        defer { for database in databases { database.close() } }
        if part != .keys { try await databases[0].checkEmpty() }
        if part != .data { try await databases[1].checkEmpty() }
        var rows = 0
        if part != .keys {
            rows += try await databases[0].restore(
                from: backup.city,
                migrations: Installation.migrations
            ).rows
        }
        if let keys {
            rows += try await databases[1].restore(from: keys, migrations: Migration.keyStore).rows
        }
        let installation = try await Installation(
            settings,
            clock: clock,
            workers: PasswordWorkers()
        )
        defer { installation.close() }
        let keyless = try await adoptKeys(for: backup, in: installation)
        return Outcome(
            backup: backup,
            rows: rows,
            erasedAgain: installation.erasedAgain,
            keyless: keyless
        )
    }

    /// Copies missing keys from the other backups, if any of them has the key.
    ///
    /// - Returns: the number of people and taxis that still have no key.
    private func adoptKeys(
        for backup: Backup,
        in installation: Installation
    ) async throws -> Int {
        let missing = installation.keyCoverage.keyless
        if missing.isEmpty { return 0 }
        let found = folder.gather(missing, for: backup)
        let now = clock.now()
        try await installation.accounts.keys.adopt(missing, from: found, at: now.milliseconds)
        return missing.count - found.people.count
    }

    private func open() async throws -> [Database] {
        let city = try await Database.open(settings.database)
        do {
            return [city, try await Database.open(settings.keyDatabase)]
        } catch {
            city.close()
            throw error
        }
    }
}

extension Backups {
    /// Calls a closure with the backups of the databases named in the settings.
    ///
    /// A server may be running at the same time; the databases are not modified.
    ///
    /// - Parameters:
    ///   - settings: name the databases and folders.
    ///   - clock: the time source.
    ///   - body: the closure to call.
    /// - Returns: the closure's result.
    /// - Throws: any error of the closure; `BackupFailure.nothing` if there is no database.
    package static func withBackups<Value>(
        of settings: Settings,
        clock: ServiceClock,
        _ body: (Backups) async throws -> Value
    ) async throws -> Value {
        for address in [settings.database, settings.keyDatabase] {
            try Installation.checkIsThere(address)
        }
        let city = try await Database.open(settings.database)
        defer { city.close() }
        let keys = try await Database.open(settings.keyDatabase)
        defer { keys.close() }
        return try await body(Backups(in: BackupFolder(settings), of: city, and: keys, clock))
    }
}
