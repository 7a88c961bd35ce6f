/// The outcome of one delivery attempt.
package enum Outcome: Sendable, Equatable {
    /// The receiving server has accepted the message.
    case accepted
    /// The receiving server permanently refuses the message, with its response.
    case refused(String)
    /// A later attempt may succeed.
    ///
    /// - Parameters:
    ///   - words: the response of the server or the connection error.
    ///   - pause: the delay that the server requests, in milliseconds.
    case deferred(String, pause: Int64?)
    /// The receiver no longer exists; only for browsers.
    case gone
}

/// The retry policy after failed attempts.
package enum Retrying {
    /// The most attempts; with the pauses below they extend over more than two and a half days.
    package static let attemptLimit: Int64 = 24
    private static let firstPause: Int64 = 5_000
    private static let longestPause: Int64 = 6 * 3_600_000

    /// The pause in milliseconds: five seconds, doubled each time, at most six hours.
    package static func pause(after attempt: Int64) -> Int64 {
        let doublings = min(max(attempt, 1) - 1, 20)
        return min(firstPause << doublings, longestPause)
    }

    /// The pause when the server requests a delay, which can only extend it, within limits.
    static func pause(after attempt: Int64, wished: Int64?) -> Int64 {
        max(pause(after: attempt), min(wished ?? 0, longestPause))
    }
}
