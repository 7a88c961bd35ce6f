import Chronology
import SeededRandom
import Storage
import StorageTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Notify

/// issue 4, Notify: "people choose channels and quiet hours".
@Suite("Channels and quiet hours")
struct RoutingTests {
    private static let all: Set<Channel> = [.mail, .sms, .push]
    private static let found = ParcelMessage(.near)
    private static let booked = ParcelMessage(.booked)

    @Test("what nobody chose goes by the first channel that reaches the person")
    func usual() {
        let anna = World.anna()
        #expect(anna.channels(for: ParcelKind.near, among: Self.all) == [.push])
        #expect(anna.channels(for: ParcelKind.near, among: [.mail, .sms]) == [.sms])
        #expect(anna.channels(for: ParcelKind.near, among: [.mail]) == [.mail])
        #expect(anna.channels(for: ParcelKind.offer, among: [.mail, .sms]).isEmpty)
        #expect(anna.channels(for: ParcelKind.changed, among: Self.all) == [.push])
        #expect(anna.channels(for: ParcelKind.changed, among: [.mail, .sms]) == [.mail])
        #expect(anna.channels(for: ParcelKind.receipt, among: Self.all) == [.mail])
        #expect(anna.channels(for: ParcelKind.receipt, among: []).isEmpty)
    }

    @Test("what was chosen goes so, or as usual where none of it reaches the person")
    func chosen() {
        let anna = World.anna(choices: ["parcel-near": [.sms, .mail], "parcel-receipt": []])
        #expect(anna.channels(for: ParcelKind.near, among: Self.all) == [.mail, .sms])
        #expect(anna.channels(for: ParcelKind.near, among: [.sms, .push]) == [.sms])
        #expect(anna.channels(for: ParcelKind.near, among: [.push]) == [.push])
        #expect(anna.channels(for: ParcelKind.receipt, among: Self.all).isEmpty)
    }

