import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// Takes the one request of a stream of HTTP/2, and writes its answer.
///
/// A request that came whole is answered on the thread of its connection until something has to be
/// waited for: what needs nothing but memory, like most reports of drivers' phones, takes no turn
/// through other threads (docs/decisions/0027-http2-streams.md).
final class RequestStream: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Answers a request that came over a stream.
    typealias Answer = @Sendable (Request, any Channel) async -> Response

    private let answer: Answer
    private let underWay: RequestsUnderWay
    private var head: HTTPRequest?
    /// What came of the body until the request was passed on.
    private var bytes = ByteBuffer()
    /// What comes of it later.
    private var rest: LaterBody.Source?
    private var isWhole = false
    private var isWaiting = false
    /// Whether nobody wants to read on just now, and whether somebody asked to.
    private var isPaused = false
    private var isReadWanted = false

    /// A stream.
    ///
    /// - Parameters:
    ///   - underWay: counts its request while it is answered.
    ///   - answer: answers it.
    init(_ underWay: RequestsUnderWay, _ answer: @escaping Answer) {
        self.underWay = underWay
        self.answer = answer
    }

    // MARK: The request

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let part):
            if let rest {
                isPaused = rest.yield(part) == .stopProducing
            } else {
                bytes.writeImmutableBuffer(part)
            }
        case .end:
            isWhole = true
            rest?.finish()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isWhole {
            begin(context)
        } else if head != nil, !isWaiting {
            // The head comes by itself; what the same packets bring of the body comes right after.
            isWaiting = true
            context.eventLoop.assumeIsolated().execute { [self] in begin(context) }
        }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if isPaused { isReadWanted = true } else { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        rest?.finish(error)
        // Who is only too slow is told so.
        if !(error is ClientTooSlow) { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isWhole { rest?.finish(ChannelError.inputClosed) }
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        head = nil
        rest = nil
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard let head else { return }
        self.head = nil
        let body = isWhole ? RequestBody(buffer: bytes) : later(context)
        bytes = ByteBuffer()
        let request = Request(head: head, body: body)
        let channel = context.channel
        let path = request.uri.path
        underWay.begin(path)
        Task.immediate { @Sendable [answer, underWay] in
            let response = await answer(request, channel)
            if response.body.contentLength != nil {
                await Self.send(response, over: channel)
                underWay.end(path)
            } else {
                channel.writeAndFlush(HTTPResponsePart.head(response.head), promise: nil)
                Self.send(response.body, over: channel) { underWay.end(path) }
            }
        }
    }

    /// The body of a request that has not come whole: read as fast as somebody takes it.
    private func later(_ context: ChannelHandlerContext) -> RequestBody {
        let wish = NIOLoopBound(BodyWish(self, context), eventLoop: context.eventLoop)
        let made = LaterBody.makeSequence(
            elementType: ByteBuffer.self,
            failureType: (any Error).self,
            backPressureStrategy: .init(lowWatermark: 2, highWatermark: 4),
            finishOnDeinit: true,
            delegate: BodyReader(wish: wish)
        )
        rest = made.source
        if bytes.readableBytes > 0 { isPaused = made.source.yield(bytes) == .stopProducing }
        return RequestBody(asyncSequence: made.sequence)
    }

    fileprivate func readOn(_ context: ChannelHandlerContext) {
        isPaused = false
        guard isReadWanted else { return }
        isReadWanted = false
        context.read()
    }

    // MARK: The answer

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        switch unwrapOutboundIn(data) {
        case .head, .body: context.write(data, promise: promise)
        case .end:
            let promise = promise ?? context.eventLoop.makePromise()
            promise.futureResult.assumeIsolated().whenSuccess { [self] in
                // Nobody reads what is still to come: the rest is declined (RFC 9113, 8.1).
                guard !isWhole else { return }
                let refusal = NIOHTTP2FramePayloadToHTTPEvent.reset(code: .noError)
                context.triggerUserOutboundEvent(refusal, promise: nil)
            }
            context.write(data, promise: promise)
        }
    }

    /// Sends an answer of known length.
    private static func send(_ response: Response, over channel: any Channel) async {
        do {
            let parts = AnswerParts(response.head)
            try await response.body.write(parts)
            parts.send(over: channel)
        } catch {
            // What was to be said is gone: the other end hears that it has no end.
            channel.close(promise: nil)
        }
    }

    /// Sends a body of unknown length, by a task of its own: else the stack of a page, the request
    /// and the head would be kept for as long as a stream of events is open.
    private static func send(
        _ body: ResponseBody,
        over channel: any Channel,
        ended: @escaping @Sendable () -> Void
    ) {
        let task = Task.immediate {
            do {
                try await body.write(StreamWriter(channel: channel))
            } catch {
                channel.close(promise: nil)
            }
            ended()
        }
        // Nobody needs what is left of it when the other end is gone.
        channel.closeFuture.whenComplete { _ in task.cancel() }
    }
}

/// The parts of a body that come after its request was passed on.
private typealias LaterBody = NIOThrowingAsyncSequenceProducer<
    ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark,
    BodyReader
>

/// A stream that reads on when somebody wants it to.
private struct BodyWish {
    let stream: RequestStream
    let context: ChannelHandlerContext

    init(_ stream: RequestStream, _ context: ChannelHandlerContext) {
        self.stream = stream
        self.context = context
    }
}

/// Is told by whoever reads a body that more is wanted.
private struct BodyReader: NIOAsyncSequenceProducerDelegate {
    let wish: NIOLoopBound<BodyWish>

    func produceMore() {
        wish.eventLoop.execute { wish.value.stream.readOn(wish.value.context) }
    }

    // What comes then is declined after the answer.
    func didTerminate() {}
}

/// An answer of known length, sent in one go.
private final class AnswerParts: ResponseBodyWriter {
    private var parts: [HTTPResponsePart]

    init(_ head: HTTPResponse) { parts = [.head(head)] }

    func write(_ buffer: ByteBuffer) async throws {
        if buffer.readableBytes > 0 { parts.append(.body(buffer)) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws { parts.append(.end(trailingHeaders)) }

    func send(over channel: any Channel) {
        let parts = parts
        let write = { @Sendable in
            for part in parts { channel.write(part, promise: nil) }
            channel.flush()
        }
        if channel.eventLoop.inEventLoop { write() } else { channel.eventLoop.execute(write) }
    }
}

/// Writes an answer whose length nobody knows, as fast as the other end takes it.
private struct StreamWriter: ResponseBodyWriter {
    let channel: any Channel

    func write(_ buffer: ByteBuffer) async throws {
        try await channel.writeAndFlush(HTTPResponsePart.body(buffer))
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await channel.writeAndFlush(HTTPResponsePart.end(trailingHeaders))
    }
}
