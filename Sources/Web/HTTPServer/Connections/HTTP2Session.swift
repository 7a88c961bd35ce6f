import CNGHTTP2
import HTTPTypes
import NIOCore

/// An HTTP/2 connection as libnghttp2 keeps it (RFC 9113, RFC 7541): bytes come in and out, and
/// what they mean is reported in order.
///
/// It belongs to one thread, knows no clock, and neither reads nor writes: ``HTTP2Connection``
/// does.
///
/// It owns the library's session, which lives exactly as long.
@safe
final class HTTP2Session {
    /// Something that the client has done, or that happened to a stream.
    enum Event {
        /// A request began; `isWhole` if it has no body.
        case request(Int32, HTTPRequest, isWhole: Bool)
        /// A part of the body of a request was received.
        case body(Int32, ByteBuffer)
        /// The whole request was received.
        case end(Int32)
        /// A stream ended, with or without a response.
        case closed(Int32)
        /// The client confirmed our question.
        case pong
        /// The client cancelled a request.
        case cancelled
        /// Something that costs the client nothing: pings, settings, priorities, empty frames.
        case idleTalk
        /// A violation of the protocol.
        case broken
    }

    /// The connection no longer follows the protocol.
    struct Broken: Error {}

    /// The greatest size of a request's headers; those of browsers are far smaller.
    private static let headerBytes = 16 * 1_024
    private static let headerCount = 100
    /// The greatest number of simultaneous requests on one connection.
    private static let streams: UInt32 = 100
    /// The number of bytes handed out at once, exceeded by at most a frame: TLS keeps as much
    /// memory for each connection as it has once encrypted at once.
    private static let batchBytes = 2_048

    /// The head of a request that is being read.
    private struct Opening {
        var method = ""
        var scheme: String?
        var authority: String?
        var host: String?
        var path: String?
        var fields = HTTPFields()
        var bytes = 0
        var count = 0
    }

    /// The unsent part of a response's body.
    private struct Outgoing {
        var parts: [ByteBuffer] = []
        var bytes = 0
        var isEnded = false
        /// Whether the library waits to be told that there is more.
        var isAwaited = false
    }

    private var session: OpaquePointer?
    /// Whether a call of the library failed in a way that leaves the connection unusable.
    private(set) var hasFailed = false
    private var opening: Opening?
    private var outgoing: [Int32: Outgoing] = [:]
    private var events: [Event] = []

