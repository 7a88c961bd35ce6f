import Encoding
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A browser's connection: HTTP/2 over TLS, from an address of its own.
///
/// Its callers run on the thread of ``Loop`` nearly always, as the connection does, so that no call
/// waits for a thread switch.
final class Wire: Sendable {
    /// The method of a request.
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    /// A request to the server.
    struct Request: Sendable {
        var method: Method
        var path: String
        /// The value of the Cookie header.
        var cookies: String
        /// Further headers: names in lower case, and values.
        var further: [(String, String)] = []
        var body = ""
    }

    /// The server's response.
    struct Answer: Sendable {
        var status: Int
        var location: String?
        /// The seconds of the Retry-After header, if there is one.
        var retryAfter: Int?
        var bytes: [UInt8] = []
        /// The cookies that the response sets, as `name=value`.
        var cookies: [String] = []
    }

    /// An event of a stream, with the moment at which it arrived.
    struct Event: Sendable {
        /// The name of the event; `refused`, which the server never sends,
        /// where there is no stream.
        var name: String
        /// The identifier of the event; empty where it has none.
        var id = ""
        /// The data of the event.
        var data = ""
        /// When its last byte arrived.
        var at: ContinuousClock.Instant
    }

    /// The cookies of a browser, by name, which outlive its connections.
    final class Jar: Sendable {
        private struct State {
            var cookies: [String: String]
            var line = ""

            mutating func write() {
                line = cookies.map { "\($0)=\($1)" }.sorted().joined(separator: "; ")
            }
        }

        private let state: Mutex<State>

        /// A cookie jar that holds the secret of a session.
        init(session: String) {
            var full = State(cookies: ["__Host-session": session])
            full.write()
            state = Mutex(full)
        }

        /// The value of the Cookie header for each request.
        var line: String { state.withLock { $0.line } }

        /// Stores the cookies that a response sets.
        func keep(_ set: [String]) {
            guard !set.isEmpty else { return }
            state.withLock { jar in
                for cookie in set {
                    let parts = cookie.split(separator: "=", maxSplits: 1).map(String.init)
                    guard let name = parts.first else { continue }
                    jar.cookies[name] = parts.count > 1 ? parts[1] : nil
                }
                jar.write()
            }
        }
    }

    /// Why there is no response.
    enum Fault: Error {
        case broken
        case tooLate
        /// The response has an error status.
        case refused(Int)
    }

    private let channel: any Channel
    private let session: NIOLoopBound<WireSession>
    private let life: WireSession.Life
    private let jar: Jar

    private init(_ channel: any Channel, _ session: WireSession, _ jar: Jar) {
        self.channel = channel
        self.session = NIOLoopBound(session, eventLoop: channel.eventLoop)
        life = session.life
        self.jar = jar
    }

    /// Whether the connection is open, and the server accepts requests on it.
    var isOpen: Bool { life.isOpen }

    /// Opens a connection to the server.
    ///
    /// - Parameters:
    ///   - port: the port of the server on this machine.
    ///   - source: the source address, as a number: 127.x.y.z.
    ///   - jar: the cookies of the browser, including the session.
    ///   - security: a TLS context that offers `h2`.
    /// - Returns: the connection; streams are opened as they are needed.
    /// - Throws: errors of the network or TLS.
    static func open(
        port: Int,
        from source: Int,
        with jar: Jar,
        _ security: NIOSSLContext
    ) async throws -> Wire {
        let parts = [24, 16, 8, 0].map { "\(source >> $0 & 255)" }.joined(separator: ".")
        let own = try SocketAddress(ipAddress: parts, port: 0)
        let server = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        return try await ClientBootstrap(group: Loop.only.group).bind(to: own)
            .connect(to: server) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(
                        NIOSSLClientHandler(context: security, serverHostname: nil)
                    )
                    let session = WireSession(authority: "127.0.0.1:\(port)")
                    try pipeline.addHandler(session)
                    return Wire(channel, session, jar)
                }
            }
    }

    /// Sends a request and waits for the complete response.
    func ask(
        _ method: Method,
        _ path: String,
        _ further: [(String, String)] = [],
        body: String = ""
    ) async throws -> Answer {
        let request = Request(
            method: method,
            path: path,
            cookies: jar.line,
            further: further,
            body: body
        )
        let answer = try await withCheckedThrowingContinuation { asking in
            withSession { $0.ask(request, asking) }
        }
        jar.keep(answer.cookies)
        return answer
    }

    /// Submits a form as browsers do.
    func send(_ fields: [(String, String)], to path: String) async throws -> Answer {
        let body = fields.map { "\(PercentEncoding.encoded($0))=\(PercentEncoding.encoded($1))" }
        return try await ask(
            .post,
            path,
            [("content-type", "application/x-www-form-urlencoded")],
            body: body.joined(separator: "&")
        )
    }

    /// The events after a given one, as they arrive; the sequence ends with the stream.
    func events(after newest: String, session: String) -> AsyncStream<Event> {
        let (events, event) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingNewest(256)
        )
        let request = Request(
            method: .get,
            path: "/events?after=\(newest)&session=\(session)",
            cookies: jar.line,
            further: [("accept", "text/event-stream")]
        )
        withSession { $0.listen(request, event) }
        return events
    }

    /// Closes the connection.
    func close() {
        channel.close(promise: nil)
    }

    /// Runs a function with the session, on its thread.
    private func withSession(_ act: @escaping @Sendable (WireSession) -> Void) {
        guard !channel.eventLoop.inEventLoop else { return act(session.value) }
        channel.eventLoop.execute { [session] in act(session.value) }
    }
}
