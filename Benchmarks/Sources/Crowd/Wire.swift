import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// A browser's connection: HTTP/2 over TLS, from an address of its own.
final class Wire: Sendable {
    /// What came back.
    struct Answer: Sendable {
        var status: Int
        var location: String?
        /// After how many seconds to come again, where it says so.
        var retryAfter: Int?
        var bytes: [UInt8] = []
        /// The cookies that it sets, as `name=value`.
        var cookies: [String] = []
    }

    /// What a stream of events says, with the moment at which it came.
    struct Event: Sendable {
        /// Its name; `refused` where there is no stream, which the server never sends.
        var name: String
        /// Empty where it has none.
        var id = ""
        /// What it carries.
        var data = ""
        /// When its last byte came.
        var at: ContinuousClock.Instant
    }

    /// What a browser keeps, by name, also when its connection breaks.
    final class Jar: Sendable {
        private struct State {
            var cookies: [String: String]
            var line = ""

            mutating func write() {
                line = cookies.map { "\($0)=\($1)" }.sorted().joined(separator: "; ")
            }
        }

        private let state: Mutex<State>

        /// A jar that holds the secret of a session.
        init(session: String) {
            var full = State(cookies: ["__Host-session": session])
            full.write()
            state = Mutex(full)
        }

        /// The line that goes with each request.
        var line: String { state.withLock { $0.line } }

        /// Keeps what an answer sets.
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

    /// Why nothing came back.
    enum Fault: Error {
        case broken
        case tooLate
        /// What came back says no, with this status.
        case refused(Int)
    }

    private let channel: any Channel
    private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
    private let headers: HTTPHeaders
    private let jar: Jar

    private init(
        _ channel: any Channel,
        _ multiplexer: NIOHTTP2Handler.StreamMultiplexer,
        _ headers: HTTPHeaders,
        _ jar: Jar
    ) {
        self.channel = channel
        self.multiplexer = multiplexer
        self.headers = headers
        self.jar = jar
    }

    /// Whether the connection stands.
    var isOpen: Bool { channel.isActive }

    /// Connects.
    ///
    /// - Parameters:
    ///   - port: of the server on this machine.
    ///   - source: the address that it comes from, as a number: 127.x.y.z.
    ///   - jar: what the browser keeps, the session among it.
    ///   - security: a context that offers `h2`.
    /// - Returns: the connection; streams are opened as they are needed.
    /// - Throws: what the network or TLS says.
    static func open(
        port: Int,
        from source: Int,
        with jar: Jar,
        _ security: NIOSSLContext
    ) async throws -> Wire {
        let parts = [24, 16, 8, 0].map { "\(source >> $0 & 255)" }.joined(separator: ".")
        let own = try SocketAddress(ipAddress: parts, port: 0)
        let server = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        let (channel, multiplexer) = try await ClientBootstrap(group: Loop.only.group).bind(to: own)
            .connect(to: server) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(
                        NIOSSLClientHandler(context: security, serverHostname: nil)
                    )
                    let handler = NIOHTTP2Handler(
                        mode: .client,
                        eventLoop: channel.eventLoop,
                        inboundStreamInitializer: { $0.close() }
                    )
                    try pipeline.addHandler(handler)
                    return (channel, try handler.syncMultiplexer())
                }
            }
        let headers = HTTPHeaders([
            ("host", "127.0.0.1:\(port)"), ("accept-language", "en"),
        ])
        return Wire(channel, multiplexer, headers, jar)
    }

    /// Asks for something, and waits for the whole answer.
    func ask(
        _ method: HTTPMethod,
        _ path: String,
        _ further: [(String, String)] = [],
        body: String = ""
    ) async throws -> Answer {
        let promise = channel.eventLoop.makePromise(of: Answer.self)
        let head = head(method, path, further, body)
        let made = multiplexer.createStreamChannel { stream in
            stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: .https))
                try pipeline.addHandler(Exchange(head, body, promise))
            }
        }
        made.whenFailure { promise.fail($0) }
        let answer = try await promise.futureResult.get()
        jar.keep(answer.cookies)
        return answer
    }

    /// Sends a form as browsers do.
    func send(_ fields: [(String, String)], to path: String) async throws -> Answer {
        let body = fields.map { "\(Self.encoded($0))=\(Self.encoded($1))" }
        return try await ask(
            .POST,
            path,
            [("content-type", "application/x-www-form-urlencoded")],
            body: body.joined(separator: "&")
        )
    }

    /// The events after one, as they come; it ends with the stream.
    func events(after newest: String, session: String) -> AsyncStream<Event> {
        let (events, event) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingNewest(256)
        )
        let path = "/events?after=\(newest)&session=\(session)"
        let head = head(.GET, path, [("accept", "text/event-stream")], "")
        let made = multiplexer.createStreamChannel { stream in
            stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: .https))
                try pipeline.addHandler(Listening(head, event))
            }
        }
        made.whenFailure { _ in event.finish() }
        return events
    }

    /// Hangs up.
    func close() {
        channel.close(promise: nil)
    }

    private func head(
        _ method: HTTPMethod,
        _ path: String,
        _ further: [(String, String)],
        _ body: String
    ) -> HTTPRequestHead {
        var headers = headers
        headers.add(name: "cookie", value: jar.line)
        for (name, value) in further { headers.add(name: name, value: value) }
        if !body.isEmpty { headers.add(name: "content-length", value: "\(body.utf8.count)") }
        return HTTPRequestHead(version: .http2, method: method, uri: path, headers: headers)
    }

    private static func encoded(_ text: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if plain.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
