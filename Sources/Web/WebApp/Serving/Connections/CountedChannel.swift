import HTTPTypes
import HummingbirdCore
import Localization
import Logging
import NIOCore
import NIOSSL

/// Serves as many connections as there may be, and tells those beyond to come again (503).
struct CountedChannel<Inner: ServerChildChannel>: ServerChildChannel {
    /// A connection; one that is refused has nothing to be served by.
    struct Value: ServerChildChannelValue {
        let served: Inner.Value?
        let channel: any Channel
    }

    /// How connections are served.
    let inner: Inner
    let count: ConnectionCount
    let limits: ClientLimits
    /// How those that are refused are encrypted; nil without TLS.
    let refusing: NIOSSLContext?

    init(
        _ inner: Inner,
        _ count: ConnectionCount,
        _ limits: ClientLimits,
        refusing: NIOSSLContext? = nil
    ) {
        self.inner = inner
        self.count = count
        self.limits = limits
        self.refusing = refusing
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let fate = count.begin()
        channel.closeFuture.whenComplete { [count] _ in count.end(fate) }
        switch fate {
        case .served:
            let served = inner.setup(channel: channel, logger: logger)
            return served.flatMapThrowing { value in
                if refusing != nil {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(OpenStreams(limits), position: .first)
                }
                return Value(served: value, channel: channel)
            }
        case .refused:
            return channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                if let refusing { try pipeline.addHandler(NIOSSLServerHandler(context: refusing)) }
                try pipeline.addHandler(FullHouse())
                return Value(served: nil, channel: channel)
            }
        case .ended:
            channel.close(promise: nil)
            // It stands on no list of connections that wait for a task.
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        guard let served = value.served else { return }
        await inner.handle(value: served, logger: logger)
    }
}

/// Tells a connection for which there is no room to come again, whatever it asks.
private final class FullHouse: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Whoever has not asked and read by then is not waited for.
    private static let patience = TimeAmount.seconds(5)

    private static let answer: String = {
        let failure = Failure.busy(retryAfter: 5)
        let words = [failure.title, failure.advice].flatMap { text in
            [text.in(.english), text.in(.italian)]
        }.joined(separator: "\n")
        return """
            HTTP/1.1 \(failure.status.code) \(failure.status.reasonPhrase)\r
            Retry-After: 5\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(words.utf8.count)\r
            X-Content-Type-Options: nosniff\r
            Connection: close\r
            \r
            \(words)
            """
    }()

    private var hasAnswered = false
    private var timer: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Ended by the client, who has then read it: ended here, it could be lost on the way.
        guard !hasAnswered else { return }
        hasAnswered = true
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.answer)), promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed || event is ChannelShouldQuiesceEvent {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
