import NIOCore

/// The server's side of an HTTP/2 connection, as a value without input or output.
///
/// Each event is a method, which changes the state and returns the actions to take, in order.
/// ``HTTP2Connection`` takes them.
struct HTTP2ConnectionMachine {
    /// An action to take.
    enum Action: Equatable {
        /// Answer the request of a stream.
        case answer(Int32)
        /// Allow the client to send this many more bytes on a stream.
        case allow(Int, on: Int32)
        /// Allow the client to send this many more bytes on all streams together.
        case allowOnConnection(Int)
        /// Tell the reader of a body that it has ended.
        case endBody(Int32)
        /// Tell the reader of a body that the rest was not received in time.
        case failBody(Int32)
        /// Tell the writer of a response that the client has received what was written.
        case tellGone(Int32)
        /// Decline the rest of a request that was answered already, without an error.
        case decline(Int32)
        /// End a stream whose client takes too long.
        case cancel(Int32)
        /// Release the resources of a stream that has ended.
        case release(Int32)
        /// Announce that no request will soon be accepted any more, and ask for a confirmation.
        case announceEnd
        /// Accept no further requests.
        case refuseMore
        /// End the connection, because its client floods it.
        case calm
        /// Close the connection unless the client soon receives this last message.
        case closeSoon
    }

    /// Frames that cost the client little and the server something, and are limited in number.
    enum Nuisance {
        /// Pings, settings, priorities and empty frames.
        case idleTalk
        /// Cancelled requests; zooming a map cancels many.
        case cancelling
        /// Violations of the protocol.
        case breaking
    }

    private let limits: ClientLimits
    private var streams: [Int32: HTTP2StreamState] = [:]
    /// The streams of requests that have not been passed on yet, in order.
    private var new: [Int32] = []
    /// The streams of responses that are not completely sent.
    private var writing: Set<Int32> = []
    /// The bytes of bodies received since the client was last allowed to send more.
    private var received = 0
    /// When a connection without a request has been silent for too long.
    private var silence: NIODeadline?
    private var idleTalk = FloodLimit(most: 64, within: .seconds(10))
    private var cancelling = FloodLimit(most: 128, within: .seconds(20))
    private var breaking = FloodLimit(most: 64, within: .seconds(10))
    private var isFlooded = false
    private var isLeaving = false
    private var refusesMore = false

    /// Creates the state of a new connection.
    init(_ limits: ClientLimits, _ now: NIODeadline) {
        self.limits = limits
        silence = now + limits.silence
    }

    /// Whether the connection has nothing left to do.
    var isDone: Bool { refusesMore && streams.isEmpty }

    // MARK: What has come

    /// A request began; `isWhole` if it has no body.
    mutating func requestBegan(_ number: Int32, isWhole: Bool, _ now: NIODeadline) {
        precondition(streams[number] == nil, "a stream of HTTP/2 begins twice")
        streams[number] = HTTP2StreamState(isWhole: isWhole, limits, now)
        new.append(number)
        silence = nil
    }

    /// A part of a body was received; `isWanted` if its reader wants more at once.
    mutating func bodyCame(_ number: Int32, _ count: Int, isWanted: Bool) -> [Action] {
        received += count
        guard streams[number] != nil else { return [] }
        if isWanted { return [.allow(count, on: number)] }
        streams[number]?.held += count
        return []
    }

    /// The reader of a body wants more of it.
    mutating func bodyWanted(_ number: Int32) -> [Action] {
        guard let held = streams[number]?.held, held > 0 else { return [] }
        streams[number]?.held = 0
        return [.allow(held, on: number)]
    }

    /// A request was received whole.
    mutating func requestEnded(_ number: Int32) -> [Action] {
        guard streams[number] != nil else { return [] }
        streams[number]?.requestEnded()
        return [.endBody(number)]
    }

    /// A stream ended, by itself or by a reset.
    mutating func closed(_ number: Int32, _ now: NIODeadline) -> [Action] {
        guard streams.removeValue(forKey: number) != nil else { return [] }
        writing.remove(number)
        if streams.isEmpty { silence = now + limits.silence }
        return [.release(number)]
    }