    /// Creates a connection; its first message waits to be sent.
    init() {
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        // These fail only without memory or with invalid arguments.
        let made = unsafe nghttp2_session_server_new2(
            &session,
            HTTP2Callbacks.all,
            own,
            HTTP2Callbacks.options
        )
        precondition(made == 0, "libnghttp2 makes a session")
        let settings = [
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, Self.streams),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, UInt32(Self.headerBytes)),
            (NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
        ].map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: $0.1) }
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        let said = unsafe nghttp2_submit_settings(session, flags, settings, settings.count)
        precondition(said == 0, "libnghttp2 takes settings")
    }

    deinit { unsafe nghttp2_session_del(session) }

    /// Whether nothing is left to read or write.
    var isOver: Bool {
        if hasFailed { return true }
        return unsafe nghttp2_session_want_read(session) == 0
            && nghttp2_session_want_write(session) == 0
    }

    /// Returns the events since the last call.
    func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    /// Handles the result of a call of the library.
    ///
    /// - Parameters:
    ///   - result: the result.
    ///   - stream: the stream of the call; nil if it concerns the connection.
    private func check(_ result: CInt, of stream: Int32? = nil) {
        switch HTTP2CallResult(result) {
        case .done: break
        case .streamFailed:
            guard let stream else { return hasFailed = true }
            outgoing[stream] = nil
            reset(stream, NGHTTP2_INTERNAL_ERROR)
        case .connectionFailed: hasFailed = true
        }
    }

    // MARK: Reading

    /// Reads received bytes.
    ///
    /// - Throws: ``Broken`` if they are not HTTP/2; the library's message about it waits to be
    ///   sent.
    func receive(_ bytes: ByteBuffer) throws(Broken) {
        let read = unsafe bytes.withUnsafeReadableBytes { bytes in
            let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
            return unsafe nghttp2_session_mem_recv(session, start, bytes.count)
        }
        // The library reads everything or fails.
        if read < 0 || hasFailed { throw Broken() }
    }

    /// Allows the client to send as many bytes as were received, on all streams together.
    func allowConnection(_ count: Int) {
        check(unsafe nghttp2_session_consume_connection(session, count))
    }

    /// Allows the client to send as many bytes on one stream.
    func allowStream(_ stream: Int32, _ count: Int) {
        check(unsafe nghttp2_session_consume_stream(session, stream, count), of: stream)
    }

    // The next functions are called during reading or writing (HTTP2Callbacks), so they only
    // record.

    /// A head begins, of a request or of trailers.
    func begins(_ frame: nghttp2_frame) {
        let isRequest = unsafe frame.headers.cat == NGHTTP2_HCAT_REQUEST
        opening = isRequest ? Opening() : nil
    }

    /// A field of a head; fields of trailers are ignored.
    ///
    /// - Returns: whether the head is small enough.
    func field(_ name: String, _ value: String) -> Bool {
        guard opening != nil else { return true }
        opening?.count += 1
        // Counted as RFC 9113, 6.5.2 does.
        opening?.bytes += name.utf8.count + value.utf8.count + 32
        guard let count = opening?.count, let bytes = opening?.bytes, count <= Self.headerCount,
            bytes <= Self.headerBytes
        else { return false }
        switch name {
        case ":method": opening?.method = value
        case ":scheme": opening?.scheme = value
        case ":authority": opening?.authority = value
        // An intermediary may state the authority this way (RFC 9113, 8.3.1).
        case "host": opening?.host = value
        case ":path": opening?.path = value
        default:
            if let name = HTTPField.Name(name) {
                opening?.fields.append(HTTPField(name: name, value: value))
            }
        }
        return true
    }

    /// A part of a body was received.
    func body(_ stream: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
        // Frames may have a single byte each.
        if case .body(stream, var part)? = events.last {
            events.removeLast()
            unsafe part.writeBytes(bytes)
            events.append(.body(stream, part))
        } else {
            events.append(.body(stream, unsafe ByteBuffer(bytes: bytes)))
        }
    }

    /// A frame was received whole.
    func received(_ frame: nghttp2_frame) {
        let head = unsafe frame.hd
        let isLast = head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch nghttp2_frame_type(UInt32(head.type)) {
        case NGHTTP2_HEADERS:
            if let opening = opening.take() {
                guard let method = HTTPRequest.Method(opening.method) else {
                    return reset(head.stream_id, NGHTTP2_PROTOCOL_ERROR)
                }
                let request = HTTPRequest(
                    method: method,
                    scheme: opening.scheme,
                    authority: opening.authority ?? opening.host,
                    path: opening.path,
                    headerFields: opening.fields
                )
                events.append(.request(head.stream_id, request, isWhole: isLast))
            } else if isLast {
                events.append(.end(head.stream_id))
            }
        case NGHTTP2_DATA:
            if isLast {
                events.append(.end(head.stream_id))
            } else if head.length == 0 {
                events.append(.idleTalk)
            }
        case NGHTTP2_RST_STREAM: events.append(.cancelled)
        case NGHTTP2_PING where head.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0:
            events.append(.pong)
        case NGHTTP2_PING, NGHTTP2_SETTINGS, NGHTTP2_PRIORITY: events.append(.idleTalk)
        default: break
        }
    }

    /// A stream ended, for a reason of RFC 9113, 7.
    func closed(_ stream: Int32, _ reason: UInt32) {
        outgoing[stream] = nil
        events.append(.closed(stream))
        // Some violations are reported in no other way.
        let isUsual = [NGHTTP2_NO_ERROR, NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM]
            .contains { $0.rawValue == reason }
        if !isUsual { events.append(.broken) }
    }

    // MARK: Writing

    /// Sends a response.
    ///
    /// - Parameters:
    ///   - stream: the request's stream.
    ///   - head: the head of the response.
    ///   - parts: the available parts of its body.
    ///   - isEnded: whether these are all.
    /// - Returns: the number of bytes in the parts.
    func answer(
        _ stream: Int32,
        _ head: HTTPResponse,
        _ parts: [ByteBuffer],
        isEnded: Bool
    ) -> Int {
        let count = parts.reduce(0) { $0 + $1.readableBytes }
        let hasBody = count > 0 || !isEnded
        if hasBody {
            outgoing[stream] = Outgoing(parts: parts, bytes: count, isEnded: isEnded)
        }
        var block = HeaderBlock()
        block.append(":status", "\(head.status.code)")
        for field in head.headerFields {
            // Secrets are not stored in compression tables, where others could guess them (RFC
            // 7541, 7.1).
            block.append(field.name.canonicalName, field.value, isKept: field.name != .setCookie)
        }
        var source = unsafe nghttp2_data_provider()
        unsafe source.read_callback = HTTP2Callbacks.filling
        let submitted = unsafe block.withFields { fields in
            unsafe withUnsafePointer(to: &source) { source in
                unsafe nghttp2_submit_response(
                    session,
                    stream,
                    fields.baseAddress,
                    fields.count,
                    hasBody ? source : nil
                )
            }
        }
        check(submitted, of: stream)
        return count
    }

    /// Sends more of a response.
    func send(_ stream: Int32, _ part: ByteBuffer?, isEnded: Bool) {
        guard var waiting = outgoing[stream] else { return }
        if let part, part.readableBytes > 0 {
            waiting.parts.append(part)
            waiting.bytes += part.readableBytes
        }
        waiting.isEnded = isEnded
        let isAwaited = waiting.isAwaited
        waiting.isAwaited = false
        outgoing[stream] = waiting
        if isAwaited { check(unsafe nghttp2_session_resume_data(session, stream), of: stream) }
    }

    /// Whether a response's body has bytes that were not handed out yet.
    func hasMore(_ stream: Int32) -> Bool {
        outgoing[stream].map { $0.bytes > 0 || $0.isEnded } ?? false
    }

    /// Declines a stream, or ends it.
    func reset(_ stream: Int32, _ code: nghttp2_error_code) {
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        check(unsafe nghttp2_submit_rst_stream(session, flags, stream, code.rawValue))
    }

    /// Announces that no request will soon be accepted any more, and asks for a confirmation.
    func announceEnd() {
        check(unsafe nghttp2_submit_shutdown_notice(session))
        check(unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil))
    }

    /// Accepts no further requests; current ones continue.
    func refuseMore() {
        let last = unsafe nghttp2_session_get_last_proc_stream_id(session)
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        let reason = NGHTTP2_NO_ERROR.rawValue
        check(unsafe nghttp2_submit_goaway(session, flags, last, reason, nil, 0))
    }

    /// Ends the connection for a reason.
    func end(_ code: nghttp2_error_code) {
        check(unsafe nghttp2_session_terminate_session(session, code.rawValue))
    }

    /// The next bytes to send; nil if there are none for now.
    func takeBytes(_ allocator: ByteBufferAllocator) -> ByteBuffer? {
        var batch: ByteBuffer?
        while !hasFailed, batch?.readableBytes ?? 0 < Self.batchBytes {
            var bytes: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &bytes)
            check(CInt(clamping: count))
            guard count > 0, let bytes = unsafe bytes else { break }
            let frame = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            if batch == nil { batch = allocator.buffer(capacity: count) }
            unsafe batch?.writeBytes(frame)
        }
        return batch
    }

    /// Fills a frame with bytes to send.
    ///
    /// - Returns: the number of bytes in the frame, or an instruction for the library.
    func fill(
        _ bytes: UnsafeMutableRawBufferPointer,
        of stream: Int32,
        _ flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        guard var waiting = outgoing[stream] else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        // A second reference would cause a copy when the value changes.
        outgoing[stream] = nil
        defer { outgoing[stream] = waiting }
        var buffer = unsafe bytes
        while unsafe !buffer.isEmpty, let part = waiting.parts.first {
            let count = min(buffer.count, part.readableBytes)
            unsafe part.withUnsafeReadableBytes { bytes in
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            unsafe buffer = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            if count == part.readableBytes {
                waiting.parts.removeFirst()
            } else {
                waiting.parts[0].moveReaderIndex(forwardBy: count)
            }
        }
        let filled = bytes.count - buffer.count
        waiting.bytes -= filled
        if waiting.bytes == 0 {
            if waiting.isEnded {
                unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
                waiting.isEnded = false
            } else if filled == 0 {
                waiting.isAwaited = true
                return Int(NGHTTP2_ERR_DEFERRED.rawValue)
            }
        }
        return filled
    }
}
