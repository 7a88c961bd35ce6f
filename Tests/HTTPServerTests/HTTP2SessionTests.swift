import CNGHTTP2
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import HTTPServer

/// Issue 29, "Types": results of libnghttp2 are checked, and each is handled.
@Suite("What libnghttp2 answers")
struct HTTP2SessionTests {
    @Test(
        "a result concerns nobody, one stream or the connection",
        arguments: [
            (CInt(0), HTTP2CallResult.done),
            (4_096, .done),
            (NGHTTP2_ERR_INVALID_ARGUMENT.rawValue, .streamFailed),
            (NGHTTP2_ERR_DATA_EXIST.rawValue, .streamFailed),
            (NGHTTP2_ERR_STREAM_CLOSED.rawValue, .streamFailed),
            (NGHTTP2_ERR_NOMEM.rawValue, .connectionFailed),
            (NGHTTP2_ERR_CALLBACK_FAILURE.rawValue, .connectionFailed),
            (NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue, .connectionFailed),
            (NGHTTP2_ERR_FLOODED.rawValue, .connectionFailed),
            (NGHTTP2_ERR_INVALID_STATE.rawValue, .connectionFailed),
            (-1, .connectionFailed),
        ]
    )
    func results(result: CInt, meaning: HTTP2CallResult) {
        #expect(HTTP2CallResult(result) == meaning)
    }

    /// A connection with a request on stream 1.
    private static func asked() throws -> HTTP2Session {
        let session = HTTP2Session()
        let request = HTTP2Frame.bytes(1, flags: 5, stream: 1, HTTP2Frame.request("/"))
        try session.receive(ByteBuffer(bytes: HTTP2Frame.preface + request))
        _ = session.takeEvents()
        return session
    }

    /// The frames that a connection sends on a stream.
    private static func frames(_ session: HTTP2Session, of stream: UInt32) -> [HTTP2Frame] {
        var bytes: [UInt8] = []
        while let part = session.takeBytes(ByteBufferAllocator()) { bytes += Array(buffer: part) }
        return HTTP2Frame.read(bytes).filter { $0.stream == stream }
    }

    @Test("an answer to a request is sent")
    func answered() throws {
        let session = try Self.asked()
        let body = ByteBuffer(string: "alive")
        let count = session.answer(1, HTTPResponse(status: .ok), [body], isEnded: true)
        #expect(count == 5)
        #expect(Self.frames(session, of: 1).map(\.kind) == [1, 0])
        #expect(!session.isOver)
    }

    @Test("an answer to no request at all closes the connection, and not the server")
    func answersNothing() throws {
        let session = try Self.asked()
        // Stream 0 is the connection itself, which can be neither answered nor reset.
        _ = session.answer(0, HTTPResponse(status: .ok), [], isEnded: true)
        #expect(session.isOver)
        #expect(session.takeBytes(ByteBufferAllocator()) == nil)
        #expect(throws: HTTP2Session.Broken.self) {
            try session.receive(ByteBuffer(bytes: HTTP2Frame.bytes(4, stream: 0, [])))
        }
    }

    @Test("bytes that are not HTTP/2 end the connection")
    func noHTTP2() {
        let session = HTTP2Session()
        #expect(throws: HTTP2Session.Broken.self) {
            try session.receive(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\nHost: here\r\n\r\n"))
        }
    }
}
