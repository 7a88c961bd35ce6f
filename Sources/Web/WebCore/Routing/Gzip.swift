import CZlib
import Encoding
import HTTPTypes

/// Compression with gzip (RFC 1952).
package enum Gzip {
    /// Compresses bytes with gzip.
    ///
    /// - Parameters:
    ///   - bytes: the data to compress.
    ///   - level: from 1 (fast) to 9 (small); assets are compressed once, pages for each request.
    /// - Returns: nil if compression does not make the data smaller.
    package static func compressed(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        guard bytes.count > smallest, bytes.count < Int32.max else { return nil }
        var stream = unsafe z_stream()
        // Adding 16 to the window size selects the gzip header and trailer.
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
        // The buffer is as large as the input: if the result does not fit, the data is sent
        // uncompressed.
        let compressed = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            count = unsafe bytes.withUnsafeBufferPointer { source in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = buffer.baseAddress
                unsafe stream.avail_out = UInt32(buffer.count)
                guard unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END else { return 0 }
                return unsafe buffer.count - Int(stream.avail_out)
            }
        }
        return compressed.isEmpty ? nil : compressed
    }

    /// The minimum size in bytes: compressing what fits into one packet gains nothing.
    private static let smallest = 1_000
}

extension RequestContext {
    /// Whether the client accepts responses compressed with gzip (RFC 9110, section 12.5.3).
    package var takesGzip: Bool {
        (headers[.acceptEncoding] ?? "").lowercased().split(separator: ",").contains { item in
            let parts = item.split(separator: ";").map { $0.trimmingBlanks() }
            let isNamed = parts.first == "gzip" || parts.first == "*"
            return isNamed && !parts.dropFirst().contains { $0 == "q=0" || $0 == "q=0.0" }
        }
    }
}
