import Foundation
import Storage
import StorageTestSupport
import TestSupport
import Testing
import WebTestSupport

@testable import WebCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Issue 4: graceful shutdown that drains requests, tested on the program itself.
@Suite("Shutting the server down", .serialized)
struct ShutdownTests {
    @Test("a request that is being answered is answered before the server ends")
    func drains() async throws {
        try await withTemporaryFolder { folder in
            let program = try await ServedProgram(in: folder, ["LOG_LEVEL": "debug"])
            var cookie = ""
            var token = ""
            try await program.withVisitor { visitor in
                let page = try await visitor.get("/login").text
                let match = try #require(page.firstMatch(of: /name="token" value="([^"]*)"/))
                token = String(match.1)
                cookie = visitor.cookie("session") ?? ""
            }
            let body = "name=anna&password=x&token=\(token)"
            let head = """
                GET /health/live HTTP/1.1\r
                Host: here\r
                \r
                POST /login HTTP/1.1\r
                Host: here\r
                Cookie: session=\(cookie)\r
                Content-Type: application/x-www-form-urlencoded\r
                Content-Length: \(body.utf8.count)\r
                \r

                """
            let line = try Line(to: program.port)
            // The answer to the first request shows that the server has also read the beginning of
            // the second: both arrived at once.
            _ = try await onThread { try line.say(head + body.prefix(7), until: "alive") }
            program.signal(SIGTERM)
            try await program.said(/(Graceful shutdown caught)/)
            let rest = String(body.dropFirst(7))
            let answer = try await onThread { try line.say(rest, until: "</html>") }
            #expect(answer.contains("HTTP/1.1 422"))
            #expect(try await program.ended() == 0)
        }
    }

    @Test("R129: log-in attempts of the last moment are written down before the server ends")
    func attempts() async throws {
        try await withTemporaryFolder { folder in
            let program = try await ServedProgram(in: folder)
            try await program.withVisitor { visitor in
                for status in [422, 429] {
                    let form = ["name": "anna", "password": "x"]
                    let answer = try await visitor.submit(form, on: "/login")
                    #expect(answer.status == status)
                }
            }
            #expect(try await program.end() == 0)
            let database = try await Database.open("sqlite:\(folder)/city.sqlite")
            defer { database.close() }
            let outcomes = try await database.read { transaction in
                try transaction.rows("SELECT outcome FROM attempt ORDER BY outcome").map {
                    try $0.value("outcome", as: String.self)
                }
            }
            #expect(outcomes == ["early", "wrong"])
        }
    }

    @Test("no secret is ever in the log, however much it tells")
    func secrets() async throws {
        try await withTemporaryFolder { folder in
            let program = try await ServedProgram(
                in: folder,
                [
                    "LOG_LEVEL": "trace", "MAIL_SERVER": "smtp://127.0.0.1:9",
                    "MAIL_FROM": "taxi@example.org", "MAIL_USER": "taxi",
                    "MAIL_PASSWORD": "hunter2secret",
                ]
            )
            #expect(try await program.end() == 0)
            #expect(program.text.contains("level=debug"))
            #expect(!program.text.contains("hunter2secret"))
        }
    }

    @Test("idle connections and all services end at once", arguments: [SIGTERM, SIGINT])
    func idle(signal: Int32) async throws {
        try await withTemporaryFolder { folder in
            let program = try await ServedProgram(in: folder)
            let line = try Line(to: program.port)
            let request = "GET /health/live HTTP/1.1\r\nHost: here\r\n\r\n"
            _ = try await onThread { try line.say(request, until: "alive") }
            program.signal(signal)
            #expect(try await program.ended() == 0)
        }
    }
}

/// A connection to a server over which a test sends exactly the bytes it wants.
private final class Line: Sendable {
    enum Failure: Error {
        case notConnected
        case ended(String)
    }

    private let socket: Int32

    init(to port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // If nothing arrives, the test fails instead of waiting for ever.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                connect(socket, plain, length) == 0
            }
        }
        guard isConnected else { throw Failure.notConnected }
    }

    deinit {
        close(socket)
    }

    /// Sends a text and reads until a given text has arrived.
    @discardableResult
    func say(_ text: String, until end: String) throws -> String {
        let bytes = Array(text.utf8)
        guard write(socket, bytes, bytes.count) == bytes.count else { throw Failure.notConnected }
        var heard: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let text = String(decoding: heard, as: UTF8.self)
            if text.contains(end) { return text }
            let count = read(socket, &buffer, buffer.count)
            guard count > 0 else { throw Failure.ended(text) }
            heard += buffer.prefix(count)
        }
    }
}
