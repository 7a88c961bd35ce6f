import Chronology
import Foundation
import Identity
package import Storage
package import Taxi

/// Makes backups of an installation, while it serves.
package struct Backups: Sendable {
    /// The folder in which the backups are stored.
    package let folder: BackupFolder
    private let city: Database
    private let keys: Database
    private let clock: ServiceClock

    /// The backups of two databases.
    ///
    /// - Parameters:
    ///   - folder: where they lie.
    ///   - city: the city's database.
    ///   - keys: the database of keys.
    ///   - clock: where time comes from.
    package init(
        in folder: BackupFolder,
        of city: Database,
        and keys: Database,
        _ clock: ServiceClock
    ) {
        self.folder = folder
        self.city = city
        self.keys = keys
        self.clock = clock
    }

    /// Makes a backup, reads it back, and removes the oldest beyond those that are kept.
    ///
    /// While this or another program is making a backup, it waits. If the caller is cancelled, the
    /// backup is finished all the same.
    ///
    /// - Parameter reason: why, in a few words, without personal data.
    /// - Returns: the backup.
    /// - Throws: ``BackupFault``, `BackupFailure`, `DatabaseFailure`; then nothing is left.
    @discardableResult
    package func make(reason: String) async throws -> Backup {
        try await Task { try await makeNow(reason: reason) }.value
    }

    private func makeNow(reason: String) async throws -> Backup {
        try BackupFolder.make(folder.path)
        try BackupFolder.make(folder.keysPath)
        let lock = try await BackupLock(of: folder.path)
        defer { lock.letGo() }
        folder.removeDrafts()
        let now = clock.now()
        let name = folder.freeName(at: now, reason: reason)
        let draft = "\(folder.path)/.\(name).part"
        let keyDraft = "\(folder.keysPath)/.\(name).part"
        do {
            try BackupFolder.make(draft)
            // The keys second: a key too many harms nobody, one too few loses a person. The list
            // last: who was erased meanwhile is on it.
            var rows = SealedRows(in: folder.sealedTables)
            let city = try await write(self.city, to: draft + "/city.backup", rows.tables) {
                try rows.take($0, $1)
            }
            var copy = KeyCopy()
            let keys = try await write(self.keys, to: keyDraft, ["person_key"]) {
                try copy.take($1)
            }
            let (erasures, erased) = try await writeList(to: draft + "/erasures.txt")
            let people = rows.owners.subtracting(erased.map(\.person))
            let keyless = people.subtracting(copy.people).count
            // It would look whole, take the place of good ones, and log nobody in.
            guard people.isEmpty || keyless < people.count else {
                throw BackupFault.keysLost("no backup is made")
            }
            let manifest = BackupManifest(
                milliseconds: now.milliseconds,
                reason: reason,
                city: city,
                keys: keys,
                erasures: erasures,
                people: try write(rows.owners, to: draft + "/people.txt"),
                keyless: keyless
            )
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try BackupFolder.write(
                Array(try encoder.encode(manifest)),
                to: draft + "/manifest.json"
            )
            try BackupFolder.flush(draft)
            try BackupFolder.rename(keyDraft, to: "\(folder.keysPath)/\(name).keys")
            try BackupFolder.rename(draft, to: "\(folder.path)/\(name)")
        } catch {
            folder.removeDrafts()
            throw error
        }
        folder.prune(at: now)
        return folder.backup(name)
    }

    /// Writes a database into a file, and reads the file back, with rows of some of its tables.
    private func write(
        _ database: Database,
        to path: String,
        _ tables: Set<String>,
        _ body: (String, Row) throws -> Void
    ) async throws -> BackupManifest.Part {
        let written = try await database.backup(to: path)
        guard try Database.check(backup: path, lending: tables, to: body) == written else {
            throw BackupFault.altered(path)
        }
        return try BackupManifest.Part(of: path, rows: written.rows)
    }

    private func write(
        _ people: Set<PersonNumber>,
        to path: String
    ) throws -> BackupManifest.Part {
        let lines = people.sorted().map { "\($0.rawValue)\n" }.joined()
        try BackupFolder.write(Array(lines.utf8), to: path)
        return try BackupManifest.Part(of: path, rows: people.count)
    }

    private func writeList(
        to path: String
    ) async throws -> (part: BackupManifest.Part, list: [Erasure]) {
        let erasures = try await erasures()
        try folder.remember(erasures)
        try BackupFolder.write(Array(Erasure.text(of: erasures).utf8), to: path)
        return (try BackupManifest.Part(of: path, rows: erasures.count), erasures)
    }

    /// Brings the list of the erased that lies beside the backups up to date.
    ///
    /// - Throws: what the databases throw, ``BackupFault``.
    package func rememberErasures() async throws {
        try folder.remember(try await erasures())
    }

    /// Who was erased, as both databases know.
    private func erasures() async throws -> [Erasure] {
        let inCity = try await city.read { try Erasure.all(in: $0) }
        let beside = try await keys.read { try Erasure.all(in: $0) }
        return Set(inCity + beside).sorted()
    }
}
