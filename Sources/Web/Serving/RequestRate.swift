import Chronology
import Synchronization

/// How many requests each address has left: a bucket of tokens for each, filled at a steady rate.
final class RequestRate: Sendable {
    private struct Bucket {
        /// Thousandths of a request.
        var tokens: Int64
        var at: Moment
    }

    /// So many addresses are remembered; beyond it those that have all their tokens are forgotten.
    private static let addressLimit = 100_000

    private let perSecond: Int64
    private let atOnce: Int64
    private let buckets = Mutex<[String: Bucket]>([:])

    init(perSecond: Int, atOnce: Int) {
        self.perSecond = Int64(perSecond)
        self.atOnce = Int64(atOnce) * 1_000
    }

    /// How many addresses are remembered.
    var addressCount: Int { buckets.withLock { $0.count } }

    /// Takes a request of an address.
    ///
    /// - Returns: nil where it may pass, else after how many seconds to come again.
    func take(from address: String, at now: Moment) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= Self.addressLimit { forgetFull(&buckets, at: now) }
            var bucket = filled(buckets[address] ?? Bucket(tokens: atOnce, at: now), at: now)
            defer { buckets[address] = bucket }
            guard bucket.tokens >= 1_000 else {
                return Int(max(1, (1_000 - bucket.tokens) / (perSecond * 1_000)))
            }
            bucket.tokens -= 1_000
            return nil
        }
    }

    private func filled(_ bucket: Bucket, at now: Moment) -> Bucket {
        let passed = max(0, min(now.milliseconds - bucket.at.milliseconds, 3_600_000))
        return Bucket(tokens: min(atOnce, bucket.tokens + passed * perSecond), at: now)
    }

    private func forgetFull(_ buckets: inout [String: Bucket], at now: Moment) {
        buckets = buckets.filter { filled($0.value, at: now).tokens < atOnce }
        // All of them busy: an attack from very many addresses; begin anew rather than grow.
        if buckets.count >= Self.addressLimit { buckets = [:] }
    }
}
