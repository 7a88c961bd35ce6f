import Foundation
import Notify
import StorageTestSupport
import TestClock
import TestSupport
import Testing
import WebTestSupport

@testable import WebApp

#if canImport(Glibc)
import Glibc
#endif

/// Issue 4, "request smuggling cases, oversized and malformed bodies, path traversal, host header".
@Suite("Requests that no browser sends", .serialized)
struct RawRequestTests {
    private static let host = "Host: 127.0.0.1\r\n"
    private static let hidden = "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    /// Requests about whose end two parsers could disagree, each containing a second request.
    private static let smuggled = [
        "POST / HTTP/1.1\r\n\(host)Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            + hidden,
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nContent-Length: 80\r\n\r\n"
            + "0\r\n\r\n"
            + hidden,
        "POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\nContent-Length: 90\r\n\r\nhello" + hidden,
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + hidden,
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + hidden,
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n"
            + "Transfer-Encoding: identity\r\n\r\n"
            + "0\r\n\r\n" + hidden,
        "GET / HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n" + hidden,
        "GET / HTTP/1.1\r\n\(host)Content-Length: 1e3\r\n\r\n" + hidden,
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n"
            + hidden,
        "GET / HTTP/1.1\r\n\(host)X: a\r\n b: folded\r\nContent-Length: 0\0\r\n\r\n" + hidden,
    ]

    @Test("of two requests in the dress of one, the second is never answered (R125)")
    func smuggling() async throws {
        try await withSite { site in
            for request in Self.smuggled {
                let text = try await Self.talk(to: site.port, request, waiting: 1)
                let label: Comment = "\(request.debugDescription): \(text.prefix(300))"
                // One answer and then the end, or the end at once; never the answer to the second
                // request.
                #expect(!text.contains("\r\n\r\nalive"), label)
                #expect(!text.hasSuffix("alive\n"), label)
                #expect(try await site.visitor().get("/health/live").text == "alive\n")
            }
        }
    }

    @Test("what is no request ends the connection with a clear answer, and the next is served")
    func malformed() async throws {
        try await withSite { site in
            let long = String(repeating: "a", count: 40_000)
            let many = (0..<2_000).map { "X-\($0): 1\r\n" }.joined()
            for request in [
                "\r\n\r\n\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                "BREW /pot HTTP/1.1\r\n\(Self.host)\r\n",
                "GET /\(long) HTTP/1.1\r\n\(Self.host)\r\n",
                "GET / HTTP/1.1\r\n\(Self.host)X: \(long)\r\n\r\n",
                "GET / HTTP/1.1\r\n\(Self.host)\(many)\r\n",
                "GET /\0 HTTP/1.1\r\n\(Self.host)\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{FC}",
                "GET http://evil.example/ HTTP/1.1\r\n\(Self.host)\r\n",
                "CONNECT evil.example:443 HTTP/1.1\r\n\(Self.host)\r\n",
                "GET /%c0%ae%c0%ae/%ff HTTP/1.1\r\n\(Self.host)\r\n",
            ] {
                let text = try await Self.talk(to: site.port, request, waiting: 1)
                let label: Comment = "\(request.prefix(60).debugDescription): \(text.prefix(200))"
                #expect(!text.contains("HTTP/1.1 5"), label)
                #expect(try await site.visitor().get("/health/live").text == "alive\n", label)
            }
        }
    }

    @Test(
        "issue 29, fault 12: a request that does not say clearly for which host it is gets 400",
        arguments: [
            "GET /health/live HTTP/1.1\r\n\r\n",
            "GET /health/live HTTP/1.1\r\n\(host)Host: evil.example\r\n\r\n",
            "GET /health/live HTTP/1.1\r\n\(host)\(host)\r\n",
            "GET /health/live HTTP/1.0\r\n\(host)\(host)\r\n",
            "GET /health/live HTTP/1.1\r\nHost: a b\r\n\r\n",
            "GET /health/live HTTP/1.1\r\nHost: evil.example/x\r\n\r\n",
            "GET /health/live HTTP/1.1\r\nHost: me@evil.example\r\n\r\n",
            "POST /login HTTP/1.1\r\nContent-Length: 90\r\n\r\n" + hidden,
        ]
    )
    func hosts(request: String) async throws {
        try await withSite { site in
            let text = try await Self.talk(to: site.port, request, waiting: 1)
            #expect(text.hasPrefix("HTTP/1.1 400"), "\(text.prefix(200))")
            #expect(text.ranges(of: "HTTP/1.1").count == 1, "\(text)")
            #expect(!text.contains("alive"))
        }
    }

