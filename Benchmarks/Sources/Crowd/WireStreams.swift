import Glibc

/// The receiver of one stream's response, called by ``WireSession``.
protocol WireStream: AnyObject {
    /// When the response must be complete; nil where the stream may stay open.
    var deadline: ContinuousClock.Instant? { get }

    /// A field of the response's head was received.
    func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>)

    /// A part of the response's body was received.
    func body(_ bytes: UnsafeBufferPointer<UInt8>)

    /// The response is complete.
    func end()

    /// The stream failed; no more calls follow.
    func fail(_ fault: any Error)

    /// Copies the next part of the request's body.
    ///
    /// - Returns: the number of bytes, and whether they are the last.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> (Int, isLast: Bool)
}

/// One request on its own stream, and its response.
final class Exchange: WireStream {
    /// The time limit for a response; one that takes longer counts as missing.
    private static let limit = Duration.seconds(30)
    /// The greatest capacity reserved for a body in advance, whatever length the response declares.
    private static let capacityLimit = 1 << 20

    let deadline: ContinuousClock.Instant? = .now + limit
    /// The waiting caller; nil once it was resumed.
    private var asking: CheckedContinuation<Wire.Answer, any Error>?
    private var answer = Wire.Answer(status: 0)
    private let sending: [UInt8]
    private var sent = 0

    /// Creates the exchange of a request that is about to be sent.
    ///
    /// - Parameters:
    ///   - body: the request's body.
    ///   - asking: resumed with the response or an error.
    init(_ body: String, _ asking: CheckedContinuation<Wire.Answer, any Error>) {
        sending = Array(body.utf8)
        self.asking = asking
    }

    func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        if name.equals(":status") {
            answer.status = value.number ?? 0
        } else if name.equals("location") {
            answer.location = String(decoding: value, as: UTF8.self)
        } else if name.equals("set-cookie") {
            let cookie = value.prefix { $0 != UInt8(ascii: ";") }
            answer.cookies.append(String(decoding: cookie, as: UTF8.self))
        } else if name.equals("retry-after") {
            answer.retryAfter = value.number
        } else if name.equals("content-length") {
            answer.bytes.reserveCapacity(min(value.number ?? 0, Self.capacityLimit))
        }
    }

    func body(_ bytes: UnsafeBufferPointer<UInt8>) { answer.bytes += bytes }

    func end() { asking.take()?.resume(returning: answer) }

    func fail(_ fault: any Error) { asking.take()?.resume(throwing: fault) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> (Int, isLast: Bool) {
        let part = sending[sent...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        sent += part.count
        return (part.count, isLast: sent == sending.count)
    }
}

/// A stream of events that stays open.
final class Listening: WireStream {
    let deadline: ContinuousClock.Instant? = nil
    private let event: AsyncStream<Wire.Event>.Continuation
    private var reader = EventReader()
    private var isRefused = false
    private var hasSpoken = false

    /// Creates the receiver of a stream that is about to be opened.
    ///
    /// - Parameter event: receives the events.
    init(_ event: AsyncStream<Wire.Event>.Continuation) {
        self.event = event
    }

    func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard name.equals(":status"), !value.equals("200") else { return }
        isRefused = true
        event.yield(Wire.Event(name: "refused", at: .now))
        event.finish()
    }

    func body(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !isRefused else { return }
        reader.read(bytes, at: .now) { next in
            // A heartbeat is of no interest once an event has arrived.
            guard !hasSpoken || next.name != "beat" || !next.id.isEmpty else { return }
            hasSpoken = true
            event.yield(next)
        }
    }

    func end() { event.finish() }

    func fail(_ fault: any Error) { event.finish() }

    /// There is no request body.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> (Int, isLast: Bool) { (0, isLast: true) }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes equal those of a text.
    func equals(_ text: StaticString) -> Bool {
        guard let baseAddress, count == text.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, text.utf8Start, count) == 0
    }

    /// The decimal number that the bytes spell; nil where they do not.
    fileprivate var number: Int? { Int(String(decoding: self, as: UTF8.self)) }
}
