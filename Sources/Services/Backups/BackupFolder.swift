import Chronology
import Foundation
package import Identity
import Storage

/// The folders in which backups lie: one for the city's data, another for the keys.
///
/// A backup is a folder of the first, `20261121T155102Z-reason`, with `city.backup`,
/// `erasures.txt` and `manifest.json`; its keys are a file of the second. It is written under a
/// name that begins with a point, and renamed when all of it is on the disk: what has another name
/// never counts.
package struct BackupFolder: Sendable {
    /// How many copies of the keys are kept: few, because they bring back who was erased since.
    static let keptKeys = 3
    /// For how many seconds a copy of the keys is kept where there is a newer one.
    ///
    /// The pages promise a week: the last day is for the mirrors of the folder elsewhere.
    static let keptKeySeconds: Int64 = 6 * 86_400

    /// The folder of the city's data.
    package let path: String
    /// The folder of the keys.
    package let keysPath: String
    /// How many backups are kept.
    package let kept: Int
    /// The tables whose rows are sealed under keys of people.
    let sealedTables: [SealedTable]
    /// The file of the secret, which is needed to see whether the keys open anything.
    let secretPath: String

    /// The folders of an installation.
    ///
    /// - Parameters:
    ///   - path: the folder of the city's data.
    ///   - keysPath: the folder of the keys.
    ///   - kept: how many backups are kept.
    ///   - secretPath: the file of the secret that opens the keys.
    ///   - sealedTables: the tables whose rows are sealed under keys of people.
    package init(
        path: String,
        keysPath: String,
        kept: Int,
        secretPath: String,
        sealedTables: [SealedTable]
    ) {
        self.path = path
        self.keysPath = keysPath
        self.kept = kept
        self.secretPath = secretPath
        self.sealedTables = sealedTables
    }

    /// The list of all who were erased, which is kept beside the backups.
    var list: String { path + "/erasures.txt" }

    /// All backups, the newest first.
    package var all: [Backup] {
        Self.entries(of: path).filter(Self.isName).sorted(by: >).map(backup)
    }

    /// The backup of a name, or the newest that is not damaged for `newest`.
    ///
    /// - Throws: ``BackupFault/noSuchBackup(_:folder:)``.
    package func find(_ name: String) throws(BackupFault) -> Backup {
        let all = all
        let found =
            name == "newest"
            ? all.first { $0.state != .damaged } : all.first { $0.name == name }
        guard let found else { throw .noSuchBackup(name, folder: path) }
        return found
    }

    /// What lies under a name.
    func backup(_ name: String) -> Backup {
        let folder = path + "/" + name
        var backup = Backup(
            name: name,
            folder: folder,
            keys: "\(keysPath)/\(name).keys",
            manifest: nil,
            state: .damaged
        )
        guard let data = FileManager.default.contents(atPath: folder + "/manifest.json"),
            let manifest = try? JSONDecoder().decode(BackupManifest.self, from: data)
        else { return backup }
        backup.manifest = manifest
        let parts = [(backup.city, manifest.city), (backup.erasures, manifest.erasures)]
        guard parts.allSatisfy({ Self.size(of: $0.0) == $0.1.bytes }) else { return backup }
        switch Self.size(of: backup.keys) {
        case manifest.keys.bytes: backup.state = .whole
        case nil: backup.state = .withoutKeys
        default: break
        }
        return backup
    }

    /// Reads all of a backup, and compares it with its manifest and its own checksums.
    ///
    /// - Throws: ``BackupFault``, `BackupFailure`.
    func verifyBytes(_ backup: Backup) throws {
        guard let manifest = backup.manifest else {
            throw BackupFault.unreadable(backup.folder + "/manifest.json")
        }
        var parts = [(backup.city, manifest.city), (backup.erasures, manifest.erasures)]
        if backup.state != .withoutKeys { parts.append((backup.keys, manifest.keys)) }
        for (path, part) in parts {
            guard try BackupManifest.Part(of: path, rows: part.rows) == part else {
                throw BackupFault.altered(path)
            }
        }
        if backup.state != .withoutKeys { _ = try Database.check(backup: backup.keys) }
    }

    /// Who was erased, as the list beside the backups and those in them say together.
    ///
    /// A number is never given twice, so that a longer list erases nobody wrongly.
    ///
    /// - Throws: ``BackupFault/badList(_:)``: part of a list must not pass for the whole.
    package func erasures() throws(BackupFault) -> [Erasure] {
        // What has neither list nor manifest never was a backup.
        let backups = all.filter { $0.manifest != nil || Self.size(of: $0.erasures) != nil }
        var lists = backups.map { ($0.erasures, $0.manifest?.erasures.bytes) }
        if Self.size(of: list) != nil { lists.append((list, nil)) }
        var found: Set<Erasure> = []
        for (path, size) in lists {
            guard let data = FileManager.default.contents(atPath: path),
                size == nil || data.count == size, data.isEmpty || data.last == UInt8(ascii: "\n"),
                let text = String(data: data, encoding: .utf8), let read = Erasure.list(text)
            else { throw .badList(path) }
            found.formUnion(read)
        }
        return found.sorted()
    }

    /// Writes on the list beside the backups who was erased; nobody is ever taken off it.
    ///
    /// - Throws: ``BackupFault``.
    package func remember(_ erasures: [Erasure]) throws(BackupFault) {
        let known = try self.erasures()
        let all = Set(known).union(erasures).sorted()
        let isThere = Self.size(of: list) == Erasure.text(of: all).utf8.count
        guard !all.isEmpty, !isThere else { return }
        try Self.make(path)
        let draft = path + "/.erasures.part"
        try Self.write(Array(Erasure.text(of: all).utf8), to: draft)
        try Self.rename(draft, to: list)
    }

    /// The names of the backups whose keys are kept, the newest first.
    var keyNames: [String] {
        Self.entries(of: keysPath).filter { $0.hasSuffix(".keys") }.map { String($0.dropLast(5)) }
            .filter(Self.isName).sorted(by: >)
    }

    /// Removes the oldest backups beyond those that are kept, and what lies broken among them.
    ///
    /// Only whole ones count: the newest good one is never removed, whatever lies beside it.
    func prune(at now: Moment) {
        let good = all.filter { $0.state != .damaged }
        if good.count >= kept, let oldest = good.prefix(kept).last {
            for backup in all where backup.name < oldest.name {
                try? FileManager.default.removeItem(atPath: backup.folder)
            }
        }
        pruneKeys(at: now)
    }

    /// Removes what a backup that was interrupted has left; only who holds the lock may.
    func removeDrafts() {
        for folder in [path, keysPath] {
            for name in Self.entries(of: folder)
            where name.hasPrefix(".") && name.hasSuffix(".part") {
                try? FileManager.default.removeItem(atPath: folder + "/" + name)
            }
        }
    }

    /// A name that no backup has.
    func freeName(at now: Moment, reason: String) -> String {
        let stamp = Self.stamp(now)
        var words = ""
        for character in reason.lowercased().unicodeScalars.prefix(40) {
            let isPlain = ("a"..."z").contains(character) || ("0"..."9").contains(character)
            if isPlain { words.unicodeScalars.append(character) }
            if !isPlain, !words.isEmpty, !words.hasSuffix("-") { words += "-" }
        }
        while words.hasSuffix("-") { words.removeLast() }
        let name = stamp + (words.isEmpty ? "manual" : words)
        let taken = Set(Self.entries(of: path) + keyNames)
        guard taken.contains(name) else { return name }
        return (2...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) } ?? name
    }

    /// How the names begin of backups that were begun in the second of a moment.
    static func stamp(_ moment: Moment) -> String {
        moment.text.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z-"
    }

    /// Whether a name is of the form that backups have.
    private static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: /[0-9]{8}T[0-9]{6}Z-[a-z0-9-]+/) != nil
    }

    private static func entries(of folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    static func size(of path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }
}
