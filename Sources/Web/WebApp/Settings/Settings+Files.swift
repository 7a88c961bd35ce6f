import CDispatch
import Foundation
import HTTPServer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Settings {
    /// The path of a SQLite database; nil for other engines.
    static func sqlitePath(_ address: String) -> String? {
        guard address.hasPrefix("sqlite:") else { return nil }
        return String(address.dropFirst("sqlite:".count))
    }

    /// Whether two paths are the same folder or one contains the other, so that a copy of one also
    /// includes the other.
    package static func overlap(_ first: String, _ second: String) -> Bool {
        let (one, other) = (resolved(first), resolved(second))
        return one == other || one.hasPrefix(other + "/") || other.hasPrefix(one + "/")
    }

    /// The path with links and dot segments resolved as far as it exists.
    static func resolved(_ path: String) -> String {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        // A folder that does not exist yet may be inside one that is a symbolic link.
        var existing = url
        var rest: [String] = []
        while !FileManager.default.fileExists(atPath: existing.path), existing.path != "/" {
            rest.insert(existing.lastPathComponent, at: 0)
            existing.deleteLastPathComponent()
        }
        return rest.reduce(existing.resolvingSymlinksInPath()) { $0.appendingPathComponent($1) }
            .path
    }

    /// The files and folders that other users of this machine can read but must not: one line for
    /// each, with the remedy.
    package var exposures: [String] {
        var lines: [String] = []
        let files = [secret, Self.sqlitePath(keyDatabase), Self.sqlitePath(database)]
        for path in files.compactMap(\.self) {
            if let mode = Self.mode(of: path), mode & 0o077 != 0 {
                lines.append(Self.line(path, mode, advice: "600"))
            }
        }
        for path in [backups, keyBackups] {
            if let mode = Self.mode(of: path), mode & 0o077 != 0 {
                lines.append(Self.line(path, mode, advice: "700"))
            }
        }
        // Certificates are often shared with a system group, so only access for other users is
        // reported.
        if let key = certificate?.key, let mode = Self.mode(of: key), mode & 0o007 != 0 {
            lines.append(Self.line(key, mode, advice: "o="))
        }
        return lines
    }

    private static func line(_ path: String, _ mode: mode_t, advice: String) -> String {
        let digits = String(mode & 0o777, radix: 8)
        return "warning: \(path) is open to others on this machine (mode \(digits)); run "
            + "`chmod \(advice) \(path)`."
    }

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode : nil
    }
}
