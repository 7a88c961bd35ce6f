package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOSSL
package import ServiceLifecycle

/// The context of a request that this server can answer over HTTP/1.1 and HTTP/2.
package protocol ConnectionContext: Hummingbird.RequestContext
where Source == ApplicationRequestContextSource {
    /// Creates the context of a request.
    ///
    /// - Parameters:
    ///   - source: where the request comes from.
    ///   - hangUp: ends the connection, or the HTTP/2 stream, of the request.
    init(source: ApplicationRequestContextSource, hangUp: @escaping @Sendable () -> Void)
}

/// How an encrypted server answers unencrypted requests.
package struct PlainHTTP: Sendable {
    /// The address on which they are accepted.
    package var listen: ListenAddress
    /// The kind of response at the time of a request.
    package var answer: @Sendable () async -> Answer
    /// The address to redirect to, such as `https://example.org`; nil to take the request's host.
    package var publicAddress: String?

    /// The response to an unencrypted request.
    package enum Answer: Sendable {
        /// 404, without mentioning the encrypted server.
        case nothing
        /// 403, with the advice to use https.
        case refusal
        /// Pages are redirected to their encrypted address; anything else is refused.
        case redirect
    }

    /// Creates the answers to unencrypted requests.
    package init(
        listen: ListenAddress,
        publicAddress: String?,
        answer: @escaping @Sendable () async -> Answer
    ) {
        self.listen = listen
        self.publicAddress = publicAddress
        self.answer = answer
    }
}

/// How a server listens and what it allows.
package struct ServerConfiguration: Sendable {
    /// The address on which it listens.
    package var listen: ListenAddress
    /// The certificate; nil for plain HTTP.
    package var certificate: CertificateKeeper?
    /// The listener for unencrypted requests; nil for none.
    package var plain: PlainHTTP?
    /// The greatest number of connections, if the system allows as many.
    package var connections: Int
    /// The time limits for clients.
    package var limits = ClientLimits()
    /// The text for clients beyond the greatest number of connections.
    package var refusal: String

    /// Creates a configuration without a listener for unencrypted requests.
    package init(
        listen: ListenAddress,
        certificate: CertificateKeeper?,
        connections: Int,
        refusal: String
    ) {
        self.listen = listen
        self.certificate = certificate
        self.connections = connections
        self.refusal = refusal
    }
}

