import CNGHTTP2
import HTTPTypes
import Hummingbird
import NIOCore

/// Serves a connection of HTTP/2: receives the requests of its streams and writes their responses.
///
/// A request that was received whole is answered on the thread of its connection until it has to
/// wait for something: a request that needs only memory, like most position reports, does not pass
/// through other threads (docs/decisions/0027-http2-streams.md).
final class HTTP2Connection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Answers a request; the function that it is given ends the request's stream.
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
    /// Whether a write follows anyway in a moment.
    private var isBusy = false
    /// Whether the last write has caused something else to be written.
    private var hasSaid = false
    private var timer: (fires: NIODeadline, scheduled: Scheduled<Void>)?

    /// Creates a connection.
    ///
    /// - Parameters:
    ///   - limits: the time limits for the client.
    ///   - underWay: counts the requests that are being answered.
    ///   - openStreams: learns of new and ended streams.
    ///   - answer: answers the requests.
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
            // Writes what the library has to say about it first.
            write()
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isBusy = true
        handleEvents()
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

    /// Ends all requests once the client has disconnected.
    private func forget() {
        timer?.scheduled.cancel()
        timer = nil
        session = nil
        context = nil
        for (_, stream) in streams { stream.end() }
        for _ in streams { openStreams?.streamEnded() }
        streams = [:]
    }

    /// Accepts no further requests, and closes when the current ones have been answered.
    private func leave() {
        perform(machine.leave())
        write()
    }

    // MARK: What has come

    private func handleEvents() {
        guard let session else { return }
        for event in session.takeEvents() { perform(handle(event, .now())) }
        perform(machine.eventsHandled())
    }

    private func handle(
        _ event: HTTP2Session.Event,
        _ now: NIODeadline
    ) -> [HTTP2ConnectionMachine.Action] {
        switch event {
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
        case .cancelled: return machine.noted(.cancelling, now)
        case .idleTalk: return machine.noted(.idleTalk, now)
        case .broken: return machine.noted(.breaking, now)
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
        case .tellGone(let number): streams[number]?.writeCompleted()
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

    /// Reads on, since more of a body is wanted.
    private func readOn(_ number: Int32) {
        streams[number]?.readOn()
        perform(machine.bodyWanted(number))
        write()
    }

    // MARK: What goes out

    /// Sends the head of a response, and the available parts of its body.
    func answer(_ number: Int32, _ head: HTTPResponse, _ parts: [ByteBuffer], isEnded: Bool) {
        guard let session, streams[number] != nil else { return }
        let count = session.answer(number, head, parts, isEnded: isEnded)
        machine.wrote(number, count, isEnded: isEnded, .now())
        write()
    }

    /// Sends more of a response; the promise succeeds when the client has received it.
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

    /// Ties a task to its stream, with which it ends.
    func keep(_ task: Task<Void, Never>, with number: Int32) {
        guard let stream = streams[number] else { return task.cancel() }
        stream.task = task
    }

    /// Ends a stream whose request gets no response, or whose response stays incomplete.
    func reset(_ number: Int32) {
        guard streams[number] != nil else { return }
        session?.reset(number, NGHTTP2_CANCEL)
        write()
    }

    /// Writes what there is to write, as fast as the client receives it.
    private func write() {
        guard !isBusy, let context, let session else { return }
        isBusy = true
        defer { isBusy = false }
        repeat {
            hasSaid = false
            // Encrypts each batch before the next is made, since many at once would take much
            // memory.
            while context.channel.isWritable,
                let bytes = session.takeBytes(context.channel.allocator)
            {
                context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
                // That was the last write.
                guard self.context != nil else { return }
            }
            handleEvents()
            let isWritable = context.channel.isWritable
            perform(machine.sent(isWritable: isWritable, .now()) { session.hasMore($0) })
        } while hasSaid
        setTimer(context)
        if machine.isDone || session.isOver { context.close(promise: nil) }
    }

    // MARK: Time

    /// Schedules a check for the next deadline.
    ///
    /// If the deadline moves, the timer stays: it fires, and is set again.
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
