import CNGHTTP2
import NIOCore
import Synchronization

/// An HTTP/2 connection managed by libnghttp2 (RFC 9113, RFC 7541) instead of SwiftNIO's handlers,
/// which create a channel for each stream; that took most of the load generator's time.
///
/// Everything happens on the thread of the connection without waiting: a request's frames are
/// written at once, and a response goes to its stream as it is parsed.
final class WireSession: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Whether a connection can be used, readable from any thread.
    final class Life: Sendable {
        private let isAlive = Atomic(true)

        /// Whether requests can be sent.
        var isOpen: Bool { isAlive.load(ordering: .relaxed) }

        fileprivate func end() { isAlive.store(false, ordering: .relaxed) }
    }

    /// The flow-control window of a stream and of the connection, in bytes: far larger than any
    /// response, as in browsers, so that no response is held up.
    private static let streamWindow: UInt32 = 1 << 20
    private static let connectionWindow: Int32 = 8 << 20

    /// Whether the connection can be used.
    let life = Life()
    /// The libnghttp2 session; nil once the connection is closed.
    private var session: OpaquePointer?
    private var context: ChannelHandlerContext?
    private var streams: [Int32: any WireStream] = [:]
    /// The stream whose head is being parsed.
    private var reading: (any WireStream)?
    private var head: RequestHead
    /// The outgoing bytes; the buffer is reused.
    private var outgoing = ByteBuffer()
    /// Whether a check for timed-out requests is scheduled.
    private var isWatched = false

    /// Creates the session of a new connection; the client preface waits to be sent.
    ///
    /// - Parameter authority: the host and port that requests are sent to.
    init(authority: String) {
        head = RequestHead(authority: authority)
        let own = Unmanaged.passUnretained(self).toOpaque()
        // These fail only for lack of memory or invalid arguments.
        let made = nghttp2_session_client_new2(
            &session,
            WireCallbacks.all,
            own,
            WireCallbacks.options
        )
        precondition(made == 0, "libnghttp2 makes a session")
        let settings = [
            (NGHTTP2_SETTINGS_ENABLE_PUSH, 0),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, Self.streamWindow),
        ].map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: $0.1) }
        let said = nghttp2_submit_settings(session, Self.noFlags, settings, settings.count)
        precondition(said == 0, "libnghttp2 takes settings")
        let all = Self.connectionWindow
        let isWide = nghttp2_session_set_local_window_size(session, Self.noFlags, 0, all)
        precondition(isWide == 0, "libnghttp2 takes a window")
    }

    deinit { nghttp2_session_del(session) }

    private static let noFlags = UInt8(NGHTTP2_FLAG_NONE.rawValue)

    // MARK: Requests

    /// Sends a request on a new stream.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - asking: resumed with the response or an error.
    func ask(_ request: Wire.Request, _ asking: CheckedContinuation<Wire.Answer, any Error>) {
        open(request, Exchange(request.body, asking))
        watch()
    }

    /// Opens a stream of events; it is closed when its consumer stops listening.
    func listen(_ request: Wire.Request, _ event: AsyncStream<Wire.Event>.Continuation) {
        guard let number = open(request, Listening(event)), let context else { return }
        let (bound, loop) = (bound(context), context.eventLoop)
        event.onTermination = { reason in
            // When the stream ended by itself, while something is being parsed, there is nothing to
            // do.
            guard case .cancelled = reason else { return }
            loop.execute { bound.value.cancel(number) }
        }
    }

    /// Opens a stream for a request.
    ///
    /// - Returns: its number; nil where it could not be opened, of which the stream is informed.
    @discardableResult
    private func open(_ request: Wire.Request, _ stream: any WireStream) -> Int32? {
        guard let session, life.isOpen else {
            stream.fail(Wire.Fault.broken)
            return nil
        }
        head.write(request)
        let number = head.withFields { fields in
            let (start, count) = (fields.baseAddress, fields.count)
            guard !request.body.isEmpty else {
                return nghttp2_submit_request(session, nil, start, count, nil, nil)
            }
            var source = nghttp2_data_provider()
            source.read_callback = WireCallbacks.fill
            return nghttp2_submit_request(session, nil, start, count, &source, nil)
        }
        guard number > 0 else {
            stream.fail(Wire.Fault.broken)
            return nil
        }
        streams[number] = stream
        flush()
        return number
    }

    private func cancel(_ number: Int32) {
        guard streams.removeValue(forKey: number) != nil else { return }
        _ = nghttp2_submit_rst_stream(session, Self.noFlags, number, NGHTTP2_CANCEL.rawValue)
        flush()
    }

    // MARK: Waiting

    /// Schedules a check for the moment at which the first waiting request times out.
    ///
    /// One check for all requests is enough: nearly every response arrives long before.
    private func watch() {
        guard !isWatched, let context,
            let next = streams.values.lazy.compactMap(\.deadline).min()
        else { return }
        isWatched = true
        let bound = bound(context)
        Loop.only.call(at: next) { bound.value.giveUp() }
    }

    private func giveUp() {
        isWatched = false
        let now = ContinuousClock.now
        for (number, stream) in streams {
            guard let deadline = stream.deadline, deadline <= now else { continue }
            stream.fail(Wire.Fault.tooLate)
            cancel(number)
        }
        watch()
    }

    private func bound(_ context: ChannelHandlerContext) -> NIOLoopBound<WireSession> {
        NIOLoopBound(self, eventLoop: context.eventLoop)
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { flush() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(Wire.Fault.broken)
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        flush()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let session else { return }
        let read = unwrapInboundIn(data).withUnsafeReadableBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            return nghttp2_session_mem_recv(session, start, bytes.count)
        }
        if read < 0 { context.close(promise: nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush()
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(Wire.Fault.broken)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(error)
        context.close(promise: nil)
    }

    /// Writes the pending frames to the connection.
    private func flush() {
        guard let session, let context else { return }
        outgoing.clear()
        var bytes: UnsafePointer<UInt8>?
        var count = nghttp2_session_mem_send(session, &bytes)
        while count > 0 {
            outgoing.writeBytes(UnsafeRawBufferPointer(start: bytes, count: count))
            count = nghttp2_session_mem_send(session, &bytes)
        }
        let isOver =
            count < 0
            || nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
        // The session may be gone after this: a write can reveal that the connection is broken.
        if outgoing.readableBytes > 0 {
            context.writeAndFlush(wrapOutboundOut(outgoing), promise: nil)
        }
        if isOver { context.close(promise: nil) }
    }

    /// Fails all waiting requests.
    private func end(_ fault: any Error) {
        life.end()
        nghttp2_session_del(session)
        session = nil
        reading = nil
        let open = streams
        streams = [:]
        for stream in open.values { stream.fail(fault) }
    }

    // MARK: Callbacks of libnghttp2

    /// The head of a response, or its trailer, begins.
    func begins(_ stream: Int32) { reading = streams[stream] }

    /// Passes on a field of the head.
    func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        reading?.field(name, value)
    }

    /// Passes on a part of a body.
    func body(_ stream: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
        streams[stream]?.body(bytes)
    }

    /// A complete frame was received.
    func received(_ frame: nghttp2_frame_hd) {
        switch nghttp2_frame_type(UInt32(frame.type)) {
        case NGHTTP2_HEADERS, NGHTTP2_DATA:
            guard frame.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 else { return }
            streams.removeValue(forKey: frame.stream_id)?.end()
        case NGHTTP2_GOAWAY:
            // Requests in progress continue; the browser opens a new connection for others.
            life.end()
        default: break
        }
    }

    /// A stream was closed; if its response was not complete, it failed.
    func closed(_ stream: Int32) {
        streams.removeValue(forKey: stream)?.fail(Wire.Fault.broken)
    }

    /// Fills a frame with the next part of a request's body.
    ///
    /// - Returns: the number of bytes, and whether they are the last; nil where the stream is gone.
    func fill(_ bytes: UnsafeMutableRawBufferPointer, of stream: Int32) -> (Int, isLast: Bool)? {
        streams[stream]?.fill(bytes)
    }
}
