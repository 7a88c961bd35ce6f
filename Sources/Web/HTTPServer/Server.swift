package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOSSL
package import ServiceLifecycle

/// The context of a request that this server can answer over HTTP/1.1 and HTTP/2.
package protocol ConnectionContext: Hummingbird.RequestContext
where Source == ApplicationRequestContextSource {
    /// The context of a request.
    ///
    /// - Parameters:
    ///   - source: where the request comes from.
    ///   - hangUp: ends the connection, or the HTTP/2 stream, over which it came.
    init(source: ApplicationRequestContextSource, hangUp: @escaping @Sendable () -> Void)
}

/// How requests that come without encryption are answered beside an encrypted server.
package struct PlainHTTP: Sendable {
    /// Where they are accepted.
    package var listen: ListenAddress
    /// How they are answered at the time of a request.
    package var answer: @Sendable () async -> Answer
    /// The address to redirect to, such as `https://example.org`; nil to take the request's host.
    package var publicAddress: String?

    /// What a request without encryption is answered.
    package enum Answer: Sendable {
        /// 404, without a word about the encrypted server.
        case nothing
        /// 403, with the hint to use https.
        case refusal
        /// Pages are redirected to their encrypted address; anything else is refused.
        case redirect
    }

    /// How requests without encryption are answered.
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
    /// Where it listens.
    package var listen: ListenAddress
    /// The certificate; nil to serve plain HTTP.
    package var certificate: CertificateKeeper?
    /// The listener for requests without encryption; nil for none.
    package var plain: PlainHTTP?
    /// The largest number of connections, where the system allows as many.
    package var connections: Int
    /// How long clients may take.
    package var limits = ClientLimits()
    /// The text that clients beyond the largest number of connections are sent.
    package var refusal: String

    /// A configuration without a listener for plain requests.
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

    /// A server.
    ///
    /// - Parameters:
    ///   - configuration: how it listens and what it allows.
    ///   - responder: answers the requests.
    ///   - services: run beside it and end with it.
    ///   - date: the value of the `Date` header (RFC 9110, 5.6.7) at this moment.
    ///   - leaving: called when the server is told to stop, possibly more than once; it must end
    ///     responses that would never end by themselves.
    ///   - ready: called once when it listens, with the port.
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

    /// Serves until a signal or a cancellation; requests that have begun are answered first.
    ///
    /// - Throws: ``ServerFault`` where it cannot listen.
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
                // The first thing that closes when the server is told to stop.
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

    /// How many connections may wait to be accepted, where the system allows as many: after an
    /// outage all clients come at once, and one that is turned away retries only after seconds.
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

    /// The largest head of a request in bytes; heads of browsers are far smaller.
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
                // The application makes a page of each failure: no error arrives here.
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = date()
            return response
        }
    }
}
