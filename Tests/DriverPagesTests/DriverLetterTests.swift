import Chronology
import Dispatching
import Identity
import Localization
import Notify
import StorageTestSupport
import TestClock
import Testing
import WebTestSupport

@testable import Storage
@testable import Taxi
@testable import TaxiPages
@testable import WebApp

/// Issue 5 (2); R36, R50, I20: messages to drivers who do not look at their page.
@Suite("Messages to drivers", .serialized)
struct DriverLetterTests {
    static func letters(_ town: DriverTown) throws -> RideLetters {
        RideLetters(town.site.installation, home: try #require(Link("https://taxi.example.org")))
    }

    /// The rows of one kind in the queue, as the worker decrypts them.
    static func rows(
        _ kind: some NotificationKind,
        of town: DriverTown
    ) async throws -> [SealedMessage] {
        let outbox = Outbox(of: town.taxi.dispatch.eventLog)
        try await town.site.until("the outbox is empty") { try await outbox.count() == 0 }
        return try await town.site.installation.database.read { transaction in
            try transaction.rows(
                """
                SELECT person, posted, sealed FROM notification
                WHERE kind = \(kind.rawValue) ORDER BY posting
                """
            ).map { row in
                SealedMessage(
                    person: try row.value("person"),
                    kind: kind.rawValue,
                    posted: Moment(milliseconds: try row.value("posted")),
                    sealed: try row.value("sealed")
                )
            }
        }
    }

    private static func words(_ resolution: Resolution) -> DriverMessage? {
        if case .found(_, let message) = resolution { message as? DriverMessage } else { nil }
    }

    @Test(
        "an offer is sent once to the current driver, hides what the policy hides, ends with it",
        arguments: [Policy.viavai, .milanoB]
    )
    func offer(policy: Policy) async throws {
        try await DriverTown.atWork(policy, drivers: 2) { town, driver in
            try await town.call()
            let rows = try await Self.rows(TaxiNotificationKind.offer, of: town)
            #expect(rows.map(\.person) == ["\(driver.person.rawValue)"])
            let row = try #require(rows.first)
            let sealed = String(decoding: row.sealed, as: UTF8.self)
            #expect(!sealed.contains("Dante"))
            let letters = try Self.letters(town)
            let told = Self.words(try await letters.resolveDriver(row))
            guard case .offer(let place, let until, let page) = told else {
                Issue.record("\(String(describing: told))")
                return
            }
            #expect(place == (policy.name == "milano-b" ? "Centro" : "Via Dante 7"))
            #expect(until == (try await town.taxi.offer(to: driver.number))?.deadline)
            #expect(page.text == "https://taxi.example.org/drive")
            // The same row cannot be used for another recipient.
            let another = SealedMessage(
                person: "\(town.drivers[1].person.rawValue)",
                kind: row.kind,
                posted: row.posted,
                sealed: row.sealed
            )
            #expect(try await letters.resolveDriver(another) == .erased)
            _ = try await driver.visitor.press("/drive/offer/accept")
            #expect(try await letters.resolveDriver(row) == .erased)
        }
    }

    @Test("a ride that was taken away is told to its driver")
    func lost() async throws {
        try await DriverTown.atWork { town, driver in
            // Away from the taxi: once the driver has reached the passenger, the ride can no longer
            // be cancelled.
            let request = try await town.call(from: DriverTown.near)
            _ = try await driver.visitor.press("/drive/offer/accept")
            _ = try await town.taxi.dispatch.give(.cancel(request))
            let rows = try await Self.rows(TaxiNotificationKind.offer, of: town)
            #expect(rows.count == 2)
            let letters = try Self.letters(town)
            var told: [DriverMessage] = []
            for row in rows {
                if let words = Self.words(try await letters.resolveDriver(row)) {
                    told.append(words)
                }
            }
            #expect(told.count == 1)
            guard case .rideLost = told.first else {
                Issue.record("\(told)")
                return
            }
        }
    }

    @Test("who drives a shared ride is told who joins and who leaves, the owner too (R87)")
    func sharing() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            try await town.start(driver)
            let owner = try await town.call(
                from: DriverTown.near,
                to: DriverTown.centro,
                isShared: true
            )
            _ = try await driver.visitor.press("/drive/offer/accept")
            try await town.join(8, owner)
            let letters = try Self.letters(town)
            func told() async throws -> [DriverMessage?] {
                var told: [DriverMessage?] = []
                for row in try await Self.rows(TaxiNotificationKind.sharingChanged, of: town)
                where row.person == "\(driver.person.rawValue)" {
                    told.append(Self.words(try await letters.resolveDriver(row)))
                }
                return told
            }
            let page = try #require(Link("https://taxi.example.org/drive"))
            let two = DriverMessage.sharingChanged(people: 2, place: "Via Dante 7", page: page)
            #expect(try await told() == [two])
            // The ride continues for the passengers who joined; the earlier state is no longer
            // sent.
            _ = try await town.taxi.dispatch.give(.cancel(owner))
            let heir = try #require(try await town.taxi.ride(of: driver.number))
            #expect(heir.request != owner && heir.needs.seats == 1)
            let after = try await told()
            #expect(after.count == 2 && after.filter { $0 == nil }.count == 1, "\(after)")
            guard case .sharingChanged(let people, _, _) = after.compactMap(\.self).first
            else {
                Issue.record("\(after)")
                return
            }
            #expect(people == 1)
            // With passengers on board, nobody can join or leave any more.
            _ = try await town.taxi.dispatch.give(.reachMeetingPoint(driver.number))
            #expect(try await town.taxi.board(driver.number, aboard: 1, code: heir.code))
            #expect(try await told().allSatisfy { $0 == nil })
        }
    }

    @Test("a suspension is told to drivers on duty, once each, for as long as it lasts (R12)")
    func suspension() async throws {
        try await DriverTown.atWork(drivers: 2) { town, driver in
            let line = SuspensionNotice([.english: "Snow", .italian: "Neve"]).line
            _ = try await town.taxi.dispatch.give(.suspend(reason: line))
            let rows = try await Self.rows(ServiceNotificationKind.serviceSuspended, of: town)
            #expect(rows.map(\.person) == ["\(driver.person.rawValue)"])
            let letters = try Self.letters(town)
            let row = try #require(rows.first)
            guard
                case .found(let recipient, let message) = try await letters.resolveDriver(row),
                case .suspended(let reason, let until) = message as? ServiceMessage
            else {
                Issue.record("nothing is told")
                return
            }
            #expect(until == nil && reason == (recipient.language == .italian ? "Neve" : "Snow"))
            _ = try await town.taxi.dispatch.give(.resume)
            #expect(try await letters.resolveDriver(row) == .erased)
            #expect(
                try await Self.rows(ServiceNotificationKind.serviceResumed, of: town).count == 1
            )
        }
    }

    @Test("however often an item is handed out, its letters have the same names (I20)")
    func once() throws {
        let driver = PersonNumber(rawValue: 7)
        for letter in DriverLetter.allCases {
            let first = try #require(letter.posting("12.1", to: driver, about: 3))
            let again = letter.posting("12.1", to: driver, about: 3)
            #expect(first == again)
            #expect(first.id.text == "drive.12.1.7" && first.person == "7")
            let read = try #require(DriverLetter.read(first.sealed))
            #expect(read.letter == letter && read.number == 3)
        }
        let rider = EventAudience.Rider(
            request: RequestNumber(rawValue: 3),
            passenger: PassengerNumber(rawValue: 8),
            topic: .person(PersonNumber(rawValue: 8))
        )
        let near = try #require(RideLetter.nearness(of: TaxiNumber(rawValue: 5), to: rider))
        #expect(near.id.text == "ride.near.3.5" && near.person == "8")
        #expect(near.kind as? TaxiNotificationKind == .taxiArrived)
        for bytes in [[], [254], [254] + Array("offer x".utf8), [255] + Array("offer 1".utf8)] {
            #expect(DriverLetter.read(bytes as [UInt8]) == nil)
        }
    }

    @Test("what a notice tells whom: drivers theirs, all of them what is everybody's")
    func notices() {
        let recipients: [Notice.Recipient] = [
            .driver(TaxiNumber(rawValue: 1)), .passenger(PassengerNumber(rawValue: 1)), .everybody,
        ]
        let told = recipients.map { recipient in
            Notice.Kind.allCases.filter {
                DriverLetter(Notice(recipient: recipient, kind: $0)) != nil
            }
        }
        #expect(
            told == [
                [.offer, .rideCancelled, .turnRestored, .sharingJoined, .sharingLeft], [],
                [.suspended, .resumed],
            ]
        )
        // Whether a driver gets a message about duty and queue position depends on why it changed.
        func isTold(_ kind: Notice.Kind, _ cause: UInt8) -> Bool {
            let notice = Notice(recipient: recipients[0], kind: kind, detail: cause + 1)
            return DriverLetter(notice) != nil
        }
        let places = QueueCause.allCases.filter { isTold(.queued, $0.rawValue) }
        #expect(places == [.enteredCity])
        let ends = OffDutyCause.allCases.filter { isTold(.offDuty, $0.rawValue) }
        #expect(ends == [.ignoredOffers, .outOfContact, .licence, .dispatcher, .replaced])
    }
}
