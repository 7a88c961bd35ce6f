import NIOCore

/// What is known of a stream until it is over.
struct HTTP2StreamState {
    /// When the client has had its time, and whether it was given up then.
    private var deadlines: ClientDeadlines
    private var isGivenUp = false
    /// Whether all of the request has come.
    private(set) var isWhole: Bool
    /// Whether all of the answer was handed over.
    private(set) var isAnswered = false
    /// The bytes that have come although their reader wants no more just now.
    var held = 0
    /// What was written last and has not gone yet.
    private var written: Int?

    /// A request whose head has come; `isWhole` if it has no body.
    init(isWhole: Bool, _ limits: ClientLimits, _ now: NIODeadline) {
        self.isWhole = isWhole
        deadlines = ClientDeadlines(limits, now: now)
        if isWhole { deadlines.requestCame() } else { deadlines.headCame(now) }
    }

    mutating func requestEnded() {
        isWhole = true
        deadlines.requestCame()
    }

    /// When the client will have taken too long; nil if nothing is waited for.
    var nextDeadline: NIODeadline? { isGivenUp ? nil : deadlines.next }

    /// A deadline has passed.
    ///
    /// - Returns: whether it ends the stream; not if a body has not come in time, since its reader
    ///   is told that and answers.
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

    mutating func haveGone(_ now: NIODeadline) {
        if let written { deadlines.sent(written, now) }
        written = nil
    }
}
