import HTTPTypes
import Hummingbird
import NIOCore

/// A request of a connection of HTTP/2, until it is answered and gone.
final class HTTP2Stream {
    /// The head, until the request is passed on.
    var request: HTTPRequest?
    /// What sends the answer where its length is not known; it ends with the stream.
    var task: Task<Void, Never>?
    /// Whether all of the answer was handed over.
    var isAnswered = false
    /// When whoever is at the other end has had its time, and whether it was given up then.
    private var deadlines: ClientDeadlines
    private var isGivenUp = false
    /// Whether all of the request has come.
    private(set) var isWhole: Bool

    /// What came of the body until the request was passed on.
    private var bytes = ByteBuffer()
    /// What comes of it later.
    private var rest: LaterBody.Source?
    /// Whether nobody wants to read on just now, and what has come all the same.
    private var isPaused = false
    private var held = 0
    /// What was written last and has not gone yet.
    private var wrote: Int?
    private var promise: EventLoopPromise<Void>?

    /// A request.
    ///
    /// - Parameters:
    ///   - request: its head.
    ///   - isWhole: whether it has no body.
    ///   - limits: how long the other end may take.
    init(_ request: HTTPRequest, isWhole: Bool, _ limits: ClientLimits) {
        self.request = request
        self.isWhole = isWhole
        let now = NIODeadline.now()
        deadlines = ClientDeadlines(limits, now: now)
        if isWhole { deadlines.requestCame() } else { deadlines.headCame(now) }
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
        if isPaused { held += part.readableBytes }
        return !isPaused
    }

    /// The request has come whole.
    func requestEnded() {
        isWhole = true
        deadlines.requestCame()
        rest?.finish()
    }

    /// When the other end will have taken too long; nil where nothing is waited for.
    var nextDeadline: NIODeadline? { isGivenUp ? nil : deadlines.next }

    /// A deadline has passed.
    ///
    /// - Returns: whether it ends the stream; not where a body has not come in time: whoever reads
    ///   it tells that.
    func givesUp(_ now: NIODeadline) -> Bool {
        guard deadlines.isBodyDue, deadlines.isRequestLate(now) else {
            isGivenUp = true
            return true
        }
        deadlines.bodyFailed(now)
        rest?.finish(ClientTooSlow())
        return false
    }

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
    ///
    /// - Returns: how many bytes may come again.
    func readOn() -> Int {
        isPaused = false
        defer { held = 0 }
        return held
    }

    // MARK: The answer

    /// Whether what was written has gone, so that something may be written.
    var isFree: Bool { wrote == nil }

    /// Something was written.
    func wrote(_ count: Int, _ promise: EventLoopPromise<Void>? = nil) {
        deadlines.wrote(count, .now())
        wrote = count
        self.promise = promise
    }

    /// What was written has gone.
    func haveGone() {
        if let wrote { deadlines.sent(wrote, .now()) }
        wrote = nil
        promise.take()?.succeed()
    }

    /// It is over.
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

/// Is told by whoever reads a body that more is wanted.
private struct BodyReader: NIOAsyncSequenceProducerDelegate {
    let loop: any EventLoop
    let wanting: @Sendable () -> Void

    func produceMore() { loop.execute(wanting) }

    // What comes then is declined after the answer.
    func didTerminate() {}
}
