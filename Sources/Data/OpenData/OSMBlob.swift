import CZlib

/// The compressed container of a block.
enum OSMBlob {
    /// The bytes in a blob, inflated where it is compressed.
    static func inflated(
        _ bytes: [UInt8],
        _ range: Range<Int>
    ) throws(OSMFailure.Problem) -> [UInt8] {
        var raw: Range<Int>?
        var zlib: Range<Int>?
        var size: Int64 = -1
        var refused = OSMFailure.Compression.unknown
        do throws(ProtobufFailure) {
            var reader = ProtobufReader(bytes, range, message: "Blob")
            while let field = try reader.next() {
                switch field {
                case 1: raw = try reader.range()
                case 2: size = try reader.integer()
                case 3: zlib = try reader.range()
                default:
                    refused = compressions[field] ?? refused
                    try reader.skip()
                }
            }
            if zlib != nil, size < 0 { throw reader.failure(.missing) }
        } catch {
            throw .message(error)
        }
        if let raw { return Array(bytes[raw]) }
        guard let zlib else { throw .compression(refused) }
        guard size <= Int64(OSMBlocks.blobLengthLimit) else { throw .blobTooLong(Int(size)) }
        return try inflated(bytes, zlib, size: Int(size))
    }

    /// The zlib stream (RFC 1950) of some bytes.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            unsafe bytes.withUnsafeBufferPointer { source in
                let code = unsafe compress2(
                    buffer.baseAddress,
                    &length,
                    source.baseAddress,
                    uLong(source.count),
                    level
                )
                precondition(code == Z_OK, "compressing into compressBound bytes always fits")
            }
            count = Int(length)
        }
    }

    /// The usual trade of time for size.
    private static let level: Int32 = 6

    private static let compressions: [UInt32: OSMFailure.Compression] = [
        4: .lzma, 5: .bzip2, 6: .lz4, 7: .zstd,
    ]

    /// Inflates into exactly the size that the blob states, so that no stream, however crafted,
    /// takes more memory than that.
    private static func inflated(
        _ bytes: [UInt8],
        _ range: Range<Int>,
        size: Int
    ) throws(OSMFailure.Problem) -> [UInt8] {
        var code = Z_DATA_ERROR
        let inflated = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var length = uLong(size)
            unsafe bytes.withUnsafeBufferPointer { all in
                let source = unsafe UnsafeBufferPointer(rebasing: all[range])
                code = unsafe uncompress(
                    buffer.baseAddress,
                    &length,
                    source.baseAddress,
                    uLong(source.count)
                )
            }
            count = code == Z_OK ? min(Int(length), size) : 0
        }
        guard code == Z_OK, inflated.count == size else { throw .inflate }
        return inflated
    }
}
