import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
package import ServiceLifecycle
import Taxi
import UnixSignals

/// Serves a site over HTTP/1.1 and, with TLS, over HTTP/2 too.
package struct Server: Sendable {
    /// Why a server did not start.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The certificate or its key cannot be used.
        case badCertificate(file: String, reason: String)
        /// Another program listens at the address, or at one of them.
        case addressInUse(String)
        /// The system does not allow that anything listens there.
        case addressRefused(String)

        /// One line for the operator.
        package var description: String {
            switch self {
            case .badCertificate(let file, let reason):
                "\(file): cannot be used as certificate or key (\(reason)); both are PEM files "
                    + "and belong together."
            case .addressInUse(let address):
                "\(address): another program listens there; end it, or choose another port "
                    + "(`listen`, `http.listen`)."
            case .addressRefused(let address):
                "\(address): the system does not allow to listen there; is it this machine's "
                    + "address, and does the port need more rights?"
            }
        }
    }

    private let site: Site
    private let services: [any Service]
    private let rereading: (@Sendable () throws -> Settings)?
    private let ready: @Sendable (_ port: Int) async -> Void

    /// A server of a site.
    ///
    /// - Parameters:
    ///   - site: what is served.
    ///   - services: what runs beside it and ends with it.
    ///   - rereading: reads the settings again when SIGHUP comes; nil where nothing is.
    ///   - ready: called once when it listens, with the port.
    package init(
        _ site: Site,
        services: [any Service] = [],
        rereading: (@Sendable () throws -> Settings)? = nil,
        ready: @escaping @Sendable (_ port: Int) async -> Void
    ) {
        self.site = site
        self.services = services
        self.rereading = rereading
        self.ready = ready
    }

    /// Serves until a signal or a cancellation; what is being answered is answered first.
    package func run() async throws {
        let logger = site.logLevels.logger("web", clock: site.clock.now)
        let certificate = try site.settings.certificate.map(CertificateKeeper.init)
        let count = connectionCount(logger)
        let changing = Rereading(
            certificate: certificate,
            levels: site.logLevels,
            clock: site.clock,
            settings: rereading,
            hangUps: rereading == nil ? nil : await UnixSignalsSequence(trapping: .sighup),
            logger: logger
        )
        let connections = OpenConnections(site.clientLimits, logger) { [live = site.live] in
            live.close()
        }
        let responder = router().buildResponder()
        let application = Application(
            responder: responder,
            server: try builder(certificate, count, connections, responder, logger),
            configuration: ApplicationConfiguration(
                address: .hostname(site.settings.listen.host, port: site.settings.listen.port),
                backlog: Self.backlog
            ),
            services: services + [site.live] + (changing.isNeeded ? [changing] : [])
                + plainDoor(count, logger) + [connections],
            onServerRunning: { [ready] channel in
                await Self.keepOpen(channel, logger)
                // The first thing that closes when the server is told to stop.
                channel.closeFuture.whenComplete { _ in connections.leave() }
                await ready(channel.localAddress?.port ?? 0)
            },
            logger: logger
        )
        do {
            try await application.runService()
        } catch {
            let plain = site.settings.plain == .off ? [] : [site.settings.plainListen]
            throw Self.explained(error, at: [site.settings.listen] + plain)
        }
    }

    /// How many connections may wait to be accepted, where the system allows as many: after an
    /// outage all come at once, and who finds no room tries again only after seconds.
    private static let backlog = 4_096

    /// What listens where browsers look first, without encryption, if the settings say so (R128).
    private func plainDoor(_ count: ConnectionCount, _ logger: Logger) -> [any Service] {
        guard site.settings.plain != .off else { return [] }
        let router = Router(context: SiteContext.self)
        router.add(middleware: PlainDoor(settings: site.settings, port: site.settings.listen.port))
        return [
            Application(
                router: router,
                server: plain(count),
                configuration: ApplicationConfiguration(
                    address: .hostname(
                        site.settings.plainListen.host,
                        port: site.settings.plainListen.port
                    ),
                    backlog: Self.backlog
                ),
                onServerRunning: { channel in
                    await Self.keepOpen(channel, logger)
                    logger.info(
                        "the plain door is open",
                        metadata: ["port": "\(channel.localAddress?.port ?? 0)"]
                    )
                },
                logger: logger
            )
        ]
    }

    private func router() -> Router<SiteContext> {
        let router = Router(context: SiteContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: Doorkeeper(site: site))
        for route in site.routes {
            router.on(RouterPath(route.path), method: route.method) { [site] request, context in
                try await site.answer(request, context, route)
            }
        }
        return router
    }

    /// Raises the limit of open files, and counts connections up to what it then allows.
    private func connectionCount(_ logger: Logger) -> ConnectionCount {
        let files = OpenFiles.raiseLimit()
        let limit = min(site.settings.connections, OpenFiles.connections(of: files))
        logger.info(
            "connections are counted",
            metadata: ["open.files": "\(files)", "connections": "\(limit)"]
        )
        return ConnectionCount(limit: limit, logger: logger)
    }

    /// How many who wait before the door are let in at a time.
    private static let letIn: UInt = 64

    /// Has a door that listens let in whoever comes, and stay open.
    static func keepOpen(_ door: any Channel, _ logger: Logger) async {
        let added = door.eventLoop.submit {
            try door.syncOptions?.setOption(.maxMessagesPerRead, value: letIn)
            try door.pipeline.syncOperations.addHandler(DoorKeeping(logger), position: .first)
        }
        // A door that has closed meanwhile needs no keeping.
        try? await added.get()
    }

    /// Headers of a request; ours and all browsers' are far smaller.
    private static let headerBytes = 16 * 1_024
    private static let headerCount = 100

    private var plainConfiguration: HTTP1Channel.Configuration {
        let limits = site.clientLimits
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [OldClientsPlacing(), SlowClients(limits)],
            idleTimeout: limits.silence,
            httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: Self.headerBytes,
                maxHeaderListSize: Self.headerBytes,
                maxHeaderFieldCount: Self.headerCount
            )
        )
    }

    private func plain(_ count: ConnectionCount) -> HTTPServerBuilder {
        let configuration = plainConfiguration
        return HTTPServerBuilder { [limits = site.clientLimits] responder in
            CountedChannel(
                HTTP1Channel(responder: responder, configuration: configuration),
                count,
                limits
            )
        }
    }

    private func builder(
        _ certificate: CertificateKeeper?,
        _ count: ConnectionCount,
        _ connections: OpenConnections,
        _ responder: RouterResponder<SiteContext>,
        _ logger: Logger
    ) throws -> HTTPServerBuilder {
        guard let certificate else { return plain(count) }
        var refusing = certificate.configuration
        refusing.applicationProtocols = ["http/1.1"]
        let refusingContext = try NIOSSLContext(configuration: refusing)
        let limits = site.clientLimits
        let configuration = plainConfiguration
        let answer = answer(responder, logger)
        return HTTPServerBuilder { http1Responder in
            CountedChannel(
                try SecureChannel(
                    certificate.configuration,
                    http1: HTTP1Channel(responder: http1Responder, configuration: configuration),
                    limits,
                    answer: answer,
                    connections
                ),
                count,
                limits,
                refusing: refusingContext
            )
        }
    }

    /// Answers what comes over HTTP/2, as Hummingbird does over HTTP/1.1.
    private func answer(
        _ responder: RouterResponder<SiteContext>,
        _ logger: Logger
    ) -> HTTP2Connection.Answer {
        let date = AnswerDate()
        return { [clock = site.clock] request, channel, hangUp in
            var logger = logger
            let number = String(UInt64.random(in: .min ... .max), radix: 16)
            logger[metadataKey: "hb.request.id"] = "\(number)"
            let source = ApplicationRequestContextSource(channel: channel, logger: logger)
            var response: Response
            do {
                response = try await responder.respond(
                    to: request,
                    context: SiteContext(source: source, hangUp: hangUp)
                )
            } catch {
                // The doorkeeper makes a page of each failure: nothing comes here.
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = date.text(at: clock.now())
            return response
        }
    }
}
