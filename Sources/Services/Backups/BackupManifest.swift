package import Chronology
import Crypto
import Encoding
import Foundation

/// What a backup says of itself; the last thing that is written of it.
package struct BackupManifest: Codable, Hashable, Sendable {
    /// One of its files.
    package struct Part: Codable, Hashable, Sendable {
        /// How many bytes it has.
        package var bytes: Int
        /// The SHA-256 of its bytes, in hexadecimal digits.
        package var sha256: String
        /// How many rows or lines it holds.
        package var rows: Int
    }

    /// The version of this form.
    package var form = 1
    /// When it was begun, in milliseconds since 1970 UTC.
    package var milliseconds: Int64
    /// The reason for which the backup was made.
    package var reason: String
    /// The city's database.
    package var city: Part
    /// The database of keys, which lies in a folder of its own.
    package var keys: Part
    /// The list of who was erased.
    package var erasures: Part
    /// The list of whose data is sealed in it; older backups have none.
    package var people: Part?
    /// How many of these had no key when it was made; older backups do not say.
    package var keyless: Int?
}

extension BackupManifest.Part {
    /// Describes a file that was written.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - rows: how many rows or lines it holds.
    /// - Throws: ``BackupFault/unreadable(_:)``.
    init(of path: String, rows: Int) throws(BackupFault) {
        guard let handle = FileHandle(forReadingAtPath: path) else { throw .unreadable(path) }
        var hash = SHA256()
        var count = 0
        do {
            while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
                hash.update(data: piece)
                count += piece.count
            }
            try handle.close()
        } catch {
            throw .unreadable(path)
        }
        bytes = count
        sha256 = hash.finalize().hex
        self.rows = rows
    }
}

/// A backup that lies in the folder.
package struct Backup: Hashable, Sendable {
    /// What is known of a backup without reading all of it.
    package enum State: Hashable, Sendable {
        /// All its files are there, of the right sizes; it was read back when it was made.
        case whole
        /// The same, but its copy of the keys is no longer kept.
        case withoutKeys
        /// A file is missing or of another size, or the manifest cannot be read.
        case damaged
    }

    /// Its name: the moment in UTC and the reason.
    package var name: String
    /// The folder that holds it.
    package var folder: String
    /// The copy of the keys that was made with it, whether it is still there or not.
    package var keys: String
    /// What it says of itself; nil if that cannot be read.
    package var manifest: BackupManifest?
    /// What is known of it.
    package var state: State

    /// The copy of the city's database.
    package var city: String { folder + "/city.backup" }
    /// The list of who was erased.
    package var erasures: String { folder + "/erasures.txt" }
    /// The list of whose data is sealed in it, one number a line.
    var people: String { folder + "/people.txt" }

    /// When it was begun.
    package var moment: Moment? { manifest.map { Moment(milliseconds: $0.milliseconds) } }

    /// How many bytes its files have together.
    package var bytes: Int {
        manifest.map { $0.city.bytes + $0.keys.bytes + $0.erasures.bytes } ?? 0
    }
}

/// Why a backup was not made, found or used, beyond what `BackupFailure` says.
package enum BackupFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder cannot be made or written to.
    case folder(String, reason: String)
    /// A file cannot be read.
    case unreadable(String)
    /// A file is not what was written.
    case altered(String)
    /// The list of who was erased cannot be relied on.
    case badList(String)
    /// There is no backup of this name.
    case noSuchBackup(String, folder: String)
    /// No copy of the keys fits the backup.
    case noKeys(String)
    /// There are people, and no key of any of them.
    case keysLost(String)
    /// So many people have no key.
    case keyless(Int, of: Int)
    /// A key does not open what was sealed under it.
    case sealed(String, secret: String)
    /// Rows are missing of a table that is read from; the log says how many there must be.
    case rowsMissing(Int, table: String)
    /// The log of the city in a backup cannot be followed.
    case badLog(String)
    /// The secret is not where the settings say.
    case noSecret(String)

    /// One line for the operator: what is wrong and what to do.
    package var description: String {
        switch self {
        case .folder(let path, let reason):
            "\(path): \(reason); is there space, and may the server write there?"
        case .unreadable(let path): "\(path): is missing or cannot be read."
        case .altered(let path):
            "\(path): is not what was written; take another copy or another backup."
        case .badList(let path):
            "\(path): the list of erased people is damaged; put a sound copy of it there."
        case .noSuchBackup(let name, let folder):
            "there is no backup \(name) in \(folder); `viavai admin backups` lists them."
        case .noKeys(let folder):
            "\(folder) has no copy of the keys that fits the backup; where the database "
                + "of keys itself is still there, restore with --data-only."
        case .keysLost(let place):
            "\(place): there are people, and no key of any of them, so that nobody could log in; "
                + "is keys.database right, and its disk mounted? If the keys are gone, bring them "
                + "back: `viavai admin restore newest --keys-only`, into a new database of keys."
        case .keyless(let count, let all):
            "\(count) of \(all) people and taxis have no key in any copy of the keys, and could "
                + "not log in; put other copies of the keys there if there are any."
        case .sealed(let path, let secret):
            "\(path): its keys do not open what is sealed under the secret \(secret); put the "
                + "copy of the keys and the secret there that belong to it."
        case .rowsMissing(let count, let table):
            "\(count) rows of the table \(table) are missing that the city's log tells of; they "
                + "were deleted before the backup was made: take an older one."
        case .badLog(let path):
            "\(path): the city's log in it cannot be followed; take another backup."
        case .noSecret(let path):
            "\(path): the secret is missing; put it back first: no backup holds it, and without "
                + "it nothing that is restored can be read."
        }
    }
}
