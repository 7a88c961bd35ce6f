package import Chronology
import Synchronization

/// Distributes events to all connected browsers (server-sent events), one stream per browser.
///
/// A stream carries all topics that its owner may see. Each event is encoded once, and all
/// recipients share its bytes. The latest events are kept, so that a browser that reconnects
/// receives what it missed; if that is no longer available, it receives `reset` and reloads its
/// state. A browser that reads too slowly is disconnected, reconnects by itself and
/// continues where it was.
///
/// A hub is local to its server: each server publishes what it reads from the database.
package final class EventHub: Sendable {
    /// The capacity of a hub.
    package struct Limits: Sendable {
        /// The number of recent events kept for reconnecting browsers.
        package var history = 4_096
        /// The total size of those events in bytes.
        package var historyBytes = 4 << 20
        /// The number of events that may wait for one browser.
        package var buffer = 64
        /// The silence in milliseconds after which a heartbeat is sent.
        package var silence: Int64 = 15_000
        /// The number of streams that may be open.
        package var streams = 20_000
        /// The number of streams that the clients of one network may have open; hundreds of
        /// telephones share the address of a mobile network.
        package var perNetwork = 1_000
        /// The number of streams per owner; a new one replaces the oldest.
        package var perOwner = 4

        /// Creates the default limits.
        package init() {}
    }

    /// How well the client of a stream is known; less known clients leave room for the others.
    package enum Standing: Int, Sendable {
        /// Anybody; what identifies such a client costs nothing to invent.
        case visitor = 1
        /// Somebody without an account whom a product knows by a contact.
        case guest = 2
        /// Somebody who is signed in.
        case person = 4

        /// How many of a number of streams may be open when such a client opens another: a
        /// quarter, half or all of them.
        func share(of streams: Int) -> Int { streams * rawValue / 4 }
    }

    /// Where a stream comes from.
    package struct Client: Sendable {
        let network: String
        let standing: Standing

        /// Creates the client of a stream in a network, by whose address streams are counted.
        package init(network: String, standing: Standing) {
            self.network = network
            self.standing = standing
        }
    }

    /// The encoded bytes of an event.
    package typealias Bytes = [UInt8]

    private struct Listener {
        let owner: String
        let network: String
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
        /// When each stream was last written to.
        ///
        /// Kept separately, because all streams are searched for silent ones every second.
        var lastSent: [UInt64: Moment] = [:]
        var byTopic: [Topic: Set<UInt64>] = [:]
        var byOwner: [String: Set<UInt64>] = [:]
        /// The number of streams of each network that has any.
        var ofNetwork: [String: Int] = [:]
        var nextListener: UInt64 = 1
        /// The kept events without gaps; the first has the number `firstKept`.
        var past: [Past] = []
        var pastBytes = 0
        var firstKept: Int64 = 1
        var lastEvent: Int64 = 0
        var isClosed = false
    }

    /// The bytes of a heartbeat: a comment and an event.
    ///
    /// Scripts see no comments: the event lets them detect a dead connection that was not closed.
    private static let heartbeat = Array(":\nevent: beat\ndata:\n\n".utf8)
    /// The names of the hub's own events, which no published event may have.
    package static let ownNames: Set<String> = ["hello", "reset", "beat", "end", "replaced"]
    private static let ending = Array("event: end\ndata:\n\n".utf8)
    private static let replaced = Array("event: replaced\ndata:\n\n".utf8)

    private let limits: Limits
    /// Distinguishes the ids of this hub from those of an earlier run.
    private let run: String
    private let state = Mutex(State())
    /// Held while events are handed over, so that all streams receive them in the same order.
    ///
    /// Do not use `state` for this: handing over resumes a task, and a thread that cancels that
    /// task at the same time holds its lock while it waits in ``forget(_:)`` for
    /// `state` (decision 0028).
    private let handing = Mutex(())

    /// Creates a hub without listeners.
    ///
    /// - Parameters:
    ///   - run: identifies this run of the program; digits and letters.
    ///   - limits: the capacity of the hub.
    package init(run: String, limits: Limits = Limits()) {
        self.run = run
        self.limits = limits
    }

    /// The number of open streams.
    package var count: Int { state.withLock { $0.listeners.count } }

    /// The id of the newest event, which a page rendered now already reflects.
    package var newest: String { state.withLock { id($0.lastEvent) } }

    /// Whether any open stream carries a topic.
    package func isFollowed(_ topic: Topic) -> Bool {
        state.withLock { $0.byTopic[topic] != nil }
    }

    /// Opens a stream of events.
    ///
    /// - Parameters:
    ///   - owner: the owner of the stream, for ``end(of:)``.
    ///   - client: where the stream comes from.
    ///   - topics: the topics that the owner may see and the page shows.
    ///   - lastEvent: the browser's `Last-Event-ID`; nil for a page that was just loaded.
    ///   - now: the current time.
    ///   - whenSlow: called when the stream ends because the browser is too slow; stop waiting for
    ///     the browser to read more.
    /// - Returns: chunks to be sent as they come, the first immediately. The stream ends if the
    ///   browser is too slow or its owner opens too many. Nil if too many streams are open for a
    ///   client of its standing, in all or in its network.
    package func stream(
        for owner: String,
        from client: Client,
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
            network: client.network,
            topics: Array(topics),
            stream: continuation,
            whenSlow: whenSlow
        )
        var oldest: Listener?
        let number: UInt64? = handing.withLock { _ in
            let found = state.withLock { state -> (number: UInt64, opening: Bytes)? in
                // A stream that replaces another needs no room.
                let isFull = state.byOwner[owner, default: []].count >= limits.perOwner
                guard !state.isClosed, isFull || hasRoom(for: client, in: state) else {
                    return nil
                }
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

    private func hasRoom(for client: Client, in state: State) -> Bool {
        let standing = client.standing
        return state.listeners.count < standing.share(of: limits.streams)
            && state.ofNetwork[client.network, default: 0] < standing.share(of: limits.perNetwork)
    }

    /// Removes an owner's oldest stream if the owner has reached the limit.
    ///
    /// - Returns: the removed stream.
    private func makeRoom(for owner: String, in state: inout State) -> Listener? {
        guard let own = state.byOwner[owner], own.count >= limits.perOwner, let first = own.min()
        else { return nil }
        guard let oldest = state.listeners[first] else {
            preconditionFailure("An owner has a stream that is not open.")
        }
        Self.forget(first, in: &state)
        return oldest
    }

    /// Registers a new listener.
    ///
    /// - Returns: the number of the stream.
    private static func enter(
        _ listener: Listener,
        at now: Moment,
        in state: inout State
    ) -> UInt64 {
        let number = state.nextListener
        state.nextListener += 1
        let known = state.listeners.updateValue(listener, forKey: number)
        precondition(known == nil, "Two streams have the same number.")
        state.lastSent[number] = now
        for topic in listener.topics { state.byTopic[topic, default: []].insert(number) }
        state.byOwner[listener.owner, default: []].insert(number)
        state.ofNetwork[listener.network, default: 0] += 1
        return number
    }

    /// Sends an event to all streams with its topic and keeps it for reconnecting browsers.
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

    /// Sends a heartbeat to silent streams; call it about every second.
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

    /// Ends all streams of an owner, after a log-out or a change of permissions.
    ///
    /// The page is told, so that it reloads what it may still show.
    package func end(of owner: String) {
        let streams = state.withLock { state in
            (state.byOwner[owner] ?? []).compactMap { state.listeners[$0]?.stream }
        }
        for stream in streams {
            stream.yield(Self.ending)
            stream.finish()
        }
    }

    /// Ends all streams and opens no more, because the server is about to stop.
    package func close() {
        let streams = state.withLock { state in
            // Each closing connection calls this; only the first call has streams to end.
            defer { state.isClosed = true }
            return state.isClosed ? [] : state.listeners.values.map(\.stream)
        }
        for stream in streams { stream.finish() }
    }

    /// All owners with open streams, with the topics of each stream.
    package var owners: [String: Set<Topic>] {
        state.withLock { state in
            state.byOwner.mapValues { numbers in
                Set(numbers.flatMap { state.listeners[$0]?.topics ?? [] })
            }
        }
    }

    /// Returns the first chunk of a stream: the missed events, or a `reset`.
    private func opening(topics: Set<Topic>, after lastEvent: String?, in state: State) -> Bytes {
        // Tells the page the newest id, so that it can reconnect before it has received any event.
        let reset = Array("id: \(id(state.lastEvent))\nevent: reset\ndata:\n\n".utf8)
        let hello = Array("id: \(id(state.lastEvent))\nevent: hello\ndata:\n\n".utf8)
        let retry = Array("retry: 3000\n".utf8)
        guard let lastEvent else { return retry + hello }
        guard let last = number(lastEvent), last <= state.lastEvent, last >= state.firstKept - 1
        else { return reset }
        // The newest id comes last: if the connection breaks before it, a
        // reconnection misses nothing.
        return state.past.dropFirst(Int(last + 1 - state.firstKept))
            .filter { topics.contains($0.topic) }
            .reduce(into: retry) { $0 += $1.bytes } + hello
    }

    private func keep(_ past: Past, in state: inout State) {
        state.past.append(past)
        state.pastBytes += past.bytes.count
        precondition(
            state.firstKept + Int64(state.past.count) == state.lastEvent + 1,
            "The kept events have a gap, so that a browser would miss one."
        )
        guard
            state.past.count > limits.history || state.pastBytes > limits.historyBytes
        else { return }
        // Removes a quarter at once, so that shifting the rest costs little per event.
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
        precondition(state.pastBytes >= 0, "More bytes of events were removed than kept.")
    }

    /// Hands bytes to listeners; call only while holding `handing`.
    ///
    /// - Returns: the listeners whose buffers are full, which have been removed.
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

    private func forget(_ number: UInt64) { state.withLock { Self.forget(number, in: &$0) } }

    private static func forget(_ number: UInt64, in state: inout State) {
        guard let listener = state.listeners.removeValue(forKey: number) else { return }
        state.lastSent[number] = nil
        for topic in listener.topics {
            state.byTopic[topic]?.remove(number)
            if state.byTopic[topic]?.isEmpty == true { state.byTopic[topic] = nil }
        }
        state.byOwner[listener.owner]?.remove(number)
        if state.byOwner[listener.owner]?.isEmpty == true { state.byOwner[listener.owner] = nil }
        let left = state.ofNetwork[listener.network, default: 0] - 1
        precondition(left >= 0, "each stream of a network is counted once")
        state.ofNetwork[listener.network] = left > 0 ? left : nil
        precondition(
            state.listeners.count == state.lastSent.count,
            "A stream is open and gets no heartbeat, or the reverse."
        )
    }

    private func id(_ number: Int64) -> String { "\(run)-\(number)" }

    /// Parses the number in an id of this run; nil for any other id.
    private func number(_ id: String) -> Int64? {
        guard id.hasPrefix(run + "-") else { return nil }
        let digits = id.dropFirst(run.count + 1)
        guard (1...18).contains(digits.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(digits)
    }
}
