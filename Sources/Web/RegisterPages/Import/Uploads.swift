import Chronology
import Identity
import Synchronization
import TaxiPages

/// Uploaded tables whose import has not been confirmed yet.
///
/// They contain the personal data of thousands of people. Therefore, they are kept in memory only,
/// for half an hour, and only the person who uploaded them can access them. Other servers do not
/// have them and ask for the file again.
final class Uploads: Sendable {
    private struct Upload {
        var bytes: [UInt8]
        var owner: PersonNumber
        var until: Moment
    }

    /// The maximum number of files, of at most 16 MiB each; the oldest is removed first.
    private static let most = 4
    /// How long a file is kept, in seconds.
    private static let lasts: Int64 = 1_800

    private let kept = Mutex<[String: Upload]>([:])

    /// Stores a file until its import is confirmed.
    ///
    /// - Returns: the identifier with which its owner can retrieve it.
    func keep(_ bytes: [UInt8], of owner: PersonNumber, at now: Moment) -> String {
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        let upload = Upload(bytes: bytes, owner: owner, until: now.adding(seconds: Self.lasts))
        kept.withLock { kept in
            kept = kept.filter { $0.value.until > now }
            if kept.count >= Self.most,
                let oldest = kept.min(by: { $0.value.until < $1.value.until })
            {
                kept[oldest.key] = nil
            }
            kept[name] = upload
        }
        return name
    }

    /// A file of its owner; nil if it has expired.
    func find(_ name: String, of owner: PersonNumber, at now: Moment) -> [UInt8]? {
        kept.withLock { kept in
            guard let found = kept[name], found.owner == owner, found.until > now else {
                return nil
            }
            return found.bytes
        }
    }

    /// Removes a file after its import.
    func forget(_ name: String) {
        kept.withLock { $0[name] = nil }
    }
}
