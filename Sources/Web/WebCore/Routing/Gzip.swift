import CZlib
import HTTPTypes

/// Compression by gzip (RFC 1952).
package enum Gzip {
    /// Compresses bytes.
    ///
    /// - Parameters:
    ///   - bytes: what is compressed.
    ///   - level: 1 is fast, 9 is small; assets are compressed once, pages each time.
    /// - Returns: nil where it would not become smaller.
    package static func compressed(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        guard bytes.count > smallest, bytes.count < Int32.max else { return nil }
        var stream = unsafe z_stream()
        // 16 more than the window's logarithm asks for gzip's head and tail.
        let window = MAX_WBITS + 16
        let version = unsafe zlibVersion()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard
            unsafe deflateInit2_(
                &stream,
                level,
                Z_DEFLATED,
                window,
                8,
                Z_DEFAULT_STRATEGY,
                version,
                size
            ) == Z_OK
        else { return nil }
        defer { unsafe deflateEnd(&stream) }
        // No room for more than was given: then it is sent as it is.
        let compressed = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
            count = unsafe bytes.withUnsafeBufferPointer { source in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = room.baseAddress
                unsafe stream.avail_out = UInt32(room.count)
                guard unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END else { return 0 }
                return unsafe room.count - Int(stream.avail_out)
            }
        }
        return compressed.isEmpty ? nil : compressed
    }

    /// What fits into one packet gains nothing.
    private static let smallest = 1_000
}

extension Visit {
    /// Whether the client accepts responses that gzip compressed (RFC 9110, 12.5.3).
    package var takesGzip: Bool {
        (headers[.acceptEncoding] ?? "").lowercased().split(separator: ",").contains { item in
            let parts = item.split(separator: ";").map(\.trimmed)
            let isNamed = parts.first == "gzip" || parts.first == "*"
            return isNamed && !parts.dropFirst().contains { $0 == "q=0" || $0 == "q=0.0" }
        }
    }
}
