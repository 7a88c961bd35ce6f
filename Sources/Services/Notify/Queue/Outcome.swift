/// What became of one attempt to hand a message over.
package enum Outcome: Sendable, Equatable {
    /// The other side has taken it.
    case accepted
    /// The other side will never take it, in its own words.
    case refused(String)
    /// It may be taken later.
    ///
    /// - Parameters:
    ///   - words: what the other side said, or what happened to the connection.
    ///   - pause: after how many milliseconds the other side wants to be asked again.
    case deferred(String, pause: Int64?)
    /// The receiver does not exist any more; for browsers.
    case gone
}

/// How long to wait after a failed attempt, and how often to try.
package enum Retrying {
    /// How often a message is tried: with the pauses below, for more than two and a half days.
    package static let attemptLimit: Int64 = 24
    private static let firstPause: Int64 = 5_000
    private static let longestPause: Int64 = 6 * 3_600_000

    /// The pause in milliseconds: five seconds, doubled each time, at most six hours.
    package static func pause(after attempt: Int64) -> Int64 {
        let doublings = min(max(attempt, 1) - 1, 20)
        return min(firstPause << doublings, longestPause)
    }

    /// The pause after a wish of the other side, which may only make it longer, within limits.
    static func pause(after attempt: Int64, wished: Int64?) -> Int64 {
        max(pause(after: attempt), min(wished ?? 0, longestPause))
    }
}
