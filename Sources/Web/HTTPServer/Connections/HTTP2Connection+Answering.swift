import HTTPTypes
import Hummingbird
import NIOCore

extension HTTP2Connection {
    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - number: its stream.
    ///   - own: the connection, for tasks that come back to its thread.
    ///   - channel: the same.
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

    /// Sends an answer of known length.
    private static func send(
        _ response: Response,
        on number: Int32,
        _ own: NIOLoopBound<HTTP2Connection>
    ) async {
        let body = WholeBody()
        do {
            try await response.body.write(body)
        } catch {
            // What was to be said is gone: the other end hears that it has no end.
            return own.eventLoop.execute { own.value.reset(number) }
        }
        let parts = body.parts
        let send = { @Sendable in
            own.value.answer(number, response.head, parts, isEnded: true)
        }
        if own.eventLoop.inEventLoop { send() } else { own.eventLoop.execute(send) }
    }

    /// Sends a body of unknown length, by a task of its own: else the stack of a page, the request
    /// and the head would be kept for as long as a stream of events is open.
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

/// The parts of a body of known length, sent in one go.
private final class WholeBody: ResponseBodyWriter {
    private(set) var parts: [ByteBuffer] = []

    func write(_ buffer: ByteBuffer) async throws {
        if buffer.readableBytes > 0 { parts.append(buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Writes an answer whose length nobody knows, as fast as the other end takes it.
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