    @Test("issue 29, fault 12: what comes before a request without a host is answered")
    func hostsBefore() async throws {
        try await withSite { site in
            let both = Self.hidden + "GET /health/live HTTP/1.1\r\n\r\n"
            let text = try await Self.talk(to: site.port, both, waiting: 1)
            #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("alive\n"))
            #expect(text.contains("HTTP/1.1 400"), "\(text)")
            let old = "GET /health/live HTTP/1.0\r\n\r\n"
            #expect(try await Self.talk(to: site.port, old, waiting: 1).hasSuffix("alive\n"))
            let port = "GET /health/live HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n"
            #expect(try await Self.talk(to: site.port, port, waiting: 1).hasSuffix("alive\n"))
        }
    }

    @Test("no path leads out of the assets")
    func traversal() async throws {
        try await withSite { site in
            for path in [
                "/assets/../../../etc/passwd", "/assets/x/../../../../etc/passwd",
                "/assets/x/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/assets/%2e%2e/%2e%2e/etc/passwd",
                "/assets/x/..%5c..%5cetc%5cpasswd", "/assets/x//etc/passwd", "/../etc/passwd",
                "/assets/x/style.css%00.png", "/assets/leaflet/x/../../../etc/passwd",
                "/tiles/1/1/../../../etc/passwd",
            ] {
                let text = try await Self.talk(
                    to: site.port,
                    "GET \(path) HTTP/1.1\r\n\(Self.host)Connection: close\r\n\r\n"
                )
                #expect(text.hasPrefix("HTTP/1.1 4"), "\(path): \(text.prefix(80))")
                #expect(!text.contains("root:"), "\(path)")
            }
        }
    }

    @Test("the link in a mail leads to the public address, whatever Host was sent (R98)")
    func mailedLink() async throws {
        try await withSite(["public.address": "https://taxi.example.org"], isPosted: true) { site in
            let registered = try await site.visitor().submit(
                [
                    "name": "Ana", "surname": "Bruni", "email": "ana@example.org",
                    "user_name": "anab", "password": "Passw0rdOne",
                    "password_again": "Passw0rdOne", "consent": "2",
                ],
                on: "/register",
                headers: [
                    "host": "evil.example", "x-forwarded-host": "evil.example",
                    "forwarded": "host=evil.example;proto=http",
                ]
            )
            #expect(registered.status == 200 && registered.text.contains("Check your e-mail"))
            #expect(!registered.text.contains("evil.example"))
            let taken = TakenMails()
            // The links in the server's mails begin with the configured address.
            let home = try site.installation.settings.home()
            let worker = try site.worker(from: home, to: taken)
            for _ in 0..<3 { _ = try await worker.round(at: site.clock.now) }
            let letter = try #require(taken.all.first?.letter)
            let link = try #require(letter.action?.link.text)
            #expect(link.hasPrefix("https://taxi.example.org/confirm?token="))
            #expect(!"\(letter)".contains("evil.example"))
        }
    }

    @Test("redirects never follow the Host that somebody sent")
    func hostHeader() async throws {
        try await withSite(["public.address": "https://taxi.example.org"]) { site in
            let text = try await Self.talk(
                to: site.port,
                "GET /account HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
            )
            #expect(text.hasPrefix("HTTP/1.1 303"))
            #expect(!text.contains("evil.example"))
        }
    }

    /// Sends bytes over a connection of its own, and reads until the server closes it or sends
    /// nothing more.
    ///
    /// Runs on a thread of its own, since the server needs the shared ones to answer.
    private static func talk(
        to port: Int,
        _ request: String,
        waiting seconds: Int = 20
    ) async throws -> String {
        try await onThread { try exchange(request, with: port, waiting: seconds) }
    }

    private static func exchange(
        _ request: String,
        with port: Int,
        waiting seconds: Int
    ) throws -> String {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(connection) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var silence = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(
            connection,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &silence,
            socklen_t(MemoryLayout<timeval>.size)
        )
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
        var rest = Array(request.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0x4000) }
            if count <= 0 { break }
            rest = rest.dropFirst(count)
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < 1 << 22 {
            let count = recv(connection, &piece, piece.count, 0)
            if count <= 0 { break }
            bytes += piece[0..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
