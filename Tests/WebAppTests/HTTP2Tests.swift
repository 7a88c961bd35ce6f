import AsyncHTTPClient
import Foundation
import LiveUpdates
import NIOCore
import NIOHTTP1
import Notify
import StorageTestSupport
import Synchronization
import TestSupport
import Testing
import WebTestSupport

@testable import HTTPServer
@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// Issue 4, "Web: Hummingbird with HTTP/1.1 and HTTP/2"; decision 0027.
@Suite("HTTP/2", .serialized)
struct HTTP2Tests {
    /// The live events of a served site, for tests that inspect its subscribers.
    private final class Subscribers: Sendable {
        let live = Mutex<LiveUpdates?>(nil)
    }

    /// Takes JSON and returns its number of bytes and their sum.
    private static let counting = Route.post(
        "/health/count",
        as: "health.count",
        for: .everybody,
        bodyLimit: 1 << 20
    ) { context in
        let bytes = context.form.json ?? []
        return Response(
            type: "text/plain",
            bytes: Array("\(bytes.count) \(bytes.reduce(0) { $0 + Int($1) })".utf8)
        )
    }.taking([.body(1 << 20, "Any bytes.")]).repeated(because: "it only counts")

    private static let size = 16 << 20
    private static let large = Route.get("/health/large", as: "health.large", for: .anonymous) {
        _ in
        Response(type: "application/octet-stream", bytes: [UInt8](repeating: 97, count: size))
    }