    @Test("what is not allowed is not used, but for what the account depends on")
    func allowed() {
        let anna = World.anna(allowed: [.sms], choices: ["parcel-receipt": [.mail]])
        #expect(anna.channels(for: ParcelKind.near, among: Self.all) == [.sms])
        #expect(anna.channels(for: ParcelKind.near, among: [.mail, .push]).isEmpty)
        #expect(anna.channels(for: ParcelKind.receipt, among: Self.all) == [.mail])
        #expect(
            anna.channels(for: AccountNotificationKind.passwordChanged, among: Self.all) == [.mail]
        )
    }

    @Test("what the account depends on goes by mail, whatever was chosen")
    func mandatory() {
        #expect(AccountNotificationKind.allCases.allSatisfy { !$0.rules.isChosen })
        let guestCode = AccountNotificationKind.guestCode.rawValue
        for kind in Examples.kinds.all
        where !kind.rules.isChosen && kind.rawValue != guestCode {
            let anna = World.anna(choices: [kind.rawValue: []])
            #expect(anna.channels(for: kind, among: Self.all) == [.mail])
        }
        // A guest has one contact only (G9).
        #expect(
            World.anna().channels(for: AccountNotificationKind.guestCode, among: [.sms]) == [.sms]
        )
        #expect(
            World.anna().channels(for: AccountNotificationKind.guestCode, among: [.mail]) == [.mail]
        )
    }

    @Test("the kinds of all products are found by their names")
    func kinds() {
        let kinds = Examples.kinds
        let count =
            AccountNotificationKind.allCases.count + ParcelKind.allCases.count
            + ServiceNotificationKind.allCases.count
        #expect(kinds.all.count == count)
        for kind in kinds.all { #expect(kinds[kind.rawValue]?.rules == kind.rules) }
        #expect(kinds["parcel-near"] as? ParcelKind == .near)
        #expect(kinds["parcel"] == nil)
    }

    @Test(
        "quiet hours end on the city's clocks",
        arguments: [
            (22 * 60, 7 * 60, "2026-11-21T21:59:59", nil),
            (22 * 60, 7 * 60, "2026-11-21T22:00:00", "2026-11-22T07:00:00"),
            (22 * 60, 7 * 60, "2026-11-22T06:59:59", "2026-11-22T07:00:00"),
            (22 * 60, 7 * 60, "2026-11-22T07:00:00", nil),
            (13 * 60, 15 * 60, "2026-11-22T14:00:00", "2026-11-22T15:00:00"),
            (13 * 60, 15 * 60, "2026-11-22T15:00:00", nil),
            (13 * 60, 0, "2026-12-31T23:59:00", "2027-01-01T00:00:00"),
        ] as [(Int, Int, String, String?)]
    )
    func quiet(begin: Int, end: Int, now: String, expected: String?) throws {
        let hours = try #require(QuietHours(begin: begin, end: end))
        let zone = Examples.milan.zone
        let moment = { (text: String) in
            LocalTime(iso8601: text).map {
                Moment(milliseconds: $0.instant(in: zone).seconds * 1_000)
            }
        }
        let found = hours.ending(at: try #require(moment(now)), in: zone)
        #expect(found == expected.flatMap(moment))
    }

    @Test("quiet hours that are none are refused; every quiet moment has an end")
    func quietHours() throws {
        #expect(QuietHours(begin: 60, end: 60) == nil)
        #expect(QuietHours(begin: -1, end: 60) == nil)
        #expect(QuietHours(begin: 0, end: 1_440) == nil)
        // A zone whose clocks go an hour forward and back again.
        let zone = ZoneTable(
            starts: [0, 100_000_000, 110_000_000],
            offsets: [3_600, 7_200, 3_600]
        )
        var random = SeededRandom(seed: 4)
        for _ in 0..<20_000 {
            let begin = Int.random(in: 0..<1_440, using: &random)
            let end = Int.random(in: 0..<1_440, using: &random)
            guard let hours = QuietHours(begin: begin, end: end) else { continue }
            let near: Int64 = Bool.random(using: &random) ? 100_000_000 : 110_000_000
            let second = near + Int64.random(in: -100_000...100_000, using: &random)
            let now = Moment(milliseconds: second * 1_000)
            guard let ending = hours.ending(at: now, in: zone) else { continue }
            #expect(ending > now && ending <= now.adding(seconds: 26 * 3_600))
        }
    }

    @Test("a text that is too long for its link goes without")
    func longText() async throws {
        try await World.with(.sqlite) { world in
            world.find(World.anna(phone: "+39021234567", allowed: [.sms]))
            let path = String(repeating: "x", count: 440)
            let page = try #require(Link("https://taxi.example/\(path)"))
            let message = ParcelMessage(.near, page: page)
            try await world.post(World.posting("p1", message))
            let now = try await world.routed(at: Examples.now)
            #expect(try await world.worker.round(at: now).sent == 1)
            #expect(world.texts.first?.hasSuffix("Parcel T12 is near. Code 4821.") == true)
        }
    }

    @Test("an urgent message passes quiet hours, another waits", arguments: TestEngine.allCases)
    func waiting(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            let quiet = QuietHours(begin: 13 * 60, end: 14 * 60)
            let choices: [String: Set<Channel>] = ["parcel-booked": [.sms, .mail]]
            world.find(World.anna(phone: "+39021234567", choices: choices, quiet: quiet))
            try await world.post(World.posting("p1", Self.found))
            try await world.post(World.posting("p2", Self.booked))
            let now = try await world.routed(at: Examples.now)
            let round = try await world.worker.round(at: now)
            #expect(round.sent == 2 && round.deferred == 1)
            #expect(world.mails.map(\.id) == ["p2"])
            #expect(world.texts.count == 1 && world.texts[0].contains("Parcel T12"))
            let next = try #require(round.next)
            #expect(
                LocalTime(Instant(seconds: next.milliseconds / 1_000), in: Examples.milan.zone)
                    .iso8601 == "2026-11-21T14:00:00"
            )
            #expect(try await world.worker.round(at: next).sent == 1)
            #expect(
                world.texts[1] == "+39021234567 Taxi Milano: Collection on Saturday at 13:36 "
                    + Examples.page.text
            )
            let attempts = try await world.queue.entries(of: World.id("p2")).map(\.attempts)
            #expect(attempts == [1, 1, 1], "waiting is no attempt")
        }
    }

    @Test(
        "each browser gets its notice; one that is gone is forgotten",
        arguments: TestEngine.allCases
    )
    func browsers(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            world.find(World.anna())
            for number in 1...3 {
                let browser = try PushTests.subscription("https://push.example/\(number)")
                try await world.browsers.add(browser, at: Examples.now)
            }
            let gone = try PushTests.subscription("https://push.example/2")
            try await world.post(World.posting("p1", Self.found))
            let now = try await world.routed(at: Examples.now)
            world.answer { _ in .accepted }
            #expect(try await world.worker.round(at: now).sent == 3)
            #expect(Set(world.notices.map(\.1.endpoint)).count == 3)
            #expect(
                world.notices.allSatisfy { $0.0.lifetime == 1_800 && $0.0.tag == "parcel-near" }
            )
            world.answer { _ in .gone }
            try await world.post(World.posting("p2", Self.found))
            _ = try await world.routed(at: now)
            #expect(try await world.worker.round(at: now).bounced == 3)
            #expect(try await world.browsers.subscription(gone.id) == nil)
        }
    }

    @Test(
        "what no browser can be brought takes another way: gone, refused, given up (R58)",
        arguments: TestEngine.allCases,
        [Outcome.gone, .refused("HTTP 403"), .deferred("HTTP 503", pause: nil)]
    )
    func otherWay(engine: TestEngine, outcome: Outcome) async throws {
        try await World.with(engine) { world in
            world.find(World.anna())
            world.answer { $0 == .push ? outcome : .accepted }
            world.retries = [.near: 2]
            for number in 1...2 {
                let browser = try PushTests.subscription("https://push.example/\(number)")
                try await world.browsers.add(browser, at: Examples.now)
            }
            try await world.post(World.posting("p1", Self.found))
            var next: Moment? = Examples.now
            while let now = next { next = try await world.worker.round(at: now).next }
            #expect(world.mails.map(\.id) == ["p1"])
            let tries = if case .deferred = outcome { 1 + 2 } else { 1 }
            #expect(world.notices.count == 2 * tries, "no browser is asked again for it")
            let failed: NotificationQueue.State = tries > 1 ? .givenUp : .bounced
            let states = try await world.queue.entries(of: World.id("p1")).map(\.state)
            #expect(states == [.routed, .sent, failed, failed])
            #expect(try await world.sealedBytes() == 0)
        }
    }

    @Test(
        "where one browser takes it, or it is too late, no other way is taken",
        arguments: TestEngine.allCases
    )
    func noOtherWay(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            world.find(World.anna())
            for number in 1...2 {
                let browser = try PushTests.subscription("https://push.example/\(number)")
                try await world.browsers.add(browser, at: Examples.now)
            }
            let isFirst = Mutex(true)
            world.answer { _ in
                let refuses = isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
                return refuses ? .refused("HTTP 403") : .accepted
            }
            try await world.post(World.posting("p1", Self.found))
            var next: Moment? = Examples.now
            while let now = next { next = try await world.worker.round(at: now).next }
            // The other is answered after the end of its lifetime.
            world.answer { _ in .deferred("HTTP 503", pause: 1_790_000) }
            try await world.post(World.posting("p2", Self.found))
            _ = try await world.routed(at: Examples.now)
            _ = try await world.worker.round(at: Examples.now)
            let late = Examples.now.adding(seconds: 1_800)
            #expect(try await world.worker.round(at: late).givenUp == 2)
            #expect(try await world.worker.round(at: late).taken == 0)
            #expect(world.mails.isEmpty && world.texts.isEmpty)
        }
    }

    @Test("an offer goes to browsers and nowhere else (R50)", arguments: TestEngine.allCases)
    func offer(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            world.find(World.anna(phone: "+39021234567"))
            world.answer { $0 == .push ? .refused("HTTP 403") : .accepted }
            let browser = try PushTests.subscription("https://push.example/1")
            try await world.browsers.add(browser, at: Examples.now)
            try await world.post(World.posting("p1", ParcelMessage(.offer)))
            var next: Moment? = Examples.now
            while let now = next { next = try await world.worker.round(at: now).next }
            #expect(world.notices.count == 1 && world.mails.isEmpty && world.texts.isEmpty)
            let states = try await world.queue.entries(of: World.id("p1")).map(\.state)
            #expect(states == [.dropped, .bounced])
        }
    }

    @Test(
        "a browser that another person took over gets nothing: a mail goes to whom it is for",
        arguments: TestEngine.allCases
    )
    func takenOver(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            world.find(World.anna())
            let browser = try PushTests.subscription("https://push.example/1")
            try await world.browsers.add(browser, at: Examples.now)
            try await world.post(World.posting("p1", Self.found))
            let now = try await world.routed(at: Examples.now)
            let other = try PushTests.subscription("https://push.example/1", person: "18")
            try await world.browsers.add(other, at: Examples.now)
            #expect(try await world.worker.round(at: now).dropped == 1)
            var next: Moment? = now
            while let now = next { next = try await world.worker.round(at: now).next }
            #expect(world.notices.isEmpty)
            #expect(world.mails.map(\.id) == ["p1"])
        }
    }
}
