import Foundation
import HTTPTypes
import NIOCore
import StorageTestSupport
import TestSupport
import Testing
import WebTestSupport

@testable import HTTPServer
@testable import WebApp
@testable import WebCore

/// Issue 4, "slow clients (slowhttptest) do not stop the service"; R125.
@Suite("Clients that send or read so slowly that they only hold a connection", .serialized)
struct SlowClientTests {
    private static let host = "Host: 127.0.0.1\r\n"

    private static func hurried(
        _ change: @Sendable (inout ClientLimits) -> Void
    ) -> ClientLimits {
        var limits = ClientLimits()
        change(&limits)
        return limits
    }

    @Test("a head that comes byte by byte is waited for only so long")
    func head() async throws {
        let limits = Self.hurried { $0.head = .seconds(2) }
        try await withSite(prepare: { $0.clientLimits = limits }) { site in
            let text = try await onThread {
                let connection = try RawConnection(to: site.port)
                connection.send("GET / HTTP/1.1\r\n\(Self.host)X-Slow: ")
                return try connection.drip("x")
            }
            #expect(text == "")
            #expect(try await site.visitor().get("/health/live").text == "alive\n")
        }
    }

    @Test("a connection that says nothing at all is waited for only so long")
    func silence() async throws {
        let limits = Self.hurried { $0.head = .seconds(2) }
        try await withSite(prepare: { $0.clientLimits = limits }) { site in
            let text = try await onThread { try RawConnection(to: site.port).rest() }
            #expect(text == "")
        }
    }

    @Test("a body that comes byte by byte is waited for only so long, wanted or not")
    func body() async throws {
        let limits = Self.hurried { $0.body = .milliseconds(300) }
        try await withSite(prepare: { $0.clientLimits = limits }) { site in
            for path in ["/login", "/nowhere"] {
                let text = try await onThread {
                    let connection = try RawConnection(to: site.port)
                    connection.send(
                        "POST \(path) HTTP/1.1\r\n\(Self.host)Content-Length: 100000\r\n\r\n"
                    )
                    return try connection.drip("x")
                }
                let isTold = text.hasPrefix("HTTP/1.1 4")
                #expect(path == "/login" ? text.hasPrefix("HTTP/1.1 408") : isTold || text == "")
                #expect(try await site.visitor().get("/health/live").text == "alive\n")
            }
        }
    }

    @Test("a client refused as too slow holds no slot with what it sends afterwards")
    func late() async throws {
        let limits = Self.hurried {
            $0.body = .milliseconds(300)
            $0.goodbye = .seconds(1)
        }
        try await withSite(["limits.connections": "1"], prepare: { $0.clientLimits = limits }) {
            site in
            try await onThread {
                let slow = try RawConnection(to: site.port)
                slow.send("POST /login HTTP/1.1\r\n\(Self.host)Content-Length: 2\r\n\r\nx")
                try slow.read(until: "HTTP/1.1 408")
                let request = "GET /health/live HTTP/1.1\r\n\(Self.host)\r\n"
                slow.send("x" + request)
                // Its slot is free again, though it keeps the connection open.
                let text = try RawConnection.untilServed(request, at: site.port)
                #expect(text.contains("alive"))
            }
        }
    }

    @Test("a connection that is kept may be silent longer than a head may take")
    func kept() async throws {
        let limits = Self.hurried { $0.head = .seconds(2) }
        try await withSite(prepare: { $0.clientLimits = limits }) { site in
            let request = "GET /health/live HTTP/1.1\r\n\(Self.host)\r\n"
            try await onThread {
                let connection = try RawConnection(to: site.port)
                connection.send(request)
                try connection.read(until: "alive")
                // Each connection checks its own limit.
                let other = try RawConnection(to: site.port)
                #expect(try other.rest() == "")
                connection.send(request)
                try connection.read(until: "alive")
            }
        }
    }

    @Test("a client that reads an answer too slowly does not get the end of it")
    func reading() async throws {
        let size = 64 << 20
        let large = Route.get("/health/large", as: "health.large", for: .anonymous) { _ in
            Response(type: "application/octet-stream", bytes: [UInt8](repeating: 97, count: size))
        }
        let limits = Self.hurried {
            $0.answer = .milliseconds(300)
            $0.answerBytesPerSecond = 1 << 30
        }
        try await withSite(prepare: { $0.clientLimits = limits }) { site in
            try await site.withFurtherRoutes([large]) { base, _ in
                let port = try #require(URL(string: base)?.port)
                let count = try await onThread {
                    let connection = try RawConnection(to: port, window: 262_144)
                    connection.send("GET /health/large HTTP/1.1\r\n\(Self.host)\r\n")
                    var count = 0
                    var step = 0
                    while true {
                        // Three seconds of slow reading, then as fast as possible.
                        if step < 300 { usleep(10_000) }
                        let piece = try connection.read(atMost: step < 300 ? 1_024 : 1 << 20)
                        if piece.isEmpty { return count }
                        count += piece.count
                        step += 1
                    }
                }
                #expect(count < size)
                #expect(count > 0)
            }
        }
    }

