import NIOCore
import NIOHTTP1

/// A keep-alive connection with at most one request in flight.
final class Line: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let load: OpenLoop
    private var context: ChannelHandlerContext?
    private var intended: ContinuousClock.Instant?
    private var status = 0
    private var saysWhen = false

    init(_ load: OpenLoop) { self.load = load }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Sends a request that was scheduled for the given moment.
    func send(_ head: HTTPRequestHead, body: String, intended: ContinuousClock.Instant) {
        guard let context else { return load.failed(self) }
        self.intended = intended
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !body.isEmpty {
            let bytes = context.channel.allocator.buffer(string: body)
            context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            saysWhen = head.headers.contains(name: "retry-after")
        case .body: break
        case .end:
            guard let intended else { return }
            self.intended = nil
            load.answered(self, since: intended, status: status, saysWhen: saysWhen)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        load.lost(self, hadRequest: intended != nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
