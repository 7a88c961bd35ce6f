import Foundation
import TestSupport
import WebCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A connection over which a test sends any bytes; if nothing arrives, the test fails.
package final class RawConnection: Sendable {
    package enum Failure: Error {
        case notConnected
        case silent(String)
        case ended(String)
    }

    private let socket: Int32

    /// Connects to the server.
    ///
    /// - Parameters:
    ///   - port: of the server on this machine.
    ///   - window: the size of the receive buffer in bytes; nil for the default.
    /// - Throws: `Failure.notConnected`.
    package init(to port: Int, window: Int32? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var window {
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &window, size)
        }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                connect(socket, plain, length) == 0
            }
        }
        guard isConnected else { throw Failure.notConnected }
    }

    deinit { close(socket) }

    /// Sends bytes.
    ///
    /// - Returns: whether the connection took them; soon after it was closed it no longer does.
    @discardableResult
    package func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Reads up to a number of bytes.
    ///
    /// - Returns: what arrived; empty once the connection is closed.
    /// - Throws: `Failure.silent` where nothing arrived for a long time.
    package func read(atMost most: Int = 65_536) throws -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: most)
        let count = recv(socket, &piece, most, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { throw Failure.silent("") }
        return Array(piece.prefix(max(0, count)))
    }

    /// Reads until one of the texts has arrived or the connection is closed.
    package func rest(until ends: [String] = []) throws -> String {
        var all: [UInt8] = []
        var text = ""
        while !ends.contains(where: { text.contains($0) }) {
            let piece = try read()
            if piece.isEmpty { break }
            all += piece
            if !ends.isEmpty { text = String(decoding: all, as: UTF8.self) }
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// Reads until a text has arrived; throws if the connection is closed first.
    @discardableResult
    package func read(until end: String) throws -> String {
        let text = try rest(until: [end])
        guard text.contains(end) else { throw Failure.ended(text) }
        return text
    }

    /// Reconnects until a slot is free: the server notices a closed connection a little later.
    ///
    /// - Parameters:
    ///   - request: sent each time; a server with a free slot answers it with "alive".
    ///   - port: of the server on this machine.
    /// - Returns: the answer to the last connection.
    /// - Throws: what a connection throws.
    package static func untilServed(_ request: String, at port: Int) throws -> String {
        var text = ""
        let end = ContinuousClock.now + .seconds(20)
        while !text.contains("alive"), ContinuousClock.now < end {
            let next = try RawConnection(to: port)
            next.send(request)
            text = try next.rest(until: ["alive", "Riprova tra 5 s."])
        }
        return text
    }

    /// Sends a byte a hundred times a second until the connection is closed.
    ///
    /// - Parameter byte: the byte to send.
    /// - Returns: what the server answered.
    /// - Throws: `Failure.silent` where it was never closed.
    package func drip(_ byte: String) throws -> String {
        var short = timeval(tv_sec: 0, tv_usec: 10_000)
        setsockopt(
            socket,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &short,
            socklen_t(MemoryLayout<timeval>.size)
        )
        var all: [UInt8] = []
        for _ in 0..<3_000 {
            send(byte)
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &piece, piece.count, 0)
            if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) {
                return String(decoding: all, as: UTF8.self)
            }
            all += piece.prefix(max(0, count))
        }
        throw Failure.silent(String(decoding: all, as: UTF8.self))
    }
}
