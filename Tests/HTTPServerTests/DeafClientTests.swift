import Hummingbird
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import HTTPServer

/// Decision 0027: output that a client does not read delays nobody, and keeps no connection open
/// for ever.
///
/// In these tests the client reads exactly as much as a test lets it.
@Suite("Clients of HTTP/2 that do not read")
struct DeafClientTests {
    /// A connection, and its output so far.
    private final class Line {
        let channel = EmbeddedChannel()
        private var heard: [UInt8] = []

        init(_ limits: ClientLimits = ClientLimits()) throws {
            let openStreams = OpenStreams(limits)
            try channel.pipeline.syncOperations.addHandler(openStreams)
            let connection = HTTP2Connection(limits, RequestsUnderWay(), openStreams) {
                request,
                _,
                _ in
                switch request.uri.path {
                case "/moved": Response(status: .seeOther)
                case "/large": Response(status: .ok, body: .init(byteBuffer: large))
                default: Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "alive")))
                }
            }
            try channel.pipeline.syncOperations.addHandler(connection)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            try say(HTTP2Frame.preface)
        }

        func say(_ bytes: [UInt8]) throws {
            try channel.writeInbound(ByteBuffer(bytes: bytes))
            channel.embeddedEventLoop.run()
        }

        /// Requests a page on a stream.
        func ask(_ path: String, stream: UInt32) throws {
            try say(HTTP2Frame.bytes(1, flags: 5, stream: stream, HTTP2Frame.request(path)))
        }

        /// Makes the client read, or stop reading.
        func reads(_ does: Bool) {
            channel.isWritable = does
            channel.pipeline.fireChannelWritabilityChanged()
            channel.embeddedEventLoop.run()
        }

        /// Advances the clock and the timers.
        func pass(_ time: Duration) async throws {
            try await ContinuousClock().sleep(for: time)
            // A timer starts at the moment at which it is set, which is a little later.
            for _ in 0..<2 { channel.embeddedEventLoop.advanceTime(to: .now()) }
        }

        /// All frames sent so far.
        func frames() throws -> [HTTP2Frame] {
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) {
                heard += Array(buffer: bytes)
            }
            return HTTP2Frame.read(heard)
        }

        /// The frames sent on a stream.
        func frames(of stream: UInt32) throws -> [HTTP2Frame] {
            try frames().filter { $0.stream == stream }
        }
    }

    private static let large = ByteBuffer(repeating: 97, count: 200_000)

    /// Short timeouts, with no extra time for bytes sent.
    private static func hurried() -> ClientLimits {
        var limits = ClientLimits()
        limits.answer = .milliseconds(50)
        limits.answerBytesPerSecond = 1 << 30
        limits.goodbye = .milliseconds(300)
        return limits
    }

    @Test("an answer without a body waits for its turn, and comes whole")
    func waits() throws {
        let line = try Line()
        line.reads(false)
        try line.ask("/moved", stream: 1)
        #expect(try line.frames(of: 1).isEmpty)
        line.reads(true)
        let answer = try line.frames(of: 1)
        #expect(answer.map(\.kind) == [1] && answer.last?.isLast == true)
        try line.ask("/", stream: 3)
        #expect(try line.frames(of: 3).last?.isLast == true)
    }

    @Test("an answer that comes before its request is whole is not lost with what is declined")
    func declined() throws {
        for doesRead in [true, false] {
            let line = try Line()
            line.reads(doesRead)
            // The headers of a request whose body has not arrived yet.
            try line.say(HTTP2Frame.bytes(1, flags: 4, stream: 1, HTTP2Frame.request("/moved")))
            line.reads(true)
            let answer = try line.frames(of: 1)
            // The rest is declined with NO_ERROR (RFC 9113, 8.1).
            #expect(answer.map(\.kind) == [1, 3] && answer.first?.isLast == true)
            #expect(answer.last?.bytes == [0, 0, 0, 0])
        }
    }

    @Test(
        "who never takes an answer without a body loses the connection",
        arguments: ["/moved", "/large"]
    )
    func never(path: String) async throws {
        let line = try Line(Self.hurried())
        line.reads(false)
        try line.ask(path, stream: 1)
        try await line.pass(.milliseconds(70))
        #expect(line.channel.isActive, "it was given time for a last word")
        try await line.pass(.milliseconds(320))
        #expect(!line.channel.isActive)
    }

    @Test(
        "who floods and reads nothing loses the connection",
        arguments: [(40, true), (90, false)]
    )
    func flood(count: Int, isKept: Bool) async throws {
        let line = try Line(Self.hurried())
        line.reads(false)
        for _ in 0..<count {
            try line.say(HTTP2Frame.bytes(6, stream: 0, [UInt8](repeating: 7, count: 8)))
        }
        #expect(line.channel.isActive)
        try await line.pass(.milliseconds(320))
        #expect(line.channel.isActive == isKept)
    }

    @Test("who does not read one answer loses that one only")
    func oneOfTwo() async throws {
        let line = try Line(Self.hurried())
        // Up to a thousand bytes of each answer may be sent until the window is enlarged (RFC 9113,
        // 6.5.2).
        try line.say(HTTP2Frame.bytes(4, stream: 0, [0, 4, 0, 0, 3, 232]))
        try line.ask("/large", stream: 1)
        #expect(try line.frames(of: 1).map(\.kind) == [1, 0])
        try await line.pass(.milliseconds(70))
        #expect(try line.frames(of: 1).map(\.kind) == [1, 0, 3])
        #expect(try line.frames(of: 1).last?.bytes == [0, 0, 0, 8])
        try line.ask("/", stream: 3)
        let other = try line.frames(of: 3)
        #expect(other.last.map { $0.isLast && $0.bytes == Array("alive".utf8) } == true)
        try await line.pass(.milliseconds(400))
        #expect(line.channel.isActive)
    }

    @Test("a large answer goes on where it stopped")
    func goesOn() throws {
        let line = try Line()
        // As large a window as a browser grants a connection and a stream.
        let much = [0x0F, 0xFF, 0x00, 0x00] as [UInt8]
        try line.say(
            HTTP2Frame.bytes(4, stream: 0, [0, 4] + much) + HTTP2Frame.bytes(8, stream: 0, much)
        )
        line.reads(false)
        try line.ask("/large", stream: 1)
        #expect(try line.frames(of: 1).isEmpty)
        line.reads(true)
        let answer = try line.frames(of: 1)
        #expect(answer.dropFirst().flatMap(\.bytes).count == Self.large.readableBytes)
        #expect(answer.last?.isLast == true)
    }
}
