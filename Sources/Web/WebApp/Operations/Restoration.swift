package import Backups
import Chronology
import Foundation
package import Identity
import Storage
package import Taxi

/// Brings a backup back into the databases that the settings name, which must be new and empty.
package struct Restoration: Sendable {
    /// What is restored.
    package enum Part: Sendable {
        /// The city's data and the keys.
        case both
        /// The city's data, where the database of keys is still there.
        case data
        /// The keys, where the city's data is still there.
        case keys
    }

    /// What a restoration came to.
    package struct Outcome: Sendable {
        /// The backup.
        package let backup: Backup
        /// How many rows came back, of both databases.
        package let rows: Int
        /// Who came back with the backup, although erased, and was erased again.
        package let erasedAgain: [PersonNumber]
        /// How many people and taxis have no key in any copy: nothing of them can be read.
        package let keyless: Int
    }

    private let settings: Settings
    private let folder: BackupFolder
    private let clock: ServiceClock

    /// A restoration.
    ///
    /// - Parameters:
    ///   - settings: they name the backups and the databases to restore into.
    ///   - clock: where time comes from.
    package init(_ settings: Settings, clock: ServiceClock) {
        self.settings = settings
        self.clock = clock
        folder = BackupFolder(settings)
    }

    /// Restores a backup, and erases again whoever is on a list of the erased.
    ///
    /// - Parameters:
    ///   - name: the backup's name, or `newest`.
    ///   - part: what is restored.
    /// - Returns: what it came to.
    /// - Throws: ``BackupFault``, `BackupFailure`, ``Installation/Fault``, what databases throw.
    package func run(_ name: String, _ part: Part) async throws -> Outcome {
        let backup = try folder.find(name)
        try folder.verify(backup)
        // What is not there now would be missed only after everything else was done.
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

    /// Takes keys that are missing from the other copies, as far as any has them.
    ///
    /// - Returns: how many people and taxis are left without.
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
    /// Runs a body with the backups of the databases that the settings name, beside a server that
    /// may be running: nothing is changed in them.
    ///
    /// - Parameters:
    ///   - settings: they name databases and folders.
    ///   - clock: where time comes from.
    ///   - body: what is done.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, `BackupFailure.nothing` where there is no database.
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
