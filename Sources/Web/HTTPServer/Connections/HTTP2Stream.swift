import HTTPTypes
import Hummingbird
import NIOCore

/// The body of an HTTP/2 request and its reader, and the writer of the response, until both end.
///
/// ``HTTP2ConnectionMachine`` makes the decisions about them.
final class HTTP2Stream {
    /// The head of the request, until it is passed on.
    var request: HTTPRequest?
    /// The task that sends a response of unknown length; it ends with the stream.
    var task: Task<Void, Never>?
    /// Succeeds when the client has received what was written last.
    var promise: EventLoopPromise<Void>?
    /// Whether the whole request was received.
    private var isWhole: Bool

    /// The part of the body that was received before the request was passed on.
    private var bytes = ByteBuffer()
    /// Receives the parts of the body that come later.
    private var rest: LaterBody.Source?
    /// Whether the reader does not want more for now.
    private var isPaused = false

    /// Creates a stream for a request whose head was received; `isWhole` if it has no body.
    init(_ request: HTTPRequest, isWhole: Bool) {
        self.request = request
        self.isWhole = isWhole
    }

    // MARK: The request

    /// Takes a part of the body.
    ///
    /// - Returns: whether as many bytes may follow at once.
    func take(_ part: ByteBuffer) -> Bool {
        guard let rest else {
            bytes.writeImmutableBuffer(part)
            return true
        }
        if rest.yield(part) == .stopProducing { isPaused = true }
        return !isPaused
    }

    /// Ends the body, since the whole request was received.
    func requestEnded() {
        isWhole = true
        rest?.finish()
    }

    /// The rest of the request was not received in time; its reader answers accordingly.
    func requestFailed() { rest?.finish(ClientTooSlow()) }

    /// The body of a request that is passed on, read as fast as somebody consumes it.
    ///
    /// - Parameters:
    ///   - wanting: called on the thread of the connection when more is wanted.
    ///   - loop: the thread of the connection.
    /// - Returns: the body.
    func body(
        wanting: @escaping @Sendable () -> Void,
        on loop: any EventLoop
    ) -> RequestBody {
        defer { bytes = ByteBuffer() }
        if isWhole { return RequestBody(buffer: bytes) }
        let made = LaterBody.makeSequence(
            elementType: ByteBuffer.self,
            failureType: (any Error).self,
            backPressureStrategy: .init(lowWatermark: 2, highWatermark: 4),
            finishOnDeinit: true,
            delegate: BodyReader(loop: loop, wanting: wanting)
        )
        rest = made.source
        if bytes.readableBytes > 0 { isPaused = made.source.yield(bytes) == .stopProducing }
        return RequestBody(asyncSequence: made.sequence)
    }

    /// Resumes reading, since more of the body is wanted.
    func readOn() { isPaused = false }

    // MARK: The answer

    /// Reports that the client has received what was written.
    func writeCompleted() { promise.take()?.succeed() }

    /// Ends the stream: a body that is not complete fails, and so does a write that waits.
    func end() {
        if !isWhole { rest?.finish(ChannelError.inputClosed) }
        rest = nil
        promise.take()?.fail(ChannelError.ioOnClosedChannel)
        // The rest of the response is not needed.
        task?.cancel()
    }
}

/// The parts of a body that are received after its request was passed on.
private typealias LaterBody = NIOThrowingAsyncSequenceProducer<
    ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark,
    BodyReader
>

/// Learns from the reader of a body that more is wanted.
private struct BodyReader: NIOAsyncSequenceProducerDelegate {
    let loop: any EventLoop
    let wanting: @Sendable () -> Void

    func produceMore() { loop.execute(wanting) }

    // Whatever comes after this is declined after the response.
    func didTerminate() {}
}
