import Chronology
import Crypto
import Encoding
import HTTPServer
import HTTPTypes
import Hummingbird
package import Logging
package import Taxi
import TaxiPages
import TripPlanning
package import WebApp
import WebCore

/// Publishes documents over HTTP on this machine, as the servers of a real city's services do.
package struct FeedPublisher: Sendable {
    private let port: Int
    private let responder: FeedResponder
    private let logger: Logger

    /// The host at which it listens.
    package static let host = "127.0.0.1"
    /// The greatest number of connections; the demo's server needs four.
    private static let connectionLimit = 64

    /// Creates a publisher that does not listen yet.
    ///
    /// - Parameters:
    ///   - documents: the documents, with paths of their own.
    ///   - port: the port to listen at; 0 lets the system choose.
    ///   - clock: tells which versions are current.
    ///   - logger: receives what an operator should know.
    package init(_ documents: [FeedDocument], port: Int, clock: ServiceClock, logger: Logger) {
        self.port = port
        let byPath = Dictionary(uniqueKeysWithValues: documents.map { ($0.path, $0) })
        responder = FeedResponder(documents: byPath, clock: clock)
        self.logger = logger
    }

    /// Creates a publisher of the live feeds of a demo city.
    ///
    /// - Parameters:
    ///   - installation: the installation of the city.
    ///   - seed: the seed of the feeds.
    ///   - port: the port to listen at.
    ///   - logger: receives what an operator should know.
    /// - Throws: ``DemoFailure/noGround`` if the installation has no city.
    package init(
        of installation: Installation,
        seed: UInt64,
        port: Int,
        logger: Logger
    ) throws(DemoFailure) {
        guard let opened = installation.city else { throw .noGround }
        let feeds = DemoFeeds(
            of: opened.city,
            named: installation.settings.cityName,
            zone: installation.settings.zoneTable,
            seed: seed
        )
        self.init(feeds.documents, port: port, clock: installation.clock, logger: logger)
    }

    /// Publishes while a body runs, which begins when the publisher listens.
    ///
    /// - Parameter body: receives the port.
    /// - Throws: `ServerFault` if it cannot listen, and errors of the body.
    package func publish(
        during body: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let server = Server(
            ServerConfiguration(
                listen: ListenAddress(host: Self.host, port: self.port),
                certificate: nil,
                connections: Self.connectionLimit,
                refusal: "Too many connections.\n"
            ),
            responder: responder,
            services: [],
            date: { "" },
            leaving: {},
            ready: { port.yield($0) },
            logger: logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { port.finish() }
                try await server.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                return try await group.waitForAll()
            }
            defer { group.cancelAll() }
            try await body(port)
        }
    }
}

/// Answers requests for documents, with 304 where the client has the current version.
struct FeedResponder: HTTPResponder {
    let documents: [String: FeedDocument]
    let clock: ServiceClock

    @concurrent
    func respond(to request: Request, context: RoutingContext) async throws -> Response {
        guard let document = documents[request.uri.path] else {
            return Response(status: .notFound)
        }
        guard request.method == .get else {
            return Response(status: .methodNotAllowed, headers: [.allow: "GET"])
        }
        let base = "http://\(request.head.authority ?? FeedPublisher.host)"
        let bytes = document.bytes(at: Instant(clock.now()), base: base)
        let tag = "\"\(SHA256.hash(data: bytes).prefix(8).hex)\""
        if request.headers[.ifNoneMatch] == tag {
            return Response(status: .notModified, headers: [.eTag: tag])
        }
        return Response(
            status: .ok,
            headers: [.contentType: document.type, .eTag: tag],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
