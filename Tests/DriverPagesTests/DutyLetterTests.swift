import Chronology
import Dispatching
import Identity
import Localization
import Notify
import StorageTestSupport
import Synchronization
import TaxiPages
import TestClock
import Testing
import WebCore
import WebTestSupport

@testable import Storage
@testable import Taxi
@testable import WebApp

/// Issue 5: drivers are notified when they re-enter the city, and notices are retried a stated
/// number of times; R27, R36, G1, G4: messages about duty to drivers who do not look at their page.
@Suite("Messages to drivers of their duty", .serialized)
struct DutyLetterTests {
    /// The messages about duty that a driver gets now, in the driver's language, as a device shows
    /// them.
    private static func told(_ town: DriverTown, to driver: TownDriver) async throws -> [String] {
        let letters = try DriverLetterTests.letters(town)
        let city = City(name: "Milano", zone: .utc)
        var told: [String] = []
        for row in try await DriverLetterTests.rows(TaxiNotificationKind.dutyChanged, of: town)
        where row.person == "\(driver.person.rawValue)" {
            if case .found(let recipient, let message) = try await letters.resolveDriver(row) {
                let letter = message.letter(in: recipient.language, from: city)
                #expect(letter.action?.link.text == "https://taxi.example.org/drive")
                told.append(letter.short)
            }
        }
        return told
    }

    @Test("a driver taken off duty is told why, one who goes off duty is not (G1, G4)")
    func offDuty() async throws {
        try await DriverTown.atWork { town, driver in
            _ = try await driver.visitor.press("/drive/duty", ["wish": "off"])
            #expect(try await Self.told(town, to: driver).isEmpty)
            try await town.start(driver)
            _ = try await town.taxi.dispatch.give(
                .takeOffDuty(driver.number, reason: "la luce è guasta")
            )
            let operators = try await Self.told(town, to: driver)
            #expect(operators == ["L'operatore ti ha reso non disponibile: la luce è guasta"])
            // A driver who is available again by then gets no message.
            try await town.start(driver)
            #expect(try await Self.told(town, to: driver).isEmpty)
            // No report arrives until the driver's place in the queue has expired.
            town.clock.advance(seconds: 91)
            try await town.until(driver, sees: "We have lost contact with you")
            town.clock.advance(seconds: 601)
            try await town.until(driver, sees: "We were out of contact with you for too long")
            let silent = try await Self.told(town, to: driver)
            #expect(
                silent == [
                    "Siamo rimasti senza contatto con te per troppo tempo: ora non sei disponibile."
                ]
            )
        }
    }

    @Test("a driver who ignored too many offers is told of being unavailable (G4)")
    func ignored() async throws {
        try await DriverTown.atWork { town, driver in
            for round in 1...3 {
                #expect(try await Self.told(town, to: driver).isEmpty)
                try await town.call(UInt64(round))
                _ = try await town.page(driver)
                town.clock.advance(seconds: 30)
                try await town.send(DriverTown.centro, of: driver)
                town.clock.advance(seconds: 31)
                try await town.until(driver, sees: round < 3 ? "You are 1st" : "3 offers in a row")
            }
            #expect(try await town.status(driver) == .unavailable)
            let told = try await Self.told(town, to: driver)
            #expect(
                told == ["Non hai risposto a 3 offerte di fila: ora non sei disponibile."]
            )
        }
    }

    @Test("R27: who comes back into the city is told, and of no other place in a queue")
    func cameBack() async throws {
        try await DriverTown.atWork(.milanoA) { town, driver in
            try await town.drive(driver, to: DriverTown.brera)
            try await town.until(driver, sees: "You are 1st of 1 in Brera")
            #expect(try await Self.told(town, to: driver).isEmpty)
            try await town.drive(driver, to: DriverTown.suburb)
            try await town.until(driver, sees: "You left the city")
            #expect(try await Self.told(town, to: driver).isEmpty)
            try await town.drive(driver, to: DriverTown.centro)
            try await town.until(driver, sees: "You are back in the city")
            #expect(
                try await Self.told(town, to: driver) == [
                    "Sei rientrato in città. Sei 1º di 1 in Centro."
                ]
            )
            try await town.drive(driver, to: DriverTown.suburb)
            #expect(try await Self.told(town, to: driver).isEmpty, "it is no longer so")
        }
    }

    @Test("a driver whose turn an operator restores is told so, with the place in the queue")
    func turnRestored() async throws {
        try await DriverTown.atWork(drivers: 2) { town, first in
            let second = town.drivers[1]
            try await town.start(second)
            #expect(try await town.page(second).contains("You are 2nd of 2 in Centro"))
            _ = try await town.taxi.dispatch.give(.restoreTurn(second.number, reason: "no fault"))
            #expect(
                try await Self.told(town, to: second) == [
                    "Hai riavuto il tuo turno. Sei 1º di 2 in Centro."
                ]
            )
            #expect(try await Self.told(town, to: first).isEmpty)
        }
    }

    /// The messages that the push service and the relay were given.
    private final class Taken: Sendable {
        private let texts = Mutex<(notices: [String], mails: [String])>(([], []))

        var notices: [String] { texts.withLock { $0.notices } }
        var mails: [String] { texts.withLock { $0.mails } }

        func take(_ notice: PushNotice) -> Outcome {
            texts.withLock { $0.notices.append(notice.text) }
            return .deferred("HTTP 503", pause: nil)
        }

        /// As a server that asks the sender to try again a few times (greylisting).
        func take(_ mail: MailMessage) -> Outcome {
            let subject = mail.letter.subject
            let times = texts.withLock { texts in
                texts.mails.append(subject)
                return texts.mails.count { $0 == subject }
            }
            return times < 5 ? .deferred("451 come again", pause: nil) : .accepted
        }
    }

    @Test(
        "R36: a notice is tried again as often as driver.notice_retries says, an offer too",
        arguments: [0, 2]
    )
    func retries(count: Int) async throws {
        let text = "name: often\nbased_on: viavai\ndriver.notice_retries: \(count)\n"
        try await DriverTown.atWork(try Policy(text: text)) { town, driver in
            let device = DeviceSamples.keys.merging(["endpoint": "https://push.example/a"]) { $1 }
            let added = try await driver.visitor.submit(
                device,
                on: "/account/preferences",
                to: "/account/device"
            )
            #expect(added.status == 303, "\(added.text)")
            let taken = Taken()
            let site = Site(town.site.installation)
            let office = try PostOffice(
                town.site.installation,
                home: try #require(Link("https://taxi.example.org")),
                channels: Channels(
                    mail: { taken.take($0) },
                    push: { notice, _ in taken.take(notice) }
                ),
                logger: site.logLevels.logger("post", clock: town.clock.clock.now)
            )
            func deliver() async throws {
                let outbox = Outbox(of: town.taxi.dispatch.eventLog)
                try await town.site.until("the outbox is empty") { try await outbox.count() == 0 }
                var next: Moment? = town.clock.now
                while let now = next { next = try await office.worker.round(at: now).next }
            }
            try await town.call()
            try await deliver()
            #expect(taken.notices.count == 1 + count && taken.mails.isEmpty)
            _ = try await town.taxi.dispatch.give(.takeOffDuty(driver.number, reason: "test"))
            try await deliver()
            #expect(taken.notices.count == 2 * (1 + count))
            #expect(taken.notices.last == "L'operatore ti ha reso non disponibile: test")
            // Where no device accepts it, it is sent by mail, which is retried like any other mail.
            #expect(taken.mails.filter { $0 == "Ora non sei disponibile" }.count == 5)
        }
    }
}
