import CNGHTTP2
import HTTPTypes
import Hummingbird
import NIOCore

/// Serves a connection of HTTP/2: takes the requests of its streams, and writes their answers.
///
/// A request that came whole is answered on the thread of its connection until something has to be
/// waited for: what needs nothing but memory, like most reports of positions, takes no turn
/// through other threads (docs/decisions/0027-http2-streams.md).
final class HTTP2Connection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Answers a request; what it is given ends the request's stream.
    typealias Answer =
        @Sendable (Request, any Channel, @escaping @Sendable () -> Void) async
        -> Response

    private let limits: ClientLimits
    let underWay: RequestsUnderWay
    let answer: Answer
    private let openStreams: OpenStreams?
    private var session: HTTP2Session?
    private var context: ChannelHandlerContext?
    private var streams: [Int32: HTTP2Stream] = [:]
    /// The streams of requests that have not been passed on yet, in their order.
    private var new: [Int32] = []
    /// Those of whose answers something is still to go.
    private var writing: Set<Int32> = []
    /// Whether whatever is to be written is written a moment later anyway.
    private var isBusy = false
    /// Whether there is something to say because of what has just been written.
    private var hasSaid = false
    /// When a connection without a request has been silent for long enough.
    private var silence: NIODeadline?
    private var timer: (fires: NIODeadline, scheduled: Scheduled<Void>)?
    /// How often the other end may greet and change priorities, which costs it nothing.
    private var idleTalk = FloodLimit(most: 64, within: .seconds(10))
    /// How often it may cancel requests: maps that are zoomed do.
    private var cancelling = FloodLimit(most: 128, within: .seconds(20))
    /// How often it may break rules.
    private var breaking = FloodLimit(most: 64, within: .seconds(10))
    private var isFlooded = false
    private var isLeaving = false
    private var refusesMore = false

    /// A connection.
    ///
    /// - Parameters:
    ///   - limits: how long the other end may take.
    ///   - underWay: counts its requests while they are answered.
    ///   - openStreams: is told of its streams.
    ///   - answer: answers them.
    init(
        _ limits: ClientLimits,
        _ underWay: RequestsUnderWay,
        _ openStreams: OpenStreams?,
        _ answer: @escaping Answer
    ) {
        self.limits = limits
        self.underWay = underWay
        self.openStreams = openStreams
        self.answer = answer
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        session = HTTP2Session()
        silence = .now() + limits.silence
        write()
    }

    func handlerRemoved(context: ChannelHandlerContext) { forget() }

    func channelInactive(context: ChannelHandlerContext) {
        forget()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            try session?.receive(unwrapInboundIn(data))
        } catch {
            // What is said of it goes first.
            write()
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isBusy = true
        heed()
        for number in new { begin(number) }
        new = []
        isBusy = false
        write()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        write()
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { leave() }
        if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Ends what has begun, once the other end is gone.
    private func forget() {
        timer?.scheduled.cancel()
        timer = nil
        session = nil
        context = nil
        for (_, stream) in streams { stream.end() }
        for _ in streams { openStreams?.streamEnded() }
        streams = [:]
        new = []
        writing = []
    }

    /// Takes no further requests, and closes when those that there are have been answered.
    private func leave() {
        guard !isLeaving else { return }
        isLeaving = true
        session?.announceEnd()
        write()
    }

    // MARK: What has come

    private func heed() {
        guard let session else { return }
        var count = 0
        for news in session.takeNews() {
            switch news {
            case .request(let number, let request, let isWhole):
                streams[number] = HTTP2Stream(request, isWhole: isWhole, limits)
                new.append(number)
                silence = nil
                openStreams?.streamBegan()
            case .body(let number, let part):
                count += part.readableBytes
                if streams[number]?.take(part) == true {
                    session.allowStream(number, part.readableBytes)
                }
            case .end(let number): streams[number]?.requestEnded()
            case .closed(let number): close(number)
            case .pong:
                guard isLeaving, !refusesMore else { break }
                refusesMore = true
                hasSaid = true
                session.refuseMore()
            case .cancelled: if !cancelling.allows(.now()) { calm() }
            case .idleTalk: if !idleTalk.allows(.now()) { calm() }
            case .broken: if !breaking.allows(.now()) { calm() }
            }
        }
        if isFlooded { new = [] }
        // What one stream does not read keeps no other from being sent something.
        if count > 0 { session.allowConnection(count) }
    }

    /// Ends a connection that floods, and answers nothing more that it asks (RFC 9113, 10.5).
    private func calm() {
        guard !isFlooded else { return }
        isFlooded = true
        hasSaid = true
        session?.end(NGHTTP2_ENHANCE_YOUR_CALM)
        // Whoever reads nothing does not take that word either.
        openStreams?.leave(within: limits.goodbye)
    }

    private func close(_ number: Int32) {
        guard let stream = streams.removeValue(forKey: number) else { return }
        writing.remove(number)
        stream.end()
        openStreams?.streamEnded()
        if streams.isEmpty { silence = .now() + limits.silence }
    }

    private func begin(_ number: Int32) {
        // Whoever has cancelled it meanwhile wants no answer.
        guard let context, let stream = streams[number], let request = stream.request.take() else {
            return
        }
        let own = NIOLoopBound(self, eventLoop: context.eventLoop)
        let body = stream.body(wanting: { own.value.readOn(number) }, on: context.eventLoop)
        respond(to: Request(head: request, body: body), on: number, own, context.channel)
    }

    /// Somebody wants more of a body.
    private func readOn(_ number: Int32) {
        guard let count = streams[number]?.readOn(), count > 0 else { return }
        session?.allowStream(number, count)
        write()
    }

    // MARK: What goes out

    /// Sends the head of an answer, and what there is of its body.
    func answer(_ number: Int32, _ head: HTTPResponse, _ parts: [ByteBuffer], isEnded: Bool) {
        guard let session, let stream = streams[number] else { return }
        stream.wrote(session.answer(number, head, parts, isEnded: isEnded))
        stream.isAnswered = isEnded
        writing.insert(number)
        write()
    }

    /// Sends more of an answer; the promise is kept when it has gone.
    func send(
        _ number: Int32,
        _ part: ByteBuffer?,
        isEnded: Bool,
        _ promise: EventLoopPromise<Void>
    ) {
        guard let session, let stream = streams[number], stream.isFree else {
            return promise.fail(ChannelError.ioOnClosedChannel)
        }
        session.send(number, part, isEnded: isEnded)
        stream.wrote(part?.readableBytes ?? 0, promise)
        stream.isAnswered = isEnded
        writing.insert(number)
        write()
    }

    /// Has a task end with its stream.
    func keep(_ task: Task<Void, Never>, with number: Int32) {
        guard let stream = streams[number] else { return task.cancel() }
        stream.task = task
    }

    /// Ends a stream whose request will have no answer, or whose answer no end.
    func reset(_ number: Int32) {
        guard streams[number] != nil else { return }
        session?.reset(number, NGHTTP2_CANCEL)
        write()
    }

    /// Writes what there is to be written, as fast as the other end takes it.
    private func write() {
        guard !isBusy, let context, let session else { return }
        isBusy = true
        defer { isBusy = false }
        repeat {
            hasSaid = false
            // Encrypted before the next is made: much at once would take much memory.
            while context.channel.isWritable,
                let bytes = session.takeBytes(context.channel.allocator)
            {
                context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
                // It was the last that could be written.
                guard self.context != nil else { return }
            }
            heed()
            haveGone(session)
        } while hasSaid
        setTimer(context)
        let isDone = refusesMore && streams.isEmpty
        if isDone || session.isOver { context.close(promise: nil) }
    }

    /// Looks which answers have gone.
    private func haveGone(_ session: HTTP2Session) {
        let isWritable = context?.channel.isWritable == true
        for number in writing where !session.hasMore(number) {
            guard let stream = streams[number] else {
                writing.remove(number)
                continue
            }
            // The head of an answer without a body waits for its turn, and so does its end.
            if stream.isAnswered, !isWritable { continue }
            writing.remove(number)
            stream.haveGone()
            // Nobody reads what is still to come: the rest is declined (RFC 9113, 8.1).
            if stream.isAnswered, !stream.isWhole {
                session.reset(number, NGHTTP2_NO_ERROR)
                hasSaid = true
            }
        }
    }

    // MARK: Time

    /// Has somebody look when the next deadline passes.
    ///
    /// A timer that is set stays where its deadline has moved away: it looks and is set again.
    private func setTimer(_ context: ChannelHandlerContext) {
        guard let next = nextDeadline, timer.map({ next < $0.fires }) ?? true else { return }
        timer?.scheduled.cancel()
        let scheduled = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) {
            self.timer = nil
            self.look(.now())
        }
        timer = (next, scheduled)
    }

    /// When somebody will have taken too long.
    ///
    /// A connection that was just used has none of its silence: that moves with each request, and
    /// is looked at when the timer that was set for it fires.
    private var nextDeadline: NIODeadline? {
        var next = isLeaving ? nil : silence
        for (_, stream) in streams {
            if let deadline = stream.nextDeadline { next = min(next ?? deadline, deadline) }
        }
        return next
    }

    private func look(_ now: NIODeadline) {
        var ended: [Int32] = []
        for (number, stream) in streams {
            guard let next = stream.nextDeadline, next <= now, stream.givesUp(now) else { continue }
            session?.reset(number, NGHTTP2_CANCEL)
            ended.append(number)
        }
        if let silence, silence <= now { leave() }
        write()
        // It ends with a last word, which who reads nothing does not take.
        if ended.contains(where: { streams[$0] != nil }) {
            openStreams?.leave(within: limits.goodbye)
        }
    }
}

/// Counts what may happen only so often.
struct FloodLimit {
    private let most: Int
    private let window: TimeAmount
    private var since = NIODeadline.uptimeNanoseconds(0)
    private var count = 0

    /// - Parameters:
    ///   - most: how often in a window.
    ///   - window: how long it lasts from the first time on.
    init(most: Int, within window: TimeAmount) {
        self.most = most
        self.window = window
    }

    /// Counts once more.
    ///
    /// - Returns: whether that was not too often.
    mutating func allows(_ now: NIODeadline) -> Bool {
        if now >= since + window { (since, count) = (now, 0) }
        count += 1
        return count <= most
    }
}
