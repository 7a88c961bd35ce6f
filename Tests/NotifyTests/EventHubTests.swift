import Chronology
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Notify

/// ui.md 1, "Server-Sent Events": one multiplexed stream for each browser.
@Suite("Event streams")
struct EventHubTests {
    private static let now = Examples.now
    private static let ride = Topic("ride/1")
    private static let zone = Topic("zone/3")

    private static func hub(_ change: (inout EventHub.Limits) -> Void = { _ in }) -> EventHub {
        var limits = EventHub.Limits()
        change(&limits)
        return EventHub(run: "r1", limits: limits)
    }

    private static func event(_ data: String) throws -> Event {
        try #require(Event("changed", data: data))
    }

    private static func client(
        _ network: String,
        _ standing: EventHub.Standing
    ) -> EventHub.Client {
        EventHub.Client(network: network, standing: standing)
    }

    /// Returns all text of a stream that has ended, without the final notice.
    private static func texts(_ stream: AsyncStream<[UInt8]>?) async throws -> [String] {
        var texts: [String] = []
        for await bytes in try #require(stream) {
            texts.append(String(decoding: bytes, as: UTF8.self))
        }
        return texts.filter { $0 != "event: end\ndata:\n\n" }
    }

    @Test("a browser gets what it may see, in order, once")
    func topics() async throws {
        let hub = Self.hub()
        let one = hub.stream(for: "a", topics: [Self.ride], after: nil, at: Self.now)
        let both = hub.stream(for: "b", topics: [Self.ride, Self.zone], after: nil, at: Self.now)
        hub.publish(try Self.event("1"), on: Self.ride, at: Self.now)
        hub.publish(try Self.event("2"), on: Self.zone, at: Self.now)
        hub.publish(try Self.event("3"), on: Topic("other"), at: Self.now)
        hub.end(of: "a")
        hub.end(of: "b")
        let hello = "retry: 3000\nid: r1-0\nevent: hello\ndata:\n\n"
        #expect(try await Self.texts(one) == [hello, "id: r1-1\nevent: changed\ndata: 1\n\n"])
        #expect(
            try await Self.texts(both) == [
                hello, "id: r1-1\nevent: changed\ndata: 1\n\n",
                "id: r1-2\nevent: changed\ndata: 2\n\n",
            ]
        )
        #expect(hub.count == 0)
    }

    @Test("one that comes back gets what it missed and may see")
    func replay() async throws {
        let hub = Self.hub()
        for number in 1...6 {
            let topic = number % 2 == 0 ? Self.zone : Self.ride
            hub.publish(try Self.event("\(number)"), on: topic, at: Self.now)
        }
        let stream = hub.stream(for: "a", topics: [Self.zone], after: "r1-2", at: Self.now)
        hub.publish(try Self.event("8"), on: Self.zone, at: Self.now)
        hub.end(of: "a")
        let texts = try await Self.texts(stream)
        #expect(texts.count == 2)
        #expect(
            texts[0].components(separatedBy: "data: ").dropFirst().map { $0.first } == ["4", "6"]
        )
        #expect(texts[1].contains("data: 8"))
    }

    @Test("issue 5: a line that breaks in what was missed loses none of it", arguments: 0...4)
    func cut(whole: Int) async throws {
        let hub = Self.hub()
        for number in 1...6 {
            let topic = number % 2 == 0 ? Self.zone : Self.ride
            hub.publish(try Self.event("\(number)"), on: topic, at: Self.now)
        }
        func heard(after last: String) async throws -> [Substring] {
            let stream = hub.stream(for: "a", topics: [Self.zone], after: last, at: Self.now)
            hub.end(of: "a")
            let text = try await Self.texts(stream).joined()
            // Everything up to an empty line belongs to one event.
            return text.split(separator: "\n\n")
        }
        // The complete events were received; the browser remembers the id of the last one.
        let before = try await heard(after: "r1-1").prefix(whole)
        let ids = before.compactMap { $0.firstMatch(of: /id: (.+)/)?.1 }
        let after = try await heard(after: ids.last.map { String($0) } ?? "r1-1")
        let told = (before + after).compactMap { $0.firstMatch(of: /data: (\d)/)?.1 }
        #expect(told == ["2", "4", "6"])
    }

    @Test(
        "one that was away too long is told to load anew",
        arguments: ["r1-1", "r1-99", "r0-12", "r1--1", "r1-", "", "r1-99999999999999999999", "é"]
    )
    func reset(last: String) async throws {
        let hub = Self.hub { $0.history = 8 }
        for number in 1...20 {
            hub.publish(try Self.event("\(number)"), on: Self.ride, at: Self.now)
        }
        let stream = hub.stream(for: "a", topics: [Self.ride], after: last, at: Self.now)
        hub.end(of: "a")
        #expect(try await Self.texts(stream) == ["id: r1-20\nevent: reset\ndata:\n\n"])
    }

    @Test("the history is bounded by its bytes too, and has no gaps")
    func bytes() async throws {
        let hub = Self.hub { $0.historyBytes = 1_000 }
        let text = String(repeating: "x", count: 100)
        for _ in 1...50 { hub.publish(try Self.event(text), on: Self.ride, at: Self.now) }
        for last in 0...50 {
            let stream = hub.stream(
                for: "a",
                topics: [Self.ride],
                after: "r1-\(last)",
                at: Self.now
            )
            hub.end(of: "a")
            let first = try await Self.texts(stream)[0]
            let missed = first.components(separatedBy: "event: changed").count - 1
            #expect(first.contains("event: reset") || missed == 50 - last)
            #expect(last < 45 || missed == 50 - last)
        }
    }

    @Test("a slow browser is cut off and goes on where it was")
    func slow() async throws {
        let hub = Self.hub { $0.buffer = 4 }
        let stream = hub.stream(for: "a", topics: [Self.ride], after: nil, at: Self.now)
        for number in 1...9 {
            hub.publish(try Self.event("\(number)"), on: Self.ride, at: Self.now)
        }
        #expect(hub.count == 0)
        let texts = try await Self.texts(stream)
        #expect(texts.count == 4)
        #expect(texts.last?.contains("id: r1-3\n") == true)
        let again = hub.stream(for: "a", topics: [Self.ride], after: "r1-3", at: Self.now)
        hub.end(of: "a")
        #expect(try await Self.texts(again)[0].contains("data: 9\n\n"))
    }

    @Test("silence is broken after fifteen seconds, and only then")
    func heartbeat() async throws {
        let hub = Self.hub()
        let stream = hub.stream(for: "a", topics: [Self.ride], after: nil, at: Self.now)
        hub.beat(at: Self.now.adding(milliseconds: 14_999))
        hub.beat(at: Self.now.adding(seconds: 15))
        hub.publish(try Self.event("1"), on: Self.ride, at: Self.now.adding(seconds: 20))
        hub.beat(at: Self.now.adding(seconds: 34))
        hub.beat(at: Self.now.adding(seconds: 35))
        hub.end(of: "a")
        let texts = try await Self.texts(stream)
        #expect(texts.map { $0.hasPrefix(":") } == [false, true, false, true])
    }

    @Test("a browser that leaves is forgotten, and there is a limit")
    func limits() async throws {
        let hub = Self.hub { $0.streams = 2 }
        var first = hub.stream(for: "a", topics: [Self.ride], after: nil, at: Self.now)
        let second = hub.stream(for: "b", topics: [Self.ride], after: nil, at: Self.now)
        #expect(second != nil)
        #expect(hub.stream(for: "c", topics: [Self.ride], after: nil, at: Self.now) == nil)
        #expect(first != nil)
        first = nil
        hub.publish(try Self.event("1"), on: Self.ride, at: Self.now)
        #expect(hub.count == 1)
    }

    @Test("issue 29, fault 4: one network takes its share of the streams, by standing")
    func networks() {
        let hub = Self.hub { $0.perNetwork = 8 }
        var kept: [AsyncStream<[UInt8]>] = []
        func open(_ standing: EventHub.Standing, in network: String) -> Int {
            var count = 0
            while let stream = hub.stream(
                for: "\(kept.count)",
                from: Self.client(network, standing),
                topics: [Self.ride],
                after: nil,
                at: Self.now
            ) {
                kept.append(stream)
                count += 1
            }
            return count
        }
        #expect(open(.visitor, in: "a") == 2)
        #expect(open(.guest, in: "a") == 2)
        #expect(open(.person, in: "a") == 4)
        #expect(open(.visitor, in: "b") == 2)
        kept = []
        hub.beat(at: Self.now.adding(seconds: 60))
        #expect(hub.count == 0)
        #expect(open(.person, in: "a") == 8)
    }

    @Test("issue 29, fault 4: invented cookies in many networks leave connections for the others")
    func reserved() {
        let hub = Self.hub { $0.streams = 8 }
        var kept: [AsyncStream<[UInt8]>] = []
        func open(_ standing: EventHub.Standing, _ count: Int) -> Int {
            let before = kept.count
            for number in before..<before + count {
                let stream = hub.stream(
                    for: "\(number)",
                    from: Self.client("network \(number)", standing),
                    topics: [Self.ride],
                    after: nil,
                    at: Self.now
                )
                if let stream { kept.append(stream) }
            }
            return kept.count - before
        }
        #expect(open(.visitor, 20) == 2)
        #expect(open(.guest, 20) == 2)
        #expect(open(.person, 20) == 4)
        #expect(hub.count == 8)
    }

    @Test("a browser with as many streams as it may have replaces the oldest where all is full")
    func replaces() {
        let hub = Self.hub {
            $0.streams = 4
            $0.perOwner = 1
        }
        func open(_ owner: String, _ standing: EventHub.Standing) -> AsyncStream<[UInt8]>? {
            hub.stream(
                for: owner,
                from: Self.client(owner, standing),
                topics: [Self.ride],
                after: nil,
                at: Self.now
            )
        }
        let visitor = open("visitor", .visitor)
        let people = ["a", "b", "c"].map { open($0, .person) }
        #expect(visitor != nil && people.allSatisfy { $0 != nil })
        #expect(open("other", .visitor) == nil)
        #expect(open("visitor", .visitor) != nil)
    }

    /// Guards against the deadlock of decision 0028.
    @Test("leaving at the moment of a notification blocks nobody")
    func leavesMeanwhile() async throws {
        let hub = Self.hub()
        let event = try Self.event("1")
        let isOver = Mutex(false)
        defer { isOver.withLock { $0 = true } }
        // On separate threads, because a deadlocked hub would block those that run tests.
        DispatchQueue.global().async {
            while !isOver.withLock({ $0 }) { hub.publish(event, on: Self.ride, at: Self.now) }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120) {
            precondition(isOver.withLock { $0 }, "who left and who tells wait for each other")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for owner in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        let stream = hub.stream(
                            for: "\(owner)",
                            topics: [Self.ride],
                            after: nil,
                            at: Self.now
                        )
                        let all = try #require(stream)
                        let reader = Task { for await _ in all {} }
                        await Task.yield()
                        reader.cancel()
                        await reader.value
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(hub.count == 0)
    }

    @Test("the oldest stream of an owner gives way, and a hub that closes ends all")
    func gives() async throws {
        let hub = Self.hub { $0.perOwner = 2 }
        func open(_ owner: String) -> AsyncStream<[UInt8]>? {
            hub.stream(for: owner, topics: [Self.ride], after: nil, at: Self.now)
        }
        let all = [open("a"), open("a"), open("b"), open("a")]
        #expect(hub.count == 3)
        #expect(hub.owners == ["a": [Self.ride], "b": [Self.ride]])
        #expect(try await Self.texts(all[0]).last == "event: replaced\ndata:\n\n")
        hub.publish(try Self.event("1"), on: Self.ride, at: Self.now)
        hub.close()
        for stream in all.dropFirst() {
            #expect(try await Self.texts(stream).last?.contains("data: 1") == true)
        }
        #expect(hub.count == 0)
        #expect(open("a") == nil)
    }

    @Test("who waits for a slow browser is told to stop")
    func hangsUp() async throws {
        let hub = Self.hub { $0.buffer = 2 }
        let (calls, call) = AsyncStream<Void>.makeStream()
        let stream = hub.stream(
            for: "a",
            topics: [Self.ride],
            after: nil,
            at: Self.now,
            whenSlow: { call.finish() }
        )
        for _ in 1...3 { hub.publish(try Self.event("1"), on: Self.ride, at: Self.now) }
        for await _ in calls {}
        #expect(try await Self.texts(stream).count == 2)
    }

    @Test(
        "data on several lines stays data",
        arguments: ["a\nb", "a\r\nb", "a\rb", "a\n\nevent: x"]
    )
    func lines(data: String) throws {
        let text = String(decoding: try Self.event(data).encoded(id: "r1-1"), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
        #expect(lines.dropLast(2).allSatisfy { $0.hasPrefix("data: ") })
        #expect(text.hasSuffix("\n\n") && !text.dropLast(2).contains("\n\n"))
        #expect(!text.contains("\r"))
        #expect(Event("a\nb", data: "") == nil)
        #expect(Event("", data: "") == nil)
    }

    @Test("ten thousand browsers are cheap")
    func memory() throws {
        let hub = Self.hub()
        let before = Self.residentBytes()
        var streams: [AsyncStream<[UInt8]>] = []
        for number in 0..<10_000 {
            let own = Topic("person/\(number)")
            let stream = hub.stream(
                for: "\(number)",
                topics: [own, Self.zone],
                after: nil,
                at: Self.now
            )
            streams.append(try #require(stream))
        }
        // Sixteen events of a kilobyte wait for each stream; their bytes are shared.
        for _ in 0..<16 {
            let data = String(repeating: "x", count: 1_024)
            hub.publish(try Self.event(data), on: Self.zone, at: Self.now)
        }
        let used = Self.residentBytes() - before
        #expect(hub.count == 10_000)
        #expect(used < 40 << 20, "\(used / 10_000) bytes for each browser")
        withExtendedLifetime(streams) {}
    }

    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4_096
    }
}

extension EventHub {
    /// Opens a stream for a signed-in person, in a network of that person's own.
    fileprivate func stream(
        for owner: String,
        topics: Set<Topic>,
        after lastEvent: String?,
        at now: Moment,
        whenSlow: @escaping @Sendable () -> Void = {}
    ) -> AsyncStream<Bytes>? {
        stream(
            for: owner,
            from: Client(network: owner, standing: .person),
            topics: topics,
            after: lastEvent,
            at: now,
            whenSlow: whenSlow
        )
    }
}
