import CNGHTTP2

/// What the result of a call of libnghttp2 means for the connection.
enum HTTP2CallResult: Equatable {
    case done
    /// The call does not fit the state of its stream, which is reset; other streams continue.
    case streamFailed
    /// Memory ran out, or the library lost track of the connection, which is closed.
    case connectionFailed

    /// Classifies a result: a number of bytes, 0, or an error (`nghttp2_error`).
    init(_ result: CInt) {
        guard result < 0 else {
            self = .done
            return
        }
        let ofStreams = [
            NGHTTP2_ERR_INVALID_ARGUMENT, NGHTTP2_ERR_DATA_EXIST, NGHTTP2_ERR_DEFERRED_DATA_EXIST,
            NGHTTP2_ERR_STREAM_CLOSED, NGHTTP2_ERR_STREAM_CLOSING, NGHTTP2_ERR_STREAM_SHUT_WR,
            NGHTTP2_ERR_INVALID_STREAM_ID, NGHTTP2_ERR_INVALID_STREAM_STATE,
        ]
        self =
            ofStreams.contains { $0.rawValue == result } ? .streamFailed : .connectionFailed
    }
}
