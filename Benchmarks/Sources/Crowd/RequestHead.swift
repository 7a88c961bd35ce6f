import CNGHTTP2

/// The head of a request in the form that libnghttp2 takes: one block of bytes, and the position
/// of each field in it.
///
/// A connection has one, which is rewritten for each request: the fields that all requests share
/// stay, and so does the memory.
struct RequestHead {
    private struct Field {
        var start: Int
        var nameCount: Int
        var valueCount: Int
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []
    /// The size of the part that all requests share.
    private var constant = (bytes: 0, fields: 0)

    /// Creates a head with the shared fields.
    ///
    /// - Parameter authority: the host and port that requests are sent to.
    init(authority: String) {
        append(":scheme", "https")
        append(":authority", authority)
        constant = (bytes.count, fields.count)
    }

    /// Writes the fields of a request.
    mutating func write(_ request: Wire.Request) {
        bytes.removeLast(bytes.count - constant.bytes)
        fields.removeLast(fields.count - constant.fields)
        append(":method", request.method.rawValue)
        append(":path", request.path)
        // Android phones get links to places as coordinates, from which the simulated drivers read
        // their destination.
        append("user-agent", "Mozilla/5.0 (Linux; Android 14; K) Viavai-crowd")
        append("accept-language", "en")
        append("cookie", request.cookies)
        for (name, value) in request.further { append(name, value) }
        if !request.body.isEmpty { append("content-length", "\(request.body.utf8.count)") }
    }

    /// Passes the fields to a call that copies what it keeps.
    mutating func withFields<Result>(
        _ body: (UnsafeMutableBufferPointer<nghttp2_nv>) -> Result
    ) -> Result {
        bytes.withUnsafeMutableBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.count) { all in
                for (index, field) in fields.enumerated() {
                    let name = bytes.baseAddress?.advanced(by: field.start)
                    let value = name?.advanced(by: field.nameCount)
                    all.initializeElement(
                        at: index,
                        to: nghttp2_nv(
                            name: name,
                            value: value,
                            namelen: field.nameCount,
                            valuelen: field.valueCount,
                            flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)
                        )
                    )
                }
                return body(all)
            }
        }
    }

    private mutating func append(_ name: String, _ value: String) {
        fields.append(
            Field(start: bytes.count, nameCount: name.utf8.count, valueCount: value.utf8.count)
        )
        bytes += name.utf8
        bytes += value.utf8
    }
}
