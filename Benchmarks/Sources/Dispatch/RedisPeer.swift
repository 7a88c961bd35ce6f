import Foundation
import Geo

/// Position updates in Redis, by `GEOADD` in pipelines of a thousand, for comparison.
enum RedisPeer {
    private static let depth = 1_000

    /// How many positions a second it accepts.
    static func rate(_ path: String, _ places: [Coordinate]) throws -> Double {
        let socket = try connect(path)
        defer { close(socket) }
        let pipelines = stride(from: 0, to: places.count, by: depth).map { start in
            (start..<min(start + depth, places.count)).flatMap { command($0, places[$0]) }
        }
        var count = 0
        let taken = try seconds {
            for (number, pipeline) in pipelines.enumerated() {
                try send(pipeline, on: socket)
                let expected = min(depth, places.count - number * depth)
                try receive(expected, on: socket)
                count += expected
            }
        }
        return Double(count) / taken
    }

    private static func command(_ number: Int, _ place: Coordinate) -> [UInt8] {
        let words = [
            "GEOADD", "taxis", "\(place.longitudeDegrees)", "\(place.latitudeDegrees)",
            "taxi:\(number % PositionMeasurement.taxis)",
        ]
        let text = words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
        return Array("*\(words.count)\r\n\(text)".utf8)
    }

    private static func connect(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < 100 else { throw Failure.peer("the socket's path is too long") }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            unsafe buffer.copyBytes(from: bytes)
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                unsafe Glibc.connect(descriptor, plain, length)
            }
        }
        guard code == 0 else { throw Failure.peer("Redis does not answer at \(path)") }
        return descriptor
    }

    private static func send(_ bytes: [UInt8], on socket: Int32) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { all in
                unsafe write(socket, all.baseAddress.map { unsafe $0 + sent }, all.count - sent)
            }
            guard count > 0 else { throw Failure.peer("Redis takes no more") }
            sent += count
        }
    }

    /// Reads that many responses: each is a line, `:0` or `:1`.
    private static func receive(_ count: Int, on socket: Int32) throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var lines = 0
        while lines < count {
            let length = unsafe buffer.withUnsafeMutableBytes { space in
                unsafe read(socket, space.baseAddress, space.count)
            }
            guard length > 0 else { throw Failure.peer("Redis has gone") }
            for byte in buffer[..<length] {
                if byte == UInt8(ascii: "-") { throw Failure.peer("Redis refuses GEOADD") }
                if byte == UInt8(ascii: "\n") { lines += 1 }
            }
        }
    }
}
