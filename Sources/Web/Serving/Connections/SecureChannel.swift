import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2
import NIOSSL
import NIOTLS
import ServiceLifecycle

/// Serves encrypted connections: those of HTTP/1.1 as Hummingbird does, those of HTTP/2 by a
/// ``RequestStream`` for each request.
struct SecureChannel: ServerChildChannel {
    /// What was agreed on with the other end.
    enum Agreed: Sendable {
        case http1(HTTP1Channel.Value)
        case http2(RequestsUnderWay)
    }

    /// A connection.
    struct Value: ServerChildChannelValue {
        let agreed: EventLoopFuture<Agreed>
        let channel: any Channel
    }

    private let security: NIOSSLContext
    private let http1: HTTP1Channel
    private let limits: ClientLimits
    private let answer: RequestStream.Answer
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
        answer: @escaping RequestStream.Answer,
        _ connections: OpenConnections
    ) throws {
        var tls = tls
        tls.applicationProtocols = NIOHTTP2SupportedALPNProtocols
        security = try NIOSSLContext(configuration: tls)
        self.http1 = http1
        self.limits = limits
        self.answer = answer
        self.connections = connections
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: security))
            try pipeline.addHandler(FittingReads())
            let agreement = NIOTypedApplicationProtocolNegotiationHandler<Agreed> {
                result,
                channel in
                switch result {
                case .negotiated("h2"): beginHTTP2(channel)
                case .negotiated("http/1.1"), .fallback:
                    http1.setup(channel: channel, logger: logger).map { .http1($0) }
                case .negotiated:
                    channel.close().flatMapThrowing { throw NIOHTTP2Errors.invalidALPNToken() }
                }
            }
            try pipeline.addHandler(agreement)
            return Value(agreed: agreement.protocolNegotiationResult, channel: channel)
        }
    }

    /// How often the other end may do what costs it nothing: greet and change priorities; cancel
    /// requests, as maps do that are zoomed; break rules.
    ///
    /// In the long run that is as often as NIO allows. Each connection has room for so many moments
    /// from its beginning, and NIO's 200 within half a minute, of each kind, are 5 KB.
    private static let floodLimits = {
        var limits = NIOHTTP2Handler.Configuration()
        limits.connection.controlFrameRateLimit.maximumCount = 64
        limits.connection.controlFrameRateLimit.windowLength = .seconds(10)
        limits.stream.streamResetFrameRateLimit.maximumCount = 128
        limits.stream.streamResetFrameRateLimit.windowLength = .seconds(20)
        limits.stream.streamErrorRateLimit.maximumCount = 64
        limits.stream.streamErrorRateLimit.windowLength = .seconds(10)
        return limits
    }()

    private func beginHTTP2(_ channel: any Channel) -> EventLoopFuture<Agreed> {
        channel.eventLoop.makeCompletedFuture {
            let underWay = RequestsUnderWay()
            let keeping = NIOHTTP2ServerConnectionManagementHandler(
                eventLoop: channel.eventLoop,
                configuration: .init(
                    maxIdleTime: limits.silence,
                    maxAge: nil,
                    maxGraceTime: limits.goodbye,
                    keepalive: nil
                )
            )
            let pipeline = channel.pipeline.syncOperations
            _ = try pipeline.configureHTTP2Pipeline(
                mode: .server,
                connectionConfiguration: Self.floodLimits.connection,
                streamConfiguration: Self.floodLimits.stream,
                streamDelegate: keeping.http2StreamDelegate
            ) { [limits, answer] stream in
                stream.eventLoop.makeCompletedFuture {
                    let pipeline = stream.pipeline.syncOperations
                    try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                    try pipeline.addHandler(SlowClients(limits))
                    try pipeline.addHandler(RequestStream(underWay, answer))
                }
            }
            try pipeline.addHandler(keeping)
            try pipeline.addHandler(BrokenConnection())
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
/// Whoever keeps a part of it, as HTTP/2 does until the next part comes, would else keep all 32 KB
/// that TLS reads into, which then had to be copied for each read.
private final class FittingReads: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let fitting = context.channel.allocator.buffer(buffer: unwrapInboundIn(data))
        context.fireChannelRead(wrapInboundOut(fitting))
    }
}

/// Ends a connection of HTTP/2 that is broken, or whose other end says nothing any more.
private final class BrokenConnection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // One stream alone: one that began after the server's goodbye, say.
        if error is NIOHTTP2Errors.StreamError { return }
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}
