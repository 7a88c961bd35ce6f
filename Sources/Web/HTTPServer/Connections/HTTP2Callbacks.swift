import CNGHTTP2

/// The callbacks and options of libnghttp2, which all connections share.
enum HTTP2Callbacks {
    /// The number of bytes of a body in one frame.
    ///
    /// The library reserves memory for a frame of each connection. Pages to which nothing is
    /// written take no memory, so ten thousand connections can stay open.
    private static let frameBytes = 4_096

    /// The callbacks: written once, then only read.
    nonisolated(unsafe) static let all: OpaquePointer? = unsafe make()

    /// The options: written once, then only read.
    nonisolated(unsafe) static let options: OpaquePointer? = unsafe makeOptions()

    /// Fills a frame of a response's body.
    static let filling: nghttp2_data_source_read_callback = {
        _,
        stream,
        bytes,
        count,
        flags,
        _,
        own in
        guard let session = unsafe HTTP2Callbacks.session(own), let flags = unsafe flags else {
            return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
        }
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
        return unsafe session.fill(buffer, of: stream, flags)
    }

    private static func make() -> OpaquePointer? {
        var all: OpaquePointer?
        precondition(
            unsafe nghttp2_session_callbacks_new(&all) == 0,
            "there is memory at the start"
        )
        unsafe setHeads(all)
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(all) { _, frame, own in
            guard let frame = unsafe frame else { return 0 }
            unsafe HTTP2Callbacks.session(own)?.received(frame.pointee)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(all) {
            _,
            _,
            stream,
            bytes,
            count,
            own in
            unsafe HTTP2Callbacks.session(own)?.body(
                stream,
                UnsafeBufferPointer(start: bytes, count: count)
            )
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(all) {
            _,
            stream,
            reason,
            own in
            unsafe HTTP2Callbacks.session(own)?.closed(stream, reason)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_data_source_read_length_callback(all) {
            _,
            _,
            _,
            _,
            _,
            _,
            _ in HTTP2Callbacks.frameBytes
        }
        return unsafe all
    }

    private static func setHeads(_ all: OpaquePointer?) {
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(all) { _, frame, own in
            guard let frame = unsafe frame else { return 0 }
            unsafe HTTP2Callbacks.session(own)?.begins(frame.pointee)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(all) {
            _,
            _,
            name,
            nameCount,
            value,
            valueCount,
            _,
            own in
            let name = unsafe UnsafeBufferPointer(start: name, count: nameCount)
            let value = unsafe UnsafeBufferPointer(start: value, count: valueCount)
            let isTaken = unsafe HTTP2Callbacks.session(own)?.field(
                String(decoding: name, as: UTF8.self),
                String(decoding: value, as: UTF8.self)
            )
            // Declines one stream; the connection continues.
            return isTaken == false ? NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue : 0
        }
    }

    private static func makeOptions() -> OpaquePointer? {
        var options: OpaquePointer?
        precondition(unsafe nghttp2_option_new(&options) == 0, "there is memory at the start")
        // A client that sends a body which nobody reads gets no permission to send more.
        unsafe nghttp2_option_set_no_auto_window_update(options, 1)
        unsafe nghttp2_option_set_no_closed_streams(options, 1)
        // HTTP2Connection counts floods and ends them with a reason.
        unsafe nghttp2_option_set_stream_reset_rate_limit(options, 10_000, 10_000)
        return unsafe options
    }

    /// The session for which a callback is called; it stays alive meanwhile.
    private static func session(_ own: UnsafeMutableRawPointer?) -> HTTP2Session? {
        unsafe own.map { unsafe Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
    }
}
