package import NIOCore

/// How long whoever is at the other end may take; tests make it shorter.
package struct ClientLimits: Hashable, Sendable {
    /// From the beginning of a connection to the end of its first head.
    ///
    /// With TLS once for the handshake and once for the head. Later heads have as long as a
    /// connection may be silent.
    package var head = TimeAmount.seconds(15)
    /// From the end of a head to the end of its body.
    ///
    /// Longer than routes wait for a body, which then answer with a page that says so.
    package var body = TimeAmount.seconds(70)
    /// To take an answer that is short, and to begin with one that is long.
    package var answer = TimeAmount.seconds(30)
    /// Bytes of an answer that must go each second beyond that; a telephone at the end of its
    /// network takes more.
    package var answerBytesPerSecond = 4_096
    /// A connection without a request.
    package var silence = TimeAmount.seconds(60)

    /// What holds for everybody.
    package init() {}
}

/// When whoever is at the other end has had its time: for a connection of HTTP/1, or a stream of
/// HTTP/2.
struct ClientDeadlines {
    private let limits: ClientLimits
    /// When the head, or else the body, must have come whole.
    private var request: NIODeadline?
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

    mutating func headCame(_ now: NIODeadline) { request = now + limits.body }

    mutating func requestCame() { request = nil }

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
