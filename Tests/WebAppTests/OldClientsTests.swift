import Foundation
import StorageTestSupport
import TestSupport
import Testing
import WebTestSupport

@testable import WebApp

#if canImport(Glibc)
import Glibc
#endif

@Suite("Programs that speak HTTP/1.0", .serialized)
struct OldClientsTests {
    @Test(
        "the connection ends after the answer unless it is to be kept (RFC 9112, 9.3; lynx)",
        arguments: [
            ("1.0", "", true), ("1.0", "Connection: keep-alive\r\n", false), ("1.1", "", false),
            ("1.1", "Connection: close\r\n", true),
        ]
    )
    func ending(version: String, header: String, ends: Bool) async throws {
        try await withSite { site in
            let request = "GET /login HTTP/\(version)\r\nHost: 127.0.0.1\r\n\(header)\r\n"
            let (text, isEnded) = try await onThread {
                try Self.talk(to: site.port, request, waiting: ends ? 20 : 1)
            }
            #expect(text.hasPrefix("HTTP/1.1 200"))
            #expect(text.contains("</html>"))
            #expect(isEnded == ends)
        }
    }

    /// Sends a request, and reads until the server closes the connection or sends nothing more for
    /// the given time.
    private static func talk(
        to port: Int,
        _ request: String,
        waiting seconds: Int
    ) throws -> (text: String, isEnded: Bool) {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(connection) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        func wait(atMost seconds: Int) {
            var silence = timeval(tv_sec: seconds, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &silence, size)
        }
        wait(atMost: 20)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
        let bytes = Array(request.utf8)
        try #require(send(connection, bytes, bytes.count, 0) == bytes.count)
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(connection, &piece, piece.count, 0)
            if count <= 0 { return (String(decoding: answer, as: UTF8.self), count == 0) }
            answer += piece[0..<count]
            if String(decoding: answer, as: UTF8.self).contains("</html>") {
                wait(atMost: seconds)
            }
        }
    }
}
