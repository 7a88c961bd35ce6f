import NIOCore

/// Ends encrypted connections without requests: during the handshake and, in HTTP/2, when they have
/// no stream.
///
/// HTTP/2 says goodbye to an idle client with a question and waits for its answer; without this
/// limit, a client that does not answer would be kept for ever.
final class OpenStreams: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let limits: ClientLimits
    private var streams = 0
    private var isLeaving = false
    private var deadline: NIODeadline?
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(_ limits: ClientLimits) {
        self.limits = limits
    }

    /// The handler of a connection; nil if it is not encrypted.
    static func found(in pipeline: ChannelPipeline) -> OpenStreams? {
        try? pipeline.syncOperations.handler(type: OpenStreams.self)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        deadline = .now() + limits.head
        watch()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        self.context = nil
    }

    /// A server that stops does not wait for clients that do not hear it, such as a sleeping
    /// telephone.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            leave(within: streams == 0 ? limits.goodbye : limits.body + limits.goodbye)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// A stream of HTTP/2 began, or HTTP/1, which has limits of its own, was negotiated.
    func streamBegan() {
        streams += 1
        if !isLeaving { deadline = nil }
    }

    /// A stream of HTTP/2 ended, or the connection of HTTP/1.
    func streamEnded() {
        streams -= 1
        guard streams == 0 else { return }
        guard !isLeaving else { return leave(within: limits.goodbye) }
        // The time for the goodbye is added.
        deadline = .now() + limits.silence + limits.goodbye
        watch()
    }

    /// Limits all waiting to a time.
    func leave(within time: TimeAmount) {
        isLeaving = true
        deadline = min(deadline ?? .distantFuture, .now() + time)
        timer?.cancel()
        timer = nil
        watch()
    }

    private func watch() {
        guard timer == nil, let deadline, let context else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            timer = nil
            if let deadline = self.deadline, deadline <= .now() {
                self.context?.close(promise: nil)
            } else {
                watch()
            }
        }
    }
}
