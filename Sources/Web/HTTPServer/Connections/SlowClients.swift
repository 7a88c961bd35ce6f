import NIOCore
import NIOHTTPTypes

/// A body did not come in the time that it has.
package struct ClientTooSlow: Error {}

/// Ends connections of HTTP/1 whose other end sends or reads so slowly that it only holds them
/// (slowloris and its kin); those of HTTP/2 have the same limits.
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
        // Goes with what follows it.
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

    /// Sees to it that somebody looks when the next deadline passes.
    ///
    /// Not at once: of most requests, and of most answers, nothing is left a moment later, and a
    /// timer is looked for among all of its thread's when it is cancelled.
    private func watch(_ context: ChannelHandlerContext) {
        guard !isLooking else { return }
        isLooking = true
        context.eventLoop.assumeIsolated().execute { [self] in
            isLooking = false
            if isInPlace { setTimer(context) }
        }
    }

    /// Has somebody look when the next deadline passes.
    ///
    /// A timer that is set stays where its deadline has moved away: it looks and is set again,
    /// which is once in many requests instead of twice in each.
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
                // TLS ends with a last word, which who reads nothing does not take.
                if context.channel.isActive { connection?.leave(within: limits.goodbye) }
                return
            }
            setTimer(context)
        }
        timer = (next, scheduled)
    }
}
