import AsyncHTTPClient
import Foundation
package import Identity
import Storage
package import StorageTestSupport
import Synchronization
import Taxi
package import TaxiPages
package import TestClock
package import Testing
package import WebApp
package import WebCore

package final class ServedSite: Sendable {
    /// The messages that were written, as the accounts sealed them.
    package final class Messages: Sendable {
        private let written = Mutex<[OutgoingMessage]>([])

        package var all: [OutgoingMessage] { written.withLock { $0 } }

        package func append(_ message: OutgoingMessage) { written.withLock { $0.append(message) } }
    }

    package let installation: Installation
    package let clock: SettableClock
    /// Where it is served.
    package let port: Int
    private let client: HTTPClient
    package let base: String
    /// What tells open pages of events, and decides which drivers an offer has reached.
    package let taxiEvents: TaxiEventPublisher
    private let messages: Messages

    fileprivate init(
        _ installation: Installation,
        clock: SettableClock,
        port: Int,
        client: HTTPClient,
        base: String,
        taxiEvents: TaxiEventPublisher,
        messages: Messages
    ) {
        self.port = port
        self.taxiEvents = taxiEvents
        self.installation = installation
        self.clock = clock
        self.client = client
        self.base = base
        self.messages = messages
    }

    /// A visitor with a browser of its own.
    package func visitor() -> Visitor { Visitor(base, client: client) }

    /// The last message of a kind, as it was written.
    package func written(_ kind: MessageKind) -> OutgoingMessage? {
        messages.all.last { $0.kind == kind }
    }

    /// The number of messages of a kind.
    package func count(_ kind: MessageKind) -> Int {
        messages.all.filter { $0.kind == kind }.count
    }

    /// The last message of a kind, decrypted.
    package func message(_ kind: MessageKind) async throws -> MessageContents? {
        guard let message = written(kind) else { return nil }
        return try await installation.accounts.open(message)
    }
}

/// Serves a site on a free port while the body runs.
package func withSite(
    _ options: [String: String] = [:],
    on engine: TestEngine = .sqlite,
    isPosted: Bool = false,
    hasTaxis: Bool = true,
    outgoing: Outgoing? = nil,
    demonstration: Demonstration? = nil,
    sandbox: (any Sandbox)? = nil,
    prepare: @Sendable (inout Installation) -> Void = { _ in },
    compose: @Sendable (inout Site) -> Void = { _ in },
    _ body: @Sendable (ServedSite) async throws -> Void
) async throws {
    try await withDatabase(on: engine) { database in
        try await withTemporaryFolder { folder in
            try await withSite(
                options,
                in: folder,
                of: database,
                isPosted: isPosted,
                hasTaxis: hasTaxis,
                outgoing: outgoing,
                demonstration: demonstration,
                sandbox: sandbox,
                prepare: prepare,
                compose: compose,
                body
            )
        }
    }
}

/// Serves a site with its keys in a folder, so that it can be served again.
package func withSite(
    _ options: [String: String] = [:],
    in folder: String,
    of database: TestDatabase,
    isPosted: Bool = false,
    hasTaxis: Bool = true,
    outgoing: Outgoing? = nil,
    demonstration: Demonstration? = nil,
    sandbox: (any Sandbox)? = nil,
    prepare: @Sendable (inout Installation) -> Void = { _ in },
    compose: @Sendable (inout Site) -> Void = { _ in },
    _ body: @Sendable (ServedSite) async throws -> Void
) async throws {
    var all = [
        "listen": "127.0.0.1:0", "database": database.address,
        "keys.database": "sqlite:\(folder)/keys.sqlite",
        "keys.secret": "\(folder)/secret", "log.level": "critical",
        "backups.folder": "\(folder)/backups", "backups.keys_folder": "\(folder)/backups-keys",
        "feeds.folder": "\(folder)/feeds",
    ]
    all.merge(options) { $1 }
    let settings = try Settings(file: nil, environment: [:], options: all)
    let clock = SettableClock()
    let messages = ServedSite.Messages()
    var installation = try await Installation(
        settings,
        clock: clock.clock,
        outgoing: outgoing
            ?? (isPosted
                ? AccountMessages.outgoing : Outgoing { message, _ in messages.append(message) }),
        workers: .quick()
    )
    prepare(&installation)
    defer { installation.close() }
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    let client = HTTPClient(configuration: configuration)
    let (ports, port) = AsyncStream<Int>.makeStream()
    var site = Site(installation, demonstration: demonstration, sandbox: sandbox)
    compose(&site)
    let logger = site.logLevels.logger("taxi", clock: clock.clock.now)
    let rank = TaxiServiceRunner(installation, logger: logger)
    let server = SiteServer(site, services: hasTaxis ? [rank] : []) { port.yield($0) }
    let serving = Task { try await server.run() }
    var failure: (any Error)?
    for await found in ports {
        let scheme = settings.certificate == nil ? "http" : "https"
        let served = ServedSite(
            installation,
            clock: clock,
            port: found,
            client: client,
            base: "\(scheme)://127.0.0.1:\(found)",
            taxiEvents: site.taxiEvents,
            messages: messages
        )
        do { try await body(served) } catch { failure = error }
        break
    }
    serving.cancel()
    _ = await serving.result
    try await client.shutdown()
    if let failure { throw failure }
}
extension ServedSite {
    /// Waits until taxis are served: pages refuse what needs them until then.
    package func started() async throws {
        try await until("the service serves") { installation.taxi.serves }
    }

    /// Waits until something holds that other tasks bring about.
    package func until(
        _ comment: Comment,
        _ holds: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while try await !holds() {
            guard ContinuousClock.now < end else {
                Issue.record(comment)
                throw CancellationError()
            }
            await Task.yield()
        }
    }
}
