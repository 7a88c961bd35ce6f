import Chronology
import Dispatching
import Identity
import Localization
import Notify
import StorageTestSupport
import Synchronization
import TestClock
import Testing
import WebTestSupport

@testable import Storage
@testable import Taxi
@testable import TaxiPages
@testable import WebApp

/// Issue 5; taxi.md R54, R58, R64, I15, I20: messages to passengers about their rides.
@Suite("Letters about rides", .serialized)
struct RideLetterTests {
    /// The messages that the relay and the gateway accepted.
    final class Taken: Sendable {
        private let mails = Mutex<[MailMessage]>([])
        private let texts = Mutex<[(String, String)]>([])

        var all: [MailMessage] { mails.withLock { $0 } }
        var sms: [(String, String)] { texts.withLock { $0 } }

        func take(_ mail: MailMessage) -> Outcome {
            mails.withLock { $0.append(mail) }
            return .accepted
        }

        func take(_ phone: PhoneNumber, _ text: String) -> Outcome {
            texts.withLock { $0.append((phone.text, text)) }
            return .accepted
        }
    }

    static func worker(_ town: RideTown, _ taken: Taken) throws -> DeliveryWorker {
        let home = try #require(Link("https://taxi.example.org"))
        let installation = town.site.installation
        return DeliveryWorker(
            installation.database,
            directory: AccountMessages(home: home, rides: RideLetters(installation, home: home)) {
                installation.accounts
            },
            browsers: installation.accounts.browsers(in: installation.database),
            channels: Channels(mail: { taken.take($0) }, sms: { taken.take($0, $1) }),
            letterhead: DeliveryWorker.Letterhead(
                name: "Taxi",
                city: City(name: "Milano", zone: .utc),
                sender: try #require(MailAddress("taxi@example.org")),
                settings: home
            )
        )
    }

    /// Waits until the outbox is empty.
    static func post(_ town: RideTown) async throws {
        let outbox = Outbox(of: town.taxi.dispatch.eventLog)
        try await town.site.until("the outbox is empty") { try await outbox.count() == 0 }
    }

    /// Waits until the outbox is empty, then sends what is in the queue.
    static func send(_ town: RideTown, _ worker: DeliveryWorker) async throws {
        try await post(town)
        for _ in 0..<4 { _ = try await worker.round(at: town.site.clock.now) }
    }

    @Test("found, there, receipt: each once, with plate and code, and nothing of it in the queue")
    func ride() async throws {
        try await RideTown.open(.viavai, isPosted: true) { town in
            let taken = Taken()
            let worker = try Self.worker(town, taken)
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await town.accept(town.taxis[0])
            let code = try #require(try await town.taxi.ride(of: town.taxis[0])?.code)
            let outbox = Outbox(of: town.taxi.dispatch.eventLog)
            try await town.site.until("the outbox is empty") { try await outbox.count() == 0 }
            let sealed = try await town.site.installation.database.read { transaction in
                try transaction.rows("SELECT sealed FROM notification WHERE kind = 'taxi-found'")
                    .map { try $0.value("sealed", as: [UInt8].self) }
            }
            #expect(sealed.count == 1)
            for bytes in sealed {
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(!text.contains(code) && !text.contains("FA000AA"))
            }
            try await Self.send(town, worker)
            let found = try #require(taken.all.last)
            #expect(found.letter.subject.hasPrefix("Your taxi arrives in about"))
            #expect(found.letter.short.contains("FA000AA") && found.letter.short.contains(code))
            #expect(found.letter.action?.link.text == "https://taxi.example.org" + path)
            try await town.reach(town.taxis[0])
            try await Self.send(town, worker)
            #expect(taken.all.last?.letter.subject == "Your taxi is here")
            try await town.board(town.taxis[0])
            try await town.end(town.taxis[0])
            try await Self.send(town, worker)
            let receipt = try #require(taken.all.last)
            #expect(receipt.letter.subject.contains("€"))
            #expect(receipt.letter.paragraphs[0].contains("Corso Lungo 5"))
            #expect(receipt.letter.action?.link.text.contains("/receipt/") == true)
            #expect(taken.all.count == 3)
            try await Self.send(town, worker)
            #expect(taken.all.count == 3)
        }
    }

