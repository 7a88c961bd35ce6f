import CNGHTTP2

/// The head of a request as libnghttp2 takes it: one block of bytes, and where each field stands.
///
/// A connection has one, which is written anew for each request: what is the same in all of them
/// stays, and so does the memory.
struct RequestHead {
    private struct Field {
        var start: Int
        var nameCount: Int
        var valueCount: Int
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []
    /// How much of both is the same for all requests.
    private var constant = (bytes: 0, fields: 0)

    /// The head of no request yet.
    ///
    /// - Parameter authority: whom the requests are for: host and port.
    init(authority: String) {
        append(":scheme", "https")
        append(":authority", authority)
        constant = (bytes.count, fields.count)
    }

    /// Writes what a request says.
    mutating func write(_ request: Wire.Request) {
        bytes.removeLast(bytes.count - constant.bytes)
        fields.removeLast(fields.count - constant.fields)
        append(":method", request.method.rawValue)
        append(":path", request.path)
        // Android's telephones get links to places as coordinates, by which drivers find their way.
        append("user-agent", "Mozilla/5.0 (Linux; Android 14; K) Viavai-crowd")
        append("accept-language", "en")
        append("cookie", request.cookies)
        for (name, value) in request.further { append(name, value) }
        if !request.body.isEmpty { append("content-length", "\(request.body.utf8.count)") }
    }

    /// Lends the fields to a call that copies what it keeps.
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