    private static func withSecureSite(
        _ limits: ClientLimits = ClientLimits(),
        _ body: @Sendable (ServedSite, HTTPClient, LiveUpdates) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try await TLSSamples.makeCertificate(named: "http2", in: folder)
            let subscribers = Subscribers()
            try await withSite(
                ["tls.certificate": folder + "/chain.pem", "tls.key": folder + "/key.pem"],
                prepare: { $0.clientLimits = limits },
                compose: { site in
                    site.furtherRoutes = [counting, large]
                    subscribers.live.withLock { [live = site.live] in $0 = live }
                }
            ) { site in
                let client = HTTPClient(configuration: TLSSamples.client())
                var failure: (any Error)?
                do {
                    let live = try #require(subscribers.live.withLock { $0 })
                    try await body(site, client, live)
                } catch {
                    failure = error
                }
                try? await client.shutdown()
                if let failure { throw failure }
            }
        }
    }

    /// A request to count bytes, as a browser sends it that has opened a page before.
    private static func request(
        _ site: ServedSite,
        _ client: HTTPClient
    ) async throws -> HTTPClientRequest {
        let visitor = Visitor(site.base, client: client)
        let page = try await visitor.get("/login").text
        let token = try #require(page.firstMatch(of: /name="token" value="([^"]*)"/))
        let cookie = try #require(visitor.cookie("__Host-session"))
        var request = HTTPClientRequest(url: site.base + "/health/count")
        request.method = .POST
        request.headers.add(name: "cookie", value: "__Host-session=\(cookie)")
        request.headers.add(name: "x-form-token", value: String(token.1))
        request.headers.add(name: "content-type", value: "application/json")
        return request
    }

    /// Chunks of ten thousand bytes.
    private static func pieces(_ count: Int) -> [ByteBuffer] {
        (0..<count).map { ByteBuffer(repeating: UInt8($0 % 251), count: 10_000) }
    }

    @Test("a body that comes in one piece, or in many, arrives whole", arguments: [1, 60])
    func bodies(count: Int) async throws {
        try await Self.withSecureSite { site, client, _ in
            var request = try await Self.request(site, client)
            let pieces = Self.pieces(count)
            request.body = .stream(pieces.async, length: .known(Int64(count * 10_000)))
            let answer = try await client.execute(request, timeout: .seconds(60))
            #expect(answer.version.major == 2)
            let sum = (0..<count).reduce(0) { $0 + 10_000 * ($1 % 251) }
            let text = String(buffer: try await answer.body.collect(upTo: 1_024))
            #expect(text == "\(count * 10_000) \(sum)")
        }
    }

    @Test("a body that is too large is refused, and the connection goes on")
    func tooLarge() async throws {
        try await Self.withSecureSite { site, client, _ in
            var request = try await Self.request(site, client)
            request.body = .stream(Self.pieces(300).async, length: .known(Int64(3_000_000)))
            // A client may receive the refusal, or learn first that its body is not wanted.
            if let answer = try? await client.execute(request, timeout: .seconds(60)) {
                #expect(answer.status == .payloadTooLarge)
            }
            let again = try await Visitor(site.base, client: client).get("/health/live")
            #expect(again.text == "alive\n")
        }
    }

    @Test("who sends a body too slowly is told so, and holds nobody else up")
    func tooSlow() async throws {
        var limits = ClientLimits()
        limits.body = .milliseconds(500)
        try await Self.withSecureSite(limits) { site, client, _ in
            var request = try await Self.request(site, client)
            let (parts, part) = AsyncStream<ByteBuffer>.makeStream()
            part.yield(ByteBuffer(string: "["))
            request.body = .stream(parts, length: .unknown)
            let answer = try await client.execute(request, timeout: .seconds(60))
            #expect(answer.status == .requestTimeout)
            part.finish()
            let other = try await Visitor(site.base, client: client).get("/health/live")
            #expect(other.text == "alive\n")
        }
    }

    @Test("a large answer arrives whole, with its length and its date")
    func largeAnswer() async throws {
        try await Self.withSecureSite { site, client, _ in
            let request = HTTPClientRequest(url: site.base + "/health/large")
            let answer = try await client.execute(request, timeout: .seconds(60))
            #expect(answer.headers["content-length"] == ["\(Self.size)"])
            let date = try #require(answer.headers.first(name: "date"))
            #expect(
                date.wholeMatch(of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/)
                    != nil,
                "\(date)"
            )
            #expect(try await answer.body.collect(upTo: 1 << 25).readableBytes == Self.size)
            var head = HTTPClientRequest(url: site.base + "/health/large")
            head.method = .HEAD
            let empty = try await client.execute(head, timeout: .seconds(60))
            #expect(empty.status == .ok)
            #expect(try await empty.body.collect(upTo: 1).readableBytes == 0)
        }
    }

    @Test("a browser that goes away is no longer told anything")
    func goneAway() async throws {
        try await Self.withSecureSite { site, client, live in
            let visitor = Visitor(site.base, client: client)
            _ = try await visitor.get("/login")
            let cookie = try #require(visitor.cookie("__Host-session"))
            try await withEvents(
                site.base,
                session: "__Host-session=\(cookie)",
                configuration: TLSSamples.client()
            ) { line in
                _ = try await line.read(to: "event: hello\ndata:\n\n")
                #expect(live.hub.count == 1)
            }
            let end = ContinuousClock.now + .seconds(20)
            while live.hub.count > 0, ContinuousClock.now < end {
                try await ContinuousClock().sleep(for: .milliseconds(20))
            }
            #expect(live.hub.count == 0)
        }
    }

    @Test("a server that stops does not wait long for a telephone that sleeps")
    func sleepers() async throws {
        try await withTemporaryFolder { folder in
            try await TLSSamples.makeCertificate(named: "sleeper", in: folder)
            let program = try await ServedProgram(in: folder, TLSSamples.settings(folder))
            // From then on it says nothing, not even that it heard.
            let (input, client) = try await Self.say(
                HTTP2Frame.preface
                    + HTTP2Frame.bytes(1, flags: 5, stream: 1, HTTP2Frame.request("/")),
                to: program.port,
                writing: folder + "/heard"
            )
            try await program.said(/(route=\/ )/)
            program.signal(SIGTERM)
            #expect(try await program.ended() == 0)
            try input.fileHandleForWriting.close()
            _ = try await onThread { client.wait(atMost: 30) }
        }
    }

    @Test(
        "who cancels as many requests as a map that is zoomed goes on, who floods is sent away",
        arguments: [(100, true), (180, false)]
    )
    func floods(count: UInt32, isServed: Bool) async throws {
        try await withTemporaryFolder { folder in
            try await TLSSamples.makeCertificate(named: "flood", in: folder)
            var settings = TLSSamples.settings(folder)
            settings["LIMITS_REQUESTS_PER_SECOND"] = "10000"
            let program = try await ServedProgram(in: folder, settings)
            let cancelled = (0..<count).flatMap { number in
                HTTP2Frame.bytes(1, flags: 5, stream: 2 * number + 1, HTTP2Frame.request("/"))
                    + HTTP2Frame.bytes(3, stream: 2 * number + 1, [0, 0, 0, 8])
            }
            try await Self.isServed(
                HTTP2Frame.preface + cancelled,
                then: 2 * count + 1,
                by: program,
                in: folder,
                isServed
            )
        }
    }

    @Test("who greets without end is sent away", arguments: [(40, true), (90, false)])
    func greetings(count: Int, isServed: Bool) async throws {
        try await withTemporaryFolder { folder in
            try await TLSSamples.makeCertificate(named: "greeting", in: folder)
            let program = try await ServedProgram(in: folder, TLSSamples.settings(folder))
            let pings = (0..<count).flatMap { _ in
                HTTP2Frame.bytes(6, stream: 0, [UInt8](repeating: 7, count: 8))
            }
            try await Self.isServed(
                HTTP2Frame.preface + pings,
                then: 1,
                by: program,
                in: folder,
                isServed
            )
        }
    }

    @Test("who breaks rules is sent away in the end", arguments: [(40, true), (90, false)])
    func rules(count: UInt32, isServed: Bool) async throws {
        try await withTemporaryFolder { folder in
            try await TLSSamples.makeCertificate(named: "rules", in: folder)
            var settings = TLSSamples.settings(folder)
            settings["LIMITS_REQUESTS_PER_SECOND"] = "10000"
            let program = try await ServedProgram(in: folder, settings)
            // A form that declares one byte of body and ends without one (RFC 9113, 8.1.1).
            let form = [0x83] + HTTP2Frame.request("/login").dropFirst() + [0x0F, 0x0D, 1, 0x31]
            let broken = (0..<count).flatMap {
                HTTP2Frame.bytes(1, flags: 5, stream: 2 * $0 + 1, Array(form))
            }
            try await Self.isServed(
                HTTP2Frame.preface + broken,
                then: 2 * count + 1,
                by: program,
                in: folder,
                isServed,
                // What arrived in the same read may be answered before the fault is detected.
                mayBe: true
            )
        }
    }

    @Test("a head without end is declined, and the connection goes on")
    func largeHead() async throws {
        try await withTemporaryFolder { folder in
            try await TLSSamples.makeCertificate(named: "head", in: folder)
            let program = try await ServedProgram(in: folder, TLSSamples.settings(folder))
            // "x: y", a hundred times and more, kept in no table.
            let fields = (0..<120).flatMap { _ in [0, 1, 120, 1, 121] as [UInt8] }
            let head = HTTP2Frame.bytes(1, flags: 5, stream: 1, HTTP2Frame.request("/") + fields)
            try await Self.isServed(
                HTTP2Frame.preface + head,
                then: 3,
                by: program,
                in: folder,
                true
            )
            // An RST_STREAM frame, which ends a stream (RFC 9113, 6.4).
            let heard = try Data(contentsOf: URL(fileURLWithPath: folder + "/heard"))
            #expect(heard.range(of: Data([0, 0, 4, 3, 0, 0, 0, 0, 1])) != nil)
            #expect(!program.text.contains("route=/ "))
        }
    }

    /// Checks whether a client is still served after what it has sent, or gets ENHANCE_YOUR_CALM;
    /// `mayBe` where either may happen.
    private static func isServed(
        _ said: [UInt8],
        then stream: UInt32,
        by program: ServedProgram,
        in folder: String,
        _ isServed: Bool,
        mayBe: Bool = false
    ) async throws {
        let last = HTTP2Frame.bytes(
            1,
            flags: 5,
            stream: stream,
            HTTP2Frame.request("/health/live")
        )
        let (input, client) = try await say(
            said + last,
            to: program.port,
            writing: folder + "/heard"
        )
        let end = ContinuousClock.now + .seconds(20)
        var heard = Data()
        let served = Data("alive\n".utf8)
        while heard.range(of: served) == nil || mayBe && !isServed, !isToldToCalm(heard),
            ContinuousClock.now < end
        {
            try await ContinuousClock().sleep(for: .milliseconds(20))
            heard = try Data(contentsOf: URL(fileURLWithPath: folder + "/heard"))
        }
        #expect((heard.range(of: served) != nil) == isServed || mayBe)
        #expect(isToldToCalm(heard) != isServed)
        _ = kill(client.pid, SIGKILL)
        _ = try await onThread { client.wait() }
        try input.fileHandleForWriting.close()
        #expect(try await program.end() == 0)
    }

    @Test("what keeps a server from its end is named, and no secret of a path is")
    func underWay() async {
        let underWay = RequestsUnderWay()
        for path in ["/share/k7Q2secret", "/", "/drive"] { underWay.begin(path) }
        underWay.end("/drive")
        #expect(underWay.places == ["/share", "/"])
        for path in ["/", "/share/k7Q2secret"] { underWay.end(path) }
        await underWay.none()
        #expect(underWay.places.isEmpty)
    }

    /// Whether the last frame is GOAWAY with ENHANCE_YOUR_CALM (RFC 9113, 6.8 and 7).
    private static func isToldToCalm(_ heard: Data) -> Bool {
        // A GOAWAY frame on stream 0, with the last stream and the error code.
        guard let goodbye = heard.range(of: Data([7, 0, 0, 0, 0, 0])) else { return false }
        return heard[goodbye.upperBound...].dropFirst(4).prefix(4).elementsEqual([0, 0, 0, 11])
    }

    /// Sends bytes over an encrypted connection and keeps it open.
    ///
    /// - Returns: what sends more, and the program that records what comes back.
    private static func say(
        _ bytes: [UInt8],
        to port: Int,
        writing heard: String
    ) async throws -> (Pipe, ChildProcess) {
        try await onThread {
            let input = Pipe()
            let client = try ChildProcess(
                "/usr/bin/env",
                [
                    "openssl", "s_client", "-quiet", "-alpn", "h2", "-connect",
                    "127.0.0.1:\(port)",
                ],
                input: input.fileHandleForReading.fileDescriptor,
                output: heard
            )
            input.fileHandleForWriting.write(Data(bytes))
            return (input, client)
        }
    }
}

extension Array where Element: Sendable {
    /// The same elements as an asynchronous sequence.
    fileprivate var async: AsyncStream<Element> {
        AsyncStream { continuation in
            for element in self { continuation.yield(element) }
            continuation.finish()
        }
    }
}
