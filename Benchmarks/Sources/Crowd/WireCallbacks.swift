import CNGHTTP2

/// What libnghttp2 calls for all connections, and how it behaves.
///
/// It calls on the thread that hands it bytes or takes some, which is that of ``Loop``. What is
/// called must not do so itself.
enum WireCallbacks {
    /// All that it calls.
    ///
    /// Written once, then only read: so any thread may look.
    nonisolated(unsafe) static let all: OpaquePointer? = {
        var all: OpaquePointer?
        precondition(nghttp2_session_callbacks_new(&all) == 0, "there is memory at the start")
        nghttp2_session_callbacks_set_on_begin_headers_callback(all, begins)
        nghttp2_session_callbacks_set_on_header_callback(all, field)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(all, body)
        nghttp2_session_callbacks_set_on_frame_recv_callback(all, received)
        nghttp2_session_callbacks_set_on_stream_close_callback(all, closed)
        return all
    }()

    /// How it behaves.
    ///
    /// Written once, then only read: so any thread may look.
    nonisolated(unsafe) static let options: OpaquePointer? = {
        var options: OpaquePointer?
        precondition(nghttp2_option_new(&options) == 0, "there is memory at the start")
        nghttp2_option_set_no_closed_streams(options, 1)
        return options
    }()

    /// What fills a frame of a request's body.
    static let fill: nghttp2_data_source_read_callback = { _, stream, to, count, flags, _, own in
        let room = UnsafeMutableRawBufferPointer(start: to, count: count)
        guard let (count, isLast) = session(own)?.fill(room, of: stream), let flags else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        if isLast { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return count
    }

    /// The beginning of an answer's head.
    static let begins: nghttp2_on_begin_headers_callback = { _, frame, own in
        if let frame { session(own)?.begins(frame.pointee.hd.stream_id) }
        return 0
    }

    /// A field of an answer's head.
    static let field: nghttp2_on_header_callback = { _, _, name, count, value, size, _, own in
        session(own)?.field(
            UnsafeBufferPointer(start: name, count: count),
            UnsafeBufferPointer(start: value, count: size)
        )
        return 0
    }

    /// A part of an answer's body.
    static let body: nghttp2_on_data_chunk_recv_callback = { _, _, stream, from, count, own in
        session(own)?.body(stream, UnsafeBufferPointer(start: from, count: count))
        return 0
    }

    /// A whole frame.
    static let received: nghttp2_on_frame_recv_callback = { _, frame, own in
        if let frame { session(own)?.received(frame.pointee.hd) }
        return 0
    }

    /// The end of a stream, whatever its reason.
    static let closed: nghttp2_on_stream_close_callback = { _, stream, _, own in
        session(own)?.closed(stream)
        return 0
    }

    /// The session that something is called for, which stays alive meanwhile.
    private static func session(_ own: UnsafeMutableRawPointer?) -> WireSession? {
        own.map { Unmanaged<WireSession>.fromOpaque($0).takeUnretainedValue() }
    }
}
