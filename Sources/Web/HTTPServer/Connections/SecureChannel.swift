import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import NIOTLS
import ServiceLifecycle

/// Serves encrypted connections: those of HTTP/1.1 as Hummingbird does, those of HTTP/2 with an
/// ``HTTP2Connection``.
struct SecureChannel: ServerChildChannel {
    /// The protocol negotiated with the client.
    enum Agreed: Sendable {
        case http1(HTTP1Channel.Value)
        case http2(RequestsUnderWay)
    }

    /// A connection that was accepted.
    struct Value: ServerChildChannelValue {
        let agreed: EventLoopFuture<Agreed>
        let channel: any Channel
    }

    /// The client chose a protocol that was not offered.
    private struct NothingAgreed: Error {}

    private let security: NIOSSLContext
    private let http1: HTTP1Channel
    private let limits: ClientLimits
    private let answer: HTTP2Connection.Answer
    private let connections: OpenConnections

    /// Creates a channel for encrypted connections.
    ///
    /// - Parameters:
    ///   - tls: the configuration of the encryption.
    ///   - http1: serves connections of HTTP/1.1.
    ///   - limits: the time limits for clients.
    ///   - answer: answers requests of HTTP/2.
    ///   - connections: lists the connections of HTTP/2.
    /// - Throws: the error of TLS about the certificate.
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

    /// Serves a connection: of HTTP/1.1 until its end, of HTTP/2 until its handshake is complete.
    func handle(value: Value, logger: Logger) async {
        // Without a handshake there are no requests.
        guard let agreed = try? await value.agreed.get() else { return }
        switch agreed {
        case .http2(let underWay): connections.keep(value.channel, underWay)
        case .http1(let connection):
            await withGracefulShutdownHandler {
                await http1.handle(value: connection, logger: logger)
            } onGracefulShutdown: {
                // A client whose handshake was in progress when all were notified has not heard it.
                value.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }
        }
    }
}

/// Passes decrypted bytes on in buffers of their own size.
///
/// A handler that keeps a part of them, as HTTP/1 may until the next part is received, would
/// otherwise keep all 32 KB of the buffer into which TLS reads, which would then have to be copied
/// for each read.
private final class FittingReads: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let fitting = context.channel.allocator.buffer(buffer: unwrapInboundIn(data))
        context.fireChannelRead(wrapInboundOut(fitting))
    }
}
