import Chronology
import Identity
import Synchronization
import TaxiPages

/// Tables that were sent and wait for their sender to confirm the import.
///
/// They are personal data of thousands, so they are kept in memory only, for half an hour, and
/// shown to nobody but who sent them. Another server does not have them and asks for the file
/// again.
final class Uploads: Sendable {
    private struct Upload {
        var bytes: [UInt8]
        var owner: PersonNumber
        var until: Moment
    }

    /// How many are kept, of 16 MiB at most each; the oldest goes first.
    private static let most = 4
    /// For how long they are kept, in seconds.
    private static let lasts: Int64 = 1_800

    private let kept = Mutex<[String: Upload]>([:])

    /// Keeps a file.
    ///
    /// - Returns: the name under which its owner finds it.
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

    /// A file that its owner sent; nil where it is gone.
    func find(_ name: String, of owner: PersonNumber, at now: Moment) -> [UInt8]? {
        kept.withLock { kept in
            guard let found = kept[name], found.owner == owner, found.until > now else {
                return nil
            }
            return found.bytes
        }
    }

    /// Forgets a file that was imported.
    func forget(_ name: String) {
        kept.withLock { $0[name] = nil }
    }
}
