package import Chronology
import Synchronization

/// Limits the rate of requests per address or account with token buckets that refill at a steady
/// rate.
package final class RequestRate<Source: Hashable & Sendable>: Sendable {
    private struct Bucket {
        /// Tokens in thousandths of a request.
        var tokens: Int64
        var at: Moment
    }

    /// The maximum number of buckets; beyond it, the fuller half is removed.
    private let limit: Int
    private let perSecond: Int64
    private let atOnce: Int64
    private let buckets = Mutex<[Source: Bucket]>([:])

    package init(perSecond: Int, atOnce: Int, limit: Int = 100_000) {
        self.limit = limit
        self.perSecond = Int64(perSecond)
        self.atOnce = Int64(atOnce) * 1_000
    }

    /// The current number of buckets.
    package var count: Int { buckets.withLock { $0.count } }

    /// Takes a token for a request from an address or account.
    ///
    /// - Returns: nil if the request may proceed, otherwise the number of seconds to wait.
    package func take(from source: Source, at now: Moment) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= limit { forgetFullest(&buckets, at: now) }
            var bucket = filled(buckets[source] ?? Bucket(tokens: atOnce, at: now), at: now)
            defer { buckets[source] = bucket }
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

    /// Removes the fullest buckets, so that sources that have used up their tokens stay limited
    /// however many others arrive.
    private func forgetFullest(_ buckets: inout [Source: Bucket], at now: Moment) {
        let emptiest = buckets.mapValues { filled($0, at: now) }
            .sorted { $0.value.tokens < $1.value.tokens }
            .prefix(limit / 2)
        buckets = Dictionary(uniqueKeysWithValues: emptiest.map { ($0.key, $0.value) })
    }
}
