package import AsyncHTTPClient
package import TaxiPages
package import WebApp
package import WebCore

extension ServedSite {
    /// Serves the same installation a second time, with further routes, while the body runs.
    package func withFurtherRoutes(
        _ routes: [Route],
        safetyBackup: @escaping SafetyBackup = { _ in },
        _ body: @Sendable (_ base: String, _ client: HTTPClient) async throws -> Void
    ) async throws {
        var site = Site(installation, safetyBackup: safetyBackup)
        site.furtherRoutes = routes
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        let client = HTTPClient(configuration: configuration)
        let (ports, port) = AsyncStream<Int>.makeStream()
        let server = SiteServer(site) { port.yield($0) }
        let serving = Task { try await server.run() }
        var failure: (any Error)?
        for await found in ports {
            do { try await body("http://127.0.0.1:\(found)", client) } catch { failure = error }
            break
        }
        serving.cancel()
        _ = await serving.result
        try await client.shutdown()
        if let failure { throw failure }
    }
}

extension Site {
    /// The routes that people use; applications use the others, with their keys.
    package var pageRoutes: [Route] { routes.filter { $0.access != .application } }
}
