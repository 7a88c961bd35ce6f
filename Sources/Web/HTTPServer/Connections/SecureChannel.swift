import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import NIOTLS
import ServiceLifecycle

/// Serves encrypted connections: those of HTTP/1.1 as Hummingbird does, those of HTTP/2 by an
/// ``HTTP2Connection``.
struct SecureChannel: ServerChildChannel {
    /// What was agreed on with the other end.
    enum Agreed: Sendable {
        case http1(HTTP1Channel.Value)
        case http2(RequestsUnderWay)
    }

    /// A connection that was accepted.
    struct Value: ServerChildChannelValue {
        let agreed: EventLoopFuture<Agreed>
        let channel: any Channel
    }

    /// The other end chose what was not offered.
    private struct NothingAgreed: Error {}

    private let security: NIOSSLContext
    private let http1: HTTP1Channel
    private let limits: ClientLimits
    private let answer: HTTP2Connection.Answer
    private let connections: OpenConnections

    /// How connections are served.
    ///
    /// - Parameters:
    ///   - tls: how they are encrypted.
    ///   - http1: what serves those of HTTP/1.1.
    ///   - limits: how long the other ends may take.
    ///   - answer: answers the requests of those of HTTP/2.
    ///   - connections: lists those of HTTP/2.
    /// - Throws: what TLS says of the certificate.
    init(
        _ tls: TLSConfiguration,
        http1: HTTP1Channel,
        _ limits: ClientLimits,
        answer: @escaping HTTP2Connection.Answer,
        _ connections: OpenConnections
    ) throws {
        var tls = tls
        tls.applicationProtocols = ["h2", "http/1.1"]
        security = try NIOSSLContext(configuration: tls)
        self.http1 = http1
        self.limits = limits
        self.answer = answer
        self.connections = connections
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try channel.syncOptions?.setOption(.allocator, value: MappedMemory.allocator)
            try pipeline.addHandler(NIOSSLServerHandler(context: security))
            let agreement = NIOTypedApplicationProtocolNegotiationHandler<Agreed> {
                result,
                channel in
                switch result {
                case .negotiated("h2"): beginHTTP2(channel)
                case .negotiated("http/1.1"), .fallback: beginHTTP1(channel, logger)
                case .negotiated:
                    channel.close().flatMapThrowing { throw NothingAgreed() }
                }
            }
            try pipeline.addHandler(agreement)
            return Value(agreed: agreement.protocolNegotiationResult, channel: channel)
        }
    }

    private func beginHTTP1(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Agreed> {
        let isFitted = channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(FittingReads())
        }
        return isFitted.flatMap { http1.setup(channel: channel, logger: logger) }.map { .http1($0) }
    }

    private func beginHTTP2(_ channel: any Channel) -> EventLoopFuture<Agreed> {
        channel.eventLoop.makeCompletedFuture {
            let underWay = RequestsUnderWay()
            let openStreams = OpenStreams.found(in: channel.pipeline)
            let connection = HTTP2Connection(limits, underWay, openStreams, answer)
            try channel.pipeline.syncOperations.addHandler(connection)
            return .http2(underWay)
        }
    }

    /// Serves a connection: one of HTTP/1.1 until its end, one of HTTP/2 until it has shaken hands.
    func handle(value: Value, logger: Logger) async {
        // Who does not shake hands has no request.
        guard let agreed = try? await value.agreed.get() else { return }
        switch agreed {
        case .http2(let underWay): connections.keep(value.channel, underWay)
        case .http1(let connection):
            await withGracefulShutdownHandler {
                await http1.handle(value: connection, logger: logger)
            } onGracefulShutdown: {
                // Who was still shaking hands when all were told has not heard it.
                value.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }
        }
    }
}

/// Hands on what was decrypted in memory of its own size.
///
/// A handler that keeps a part of it, as HTTP/1 may until the next part comes, would else keep all
/// 32 KB that TLS reads into, which then had to be copied for each read.
private final class FittingReads: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let fitting = context.channel.allocator.buffer(buffer: unwrapInboundIn(data))
        context.fireChannelRead(wrapInboundOut(fitting))
    }
}
