import NIOCore

/// The state of a stream until it ends.
struct HTTP2StreamState {
    /// The client's deadlines, and whether it was given up.
    private var deadlines: ClientDeadlines
    private var isGivenUp = false
    /// Whether the whole request was received.
    private(set) var isWhole: Bool
    /// Whether the whole response was handed over.
    private(set) var isAnswered = false
    /// The bytes that were received although the reader does not want more for now.
    var held = 0
    /// The number of bytes that were written last and are not received yet.
    private var written: Int?

    /// Creates the state of a request whose head was received; `isWhole` if it has no body.
    init(isWhole: Bool, _ limits: ClientLimits, _ now: NIODeadline) {
        self.isWhole = isWhole
        deadlines = ClientDeadlines(limits, now: now)
        if isWhole { deadlines.requestCame() } else { deadlines.headCame(now) }
    }

    mutating func requestEnded() {
        isWhole = true
        deadlines.requestCame()
    }

    /// The client's next deadline; nil if there is none.
    var nextDeadline: NIODeadline? { isGivenUp ? nil : deadlines.next }

    /// A deadline has passed.
    ///
    /// - Returns: whether it ends the stream; not if a body was not received in time, since its
    /// reader is told and answers.
    mutating func givesUp(_ now: NIODeadline) -> Bool {
        guard deadlines.isBodyDue, deadlines.isRequestLate(now) else {
            isGivenUp = true
            return true
        }
        deadlines.bodyFailed(now)
        return false
    }

    var isFree: Bool { written == nil }

    mutating func wrote(_ count: Int, isEnded: Bool, _ now: NIODeadline) {
        deadlines.wrote(count, now)
        written = count
        isAnswered = isEnded
    }

    mutating func writeCompleted(_ now: NIODeadline) {
        if let written { deadlines.sent(written, now) }
        written = nil
    }
}
