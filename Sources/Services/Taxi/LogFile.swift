package import Dispatching
import Foundation
import Storage

/// A dispatch log as one file, for simulations and for handing a log to somebody else.
///
/// The file begins with ``magic``; then for each entry its length (8 bytes, little-endian), its
/// bytes (see `Entry.bytes`), and the 32 bytes of the hash chain up to it (SHA-256, as the event
/// log in the database keeps it). A changed, missing or added byte anywhere breaks the chain.
package enum LogFile {
    /// What a log file begins with.
    package static let magic = Array("viavai dispatch log 1\n".utf8)
    /// The longest entry: more is damage, not data.
    package static let longestEntry = 64 << 20
    static let genesis = LogHead.genesis(log: "file", founding: magic)
    static let hashLength = 32

    /// Why a file is no dispatch log.
    package enum Failure: Error, Hashable, Sendable {
        /// It cannot be opened, read or written; why.
        case unusable(String)
        /// It begins otherwise.
        case noLog
        /// It ends in the middle of an entry; so many are whole.
        case torn(after: Int)
        /// An entry, counted from 1, is not what was written.
        case altered(entry: Int)
        /// An entry, counted from 1, is none.
        case unreadable(entry: Int, CodingFailure)
    }

    /// Writes entries to a file, one after the other.
    package final class Writer {
        private let handle: FileHandle
        private var waiting: [UInt8]
        private var head = LogFile.genesis
        private static let batch = 1 << 20

        /// Begins a new file, instead of one that may be there.
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

        /// Appends an entry.
        package func append(_ entry: Entry) throws {
            let bytes = entry.bytes
            head = head.adding(bytes)
            let length = UInt64(bytes.count)
            for byte in 0..<8 { waiting.append(UInt8(truncatingIfNeeded: length >> (8 * byte))) }
            waiting += bytes
            waiting += head.hash
            if waiting.count >= Self.batch { try flush() }
        }

        /// Writes what waits, and closes the file.
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
    ///   - path: the file.
    ///   - body: takes each entry.
    /// - Throws: ``Failure``, and what `body` throws.
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
