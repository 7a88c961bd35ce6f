import CNGHTTP2
import HTTPTypes
import NIOCore

/// A connection of HTTP/2 as libnghttp2 keeps it (RFC 9113, RFC 7541): bytes come in and out, and
/// what they say is told in order.
///
/// It belongs to one thread, knows no clock and does not read or write: ``HTTP2Connection`` does.
///
/// What the library keeps lives exactly as long as this, and nobody else has it.
@safe
final class HTTP2Session {
    /// What the other end has done, or what became of a stream.
    enum News {
        /// A request has begun; `isWhole` where it has no body.
        case request(Int32, HTTPRequest, isWhole: Bool)
        /// A part of its body.
        case body(Int32, ByteBuffer)
        /// The end of the request.
        case end(Int32)
        /// A stream is over, with its answer or without.
        case closed(Int32)
        /// Our question was answered.
        case pong
        /// A request was cancelled.
        case cancelled
        /// Something that costs the other end nothing: greetings, priorities, frames of no length.
        case idleTalk
        /// Something that breaks a rule.
        case broken
    }

    /// What became of a connection that no longer holds to the protocol.
    struct Broken: Error {}

    /// Headers of a request; ours and all browsers' are far smaller.
    private static let headerBytes = 16 * 1_024
    private static let headerCount = 100
    /// How many requests may be under way on one connection.
    private static let streams: UInt32 = 100
    /// So many bytes are handed out at once, or up to a frame more: TLS keeps as much memory at
    /// each connection as it has once encrypted at once.
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

    /// What is to be sent of an answer's body.
    private struct Outgoing {
        var parts: [ByteBuffer] = []
        var bytes = 0
        var isEnded = false
        /// Whether the library waits to be told that there is more.
        var isAwaited = false
    }

    private var session: OpaquePointer?
    /// Whether a call of the library has failed in a way that leaves the connection unusable.
    private(set) var hasFailed = false
    private var opening: Opening?
    private var outgoing: [Int32: Outgoing] = [:]
    private var news: [News] = []

