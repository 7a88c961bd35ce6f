import NIOCore
import NIOHTTP1

/// A keep-alive connection with at most one request in flight.
///
/// The connection of a visitor of the planner first loads the form; a question then takes two
/// requests, of which the second follows the response to the first.
final class Line: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let load: OpenLoop
    private var context: ChannelHandlerContext?
    private var intended: ContinuousClock.Instant?
    private var visitor: PlanVisitor?
    private var isLoadingForm = false
    private var response: HTTPResponseHead?
    private var body: [UInt8] = []

    init(_ load: OpenLoop, _ visitor: PlanVisitor?) {
        self.load = load
        self.visitor = visitor
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        guard let visitor else { return load.isReady(self) }
        isLoadingForm = true
        write(visitor.open(), context)
    }

    /// Sends a request that was scheduled for the given moment.
    func send(_ head: HTTPRequestHead, body: String, intended: ContinuousClock.Instant) {
        guard let context else { return load.failed(self) }
        self.intended = intended
        write(PlanVisitor.Request(head: head, body: body), context)
    }

    /// Asks a question that was scheduled for the given moment.
    func ask(_ question: PlanQuestion, intended: ContinuousClock.Instant) {
        guard let context, let request = visitor?.submit(question) else {
            return load.failed(self)
        }
        self.intended = intended
        write(request, context)
    }

    private func write(_ request: PlanVisitor.Request, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(request.head)), promise: nil)
        if !request.body.isEmpty {
            let bytes = context.channel.allocator.buffer(string: request.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): response = head
        case .body(let bytes):
            if isLoadingForm { body += bytes.readableBytesView }
        case .end: finish(context)
        }
    }

    /// Handles a whole response.
    private func finish(_ context: ChannelHandlerContext) {
        guard let response else { return }
        self.response = nil
        visitor?.read(response)
        if isLoadingForm {
            isLoadingForm = false
            visitor?.read(form: body)
            body = []
            load.isReady(self)
        } else if let next = visitor?.follow(response) {
            write(next, context)
        } else if let intended {
            self.intended = nil
            load.answered(
                self,
                since: intended,
                status: Int(response.status.code),
                saysWhen: response.headers.contains(name: "retry-after")
            )
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        load.lost(self, hadRequest: intended != nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
