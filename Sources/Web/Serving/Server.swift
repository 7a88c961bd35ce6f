import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
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
    private let ready: @Sendable (_ port: Int) async -> Void

    /// A server of a site.
    ///
    /// - Parameters:
    ///   - site: what is served.
    ///   - services: what runs beside it and ends with it.
    ///   - ready: called once when it listens, with the port.
    package init(
        _ site: Site,
        services: [any Service] = [],
        ready: @escaping @Sendable (_ port: Int) async -> Void
    ) {
        self.site = site
        self.services = services
        self.ready = ready
    }

    /// Serves until a signal or a cancellation; what is being answered is answered first.
    package func run() async throws {
        let logger = site.logLevels.logger("web", clock: site.clock.now)
        let application = Application(
            router: router(),
            server: try builder(),
            configuration: ApplicationConfiguration(
                address: .hostname(site.settings.listen.host, port: site.settings.listen.port)
            ),
            services: services,
            onServerRunning: { [ready] channel in
                await ready(channel.localAddress?.port ?? 0)
            },
            logger: logger
        )
        try await application.runService()
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

    private func builder() throws -> HTTPServerBuilder {
        let plain = HTTP1Channel.Configuration(
            additionalChannelHandlers: [OldClientsPlacing()],
            idleTimeout: Self.idleTimeout,
            httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: Self.headerBytes,
                maxHeaderListSize: Self.headerBytes,
                maxHeaderFieldCount: Self.headerCount
            )
        )
        guard let certificate = site.settings.certificate else {
            return .http1(configuration: plain)
        }
        return try .http2Upgrade(
            tlsConfiguration: try tls(certificate),
            configuration: HTTP2UpgradeChannel.Configuration(
                idleTimeout: .seconds(60),
                gracefulCloseTimeout: .seconds(10),
                streamConfiguration: plain
            )
        )
    }

    private func tls(_ certificate: Settings.Certificate) throws -> TLSConfiguration {
        let chain: [NIOSSLCertificateSource]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(certificate.chain).map { .certificate($0) }
        } catch {
            throw Fault.badCertificate(file: certificate.chain, reason: "\(error)")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: certificate.key, format: .pem)
        } catch {
            throw Fault.badCertificate(file: certificate.key, reason: "\(error)")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain,
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }
}
