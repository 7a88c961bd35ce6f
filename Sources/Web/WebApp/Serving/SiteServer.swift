import HTTPServer
import Hummingbird
import LiveUpdates
import Localization
package import ServiceLifecycle
import Taxi
import TaxiPages
import UnixSignals
import WebCore

/// Serves a site's routes and event streams, and reloads settings while running.
package struct SiteServer: Sendable {
    private let site: Site
    private let services: [any Service]
    private let rereading: (@Sendable () throws -> Settings)?
    private let ready: @Sendable (_ port: Int) async -> Void

    /// Creates the server of a site.
    ///
    /// - Parameters:
    ///   - site: the site to serve.
    ///   - services: the services that run alongside the server and stop with it.
    ///   - rereading: reads the settings again on SIGHUP; nil to disable reloading.
    ///   - ready: called once with the port when the server starts listening.
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

    /// Serves until a signal or a cancellation arrives; requests in progress are completed first.
    ///
    /// - Throws: `ServerFault` if the server cannot listen.
    package func run() async throws {
        let logger = site.logLevels.logger("web", clock: site.clock.now)
        let certificate = try site.settings.certificate.map(CertificateKeeper.init)
        let maintenance = site.cityMaintenance
        let reloading = SettingsReloading(
            certificate: certificate,
            levels: site.logLevels,
            clock: site.clock,
            maintenance: maintenance,
            settings: rereading,
            hangUps: rereading == nil ? nil : await UnixSignalsSequence(trapping: .sighup),
            logger: logger
        )
        var cityServices: [any Service] = maintenance.map { [$0] } ?? []
        cityServices.append(site.feedKeeping)
        let date = DateHeader()
        let server = Server(
            configuration(certificate),
            responder: site.router().buildResponder(),
            services: services + [site.live, site.taxiEvents, site.calendarKeeping] + cityServices
                + (reloading.isNeeded ? [reloading] : []),
            date: { [clock = site.clock] in date.text(at: clock.now()) },
            leaving: { [live = site.live] in live.close() },
            ready: ready,
            logger: logger
        )
        try await server.run()
    }

    private func configuration(_ certificate: CertificateKeeper?) -> ServerConfiguration {
        let settings = site.settings
        let busy = Failure.busy(retryAfter: 5)
        var configuration = ServerConfiguration(
            listen: settings.listen,
            certificate: certificate,
            connections: settings.connections,
            refusal: [busy.title, busy.advice].flatMap { [$0.in(.english), $0.in(.italian)] }
                .joined(separator: "\n")
        )
        configuration.limits = site.clientLimits
        if settings.plain != .off {
            configuration.plain = PlainHTTP(
                listen: settings.plainListen,
                publicAddress: settings.publicAddress,
                answer: { [taxi = site.taxi] in await taxi.plainAnswer(settings.plain) }
            )
        }
        return configuration
    }
}
