import NIOCore
import NIOHTTP1

/// One request on a stream of its own, and its answer.
final class Exchange: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// How long an answer may take: what takes longer counts as none.
    private static let limit = Duration.seconds(30)

    /// What is asked; nil once it was sent.
    private var request: (head: HTTPRequestHead, body: String)?
    private var promise: EventLoopPromise<Wire.Answer>?
    private var answer = Wire.Answer(status: 0)
    private var bytes = ByteBuffer()
    /// Where it is while its answer is waited for.
    private var context: ChannelHandlerContext?

    init(_ head: HTTPRequestHead, _ body: String, _ promise: EventLoopPromise<Wire.Answer>) {
        request = (head, body)
        self.promise = promise
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let (head, body) = request else { return }
        request = nil
        self.context = context
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !body.isEmpty {
            let bytes = context.channel.allocator.buffer(string: body)
            context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        Loop.only.call(at: .now + Self.limit) { bound.value.giveUp() }
    }

    private func giveUp() {
        let context = context
        end(.failure(Wire.Fault.tooLate))
        context?.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            answer.status = Int(head.status.code)
            answer.location = head.headers.first(name: "location")
            answer.retryAfter = head.headers.first(name: "retry-after").flatMap { Int($0) }
            answer.cookies = head.headers["set-cookie"].map { String($0.prefix { $0 != ";" }) }
        case .body(var part): bytes.writeBuffer(&part)
        case .end:
            answer.bytes = Array(bytes.readableBytesView)
            bytes = ByteBuffer()
            end(.success(answer))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.failure(Wire.Fault.broken))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failure(error))
        context.close(promise: nil)
    }

    private func end(_ result: Result<Wire.Answer, any Error>) {
        promise?.completeWith(result)
        promise = nil
        context = nil
    }
}

/// A stream of events that stays open.
final class Listening: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let head: HTTPRequestHead
    private let event: AsyncStream<Wire.Event>.Continuation
    private var rest: [UInt8] = []
    private var next = Wire.Event(name: "", at: .now)

    init(_ head: HTTPRequestHead, _ event: AsyncStream<Wire.Event>.Continuation) {
        self.head = head
        self.event = event
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard head.status != .ok else { return }
            event.yield(Wire.Event(name: "refused", at: .now))
            event.finish()
        case .body(let part): read(part)
        case .end: event.finish()
        }
    }

    private func read(_ part: ByteBuffer) {
        let now = ContinuousClock.now
        rest += part.readableBytesView
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest.removeSubrange(...end)
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
            switch parts[0] {
            case "event": next.name = value
            case "id": next.id = value
            case "data": next.data = value
            case "" where parts.count == 1:
                // An empty line ends an event.
                next.at = now
                if !next.name.isEmpty { event.yield(next) }
                next = Wire.Event(name: "", at: now)
            default: break
            }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        event.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        event.finish()
        context.close(promise: nil)
    }
}