/// Serves a responder over HTTP/1.1 and, with TLS, over HTTP/2 too.
package struct Server<Responder: HTTPResponder>: Sendable
where Responder.Context: ConnectionContext {
    private let configuration: ServerConfiguration
    private let responder: Responder
    private let services: [any Service]
    private let date: @Sendable () -> String
    private let leaving: @Sendable () -> Void
    private let ready: @Sendable (_ port: Int) async -> Void
    private let logger: Logger

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - configuration: its listeners and limits.
    ///   - responder: answers the requests.
    ///   - services: services that run beside it and end with it.
    ///   - date: the current value of the `Date` header (RFC 9110, 5.6.7).
    ///   - leaving: called when the server is told to stop, possibly more than once; it must end
    ///     responses that would never end by themselves.
    ///   - ready: called once with the port when it listens.
    ///   - logger: receives what an operator should know.
    package init(
        _ configuration: ServerConfiguration,
        responder: Responder,
        services: [any Service],
        date: @escaping @Sendable () -> String,
        leaving: @escaping @Sendable () -> Void,
        ready: @escaping @Sendable (_ port: Int) async -> Void,
        logger: Logger
    ) {
        self.configuration = configuration
        self.responder = responder
        self.services = services
        self.date = date
        self.leaving = leaving
        self.ready = ready
        self.logger = logger
    }

    /// Serves until a signal or a cancellation; requests in progress are completed first.
    ///
    /// - Throws: ``ServerFault`` if it cannot listen.
    package func run() async throws {
        let count = connectionCount()
        let connections = OpenConnections(configuration.limits, logger, leaving: leaving)
        let application = Application(
            responder: responder,
            server: try builder(count, connections),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.listen.host, port: configuration.listen.port),
                backlog: Self.backlog
            ),
            services: services + plainListener(count) + [connections],
            onServerRunning: { [ready, logger] channel in
                await ListenerKeeping.install(on: channel, logger)
                // This closes first when the server is told to stop.
                channel.closeFuture.whenComplete { _ in connections.leave() }
                await ready(channel.localAddress?.port ?? 0)
            },
            logger: logger
        )
        do {
            try await application.runService()
        } catch {
            let addresses =
                [configuration.listen] + [configuration.plain?.listen].compactMap(\.self)
            throw ServerFault.explained(error, at: addresses)
        }
    }

    /// The greatest number of connections that wait to be accepted, if the system allows as many:
    /// after an outage all clients come at once, and one that is turned away retries only after
    /// seconds.
    private static var backlog: Int { 4_096 }

    /// The listener for requests without encryption.
    private func plainListener(_ count: ConnectionCount) -> [any Service] {
        guard let plain = configuration.plain else { return [] }
        let router = Router(context: Responder.Context.self)
        router.add(middleware: HTTPSRedirect(plain: plain, port: configuration.listen.port))
        return [
            Application(
                router: router,
                server: http1Builder(count),
                configuration: ApplicationConfiguration(
                    address: .hostname(plain.listen.host, port: plain.listen.port),
                    backlog: Self.backlog
                ),
                onServerRunning: { [logger] channel in
                    await ListenerKeeping.install(on: channel, logger)
                    logger.info(
                        "listening for plain HTTP",
                        metadata: ["port": "\(channel.localAddress?.port ?? 0)"]
                    )
                },
                logger: logger
            )
        ]
    }

    /// Raises the limit of open files, and counts connections up to what it then allows.
    private func connectionCount() -> ConnectionCount {
        let files = FileDescriptorLimit.raiseLimit()
        let limit = min(configuration.connections, FileDescriptorLimit.connections(of: files))
        logger.info(
            "connections are counted",
            metadata: ["open.files": "\(files)", "connections": "\(limit)"]
        )
        return ConnectionCount(limit: limit, logger: logger)
    }

    /// The greatest size of a request's head in bytes; those of browsers are far smaller.
    private static var headerBytes: Int { 16 * 1_024 }
    private static var headerCount: Int { 100 }

    private var http1Configuration: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                HTTP10ClientsPlacing(), SlowClients(configuration.limits),
            ],
            idleTimeout: configuration.limits.silence,
            httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: Self.headerBytes,
                maxHeaderListSize: Self.headerBytes,
                maxHeaderFieldCount: Self.headerCount
            )
        )
    }

    private func http1Builder(_ count: ConnectionCount) -> HTTPServerBuilder {
        let http1 = http1Configuration
        return HTTPServerBuilder { [configuration] responder in
            CountedChannel(
                HTTP1Channel(responder: responder, configuration: http1),
                count,
                configuration.limits,
                refusal: configuration.refusal
            )
        }
    }

    private func builder(
        _ count: ConnectionCount,
        _ connections: OpenConnections
    ) throws -> HTTPServerBuilder {
        guard let certificate = configuration.certificate else { return http1Builder(count) }
        var refusing = certificate.configuration
        refusing.applicationProtocols = ["http/1.1"]
        let refusingContext = try NIOSSLContext(configuration: refusing)
        let http1 = http1Configuration
        let answer = http2Answer
        return HTTPServerBuilder { [configuration] http1Responder in
            CountedChannel(
                try SecureChannel(
                    certificate.configuration,
                    http1: HTTP1Channel(responder: http1Responder, configuration: http1),
                    configuration.limits,
                    answer: answer,
                    connections
                ),
                count,
                configuration.limits,
                refusing: refusingContext,
                refusal: configuration.refusal
            )
        }
    }

    /// Answers requests over HTTP/2, as Hummingbird does over HTTP/1.1.
    private var http2Answer: HTTP2Connection.Answer {
        { [responder, date, logger] request, channel, hangUp in
            var logger = logger
            let number = String(UInt64.random(in: .min ... .max), radix: 16)
            logger[metadataKey: "hb.request.id"] = "\(number)"
            let source = ApplicationRequestContextSource(channel: channel, logger: logger)
            var response: Response
            do {
                response = try await responder.respond(
                    to: request,
                    context: Responder.Context(source: source, hangUp: hangUp)
                )
            } catch {
                // The application turns each failure into a page, so no error arrives here.
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = date()
            return response
        }
    }
}
