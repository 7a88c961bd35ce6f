package import Chronology
import HTTPClient
import OpenData
import SeededRandom

/// One file of a feed: when it was fetched, and when it is next.
package struct FeedResource: Sendable {
    /// The name of the file; that of the format for a feed of one file.
    package let name: String
    /// The URL from which it is fetched.
    package internal(set) var url: String
    /// When the server last said that this is its newest version; nil before the first time.
    package internal(set) var confirmed: Instant?
    /// When the content was made, as it says itself; nil if it does not say so.
    package internal(set) var made: Instant?
    /// When it is fetched next.
    package internal(set) var nextAttempt: Instant
    /// The problem of the last attempt; nil if that succeeded.
    package internal(set) var problem: FeedProblem?
    /// When the problem first occurred.
    package internal(set) var failingSince: Instant?
    /// How many entries are used.
    package internal(set) var usableCount = 0
    /// How many entries there are.
    package internal(set) var totalCount = 0
    /// How many seconds the content may be used, as it says itself.
    var timeToLive: Int64 = 0
    /// What tells the known version from a newer one.
    var validators = HTTPClient.Validators()
    /// How many attempts have failed in a row.
    var failureCount = 0

    init(name: String, url: String, nextAttempt: Instant) {
        self.name = name
        self.url = url
        self.nextAttempt = nextAttempt
    }

    /// How many seconds content may be older than its confirmation and still count as current.
    ///
    /// Many systems leave the time of a file as it is while nothing changes, for a whole night.
    static let unchangedSeconds: Int64 = 6 * 3_600

    /// Since when nothing newer is known than what the feed said then; nil if it never answered.
    package var knownSince: Instant? {
        guard let confirmed else { return nil }
        guard let made, confirmed.seconds - made.seconds > Self.unchangedSeconds else {
            return confirmed
        }
        return made
    }

    /// Notes that the content is the newest, and when to ask again.
    mutating func succeed(at now: Instant, seconds: Int64, _ random: inout SeededRandom) {
        confirmed = now
        problem = nil
        failingSince = nil
        failureCount = 0
        // Later by up to a tenth, so that servers are not all asked in the same second.
        let jitter = Int64(Double(seconds) * 0.1 * random.unit())
        nextAttempt = now.adding(seconds: seconds + jitter)
    }

    /// Notes a problem, and when to ask again: after 30 seconds, then twice as long each time, up
    /// to an hour, or when the server asks for it.
    mutating func fail(
        _ problem: FeedProblem,
        at now: Instant,
        retryAfter: Int64?,
        _ random: inout SeededRandom
    ) {
        self.problem = problem
        if failingSince == nil { failingSince = now }
        let doublings = min(failureCount, 7)
        failureCount += 1
        let pause = min(Self.longestPause, Self.firstPause << Int64(doublings))
        let spread = Int64(Double(pause) * random.between(0.8, 1.2))
        let asked = min(max(retryAfter ?? 0, 0), Self.longestRetryAfter)
        nextAttempt = now.adding(seconds: max(spread, asked))
        precondition(now < nextAttempt, "A feed that fails is asked again at once")
    }

    private static let firstPause: Int64 = 30
    private static let longestPause: Int64 = 3_600
    /// A server that asks for a longer pause is asked after this one all the same.
    private static let longestRetryAfter: Int64 = 6 * 3_600
}
