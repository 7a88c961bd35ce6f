import CNGHTTP2

/// The fields of a head as libnghttp2 takes them: one block of bytes, and where each field stands.
struct HeaderBlock {
    private struct Field {
        var start: Int
        var nameCount: Int
        var valueCount: Int
        var isKept: Bool
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    /// No fields, with room for those of a usual answer.
    init() {
        bytes.reserveCapacity(1_024)
        fields.reserveCapacity(16)
    }

    /// Adds a field.
    ///
    /// - Parameters:
    ///   - name: its name in small letters.
    ///   - value: its value.
    ///   - isKept: whether both ends may keep it, so that it is only named next time.
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

    /// Lends the fields to a call that copies what it keeps.
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