    /// A connection that has just been made; what is to be said first waits to be sent.
    init() {
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        // Only a lack of memory or of sense makes these fail.
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

    /// Whether nothing is to be read or written any more.
    var isOver: Bool {
        if hasFailed { return true }
        return unsafe nghttp2_session_want_read(session) == 0
            && nghttp2_session_want_write(session) == 0
    }

    /// What has happened since this was last asked.
    func takeNews() -> [News] {
        defer { news = [] }
        return news
    }

    /// Reacts to the result of a call of the library.
    ///
    /// - Parameters:
    ///   - result: the result.
    ///   - stream: the stream that the call was about; nil if about the connection.
    private func heed(_ result: CInt, of stream: Int32? = nil) {
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

    /// Reads what has come.
    ///
    /// - Throws: ``Broken`` where it is no HTTP/2; what was said of it waits to be sent.
    func receive(_ bytes: ByteBuffer) throws(Broken) {
        let read = unsafe bytes.withUnsafeReadableBytes { bytes in
            let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
            return unsafe nghttp2_session_mem_recv(session, start, bytes.count)
        }
        // The library reads all or fails.
        if read < 0 || hasFailed { throw Broken() }
    }

    /// Lets the other end send as many bytes as have come, on all streams together.
    func allowConnection(_ count: Int) {
        heed(unsafe nghttp2_session_consume_connection(session, count))
    }

    /// Lets it send as many on one stream.
    func allowStream(_ stream: Int32, _ count: Int) {
        heed(unsafe nghttp2_session_consume_stream(session, stream, count), of: stream)
    }

    // The next are called while something is read or written (HTTP2Callbacks): they only note it.

    /// A head begins, of a request or of what comes after a body.
    func begins(_ frame: nghttp2_frame) {
        let isRequest = unsafe frame.headers.cat == NGHTTP2_HCAT_REQUEST
        opening = isRequest ? Opening() : nil
    }

    /// A field of a head; those that come after a body are for nobody.
    ///
    /// - Returns: whether it is small enough.
    func field(_ name: String, _ value: String) -> Bool {
        guard opening != nil else { return true }
        opening?.count += 1
        // As RFC 9113, 6.5.2 counts.
        opening?.bytes += name.utf8.count + value.utf8.count + 32
        guard let count = opening?.count, let bytes = opening?.bytes, count <= Self.headerCount,
            bytes <= Self.headerBytes
        else { return false }
        switch name {
        case ":method": opening?.method = value
        case ":scheme": opening?.scheme = value
        case ":authority": opening?.authority = value
        // What stands between may say it so (RFC 9113, 8.3.1).
        case "host": opening?.host = value
        case ":path": opening?.path = value
        default:
            if let name = HTTPField.Name(name) {
                opening?.fields.append(HTTPField(name: name, value: value))
            }
        }
        return true
    }

    /// A part of a body has come.
    func body(_ stream: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
        // Frames may be of a byte each.
        if case .body(stream, var part)? = news.last {
            news.removeLast()
            unsafe part.writeBytes(bytes)
            news.append(.body(stream, part))
        } else {
            news.append(.body(stream, unsafe ByteBuffer(bytes: bytes)))
        }
    }

    /// A frame has come whole.
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
                news.append(.request(head.stream_id, request, isWhole: isLast))
            } else if isLast {
                news.append(.end(head.stream_id))
            }
        case NGHTTP2_DATA:
            if isLast {
                news.append(.end(head.stream_id))
            } else if head.length == 0 {
                news.append(.idleTalk)
            }
        case NGHTTP2_RST_STREAM: news.append(.cancelled)
        case NGHTTP2_PING where head.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0:
            news.append(.pong)
        case NGHTTP2_PING, NGHTTP2_SETTINGS, NGHTTP2_PRIORITY: news.append(.idleTalk)
        default: break
        }
    }

    /// A stream is over, for a reason of RFC 9113, 7.
    func closed(_ stream: Int32, _ reason: UInt32) {
        outgoing[stream] = nil
        news.append(.closed(stream))
        // Some of what breaks a rule is told in no other way.
        let isUsual = [NGHTTP2_NO_ERROR, NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM]
            .contains { $0.rawValue == reason }
        if !isUsual { news.append(.broken) }
    }

    // MARK: Writing

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - stream: the request's.
    ///   - head: the head of the answer.
    ///   - parts: what there is of its body.
    ///   - isEnded: whether that is all.
    /// - Returns: how many bytes the parts have.
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
            // What is no one else's to guess is not kept in tables (RFC 7541, 7.1).
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
        heed(submitted, of: stream)
        return count
    }

    /// Sends more of an answer.
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
        if isAwaited { heed(unsafe nghttp2_session_resume_data(session, stream), of: stream) }
    }

    /// Whether something of an answer's body has not been handed out yet.
    func hasMore(_ stream: Int32) -> Bool {
        outgoing[stream].map { $0.bytes > 0 || $0.isEnded } ?? false
    }

    /// Declines a stream, or ends it.
    func reset(_ stream: Int32, _ code: nghttp2_error_code) {
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        heed(unsafe nghttp2_submit_rst_stream(session, flags, stream, code.rawValue))
    }

    /// Says that soon no request will be taken any more, and asks whether that was heard.
    func announceEnd() {
        heed(unsafe nghttp2_submit_shutdown_notice(session))
        heed(unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil))
    }

    /// Takes no request any more; those that are under way go on.
    func refuseMore() {
        let last = unsafe nghttp2_session_get_last_proc_stream_id(session)
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        let reason = NGHTTP2_NO_ERROR.rawValue
        heed(unsafe nghttp2_submit_goaway(session, flags, last, reason, nil, 0))
    }

    /// Ends the connection for a reason.
    func end(_ code: nghttp2_error_code) {
        heed(unsafe nghttp2_session_terminate_session(session, code.rawValue))
    }

    /// Some bytes that are to be sent; nil where there are none for now.
    func takeBytes(_ allocator: ByteBufferAllocator) -> ByteBuffer? {
        var batch: ByteBuffer?
        while !hasFailed, batch?.readableBytes ?? 0 < Self.batchBytes {
            var bytes: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &bytes)
            heed(CInt(clamping: count))
            guard count > 0, let bytes = unsafe bytes else { break }
            let frame = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            if batch == nil { batch = allocator.buffer(capacity: count) }
            unsafe batch?.writeBytes(frame)
        }
        return batch
    }

    /// Fills a frame with what is to be sent.
    ///
    /// - Returns: how many bytes of it are filled, or what the library shall do.
    func fill(
        _ bytes: UnsafeMutableRawBufferPointer,
        of stream: Int32,
        _ flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        guard var waiting = outgoing[stream] else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        // What is in two places would be copied when it changes.
        outgoing[stream] = nil
        defer { outgoing[stream] = waiting }
        var room = unsafe bytes
        while unsafe !room.isEmpty, let part = waiting.parts.first {
            let count = min(room.count, part.readableBytes)
            unsafe part.withUnsafeReadableBytes { bytes in
                unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            unsafe room = UnsafeMutableRawBufferPointer(rebasing: room[count...])
            if count == part.readableBytes {
                waiting.parts.removeFirst()
            } else {
                waiting.parts[0].moveReaderIndex(forwardBy: count)
            }
        }
        let filled = bytes.count - room.count
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
