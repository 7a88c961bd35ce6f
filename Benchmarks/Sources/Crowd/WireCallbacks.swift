import CNGHTTP2

/// The callbacks and options of libnghttp2 for all connections.
///
/// libnghttp2 calls them on the thread that passes bytes to it or takes bytes from it, which is
/// that of ``Loop``. A callback must not call back into libnghttp2.
enum WireCallbacks {
    /// The callbacks of every session.
    ///
    /// Initialised once, then only read, so any thread may access it.
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

    /// The options of a session.
    ///
    /// Initialised once, then only read, so any thread may access it.
    nonisolated(unsafe) static let options: OpaquePointer? = {
        var options: OpaquePointer?
        precondition(nghttp2_option_new(&options) == 0, "there is memory at the start")
        nghttp2_option_set_no_closed_streams(options, 1)
        return options
    }()

    /// Fills a frame of a request's body.
    static let fill: nghttp2_data_source_read_callback = { _, stream, to, count, flags, _, own in
        let buffer = UnsafeMutableRawBufferPointer(start: to, count: count)
        guard let (count, isLast) = session(own)?.fill(buffer, of: stream), let flags else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        if isLast { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return count
    }

    /// The start of a response's head.
    static let begins: nghttp2_on_begin_headers_callback = { _, frame, own in
        if let frame { session(own)?.begins(frame.pointee.hd.stream_id) }
        return 0
    }

    /// A field of a response's head.
    static let field: nghttp2_on_header_callback = { _, _, name, count, value, size, _, own in
        session(own)?.field(
            UnsafeBufferPointer(start: name, count: count),
            UnsafeBufferPointer(start: value, count: size)
        )
        return 0
    }

    /// A part of a response's body.
    static let body: nghttp2_on_data_chunk_recv_callback = { _, _, stream, from, count, own in
        session(own)?.body(stream, UnsafeBufferPointer(start: from, count: count))
        return 0
    }

    /// A complete frame was received.
    static let received: nghttp2_on_frame_recv_callback = { _, frame, own in
        if let frame { session(own)?.received(frame.pointee.hd) }
        return 0
    }

    /// A stream was closed, for whatever reason.
    static let closed: nghttp2_on_stream_close_callback = { _, stream, _, own in
        session(own)?.closed(stream)
        return 0
    }

    /// The session of a callback, which stays alive during the call.
    private static func session(_ own: UnsafeMutableRawPointer?) -> WireSession? {
        own.map { Unmanaged<WireSession>.fromOpaque($0).takeUnretainedValue() }
    }
}