    @Test("a large answer is read to its end by a client that reads as fast as it can")
    func readingFast() async throws {
        let size = 16 << 20
        let large = Route.get("/health/large", as: "health.large", for: .anonymous) { _ in
            Response(type: "application/octet-stream", bytes: [UInt8](repeating: 97, count: size))
        }
        try await withSite { site in
            try await site.withFurtherRoutes([large]) { base, client in
                let answer = try await Visitor(base, client: client).get("/health/large")
                #expect(answer.text.utf8.count == size)
            }
        }
    }

    @Test("a client that goes away in the middle of a form is no failure of ours")
    func goneAway() async throws {
        try await withTemporaryFolder { folder in
            let program = try await ServedProgram(in: folder)
            let port = program.port
            for length in ["Content-Length: 1000", "Transfer-Encoding: chunked"] {
                try await onThread {
                    let connection = try RawConnection(to: port)
                    connection.send("POST /login HTTP/1.1\r\n\(Self.host)\(length)\r\n\r\n3\r\nabc")
                }
            }
            try await program.said(/(?s)route=\/login status=4.*(route=\/login status=4)/)
            #expect(!program.text.contains("level=error"))
            #expect(try await program.end() == 0)
        }
    }

    @Test(
        "a connection that never ends its handshake, or never asks for anything, is ended too",
        arguments: ["nothing", "http/1.1", "h2"]
    )
    func encrypted(protocolName: String) async throws {
        try await withTemporaryFolder { folder in
            try await TLSSamples.makeCertificate(named: "first", in: folder)
            let options = [
                "tls.certificate": folder + "/chain.pem", "tls.key": folder + "/key.pem",
            ]
            let limits = Self.hurried { $0.head = .milliseconds(500) }
            try await withSite(options, prepare: { $0.clientLimits = limits }) { site in
                guard protocolName != "nothing" else {
                    let text = try await onThread { try RawConnection(to: site.port).rest() }
                    #expect(text == "")
                    return
                }
                let ended = try await onThread {
                    // Its standard input must stay open, or it exits.
                    let input = Pipe()
                    let client = try ChildProcess(
                        "/usr/bin/env",
                        [
                            "openssl", "s_client", "-quiet", "-alpn", protocolName,
                            "-connect", "127.0.0.1:\(site.port)",
                        ],
                        input: input.fileHandleForReading.fileDescriptor
                    )
                    let code = client.wait(atMost: 30)
                    try input.fileHandleForWriting.close()
                    return code != nil
                }
                #expect(ended)
            }
        }
    }
}

/// The limits themselves, without a connection.
@Suite("How long a client may take")
struct ClientDeadlineTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private let limits = ClientLimits()

    @Test("a head, then a body, then nothing")
    func request() {
        var deadlines = ClientDeadlines(limits, now: start)
        #expect(deadlines.next == start + limits.head)
        deadlines.headCame(start + .seconds(3))
        #expect(deadlines.next == start + .seconds(3) + limits.body)
        deadlines.requestCame()
        #expect(deadlines.next == nil)
    }

    @Test("whose body came too late has a last moment, whatever it sends then")
    func late() {
        var deadlines = ClientDeadlines(limits, now: start)
        deadlines.headCame(start)
        #expect(deadlines.isBodyDue && !deadlines.isRequestLate(start))
        let end = start + limits.body
        #expect(deadlines.isRequestLate(end))
        deadlines.bodyFailed(end)
        deadlines.requestCame()
        deadlines.headCame(end + .seconds(1))
        #expect(!deadlines.isBodyDue && deadlines.next == end + limits.goodbye)
    }

    @Test("an answer has its time and more for its length, and anew for what is left of it")
    func answer() {
        var deadlines = ClientDeadlines(limits, now: start)
        deadlines.requestCame()
        let count = 10 * limits.answerBytesPerSecond
        deadlines.wrote(count, start)
        #expect(deadlines.next == start + limits.answer + .seconds(10))
        deadlines.wrote(count, start + .seconds(1))
        #expect(deadlines.next == start + limits.answer + .seconds(20))
        deadlines.sent(count, start + .seconds(12))
        #expect(deadlines.next == start + .seconds(12) + limits.answer + .seconds(10))
        deadlines.sent(count, start + .seconds(13))
        #expect(deadlines.next == nil)
    }

    @Test("the first of two deadlines counts")
    func both() {
        var deadlines = ClientDeadlines(limits, now: start)
        deadlines.headCame(start)
        deadlines.wrote(0, start)
        #expect(deadlines.next == start + limits.answer)
        deadlines.sent(0, start)
        #expect(deadlines.next == start + limits.body)
    }
}