    /// The client confirmed that the connection is about to end.
    mutating func endHeard() -> [Action] {
        guard isLeaving, !refusesMore else { return [] }
        refusesMore = true
        return [.refuseMore]
    }

    /// A limited event occurred (RFC 9113, 10.5).
    mutating func noted(_ nuisance: Nuisance, _ now: NIODeadline) -> [Action] {
        let isTolerable =
            switch nuisance {
            case .idleTalk: idleTalk.allows(now)
            case .cancelling: cancelling.allows(now)
            case .breaking: breaking.allows(now)
            }
        guard !isTolerable, !isFlooded else { return [] }
        isFlooded = true
        // A client that reads nothing does not receive that message either.
        return [.calm, .closeSoon]
    }

    /// Everything received has been handled.
    ///
    /// A stream that is not read does not keep other streams from receiving.
    mutating func eventsHandled() -> [Action] {
        defer { received = 0 }
        return received > 0 ? [.allowOnConnection(received)] : []
    }

    /// Everything that the client has sent so far was read: the new requests are answered, unless
    /// the client floods the connection.
    mutating func readCompleted() -> [Action] {
        defer { new = [] }
        // A request that the client has cancelled meanwhile needs no response.
        return isFlooded ? [] : new.filter { streams[$0] != nil }.map { .answer($0) }
    }

    // MARK: What goes out

    /// Whether a stream may be written to, since the client has received what was written before.
    func isFree(_ number: Int32) -> Bool { streams[number]?.isFree ?? false }

    /// Some bytes of a response were written; `isEnded` if they were its last.
    mutating func wrote(_ number: Int32, _ count: Int, isEnded: Bool, _ now: NIODeadline) {
        precondition(isFree(number), "an answer is written while its beginning has not gone")
        streams[number]?.wrote(count, isEnded: isEnded, now)
        writing.insert(number)
    }

    /// Everything that the client accepts for now was sent; `isWritable` if it accepts more.
    ///
    /// `hasMore` tells whether a stream's response has unsent bytes.
    mutating func sent(
        isWritable: Bool,
        _ now: NIODeadline,
        hasMore: (Int32) -> Bool
    ) -> [Action] {
        var actions: [Action] = []
        for number in writing.sorted() where !hasMore(number) {
            guard let stream = streams[number] else {
                preconditionFailure("a stream that is over is still being written")
            }
            // The head of a response without a body waits for its turn, and so does the stream's
            // end.
            if stream.isAnswered, !isWritable { continue }
            writing.remove(number)
            streams[number]?.writeCompleted(now)
            actions.append(.tellGone(number))
            // Nobody reads what the client still sends (RFC 9113, 8.1).
            if stream.isAnswered, !stream.isWhole { actions.append(.decline(number)) }
        }
        return actions
    }

    // MARK: Time

    /// The server stops: no further requests are accepted, and the connection ends when the current
    /// ones have been answered.
    mutating func leave() -> [Action] {
        guard !isLeaving else { return [] }
        isLeaving = true
        return [.announceEnd]
    }

    /// The next deadline of the client.
    ///
    /// A connection that is in use has no deadline for silence: it moves with each request, and is
    /// checked when its timer fires.
    var nextDeadline: NIODeadline? {
        var next = isLeaving ? nil : silence
        for (_, stream) in streams {
            if let deadline = stream.nextDeadline { next = min(next ?? deadline, deadline) }
        }
        return next
    }

    /// A deadline may have passed.
    mutating func look(_ now: NIODeadline) -> [Action] {
        var actions: [Action] = []
        for number in streams.keys.sorted() {
            guard let next = streams[number]?.nextDeadline, next <= now else { continue }
            let givesUp = streams[number]?.givesUp(now) == true
            actions.append(givesUp ? .cancel(number) : .failBody(number))
        }
        if let silence, silence <= now { actions += leave() }
        return actions
    }

    /// The actions of ``look(_:)`` were taken.
    ///
    /// A cancelled stream ends with a last message, which a client that reads nothing does not
    /// receive.
    func lastText(after actions: [Action]) -> [Action] {
        let isWaiting = actions.contains { action in
            if case .cancel(let number) = action { streams[number] != nil } else { false }
        }
        return isWaiting ? [.closeSoon] : []
    }
}
