import Crypto

/// A place in a log: how many records there are up to it, and the hash over all of them.
///
/// The head of an empty log is its genesis, with sequence 0.
package struct LogHead: Sendable, Hashable {
    /// The sequence number of the last record; the first has 1.
    package let sequence: Int64
    /// SHA-256 over the record and the hash before it; 32 bytes.
    package let hash: [UInt8]

    /// A head as it was stored.
    package init(sequence: Int64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }

    /// The head of a log without records: SHA-256 over its name and what it was founded with.
    package static func genesis(log: String, founding: [UInt8]) -> LogHead {
        var hash = SHA256()
        hash.update(data: Array("viavai log 1".utf8) + [0])
        hash.update(data: Array(log.utf8) + [0])
        hash.update(data: founding)
        return LogHead(sequence: 0, hash: Array(hash.finalize()))
    }

    /// The head after one more record: SHA-256 over this hash, the record's sequence number as
    /// eight bytes, most significant first, and the entry.
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

/// An entry in its place.
package struct LogRecord: Sendable, Equatable {
    /// Its number; consecutive from 1.
    package let sequence: Int64
    /// The epoch of the lease under which it was written.
    package let epoch: Int64
    /// What the service wrote.
    package let entry: [UInt8]
    /// The head of the log after this record.
    package let head: LogHead
}

/// Why a log cannot be read or written.
package enum LogFailure: Error, Sendable, Equatable {
    /// There is no log of this name.
    case noSuchLog(String)
    /// The log exists and was founded with other bytes.
    case otherFounding(log: String)
    /// Somebody else has the lease now: this writer must stop.
    case fenced(epoch: Int64, current: Int64)
    /// The log goes on from another head than the writer thinks.
    case headMoved(expected: LogHead, found: LogHead)
    /// The stored genesis is not the one of this name and founding.
    case wrongGenesis(log: String)
    /// A record that the log counts is not there.
    case missing(log: String, sequence: Int64)
    /// A record's bytes do not give its hash: they, or what was before them, were altered.
    case altered(log: String, sequence: Int64)
    /// The last record's hash is not the log's.
    case wrongHead(log: String, sequence: Int64)
    /// There are records after the head that the log counts.
    case beyondHead(log: String, sequence: Int64)
    /// An entry, item or batch is larger than the limit.
    case tooLarge(what: String, size: Int, limit: Int)
    /// An item or answer names an entry that its batch does not have.
    case noSuchEntry(Int)
    /// An answer was already given to this caller's key.
    case keyTaken(caller: String, key: String)
}
