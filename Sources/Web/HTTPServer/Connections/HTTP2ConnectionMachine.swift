import NIOCore

/// What a server does in a connection of HTTP/2, as a value without input or output.
///
/// Each thing that happens is a method, which changes the state and returns what is to be done, in
/// this order. ``HTTP2Connection`` carries that out.
struct HTTP2ConnectionMachine {
    /// What is to be done.
    enum Action: Equatable {
        /// Answer the request of a stream.
        case answer(Int32)
        /// Let the client send so many bytes more on a stream.
        case allow(Int, on: Int32)
        /// Let the client send so many bytes more on all streams together.
        case allowOnConnection(Int)
        /// Tell the reader of a body that this was its end.
        case endBody(Int32)
        /// Tell the reader of a body that the rest has not come in time.
        case failBody(Int32)
        /// Tell the writer of an answer that what it wrote has gone.
        case tellGone(Int32)
        /// Decline the rest of a request that was answered already, without blame.
        case decline(Int32)
        /// End a stream whose client takes too long.
        case cancel(Int32)
        /// Release what belongs to a stream that is over.
        case release(Int32)
        /// Announce that soon no request will be taken any more, and ask whether that was heard.
        case announceEnd
        /// Take no further request.
        case refuseMore
        /// End the connection, because its client floods it.
        case calm
        /// Close the connection unless the client takes this last word soon.
        case closeSoon
    }

    /// What costs the other end little and this one something, and may happen only so often.
    enum Nuisance {
        /// Greetings, priorities and frames of no length.
        case idleTalk
        /// Cancelled requests: maps that are zoomed cancel many.
        case cancelling
        /// Violations of the protocol.
        case breaking
    }

    private let limits: ClientLimits
    private var streams: [Int32: HTTP2StreamState] = [:]
    /// The streams of requests that have not been passed on yet, in their order.
    private var new: [Int32] = []
    /// The streams of answers of which something is still to go.
    private var writing: Set<Int32> = []
    /// The bytes of bodies that have come since they were last allowed for.
    private var received = 0
    /// When a connection without a request has been silent for long enough.
    private var silence: NIODeadline?
    private var idleTalk = FloodLimit(most: 64, within: .seconds(10))
    private var cancelling = FloodLimit(most: 128, within: .seconds(20))
    private var breaking = FloodLimit(most: 64, within: .seconds(10))
    private var isFlooded = false
    private var isLeaving = false
    private var refusesMore = false

    /// A connection that has just begun.
    init(_ limits: ClientLimits, _ now: NIODeadline) {
        self.limits = limits
        silence = now + limits.silence
    }

    /// Whether the connection has served its purpose.
    var isDone: Bool { refusesMore && streams.isEmpty }

    // MARK: What has come

    /// A request has begun; `isWhole` if it has no body.
    mutating func requestBegan(_ number: Int32, isWhole: Bool, _ now: NIODeadline) {
        precondition(streams[number] == nil, "a stream of HTTP/2 begins twice")
        streams[number] = HTTP2StreamState(isWhole: isWhole, limits, now)
        new.append(number)
        silence = nil
    }

    /// A part of a body has come; `isWanted` if its reader wants more at once.
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

    /// A request has come whole.
    mutating func requestEnded(_ number: Int32) -> [Action] {
        guard streams[number] != nil else { return [] }
        streams[number]?.requestEnded()
        return [.endBody(number)]
    }

    /// A stream is over.
    mutating func closed(_ number: Int32, _ now: NIODeadline) -> [Action] {
        guard streams.removeValue(forKey: number) != nil else { return [] }
        writing.remove(number)
        if streams.isEmpty { silence = now + limits.silence }
        return [.release(number)]
    }

    /// The client has heard that the connection is about to end.
    mutating func endHeard() -> [Action] {
        guard isLeaving, !refusesMore else { return [] }
        refusesMore = true
        return [.refuseMore]
    }

    /// Something happened that may not happen often (RFC 9113, 10.5).
    mutating func suffered(_ nuisance: Nuisance, _ now: NIODeadline) -> [Action] {
        let isTolerable =
            switch nuisance {
            case .idleTalk: idleTalk.allows(now)
            case .cancelling: cancelling.allows(now)
            case .breaking: breaking.allows(now)
            }
        guard !isTolerable, !isFlooded else { return [] }
        isFlooded = true
        // A client that reads nothing does not take that word either.
        return [.calm, .closeSoon]
    }

    /// All that has come was heeded.
    ///
    /// What one stream does not read keeps no other from being sent something.
    mutating func heeded() -> [Action] {
        defer { received = 0 }
        return received > 0 ? [.allowOnConnection(received)] : []
    }

    /// All that the client has sent for now was read: the new requests are answered, but no further
    /// one of a client that floods.
    mutating func readCompleted() -> [Action] {
        defer { new = [] }
        // A client that has cancelled a request meanwhile wants no answer.
        return isFlooded ? [] : new.filter { streams[$0] != nil }.map { .answer($0) }
    }

    // MARK: What goes out

    /// Whether something may be written on a stream, since what was written before has gone.
    func isFree(_ number: Int32) -> Bool { streams[number]?.isFree ?? false }

    /// So many bytes of an answer were written; `isEnded` if they were its last.
    mutating func wrote(_ number: Int32, _ count: Int, isEnded: Bool, _ now: NIODeadline) {
        precondition(isFree(number), "an answer is written while its beginning has not gone")
        streams[number]?.wrote(count, isEnded: isEnded, now)
        writing.insert(number)
    }

    /// All that the client takes for now has been sent; `isWritable` if it takes more, and
    /// `hasMore` says whether something of a stream's answer is still to be sent.
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
            // The head of an answer without a body waits for its turn, and so does its end.
            if stream.isAnswered, !isWritable { continue }
            writing.remove(number)
            streams[number]?.haveGone(now)
            actions.append(.tellGone(number))
            // Nobody reads what is still to come (RFC 9113, 8.1).
            if stream.isAnswered, !stream.isWhole { actions.append(.decline(number)) }
        }
        return actions
    }

    // MARK: Time

    /// The server stops: no further requests are taken, and the connection ends when those that
    /// there are have been answered.
    mutating func leave() -> [Action] {
        guard !isLeaving else { return [] }
        isLeaving = true
        return [.announceEnd]
    }

    /// When the client will have taken too long.
    ///
    /// A connection that was just used has none of its silence: that moves with each request, and
    /// is looked at when the timer that was set for it fires.
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

    /// The actions of ``look(_:)`` were carried out.
    ///
    /// A stream that was cancelled ends with a last word, which a client that reads nothing does
    /// not take.
    func lastText(after actions: [Action]) -> [Action] {
        let isWaiting = actions.contains { action in
            if case .cancel(let number) = action { streams[number] != nil } else { false }
        }
        return isWaiting ? [.closeSoon] : []
    }
}
