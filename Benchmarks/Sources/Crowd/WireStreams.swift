import Glibc

/// One request and what comes back, as ``WireSession`` tells it.
protocol WireStream: AnyObject {
    /// Until when it must have ended; nil where it may stay open.
    var deadline: ContinuousClock.Instant? { get }

    /// A field of the answer's head has come.
    func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>)

    /// A part of the answer's body has come.
    func body(_ bytes: UnsafeBufferPointer<UInt8>)

    /// The answer is whole.
    func end()

    /// Nothing comes any more.
    func fail(_ fault: any Error)

    /// Hands out what is to be sent.
    ///
    /// - Returns: how many bytes that is, and whether they are the last.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> (Int, isLast: Bool)
}

/// One request on a stream of its own, and its answer.
final class Exchange: WireStream {
    /// How long an answer may take: what takes longer counts as none.
    private static let limit = Duration.seconds(30)
    /// Room is made for so many bytes at once at most, whatever an answer says of itself.
    private static let room = 1 << 20

    let deadline: ContinuousClock.Instant? = .now + limit
    /// Nil once it was answered.
    private var asking: CheckedContinuation<Wire.Answer, any Error>?
    private var answer = Wire.Answer(status: 0)
    private let sending: [UInt8]
    private var sent = 0

    /// A request that is about to be sent.
    ///
    /// - Parameters:
    ///   - body: what goes with it.
    ///   - asking: who waits for the answer.
    init(_ body: String, _ asking: CheckedContinuation<Wire.Answer, any Error>) {
        sending = Array(body.utf8)
        self.asking = asking
    }

    func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        if name.says(":status") {
            answer.status = value.number ?? 0
        } else if name.says("location") {
            answer.location = String(decoding: value, as: UTF8.self)
        } else if name.says("set-cookie") {
            let cookie = value.prefix { $0 != UInt8(ascii: ";") }
            answer.cookies.append(String(decoding: cookie, as: UTF8.self))
        } else if name.says("retry-after") {
            answer.retryAfter = value.number
        } else if name.says("content-length") {
            answer.bytes.reserveCapacity(min(value.number ?? 0, Self.room))
        }
    }

    func body(_ bytes: UnsafeBufferPointer<UInt8>) { answer.bytes += bytes }

    func end() { asking.take()?.resume(returning: answer) }

    func fail(_ fault: any Error) { asking.take()?.resume(throwing: fault) }

    func fill(_ room: UnsafeMutableRawBufferPointer) -> (Int, isLast: Bool) {
        let part = sending[sent...].prefix(room.count)
        room.copyBytes(from: part)
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

    /// A stream that is about to be asked for.
    ///
    /// - Parameter event: where its events go.
    init(_ event: AsyncStream<Wire.Event>.Continuation) {
        self.event = event
    }

    func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard name.says(":status"), !value.says("200") else { return }
        isRefused = true
        event.yield(Wire.Event(name: "refused", at: .now))
        event.finish()
    }

    func body(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !isRefused else { return }
        reader.read(bytes, at: .now) { next in
            // That the line still stands is news to nobody who has heard something on it.
            guard !hasSpoken || next.name != "beat" || !next.id.isEmpty else { return }
            hasSpoken = true
            event.yield(next)
        }
    }

    func end() { event.finish() }

    func fail(_ fault: any Error) { event.finish() }

    /// It has no body.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> (Int, isLast: Bool) { (0, isLast: true) }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether these are the bytes of a text.
    func says(_ text: StaticString) -> Bool {
        guard let baseAddress, count == text.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, text.utf8Start, count) == 0
    }

    /// The number that they write in digits; nil where they do not.
    fileprivate var number: Int? { Int(String(decoding: self, as: UTF8.self)) }
}
