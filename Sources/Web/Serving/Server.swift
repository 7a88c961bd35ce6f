import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Logging
import NIOCore
package import ServiceLifecycle
import Taxi

/// Serves a site over HTTP/1.1 and, with TLS, over HTTP/2 too.
package struct Server: Sendable {
    /// Why a server did not start.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The certificate or its key cannot be used.
        case badCertificate(file: String, reason: String)

        /// One line for the operator.
        package var description: String {
            switch self {
            case .badCertificate(let file, let reason):
                "\(file): cannot be used as certificate or key (\(reason)); both are PEM files "
                    + "and belong together."
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
        let changing = Rereading(
            certificate: certificate,
            levels: site.logLevels,
            clock: site.clock,
            settings: rereading,
            logger: logger
        )
        let application = Application(
            router: router(),
            server: try builder(certificate),
            configuration: ApplicationConfiguration(
                address: .hostname(site.settings.listen.host, port: site.settings.listen.port)
            ),
            services: services + (changing.isNeeded ? [changing] : []) + plainDoor(logger),
            onServerRunning: { [ready] channel in
                await ready(channel.localAddress?.port ?? 0)
            },
            logger: logger
        )
        try await application.runService()
    }

    /// What listens where browsers look first, without encryption, if the settings say so (R128).
    private func plainDoor(_ logger: Logger) -> [any Service] {
        guard site.settings.plain != .off else { return [] }
        let router = Router(context: SiteContext.self)
        router.add(middleware: PlainDoor(settings: site.settings, port: site.settings.listen.port))
        return [
            Application(
                router: router,
                server: .http1(configuration: Self.plain),
                configuration: ApplicationConfiguration(
                    address: .hostname(
                        site.settings.plainListen.host,
                        port: site.settings.plainListen.port
                    )
                ),
                onServerRunning: { channel in
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

    /// So long may a connection be silent.
    private static let idleTimeout = TimeAmount.seconds(60)
    /// Headers of a request; ours and all browsers' are far smaller.
    private static let headerBytes = 16 * 1_024
    private static let headerCount = 100

    private static let plain = HTTP1Channel.Configuration(
        additionalChannelHandlers: [OldClientsPlacing()],
        idleTimeout: idleTimeout,
        httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: headerBytes,
            maxHeaderListSize: headerBytes,
            maxHeaderFieldCount: headerCount
        )
    )

    private func builder(_ certificate: CertificateKeeper?) throws -> HTTPServerBuilder {
        guard let certificate else { return .http1(configuration: Self.plain) }
        return try .http2Upgrade(
            tlsConfiguration: certificate.configuration,
            configuration: HTTP2UpgradeChannel.Configuration(
                idleTimeout: .seconds(60),
                gracefulCloseTimeout: .seconds(10),
                streamConfiguration: Self.plain
            )
        )
    }
}