    @Test("whose taxi cannot come is written so, unless another has accepted since")
    func lost() async throws {
        try await RideTown.open(.viavai, taxis: 3, isPosted: true) { town in
            let taken = Taken()
            let worker = try Self.worker(town, taken)
            let path = try await town.call(try await town.passenger())
            try await town.accept(town.taxis[0])
            try await Self.send(town, worker)
            _ = try await town.taxi.dispatch.give(.giveBack(town.taxis[0], .other))
            try await Self.send(town, worker)
            let lost = try #require(taken.all.last)
            #expect(lost.letter.subject == "Your taxi cannot come")
            #expect(lost.letter.action?.link.text == "https://taxi.example.org" + path)
            try await town.accept(town.taxis[1])
            _ = try await town.taxi.dispatch.give(.giveBack(town.taxis[1], .other))
            try await town.accept(town.taxis[2])
            try await Self.send(town, worker)
            let subjects = taken.all.map(\.letter.subject)
            #expect(subjects.count { $0 == "Your taxi cannot come" } == 1)
            // Only the first and the third request: once the second had a taxi, no estimate was
            // sent.
            #expect(subjects.count { $0.hasPrefix("Your taxi arrives in about") } == 2)
        }
    }

    @Test("an item that is handed out again is posted once (I20)")
    func once() throws {
        let payload = Notice(
            recipient: .passenger(PassengerNumber(rawValue: 7)),
            kind: .taxiFound,
            request: RequestNumber(rawValue: 3)
        ).payload
        let item = { (attempt: Int64) in
            Outbox.Item(
                id: Outbox.ItemId(sequence: 12, ordinal: 1),
                kind: "passenger",
                payload: payload,
                attempt: attempt
            )
        }
        let first = try #require(NoticeForwarder.posting(item(1)))
        #expect(NoticeForwarder.posting(item(2)) == first)
        #expect(first.id.text == "ride.12.1" && first.person == "7")
        #expect(RideLetter.read(first.sealed)?.request == RequestNumber(rawValue: 3))
    }

    @Test("every notice is read back, and every end of a request is written of, or known anyway")
    func notices() {
        for kind in Notice.Kind.allCases {
            for recipient in [
                Notice.Recipient.driver(TaxiNumber(rawValue: 1)),
                .passenger(PassengerNumber(rawValue: .max)), .everybody,
            ] {
                var notice = Notice(recipient: recipient, kind: kind)
                notice.request = RequestNumber(rawValue: 9)
                notice.detail = 4
                if case .passenger = recipient { notice.taxi = TaxiNumber(rawValue: 2) }
                #expect(Notice(payload: notice.payload) == notice)
            }
        }
        #expect(Notice(payload: Array("{}".utf8)) == nil)
        for outcome in RequestOutcome.allCases {
            let notice = Notice(
                recipient: .passenger(PassengerNumber(rawValue: 1)),
                kind: .ended,
                request: RequestNumber(rawValue: 1),
                detail: outcome.rawValue + 1
            )
            #expect((RideLetter(notice) == nil) == (outcome == .cancelled))
            var reserved = notice
            reserved.kind = .reservationEnded
            #expect((RideLetter(reserved) == nil) == (outcome == .cancelled))
            // "Your request" is only for passengers who asked for a taxi immediately.
            #expect(RideLetter(reserved) != .dropped, "\(outcome)")
        }
        #expect(RideLetter.read([255] + Array("found x".utf8)) == nil)
        #expect(RideLetter.read([0]) == nil)
    }

    @Test("a guest gets the code and the news of the ride at the proved contact")
    func guest() async throws {
        try await RideTown.open(.viavai, isPosted: true) { town in
            let taken = Taken()
            let worker = try Self.worker(town, taken)
            let guest = town.site.visitor()
            guest.language = "it"
            _ = try await town.fill(guest, ["from": RideTown.typed(500), "seats": "1"])
            _ = try await guest.submit(["contact": "333 7654321"], on: "/taxi/guest")
            for _ in 0..<4 { _ = try await worker.round(at: town.site.clock.now) }
            let (number, text) = try #require(taken.sms.first)
            #expect(number == "+393337654321")
            let code = try #require(text.firstMatch(of: /codice è ([0-9]{8})/)).1
            _ = try await guest.submit(["code": String(code)], on: "/taxi/code")
            let sent = try await town.confirm(guest)
            #expect(sent.status == 303, "\(sent.text)")
            try await town.accept(town.taxis[0])
            try await Self.send(town, worker)
            let found = try #require(taken.sms.last)
            #expect(found.0 == "+393337654321")
            #expect(found.1.contains("targa FA000AA"), "\(found.1)")
            #expect(taken.all.isEmpty)
        }
    }

    @Test("what is no longer so is not written: the ride is over before the letter goes")
    func late() async throws {
        try await RideTown.open(.viavai, isPosted: true) { town in
            let taken = Taken()
            let worker = try Self.worker(town, taken)
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await town.accept(town.taxis[0])
            _ = try await visitor.submit([:], on: path + "/cancel")
            try await Self.send(town, worker)
            #expect(taken.all.isEmpty)
        }
    }
}
