import NIOCore
import NIOHTTPTypes

/// A body was not received in time.
package struct ClientTooSlow: Error {}

/// Ends connections of HTTP/1 whose clients send or read so slowly that they only occupy them
/// (slowloris and similar attacks); HTTP/2 has the same limits.
final class SlowClients: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ClientLimits
    private var deadlines: ClientDeadlines
    private var timer: (fires: NIODeadline, scheduled: Scheduled<Void>)?
    private weak var connection: OpenStreams?
    private var isInPlace = false
    private var isLooking = false

    init(_ limits: ClientLimits) {
        self.limits = limits
        deadlines = ClientDeadlines(limits, now: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadlines = ClientDeadlines(limits, now: .now())
        connection = OpenStreams.found(in: context.pipeline)
        connection?.streamBegan()
        isInPlace = true
        watch(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        isInPlace = false
        timer?.scheduled.cancel()
        timer = nil
        connection?.streamEnded()
        connection = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: deadlines.headCame(.now())
        case .body: break
        case .end: deadlines.requestCame()
        }
        watch(context)
        context.fireChannelRead(data)
    }

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        let count: Int
        switch unwrapOutboundIn(data) {
        // This is sent together with what follows.
        case .head: return context.write(data, promise: promise)
        case .body(let bytes): count = bytes.readableBytes
        case .end: count = 0
        }
        let promise = promise ?? context.eventLoop.makePromise()
        deadlines.wrote(count, .now())
        watch(context)
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            deadlines.sent(count, .now())
        }
        context.write(data, promise: promise)
    }

    /// Makes sure that the next deadline is checked.
    ///
    /// It does not set a timer at once: most requests and responses are complete a moment later,
    /// and cancelling a timer searches all timers of its thread.
    private func watch(_ context: ChannelHandlerContext) {
        guard !isLooking else { return }
        isLooking = true
        context.eventLoop.assumeIsolated().execute { [self] in
            isLooking = false
            if isInPlace { setTimer(context) }
        }
    }

    /// Schedules a check for the next deadline.
    ///
    /// If the deadline moves, the timer stays: it fires, and is set again, once in many requests
    /// instead of twice in each.
    private func setTimer(_ context: ChannelHandlerContext) {
        guard let next = deadlines.next, timer.map({ next < $0.fires }) ?? true else { return }
        timer?.scheduled.cancel()
        let loop = context.eventLoop.assumeIsolated()
        let scheduled = loop.scheduleTask(deadline: next) { [self] in
            timer = nil
            let now = NIODeadline.now()
            if deadlines.isBodyDue, deadlines.isRequestLate(now) {
                deadlines.bodyFailed(now)
                context.fireErrorCaught(ClientTooSlow())
            } else if let next = deadlines.next, next <= now {
                context.close(promise: nil)
                // TLS ends with a last message, which a client that reads nothing does not receive.
                if context.channel.isActive { connection?.leave(within: limits.goodbye) }
                return
            }
            setTimer(context)
        }
        timer = (next, scheduled)
    }
}
