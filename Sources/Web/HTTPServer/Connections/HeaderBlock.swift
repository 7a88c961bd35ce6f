import CNGHTTP2

/// The fields of a head in the form of libnghttp2: one block of bytes, and the position of each
/// field.
struct HeaderBlock {
    private struct Field {
        var start: Int
        var nameCount: Int
        var valueCount: Int
        var isKept: Bool
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    /// Creates an empty block with room for the fields of a usual response.
    init() {
        bytes.reserveCapacity(1_024)
        fields.reserveCapacity(16)
    }

    /// Adds a field.
    ///
    /// - Parameters:
    ///   - name: its name in lower case.
    ///   - value: its value.
    ///   - isKept: whether both ends may store it in their tables, so that it is only referenced
    ///     next time.
    mutating func append(_ name: String, _ value: String, isKept: Bool = true) {
        fields.append(
            Field(
                start: bytes.count,
                nameCount: name.utf8.count,
                valueCount: value.utf8.count,
                isKept: isKept
            )
        )
        bytes += name.utf8
        bytes += value.utf8
    }

    /// Lends the fields to a call that copies what it needs.
    mutating func withFields<Result>(
        _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else {
                preconditionFailure("a head of HTTP/2 has at least a status")
            }
            let kept = UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)
            let secret = UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue)
            let all = unsafe fields.map { field in
                let name = unsafe base + field.start
                return unsafe nghttp2_nv(
                    name: name,
                    value: name + field.nameCount,
                    namelen: field.nameCount,
                    valuelen: field.valueCount,
                    flags: field.isKept ? kept : secret
                )
            }
            return unsafe all.withUnsafeBufferPointer { unsafe body($0) }
        }
    }
}
