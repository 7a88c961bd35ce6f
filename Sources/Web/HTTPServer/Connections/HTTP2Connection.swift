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
    private var machine: HTTP2ConnectionMachine
    private var session: HTTP2Session?
    private var context: ChannelHandlerContext?
    private var streams: [Int32: HTTP2Stream] = [:]
    /// Whether whatever is to be written is written a moment later anyway.
    private var isBusy = false
    /// Whether there is something to say because of what has just been written.
    private var hasSaid = false
    private var timer: (fires: NIODeadline, scheduled: Scheduled<Void>)?

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
        machine = HTTP2ConnectionMachine(limits, .now())
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        session = HTTP2Session()
        machine = HTTP2ConnectionMachine(limits, .now())
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
        perform(machine.readCompleted())
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
    }

    /// Takes no further requests, and closes when those that there are have been answered.
    private func leave() {
        perform(machine.leave())
        write()
    }

    // MARK: What has come

    private func heed() {
        guard let session else { return }
        for news in session.takeNews() { perform(heed(news, .now())) }
        perform(machine.heeded())
    }

    private func heed(
        _ news: HTTP2Session.News,
        _ now: NIODeadline
    ) -> [HTTP2ConnectionMachine.Action] {
        switch news {
        case .request(let number, let request, let isWhole):
            streams[number] = HTTP2Stream(request, isWhole: isWhole)
            machine.requestBegan(number, isWhole: isWhole, now)
            openStreams?.streamBegan()
            return []
        case .body(let number, let part):
            let isWanted = streams[number]?.take(part) ?? false
            return machine.bodyCame(number, part.readableBytes, isWanted: isWanted)
        case .end(let number): return machine.requestEnded(number)
        case .closed(let number): return machine.closed(number, now)
        case .pong: return machine.endHeard()
        case .cancelled: return machine.suffered(.cancelling, now)
        case .idleTalk: return machine.suffered(.idleTalk, now)
        case .broken: return machine.suffered(.breaking, now)
        }
    }

    private func perform(_ actions: [HTTP2ConnectionMachine.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: HTTP2ConnectionMachine.Action) {
        switch action {
        case .answer(let number): begin(number)
        case .allow(let count, let number): session?.allowStream(number, count)
        case .allowOnConnection(let count): session?.allowConnection(count)
        case .endBody(let number): streams[number]?.requestEnded()
        case .failBody(let number): streams[number]?.requestFailed()
        case .tellGone(let number): streams[number]?.haveGone()
        case .decline(let number):
            session?.reset(number, NGHTTP2_NO_ERROR)
            hasSaid = true
        case .cancel(let number): session?.reset(number, NGHTTP2_CANCEL)
        case .release(let number):
            streams.removeValue(forKey: number)?.end()
            openStreams?.streamEnded()
        case .announceEnd: session?.announceEnd()
        case .refuseMore:
            session?.refuseMore()
            hasSaid = true
        case .calm:
            session?.end(NGHTTP2_ENHANCE_YOUR_CALM)
            hasSaid = true
        case .closeSoon: openStreams?.leave(within: limits.goodbye)
        }
    }

    private func begin(_ number: Int32) {
        guard let context, let stream = streams[number], let request = stream.request.take() else {
            return
        }
        let own = NIOLoopBound(self, eventLoop: context.eventLoop)
        let body = stream.body(wanting: { own.value.readOn(number) }, on: context.eventLoop)
        respond(to: Request(head: request, body: body), on: number, own, context.channel)
    }

    /// Somebody wants more of a body.
    private func readOn(_ number: Int32) {
        streams[number]?.readOn()
        perform(machine.bodyWanted(number))
        write()
    }

    // MARK: What goes out

    /// Sends the head of an answer, and what there is of its body.
    func answer(_ number: Int32, _ head: HTTPResponse, _ parts: [ByteBuffer], isEnded: Bool) {
        guard let session, streams[number] != nil else { return }
        let count = session.answer(number, head, parts, isEnded: isEnded)
        machine.wrote(number, count, isEnded: isEnded, .now())
        write()
    }

    /// Sends more of an answer; the promise is kept when it has gone.
    func send(
        _ number: Int32,
        _ part: ByteBuffer?,
        isEnded: Bool,
        _ promise: EventLoopPromise<Void>
    ) {
        guard let session, let stream = streams[number], machine.isFree(number) else {
            return promise.fail(ChannelError.ioOnClosedChannel)
        }
        session.send(number, part, isEnded: isEnded)
        stream.promise = promise
        machine.wrote(number, part?.readableBytes ?? 0, isEnded: isEnded, .now())
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
            let isWritable = context.channel.isWritable
            perform(machine.sent(isWritable: isWritable, .now()) { session.hasMore($0) })
        } while hasSaid
        setTimer(context)
        if machine.isDone || session.isOver { context.close(promise: nil) }
    }

    // MARK: Time

    /// Has somebody look when the next deadline passes.
    ///
    /// A timer that is set stays where its deadline has moved away: it looks and is set again.
    private func setTimer(_ context: ChannelHandlerContext) {
        guard let next = machine.nextDeadline, timer.map({ next < $0.fires }) ?? true else {
            return
        }
        timer?.scheduled.cancel()
        let scheduled = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) {
            self.timer = nil
            self.look(.now())
        }
        timer = (next, scheduled)
    }

    private func look(_ now: NIODeadline) {
        let actions = machine.look(now)
        perform(actions)
        write()
        perform(machine.lastText(after: actions))
    }
}
