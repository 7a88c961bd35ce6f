import Crypto

/// A position in a log: the number of records up to it and the hash over all of them.
///
/// The head of an empty log is its genesis, with sequence 0.
package struct LogHead: Sendable, Hashable {
    /// The sequence number of the last record, counted from 1.
    package let sequence: Int64
    /// SHA-256 over the record and the hash before it; 32 bytes.
    package let hash: [UInt8]

    /// Creates a head from stored values.
    package init(sequence: Int64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }

    /// Returns the head of a log without records: SHA-256 over its name and founding bytes.
    package static func genesis(log: String, founding: [UInt8]) -> LogHead {
        var hash = SHA256()
        hash.update(data: Array("viavai log 1".utf8) + [0])
        hash.update(data: Array(log.utf8) + [0])
        hash.update(data: founding)
        return LogHead(sequence: 0, hash: Array(hash.finalize()))
    }

    /// Returns the head after one more record: SHA-256 over this hash, the sequence number as eight
    /// big-endian bytes, and the entry.
    ///
    /// - Complexity: O(entry).
    package func adding(_ entry: [UInt8]) -> LogHead {
        let next = sequence + 1
        var hash = SHA256()
        hash.update(data: self.hash)
        hash.update(data: (0..<8).map { UInt8(truncatingIfNeeded: next >> (56 - 8 * $0)) })
        hash.update(data: entry)
        return LogHead(sequence: next, hash: Array(hash.finalize()))
    }
}

/// An entry with its position in the log.
package struct LogRecord: Sendable, Equatable {
    /// The sequence number, consecutive from 1.
    package let sequence: Int64
    /// The epoch of the lease under which it was written.
    package let epoch: Int64
    /// The bytes that the service wrote.
    package let entry: [UInt8]
    /// The head of the log after this record.
    package let head: LogHead
}

/// The error of a log that cannot be read or written.
package enum LogFailure: Error, Sendable, Equatable {
    /// There is no log with this name.
    case noSuchLog(String)
    /// The log exists with other founding bytes.
    case otherFounding(log: String)
    /// Another holder has the lease, so this writer must stop.
    case fenced(epoch: Int64, current: Int64)
    /// The log's head is not the one that the writer expects.
    case headMoved(expected: LogHead, found: LogHead)
    /// The stored genesis does not match the name and founding bytes.
    case wrongGenesis(log: String)
    /// A record up to the head is missing.
    case missing(log: String, sequence: Int64)
    /// A record's bytes do not match its hash, so this or an earlier record was altered.
    case altered(log: String, sequence: Int64)
    /// The last record's hash differs from the stored head.
    case wrongHead(log: String, sequence: Int64)
    /// There are records after the stored head.
    case beyondHead(log: String, sequence: Int64)
    /// An entry, item or batch exceeds a size limit.
    case tooLarge(what: String, size: Int, limit: Int)
    /// An item or answer refers to an entry that its batch does not contain.
    case noSuchEntry(Int)
    /// This caller's key already has an answer.
    case keyTaken(caller: String, key: String)
}
