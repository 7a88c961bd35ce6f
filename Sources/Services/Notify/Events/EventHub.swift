package import Chronology
import Synchronization

/// Hands events to all browsers that listen (server-sent events), one stream for each browser.
///
/// A stream carries all topics that its owner may see. Each event is encoded once and its bytes
/// are shared by all who get it. The last events are kept, so that a browser that comes back gets
/// what it missed; where that is no longer known it gets `reset` and loads its page's state anew.
/// A browser that takes too slowly is cut off, comes back by itself and goes on where it was.
///
/// It knows nothing of other servers: each has its own hub and publishes what it reads there.
package final class EventHub: Sendable {
    /// How much is kept.
    package struct Limits: Sendable {
        /// How many events are kept for those who come back.
        package var history = 4_096
        /// How many bytes these may have together.
        package var historyBytes = 4 << 20
        /// How many events may wait for one browser.
        package var buffer = 64
        /// After how many milliseconds of silence a heartbeat is sent.
        package var silence: Int64 = 15_000
        /// How many browsers may listen.
        package var streams = 20_000
        /// How many streams one owner may have; a new one takes the place of the oldest.
        package var perOwner = 4

        /// The usual ones.
        package init() {}
    }

    /// The bytes of an event, to be sent as they are.
    package typealias Bytes = [UInt8]

    private struct Listener {
        let owner: String
        let topics: [Topic]
        let stream: AsyncStream<Bytes>.Continuation
        let whenSlow: @Sendable () -> Void

        func cutOff() {
            stream.finish()
            whenSlow()
        }
    }

    private struct Past {
        let topic: Topic
        let bytes: Bytes
    }

    private struct State {
        var listeners: [UInt64: Listener] = [:]
        /// When each was last sent something.
        ///
        /// It stands apart: who is silent is looked for each second, among all.
        var lastSent: [UInt64: Moment] = [:]
        var byTopic: [Topic: Set<UInt64>] = [:]
        var byOwner: [String: Set<UInt64>] = [:]
        var nextListener: UInt64 = 1
        /// The kept events without gaps; the first has the number `firstKept`.
        var past: [Past] = []
        var pastBytes = 0
        var firstKept: Int64 = 1
        var lastEvent: Int64 = 0
        var isClosed = false
    }

    /// A comment keeps the line open; the event lets scripts, which see no comments, notice a line
    /// that is dead though nobody has closed it.
    private static let heartbeat = Array(":\nevent: beat\ndata:\n\n".utf8)
    private static let ending = Array("event: end\ndata:\n\n".utf8)
    private static let replaced = Array("event: replaced\ndata:\n\n".utf8)

    private let limits: Limits
    /// Tells the ids of this hub from those of one that ran before.
    private let run: String
    private let state = Mutex(State())
    /// Held by who hands events over, so that all browsers hear them in one order.
    ///
    /// Never `state`: handing something over wakes a task. Whoever cancels that task just then
    /// holds it, and waits in ``forget(_:)`` for `state` (decision 0028).
    private let handing = Mutex(())

    /// A hub.
    ///
    /// - Parameters:
    ///   - run: tells this run of the program from every other; digits and letters.
    ///   - limits: how much is kept.
    package init(run: String, limits: Limits = Limits()) {
        self.run = run
        self.limits = limits
    }

    /// How many browsers listen.
    package var count: Int { state.withLock { $0.listeners.count } }

    /// The id of the newest event: a page that is made now shows all up to it.
    package var newest: String { state.withLock { id($0.lastEvent) } }

    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - owner: whose it is, for ``end(of:)``.
    ///   - topics: what the owner may see and the page shows.
    ///   - lastEvent: the browser's `Last-Event-ID`; nil for a page that was just loaded.
    ///   - now: the moment it is.
    ///   - whenSlow: is called when the browser is too slow and its stream ends: whoever waits for
    ///     it to take more waits in vain.
    /// - Returns: bytes to be sent as they come, the first of them at once; it ends where the
    ///   browser is too slow, and where its owner opens too many. Nil where too many listen.
    package func stream(
        for owner: String,
        topics: Set<Topic>,
        after lastEvent: String?,
        at now: Moment,
        whenSlow: @escaping @Sendable () -> Void = {}
    ) -> AsyncStream<Bytes>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Bytes.self,
            bufferingPolicy: .bufferingOldest(limits.buffer)
        )
        let listener = Listener(
            owner: owner,
            topics: Array(topics),
            stream: continuation,
            whenSlow: whenSlow
        )
        var oldest: Listener?
        let number: UInt64? = handing.withLock { _ in
            let found = state.withLock { state -> (number: UInt64, opening: Bytes)? in
                guard state.listeners.count < limits.streams, !state.isClosed else { return nil }
                oldest = makeRoom(for: owner, in: &state)
                let opening = opening(topics: topics, after: lastEvent, in: state)
                return (Self.enter(listener, at: now, in: &state), opening)
            }
            guard let found else { return nil }
            continuation.yield(found.opening)
            return found.number
        }
        oldest?.stream.yield(Self.replaced)
        oldest?.stream.finish()
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    /// Forgets an owner's oldest stream where he has as many as he may.
    ///
    /// - Returns: that stream.
    private func makeRoom(for owner: String, in state: inout State) -> Listener? {
        guard let own = state.byOwner[owner], own.count >= limits.perOwner, let first = own.min()
        else { return nil }
        defer { Self.forget(first, in: &state) }
        return state.listeners[first]
    }

    /// Enters somebody who listens from now on.
    ///
    /// - Returns: the number of the stream.
    private static func enter(
        _ listener: Listener,
        at now: Moment,
        in state: inout State
    ) -> UInt64 {
        let number = state.nextListener
        state.nextListener += 1
        state.listeners[number] = listener
        state.lastSent[number] = now
        for topic in listener.topics { state.byTopic[topic, default: []].insert(number) }
        state.byOwner[listener.owner, default: []].insert(number)
        return number
    }

    /// Sends an event to all who may see its topic, and keeps it for those who come back.
    package func publish(_ event: Event, on topic: Topic, at now: Moment) {
        let slow = handing.withLock { _ in
            let (bytes, listeners) = state.withLock { state in
                state.lastEvent += 1
                let bytes = event.encoded(id: id(state.lastEvent))
                keep(Past(topic: topic, bytes: bytes), in: &state)
                let found = (state.byTopic[topic] ?? []).compactMap { number in
                    state.listeners[number].map { (number, $0) }
                }
                return (bytes, found)
            }
            return hand(bytes, to: listeners, at: now)
        }
        for listener in slow { listener.cutOff() }
    }

    /// Sends a heartbeat to all who got nothing for a while; call it every second or so.
    package func beat(at now: Moment) {
        let slow = handing.withLock { _ in
            let silent = state.withLock { state in
                state.lastSent.compactMap { number, sent -> (UInt64, Listener)? in
                    guard now.milliseconds - sent.milliseconds >= limits.silence else { return nil }
                    return state.listeners[number].map { (number, $0) }
                }
            }
            return hand(Self.heartbeat, to: silent, at: now)
        }
        for listener in slow { listener.cutOff() }
    }

    /// Ends all streams of an owner: after a log-out, or when what the owner may see has changed.
    ///
    /// The page is told, so that it looks at once what it may still show.
    package func end(of owner: String) {
        let streams = state.withLock { state in
            (state.byOwner[owner] ?? []).compactMap { state.listeners[$0]?.stream }
        }
        for stream in streams {
            stream.yield(Self.ending)
            stream.finish()
        }
    }

    /// Ends all streams, and opens no more: the server is about to stop.
    package func close() {
        let streams = state.withLock { state in
            // Each connection asks for it: only the first time there is something to end.
            defer { state.isClosed = true }
            return state.isClosed ? [] : state.listeners.values.map(\.stream)
        }
        for stream in streams { stream.finish() }
    }

    /// All owners who listen, with the topics of each of their streams.
    package var owners: [String: Set<Topic>] {
        state.withLock { state in
            state.byOwner.mapValues { numbers in
                Set(numbers.flatMap { state.listeners[$0]?.topics ?? [] })
            }
        }
    }

    /// What a stream begins with: what was missed, or that it is no longer known.
    private func opening(topics: Set<Topic>, after lastEvent: String?, in state: State) -> Bytes {
        // Tells the page the newest id, so that it can come back before any event has reached it.
        let reset = Array("id: \(id(state.lastEvent))\nevent: reset\ndata:\n\n".utf8)
        let hello = Array("id: \(id(state.lastEvent))\nevent: hello\ndata:\n\n".utf8)
        let retry = Array("retry: 3000\n".utf8)
        guard let lastEvent else { return retry + hello }
        guard let last = number(lastEvent), last <= state.lastEvent, last >= state.firstKept - 1
        else { return reset }
        // The newest id comes last: a line that breaks before it misses nothing when it is back.
        return state.past.dropFirst(Int(last + 1 - state.firstKept))
            .filter { topics.contains($0.topic) }
            .reduce(into: retry) { $0 += $1.bytes } + hello
    }

    private func keep(_ past: Past, in state: inout State) {
        state.past.append(past)
        state.pastBytes += past.bytes.count
        guard
            state.past.count > limits.history || state.pastBytes > limits.historyBytes
        else { return }
        // A quarter at once, so that moving the rest costs little for each event.
        let target = (count: limits.history * 3 / 4, bytes: limits.historyBytes * 3 / 4)
        var removed = 0
        while removed < state.past.count,
            state.past.count - removed > target.count || state.pastBytes > target.bytes
        {
            state.pastBytes -= state.past[removed].bytes.count
            removed += 1
        }
        state.past.removeFirst(removed)
        state.firstKept += Int64(removed)
    }

    /// Gives bytes to listeners; for who holds `handing`.
    ///
    /// - Returns: those who have no room left; they are forgotten.
    private func hand(
        _ bytes: Bytes,
        to listeners: [(number: UInt64, listener: Listener)],
        at now: Moment
    ) -> [Listener] {
        var reached: [UInt64] = []
        var lost: [UInt64] = []
        var slow: [Listener] = []
        for (number, listener) in listeners {
            switch listener.stream.yield(bytes) {
            case .enqueued: reached.append(number)
            case .dropped:
                lost.append(number)
                slow.append(listener)
            default: lost.append(number)
            }
        }
        state.withLock { state in
            for number in reached where state.lastSent[number] != nil {
                state.lastSent[number] = now
            }
            for number in lost { Self.forget(number, in: &state) }
        }
        return slow
    }

    private func forget(_ number: UInt64) {
        state.withLock { Self.forget(number, in: &$0) }
    }

    private static func forget(_ number: UInt64, in state: inout State) {
        guard let listener = state.listeners.removeValue(forKey: number) else { return }
        state.lastSent[number] = nil
        for topic in listener.topics {
            state.byTopic[topic]?.remove(number)
            if state.byTopic[topic]?.isEmpty == true { state.byTopic[topic] = nil }
        }
        state.byOwner[listener.owner]?.remove(number)
        if state.byOwner[listener.owner]?.isEmpty == true { state.byOwner[listener.owner] = nil }
    }

    private func id(_ number: Int64) -> String { "\(run)-\(number)" }

    /// The number in an id of this run; nil for any other.
    private func number(_ id: String) -> Int64? {
        guard id.hasPrefix(run + "-") else { return nil }
        let digits = id.dropFirst(run.count + 1)
        guard (1...18).contains(digits.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(digits)
    }
}
