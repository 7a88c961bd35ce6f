import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// Serves connections up to a limit, and answers those beyond it with 503.
struct CountedChannel<Inner: ServerChildChannel>: ServerChildChannel {
    /// A connection; `served` is nil if it is refused.
    struct Value: ServerChildChannelValue {
        let served: Inner.Value?
        let channel: any Channel
    }

    /// How connections are served.
    let inner: Inner
    let count: ConnectionCount
    let limits: ClientLimits
    /// The encryption of refused connections; nil without TLS.
    let refusing: NIOSSLContext?
    /// The text of the response to refused clients.
    let refusal: String

    init(
        _ inner: Inner,
        _ count: ConnectionCount,
        _ limits: ClientLimits,
        refusing: NIOSSLContext? = nil,
        refusal: String
    ) {
        self.inner = inner
        self.count = count
        self.limits = limits
        self.refusing = refusing
        self.refusal = refusal
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
                try pipeline.addHandler(ConnectionRefusal(refusal))
                return Value(served: nil, channel: channel)
            }
        case .ended:
            channel.close(promise: nil)
            // Hummingbird keeps no list entry for a future that failed.
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        guard let served = value.served else { return }
        await inner.handle(value: served, logger: logger)
    }
}

/// Answers anything on a connection beyond the limit with 503 and a time to try again.
private final class ConnectionRefusal: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The time after which a client is disconnected that has not sent a request and read the
    /// response.
    private static let patience = TimeAmount.seconds(5)

    private let answer: String

    init(_ words: String) {
        answer = """
            HTTP/1.1 503 Service Unavailable\r
            Retry-After: 5\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(words.utf8.count)\r
            X-Content-Type-Options: nosniff\r
            Connection: close\r
            \r
            \(words)
            """
    }

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
        // The client closes the connection once it has read the response; closed here, the response
        // could be lost.
        guard !hasAnswered else { return }
        hasAnswered = true
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
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
