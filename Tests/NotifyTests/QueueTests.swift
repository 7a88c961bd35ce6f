import Chronology
import Storage
import StorageTestSupport
import Synchronization
import Testing

@testable import Notify

/// design.md, rule 4: effects are written with their cause and delivered at least once.
@Suite("Queue of messages")
struct QueueTests {
    private struct Undo: Error {}

    @Test("a message is posted with its cause, or not at all", arguments: TestEngine.allCases)
    func transaction(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            await #expect(throws: Undo.self) {
                try await world.database.write { transaction in
                    try transaction.post(World.posting("p1"), at: Examples.now)
                    throw Undo()
                }
            }
            #expect(try await world.queue.entries(of: World.id("p1")).isEmpty)
            let isNew = try await world.post(World.posting("p1"))
            let isNewAgain = try await world.post(World.posting("p1"))
            #expect(isNew && !isNewAgain)
            let large = [UInt8](repeating: 1, count: Posting.sizeLimit + 1)
            let posting = Posting(World.id("p2"), to: "17", kind: ParcelKind.receipt, sealed: large)
            #expect(try await world.post(posting) == false)
            #expect(try await world.queue.counts(at: Examples.now) == [.routing: [.queued: 1]])
        }
    }

    @Test("it is routed, sent, and its payload destroyed", arguments: TestEngine.allCases)
    func sending(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            let posting = World.posting("p1")
            try await world.post(posting)
            let first = try await world.worker.round(at: Examples.now)
            #expect(first.taken == 1 && first.sent == 0 && first.next == Examples.now)
            let second = try await world.worker.round(at: Examples.now)
            #expect(second.sent == 1 && second.next == nil)
            #expect(world.mails.map(\.id) == ["p1"])
            #expect(world.mails.map(\.recipient.text) == ["anna@mail.example"])
            let entries = try await world.queue.entries(of: posting.id)
            #expect(entries.map(\.state) == [.routed, .sent])
            #expect(try await world.sealedBytes() == 0)
            #expect(try await world.worker.round(at: Examples.now).taken == 0)
            #expect(try await world.post(posting) == false, "still known")
        }
    }

    @Test("it is tried with growing pauses, then given up", arguments: TestEngine.allCases)
    func retrying(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            world.outcome = .deferred("451 anna@mail.example is BUSY", pause: nil)
            try await world.post(World.posting("p1"))
            var now = try await world.routed(at: Examples.now)
            var pauses: [Int64] = []
            while true {
                let round = try await world.worker.round(at: now)
                #expect(round.taken == 1)
                guard let next = round.next else { break }
                pauses.append((next.milliseconds - now.milliseconds) / 1_000)
                let early = try await world.worker.round(at: next.adding(milliseconds: -1))
                #expect(early.taken == 0)
                now = next
            }
            #expect(pauses.prefix(4) == [5, 10, 20, 40])
            #expect(pauses.last == 21_600)
            #expect(world.mails.count == Int(Retrying.attemptLimit))
            #expect(Set(world.mails.map(\.id)) == ["p1"])
            let last = try await world.queue.entries(of: World.id("p1")).last
            #expect(last?.state == .givenUp)
            #expect(last?.answer == "451 [recipient] is BUSY")
            #expect(try await world.sealedBytes() == 0)
        }
    }

    @Test(
        "a message is tried again as often as its kind is, and no other kind's number counts (R36)",
        arguments: TestEngine.allCases
    )
    func limited(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            world.retries = [.receipt: 3, .offer: 0]
            world.outcome = .deferred("451 busy", pause: nil)
            try await world.post(World.posting("p1"))
            var next: Moment? = try await world.routed(at: Examples.now)
            while let now = next { next = try await world.worker.round(at: now).next }
            #expect(world.mails.count == 1 + 3)
            let last = try await world.queue.entries(of: World.id("p1")).last
            #expect(last?.state == .givenUp)
        }
    }

    @Test("a request for a longer pause is honoured", arguments: TestEngine.allCases)
    func wish(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            world.outcome = .deferred("HTTP 429", pause: 90_000)
            try await world.post(World.posting("p1"))
            let now = try await world.routed(at: Examples.now)
            let round = try await world.worker.round(at: now)
            #expect(round.deferred == 1)
            #expect(round.next == now.adding(seconds: 90))
        }
    }

    @Test("a refusal is final and tells why", arguments: TestEngine.allCases)
    func bounce(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            world.outcome = .refused("550 5.1.1 <Anna@mail.example>:\r\nno Anna Bianchi")
            try await world.post(World.posting("p1"))
            let now = try await world.routed(at: Examples.now)
            #expect(try await world.worker.round(at: now).bounced == 1)
            let last = try await world.queue.entries(of: World.id("p1")).last
            #expect(last?.state == .bounced && last?.attempts == 1)
            #expect(last?.answer == "550 5.1.1 <[recipient]>:  no [recipient]")
            #expect(try await world.queue.nextDue().isEmpty)
        }
    }

    @Test(
        "what did not arrive is seen until something arrives there (issue 4)",
        arguments: TestEngine.allCases
    )
    func lost(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            world.outcome = .refused("550 5.1.1 no such mailbox")
            try await world.post(World.posting("p1"))
            let now = try await world.routed(at: Examples.now)
            _ = try await world.worker.round(at: now)
            let lost = try #require(try await world.queue.lost(to: "17"))
            #expect(lost.channel == .mail && lost.answer == "550 5.1.1 no such mailbox")
            #expect(try await world.queue.lost(since: now, limit: 9) == [lost])
            let later = lost.settled.adding(seconds: 1)
            #expect(try await world.queue.lost(since: later, limit: 9).isEmpty)
            #expect(try await world.queue.lost(to: "18") == nil)
            #expect(try await world.queue.counts(at: later) == [.mail: [.bounced: 1]])
            #expect(try await world.queue.counts(at: later.adding(seconds: 3_600)).isEmpty)
            world.outcome = .accepted
            try await world.post(World.posting("p2"))
            _ = try await world.worker.round(at: try await world.routed(at: later))
            #expect(try await world.queue.lost(to: "17") == nil)
            #expect(try await world.queue.lost(since: now, limit: 9).isEmpty)
        }
    }

    @Test("what a worker left half done is done again", arguments: TestEngine.allCases)
    func crash(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            try await world.post(World.posting("p1"))
            let now = try await world.routed(at: Examples.now)
            let lost = try await world.queue.claim(.mail, of: Examples.kinds, at: now)
            #expect(lost.map(\.attempt) == [1])
            #expect(try await world.worker.round(at: now).taken == 0)
            let later = now.adding(milliseconds: NotificationQueue.hold)
            #expect(try await world.worker.round(at: later).sent == 1)
            // The first worker returns too late and may change nothing.
            try await world.queue.settle(lost[0], as: .bounced, answer: "late", at: later)
            try await world.queue.postpone(lost[0], until: later, answer: nil, isAttempt: true)
            let last = try await world.queue.entries(of: World.id("p1")).last
            #expect(last?.state == .sent && last?.attempts == 2)
        }
    }

    @Test("who slept too long changes nothing of what another has", arguments: TestEngine.allCases)
    func fence(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            try await world.post(World.posting("p1"))
            let now = try await world.routed(at: Examples.now)
            let lost = try await world.queue.claim(.mail, of: Examples.kinds, at: now)
            let later = now.adding(milliseconds: NotificationQueue.hold)
            let held = try await world.queue.claim(.mail, of: Examples.kinds, at: later)
            #expect(lost.count == 1 && held.map(\.attempt) == [2])
            try await world.queue.settle(lost[0], as: .bounced, answer: "late", at: later)
            try await world.queue.postpone(lost[0], until: now, answer: nil, isAttempt: true)
            #expect(try await world.queue.claim(.mail, of: Examples.kinds, at: later).isEmpty)
            let state = try await world.queue.entries(of: World.id("p1")).last?.state
            #expect(state == .sending)
            try await world.queue.settle(held[0], as: .sent, at: later)
            let states = try await world.queue.entries(of: World.id("p1")).map(\.state)
            #expect(states == [.routed, .sent])
        }
    }

    @Test("two workers never have the same message at once", arguments: TestEngine.allCases)
    func workers(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            try await world.database.write { transaction in
                for number in 0..<60 {
                    try transaction.post(World.posting("p\(number)"), at: Examples.now)
                }
            }
            let queue = world.queue
            let found = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await queue.claim(.routing, of: Examples.kinds, at: Examples.now).map(
                            \.posting
                        )
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(found.count == Set(found).count)
        }
    }

    @Test("what comes too late is not sent", arguments: TestEngine.allCases)
    func late(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            let end = Examples.now.adding(seconds: 10)
            let posting = Posting(
                World.id("p1"),
                to: "17",
                kind: ParcelKind.receipt,
                sealed: ParcelMessage(.lost).stored,
                notBefore: Examples.now.adding(seconds: 4),
                usefulUntil: end
            )
            try await world.post(posting)
            #expect(try await world.worker.round(at: Examples.now).taken == 0)
            #expect(try await world.queue.nextDue() == [.routing: Examples.now.adding(seconds: 4)])
            #expect(try await world.worker.round(at: end).givenUp == 1)
            #expect(world.mails.isEmpty)
            #expect(try await world.queue.entries(of: posting.id).map(\.state) == [.givenUp])
        }
    }

    @Test("what concerns an erased person is dropped", arguments: TestEngine.allCases)
    func erased(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            try await world.post(World.posting("p1"))
            _ = try await world.routed(at: Examples.now)
            try await world.post(World.posting("p2"))
            world.resolution = .erased
            #expect(try await world.worker.round(at: Examples.now).dropped == 2)
            #expect(world.mails.isEmpty)
            #expect(try await world.sealedBytes() == 0)
            try await world.database.write { try $0.forgetNotifications(of: "17") }
            #expect(try await world.queue.entries(of: "17", limit: 9).isEmpty)
        }
    }

    @Test("a directory that cannot tell now is asked again", arguments: TestEngine.allCases)
    func unknown(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            try await world.post(World.posting("p1"))
            world.resolution = nil
            let round = try await world.worker.round(at: Examples.now)
            #expect(round.deferred == 1 && round.next == Examples.now.adding(seconds: 5))
        }
    }

    @Test("what is over is forgotten after a while, whole", arguments: TestEngine.allCases)
    func purging(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            try await world.post(World.posting("p1"))
            let now = try await world.routed(at: Examples.now)
            #expect(try await world.queue.purge(settledBefore: now.adding(seconds: 1)) == 0)
            _ = try await world.worker.round(at: now.adding(seconds: 5))
            #expect(try await world.queue.purge(settledBefore: now.adding(seconds: 5)) == 0)
            #expect(try await world.queue.purge(settledBefore: now.adding(seconds: 6)) == 2)
        }
    }

    @Test("followers are told of a posting")
    func announced() async throws {
        try await World.with(.sqlite) { world in
            var changes = world.database.changes().makeAsyncIterator()
            try await world.post(World.posting("p1"))
            #expect(await changes.next() != nil)
        }
    }
}
