import HTTPTypes
import Hummingbird
import NIOCore

/// The body of a request of HTTP/2 and its reader, and what writes the answer, until both are over.
///
/// What is decided about them is in ``HTTP2ConnectionMachine``.
final class HTTP2Stream {
    /// The head, until the request is passed on.
    var request: HTTPRequest?
    /// What sends the answer where its length is not known; it ends with the stream.
    var task: Task<Void, Never>?
    /// Is kept when what was written last has gone.
    var promise: EventLoopPromise<Void>?
    /// Whether all of the request has come.
    private var isWhole: Bool

    /// What came of the body until the request was passed on.
    private var bytes = ByteBuffer()
    /// What comes of it later.
    private var rest: LaterBody.Source?
    /// Whether nobody wants to read on just now.
    private var isPaused = false

    /// A request whose head has come; `isWhole` where it has no body.
    init(_ request: HTTPRequest, isWhole: Bool) {
        self.request = request
        self.isWhole = isWhole
    }

    // MARK: The request

    /// Takes a part of the body.
    ///
    /// - Returns: whether as much may come again at once.
    func take(_ part: ByteBuffer) -> Bool {
        guard let rest else {
            bytes.writeImmutableBuffer(part)
            return true
        }
        if rest.yield(part) == .stopProducing { isPaused = true }
        return !isPaused
    }

    /// The request has come whole.
    func requestEnded() {
        isWhole = true
        rest?.finish()
    }

    /// The rest of the request has not come in time: its reader answers so.
    func requestFailed() { rest?.finish(ClientTooSlow()) }

    /// The body of a request that is passed on, read as fast as somebody takes it.
    ///
    /// - Parameters:
    ///   - wanting: is called on the thread of the connection when more is wanted.
    ///   - loop: that thread.
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

    /// Somebody wants more of the body.
    func readOn() { isPaused = false }

    // MARK: The answer

    /// What was written has gone.
    func haveGone() { promise.take()?.succeed() }

    /// Ends the stream.
    func end() {
        if !isWhole { rest?.finish(ChannelError.inputClosed) }
        rest = nil
        promise.take()?.fail(ChannelError.ioOnClosedChannel)
        // Nobody needs what is left of it.
        task?.cancel()
    }
}

/// The parts of a body that come after its request was passed on.
private typealias LaterBody = NIOThrowingAsyncSequenceProducer<
    ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark,
    BodyReader
>

/// Is told by the reader of a body that more is wanted.
private struct BodyReader: NIOAsyncSequenceProducerDelegate {
    let loop: any EventLoop
    let wanting: @Sendable () -> Void

    func produceMore() { loop.execute(wanting) }

    // What comes then is declined after the answer.
    func didTerminate() {}
}
