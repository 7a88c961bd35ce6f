package import NIOCore

/// The time limits for clients in each part of an exchange; tests shorten them.
package struct ClientLimits: Hashable, Sendable {
    /// From the beginning of a connection to the end of its first head.
    ///
    /// With TLS it applies twice, to the handshake and to the head. Later heads may take as long as
    /// a connection may be silent.
    package var head = TimeAmount.seconds(15)
    /// From the end of a head to the end of its body.
    ///
    /// A telephone far from its mast sends a megabyte within it. Slower clients are answered with
    /// 408.
    package var body = TimeAmount.seconds(60)
    /// The time to receive a short response, and to begin receiving a long one.
    package var answer = TimeAmount.seconds(30)
    /// The bytes of a response that must be received in each second after that; a telephone at the
    /// edge of its network receives more.
    package var answerBytesPerSecond = 4_096
    /// The time that a connection may exist without a request.
    package var silence = TimeAmount.seconds(60)
    /// The time to close the connection when the server is about to stop and no request is left.
    package var goodbye = TimeAmount.seconds(10)

    /// Creates the limits that apply by default.
    package init() {}
}

/// The deadlines of a client, for a connection of HTTP/1 or a stream of HTTP/2.
struct ClientDeadlines {
    private let limits: ClientLimits
    /// When the whole head, or else the whole body, must have been received.
    private var request: NIODeadline?
    /// Whether a body is awaited from a client that has not been answered with 408 yet.
    private(set) var isBodyDue = false
    /// Whether the client was answered with 408, so that nothing else it sends is awaited.
    private var hasFailed = false
    /// When the written bytes must have been received.
    private var answer: NIODeadline?
    private var writesUnderWay = 0
    private var bytesUnderWay = 0

    init(_ limits: ClientLimits, now: NIODeadline) {
        self.limits = limits
        request = now + limits.head
    }

    /// The next deadline; nil if there is none.
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

    /// The body was not received in time: the client is answered so, and must then close the
    /// connection.
    mutating func bodyFailed(_ now: NIODeadline) {
        request = now + limits.goodbye
        isBodyDue = false
        hasFailed = true
    }

    /// Whether the deadline of the request has passed.
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
