package import Chronology
import Foundation

/// The time zones of the IANA database in a folder, by their names.
package struct ZoneDirectory: Sendable {
    /// The folder where Unix systems keep them.
    package static let system = ZoneDirectory(folder: "/usr/share/zoneinfo")

    private let folder: String

    /// Creates a directory of the zones in a folder.
    package init(folder: String) {
        self.folder = folder
    }

    /// The table of a zone such as `Europe/Rome`; nil if there is no zone with that name.
    ///
    /// The name may come from a stranger: it never leads out of the folder.
    package func table(_ name: String) -> ZoneTable? {
        let allowed = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                || "+-_/".utf8.contains(byte)
        }
        guard allowed, name.utf8.count <= 64, name.utf8.first != UInt8(ascii: "/"),
            let file = FileHandle(forReadingAtPath: "\(folder)/\(name)")
        else { return nil }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: TZif.bytesLimit + 1) else { return nil }
        return try? TZif.table(Array(data))
    }
}
