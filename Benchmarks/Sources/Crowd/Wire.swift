import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A browser's connection: HTTP/2 over TLS, from an address of its own.
///
/// Whoever uses it is on the thread of ``Loop`` nearly always, as the connection is: then nothing
/// waits for its turn there.
final class Wire: Sendable {
    /// How something is asked for.
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    /// What is asked for.
    struct Request: Sendable {
        var method: Method
        var path: String
        /// The line of the browser's cookies.
        var cookies: String
        /// Names in small letters, and values.
        var further: [(String, String)] = []
        var body = ""
    }

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
    private let session: NIOLoopBound<WireSession>
    private let life: WireSession.Life
    private let jar: Jar

    private init(_ channel: any Channel, _ session: WireSession, _ jar: Jar) {
        self.channel = channel
        self.session = NIOLoopBound(session, eventLoop: channel.eventLoop)
        life = session.life
        self.jar = jar
    }

    /// Whether the connection stands, and the server takes requests on it.
    var isOpen: Bool { life.isOpen }

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

    /// Asks for something, and waits for the whole answer.
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

    /// Sends a form as browsers do.
    func send(_ fields: [(String, String)], to path: String) async throws -> Answer {
        let body = fields.map { "\(Self.encoded($0))=\(Self.encoded($1))" }
        return try await ask(
            .post,
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
        let request = Request(
            method: .get,
            path: "/events?after=\(newest)&session=\(session)",
            cookies: jar.line,
            further: [("accept", "text/event-stream")]
        )
        withSession { $0.listen(request, event) }
        return events
    }

    /// Hangs up.
    func close() {
        channel.close(promise: nil)
    }

    /// Does something with the session, on its thread.
    private func withSession(_ act: @escaping @Sendable (WireSession) -> Void) {
        guard !channel.eventLoop.inEventLoop else { return act(session.value) }
        channel.eventLoop.execute { [session] in act(session.value) }
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
