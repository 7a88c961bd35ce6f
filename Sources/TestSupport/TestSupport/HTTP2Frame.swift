/// An HTTP/2 frame, encoded and decoded by hand (RFC 9113, 3.4 and 4.1; RFC 7541, A).
package struct HTTP2Frame: Equatable, Sendable {
    /// The type: 0 is DATA, 1 HEADERS, 3 RST_STREAM, 7 GOAWAY.
    package var kind: UInt8
    package var flags: UInt8
    package var stream: UInt32
    package var bytes: [UInt8]

    /// Whether the frame ends its stream.
    package var isLast: Bool { kind <= 1 && flags & 1 != 0 }

    /// What a client sends first: the connection preface, and a SETTINGS frame with default values.
    package static let preface =
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + bytes(4, stream: 0, [])

    package static func bytes(
        _ kind: UInt8,
        flags: UInt8 = 0,
        stream: UInt32,
        _ bytes: [UInt8]
    ) -> [UInt8] {
        let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) }
        let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) }
        return length + [kind, flags] + number + bytes
    }

    /// The headers of a request for a page on this machine.
    package static func request(_ path: String) -> [UInt8] {
        let name = Array("127.0.0.1".utf8)
        let bytes = Array(path.utf8)
        let head = path == "/" ? [0x84] : [0x04, UInt8(bytes.count)] + bytes
        return [0x82, 0x87] + head + [0x41, UInt8(name.count)] + name
    }

    /// Decodes the frames in some bytes, up to the last complete one.
    package static func read(_ bytes: [UInt8]) -> [HTTP2Frame] {
        var frames: [HTTP2Frame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 9 + length else { break }
            frames.append(
                HTTP2Frame(
                    kind: head[3],
                    flags: head[4],
                    stream: head[5...].reduce(0) { $0 << 8 | UInt32($1) },
                    bytes: Array(rest.dropFirst(9).prefix(length))
                )
            )
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }
}
