package import Chronology
import Foundation
package import Identity
import Storage

/// The copies of the keys, and which backup of the data needs which of them.
extension BackupFolder {
    /// Where the copy of the keys of a backup is.
    private func copy(_ name: String) -> String { "\(keysPath)/\(name).keys" }

    /// The keys in the copy that was made with a backup; nil if it is missing or damaged.
    private func keys(in name: String) -> KeyCopy? { try? KeyCopy(ofBackup: copy(name)) }

    /// Whose data is sealed in a backup.
    ///
    /// - Throws: `BackupFailure` where neither its list nor its copy of the database can be read.
    func people(in backup: Backup) throws -> Set<PersonNumber> {
        if let part = backup.manifest?.people,
            let data = FileManager.default.contents(atPath: backup.people),
            data.count == part.bytes
        {
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
            return Set(lines.compactMap { Int64($0) }.map(PersonNumber.init))
        }
        var rows = SealedRows(in: sealedTables)
        try Database.check(backup: backup.city, lending: rows.tables) {
            try rows.take($0, $1)
        }
        return rows.owners
    }

    /// The copy of the keys that belongs to a backup: its own, or else the newest that holds keys
    /// of people in the backup.
    ///
    /// - Throws: ``BackupFault/noKeys(_:)``, `BackupFailure`.
    package func keys(for backup: Backup) throws -> String {
        let people = try people(in: backup).subtracting(try erasures().map(\.person))
        guard !people.isEmpty else {
            if Self.size(of: backup.keys) != nil { return backup.keys }
            guard let newest = keyNames.first, newest >= backup.name else {
                throw BackupFault.noKeys(keysPath)
            }
            return copy(newest)
        }
        let names = [backup.name] + keyNames.filter { $0 != backup.name }
        let found = names.first { keys(in: $0)?.people.isDisjoint(with: people) == false }
        guard let found else { throw BackupFault.noKeys(keysPath) }
        return copy(found)
    }

    /// The keys of some people from all copies: first from that of a backup, then the newest.
    package func gather(_ people: Set<PersonNumber>, for backup: Backup) -> KeyCopy {
        var gathered = KeyCopy()
        for name in [backup.name] + keyNames.filter({ $0 != backup.name }) {
            let missing = people.filter { !gathered.has($0) }
            if missing.isEmpty { break }
            if let keys = keys(in: name) { gathered.add(missing, from: keys) }
        }
        return gathered
    }

    /// Removes the copies of the keys that are too many or too old.
    ///
    /// The newest good one stays, and so does each that alone holds the key of somebody in a
    /// backup that is kept: keys that were lost must not be lost in their copies too.
    package func pruneKeys(at now: Moment) {
        let names = keyNames
        guard let newest = names.first(where: { backup($0).state == .whole }) else { return }
        let oldest = min(newest, Self.stamp(now.adding(seconds: -Self.keptKeySeconds)))
        var old: [String] = []
        for (place, name) in names.enumerated() where name != newest {
            if place >= Self.keptKeys || name < oldest { old.append(name) }
        }
        // Part of the list of the erased must not pass for the whole: without it, all keys stay.
        guard !old.isEmpty, let erased = try? erasures() else { return }
        var safe = Set(erased.map(\.person))
        for name in names where !old.contains(name) {
            if let keys = keys(in: name) { safe.formUnion(keys.people) }
        }
        for name in old {
            let only = (keys(in: name)?.people ?? []).subtracting(safe)
            if isNeeded(only) {
                safe.formUnion(only)
            } else {
                try? FileManager.default.removeItem(atPath: copy(name))
            }
        }
    }

    /// Whether the data of any of these people is sealed in a backup that is kept.
    private func isNeeded(_ people: Set<PersonNumber>) -> Bool {
        guard !people.isEmpty else { return false }
        return all.contains { backup in
            guard backup.state != .damaged, let sealed = try? self.people(in: backup) else {
                return false
            }
            return !sealed.isDisjoint(with: people)
        }
    }
}
