import HTTPTypes
import Hummingbird
import NIOCore

extension HTTP2Connection {
    /// Has a request answered, and sends the response.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - number: the number of its stream.
    ///   - own: the connection, for tasks that return to its thread.
    ///   - channel: the channel of the connection.
    func respond(
        to request: Request,
        on number: Int32,
        _ own: NIOLoopBound<HTTP2Connection>,
        _ channel: any Channel
    ) {
        let path = request.uri.path
        underWay.begin(path)
        Task.immediate { @Sendable [answer, underWay] in
            let response = await answer(request, channel) {
                own.eventLoop.execute { own.value.reset(number) }
            }
            if response.body.contentLength != nil {
                await Self.send(response, on: number, own)
                underWay.end(path)
            } else {
                own.eventLoop.execute {
                    own.value.answer(number, response.head, [], isEnded: false)
                }
                Self.send(response.body, on: number, own) { underWay.end(path) }
            }
        }
    }

    /// Sends a response of known length.
    private static func send(
        _ response: Response,
        on number: Int32,
        _ own: NIOLoopBound<HTTP2Connection>
    ) async {
        let body = WholeBody()
        do {
            try await response.body.write(body)
        } catch {
            // The response is incomplete, so the client must learn that it ends early.
            return own.eventLoop.execute { own.value.reset(number) }
        }
        let parts = body.parts
        let send = { @Sendable in
            own.value.answer(number, response.head, parts, isEnded: true)
        }
        if own.eventLoop.inEventLoop { send() } else { own.eventLoop.execute(send) }
    }

    /// Sends a body of unknown length in a task of its own.
    ///
    /// Otherwise the stack of the page, the request and the head would be kept as long as a stream
    /// of events is open.
    private static func send(
        _ body: ResponseBody,
        on number: Int32,
        _ own: NIOLoopBound<HTTP2Connection>,
        ended: @escaping @Sendable () -> Void
    ) {
        let task = Task.immediate {
            do {
                try await body.write(EndlessBody(number: number, own: own))
            } catch {
                own.eventLoop.execute { own.value.reset(number) }
            }
            ended()
        }
        own.eventLoop.execute { own.value.keep(task, with: number) }
    }
}

/// Collects the parts of a body of known length, to send them at once.
private final class WholeBody: ResponseBodyWriter {
    private(set) var parts: [ByteBuffer] = []

    func write(_ buffer: ByteBuffer) async throws {
        if buffer.readableBytes > 0 { parts.append(buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Writes a response of unknown length as fast as the client receives it.
private struct EndlessBody: ResponseBodyWriter {
    let number: Int32
    let own: NIOLoopBound<HTTP2Connection>

    func write(_ buffer: ByteBuffer) async throws { try await send(buffer, isEnded: false) }

    func finish(_ trailingHeaders: HTTPFields?) async throws { try await send(nil, isEnded: true) }

    private func send(_ part: ByteBuffer?, isEnded: Bool) async throws {
        let gone = own.eventLoop.makePromise(of: Void.self)
        own.eventLoop.execute { own.value.send(number, part, isEnded: isEnded, gone) }
        try await gone.futureResult.get()
    }
}
