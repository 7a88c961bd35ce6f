package import Dispatching
import Foundation
import Storage

/// A dispatch log as one file, for simulations and for exchange.
///
/// The file begins with ``magic``. For each entry follow its length (8 bytes, little-endian), its
/// bytes (see `Entry.bytes`), and 32 bytes of the hash chain up to it (SHA-256, as in the event log
/// of the database). A changed, missing or added byte anywhere breaks the chain.
package enum LogFile {
    /// The first bytes of a log file.
    package static let magic = Array("viavai dispatch log 1\n".utf8)
    /// The longest entry in bytes; a greater length indicates damage.
    package static let longestEntry = 64 << 20
    static let genesis = LogHead.genesis(log: "file", founding: magic)
    static let hashLength = 32

    /// The error for a file that is not an intact dispatch log.
    package enum Failure: Error, Hashable, Sendable {
        /// The file cannot be opened, read or written, for the given reason.
        case unusable(String)
        /// The file does not begin with ``magic``.
        case noLog
        /// The file ends within an entry, after the given number of complete entries.
        case torn(after: Int)
        /// The entry, counted from 1, does not match its hash.
        case altered(entry: Int)
        /// The entry, counted from 1, cannot be decoded.
        case unreadable(entry: Int, CodingFailure)
    }

    /// Writes entries to a file in sequence.
    package final class Writer {
        private let handle: FileHandle
        private var waiting: [UInt8]
        private var head = LogFile.genesis
        private static let batch = 1 << 20

        /// Creates a new file, replacing an existing one.
        ///
        /// - Throws: ``Failure/unusable(_:)``.
        package init(path: String) throws {
            let isMade = FileManager.default.createFile(atPath: path, contents: nil)
            guard isMade, let handle = FileHandle(forWritingAtPath: path) else {
                throw Failure.unusable("\(path) cannot be written")
            }
            self.handle = handle
            waiting = LogFile.magic
        }

        package func append(_ entry: Entry) throws {
            let bytes = entry.bytes
            head = head.adding(bytes)
            let length = UInt64(bytes.count)
            for byte in 0..<8 { waiting.append(UInt8(truncatingIfNeeded: length >> (8 * byte))) }
            waiting += bytes
            waiting += head.hash
            if waiting.count >= Self.batch { try flush() }
        }

        /// Flushes the buffer and closes the file.
        package func close() throws {
            try flush()
            try handle.synchronize()
            try handle.close()
        }

        private func flush() throws {
            try handle.write(contentsOf: Data(waiting))
            waiting.removeAll(keepingCapacity: true)
        }
    }

    /// Reads a file from its first entry to its last.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - body: called for each entry.
    /// - Throws: ``Failure``, or an error of `body`.
    package static func read(_ path: String, _ body: (Entry) throws -> Void) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure.unusable("\(path) cannot be read")
        }
        let bytes = [UInt8](data)
        guard bytes.starts(with: magic) else { throw Failure.noLog }
        var head = genesis
        var position = magic.count
        var entries = 0
        while position < bytes.count {
            guard bytes.count - position >= 8 else { throw Failure.torn(after: entries) }
            var length: UInt64 = 0
            for offset in (0..<8).reversed() {
                length = length << 8 | UInt64(bytes[position + offset])
            }
            guard length <= UInt64(longestEntry) else { throw Failure.altered(entry: entries + 1) }
            let start = position + 8
            let end = start + Int(length)
            guard bytes.count - end >= hashLength else { throw Failure.torn(after: entries) }
            entries += 1
            let content = Array(bytes[start..<end])
            head = head.adding(content)
            guard head.hash == Array(bytes[end..<end + hashLength]) else {
                throw Failure.altered(entry: entries)
            }
            let entry: Entry
            do {
                entry = try Entry(bytes: content)
            } catch {
                throw Failure.unreadable(entry: entries, error)
            }
            try body(entry)
            position = end + hashLength
        }
    }
}
