package import NIOCore

/// How long a client may take for each part of an exchange; tests make it shorter.
package struct ClientLimits: Hashable, Sendable {
    /// From the beginning of a connection to the end of its first head.
    ///
    /// With TLS once for the handshake and once for the head. Later heads have as long as a
    /// connection may be silent.
    package var head = TimeAmount.seconds(15)
    /// From the end of a head to the end of its body.
    ///
    /// A telephone far from its mast sends a megabyte in it. Who takes longer is told so.
    package var body = TimeAmount.seconds(60)
    /// To take an answer that is short, and to begin with one that is long.
    package var answer = TimeAmount.seconds(30)
    /// Bytes of an answer that must go each second beyond that; a telephone at the end of its
    /// network takes more.
    package var answerBytesPerSecond = 4_096
    /// A connection without a request.
    package var silence = TimeAmount.seconds(60)
    /// To leave when the server is about to stop, once nothing is asked any more.
    package var goodbye = TimeAmount.seconds(10)

    /// What holds for everybody.
    package init() {}
}

/// When the client has had its time: for a connection of HTTP/1, or a stream of HTTP/2.
struct ClientDeadlines {
    private let limits: ClientLimits
    /// When the head, or else the body, must have come whole.
    private var request: NIODeadline?
    /// Whether it is a body that is waited for, of somebody who was not told yet to be too slow.
    private(set) var isBodyDue = false
    /// Whether the client was told so, and nothing that it still sends is waited for.
    private var hasFailed = false
    /// When what was written must have gone.
    private var answer: NIODeadline?
    private var writesUnderWay = 0
    private var bytesUnderWay = 0

    init(_ limits: ClientLimits, now: NIODeadline) {
        self.limits = limits
        request = now + limits.head
    }

    /// The first that comes; nil where nothing is waited for.
    var next: NIODeadline? {
        guard let request, let answer else { return request ?? answer }
        return min(request, answer)
    }

    mutating func headCame(_ now: NIODeadline) {
        guard !hasFailed else { return }
        request = now + limits.body
        isBodyDue = true
    }

    mutating func requestCame() {
        guard !hasFailed else { return }
        request = nil
        isBodyDue = false
    }

    /// The body has not come in time: the client is told so, and then has to go.
    mutating func bodyFailed(_ now: NIODeadline) {
        request = now + limits.goodbye
        isBodyDue = false
        hasFailed = true
    }

    /// Whether it is the request that must have come by now.
    func isRequestLate(_ now: NIODeadline) -> Bool { request.map { $0 <= now } ?? false }

    mutating func wrote(_ count: Int, _ now: NIODeadline) {
        writesUnderWay += 1
        bytesUnderWay += count
        answer = (answer ?? now + limits.answer) + time(for: count)
    }

    mutating func sent(_ count: Int, _ now: NIODeadline) {
        writesUnderWay -= 1
        bytesUnderWay -= count
        answer = writesUnderWay == 0 ? nil : now + limits.answer + time(for: bytesUnderWay)
    }

    private func time(for count: Int) -> TimeAmount {
        .milliseconds(Int64(count) * 1_000 / Int64(limits.answerBytesPerSecond))
    }
}
