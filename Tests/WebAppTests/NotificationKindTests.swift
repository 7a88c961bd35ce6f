import AccountPages
import CalendarPages
import Chronology
import Identity
import Localization
import Notify
import Storage
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 29, point 2: kinds of messages belong to products, and stored rows stay readable.
@Suite("Kinds of messages of all products")
struct NotificationKindTests {
    /// The names that rows of the queue and people's preferences have: none may change or go.
    private static let stored = [
        "account-erased", "account-resumed", "account-suspended", "address-changing",
        "already-registered", "application-connected", "backup-failed", "confirm-new-address",
        "confirm-new-user-name", "confirm-registration", "confirm-reminder", "departure",
        "driver-rejected", "driver-verified", "duty-changed", "guest-code", "invitation",
        "licence-expired", "licence-expires", "login-code", "offer", "passenger-missed",
        "password-changed", "password-forgotten", "password-old", "receipt",
        "registration-deleted", "reservation-booked", "reservation-cancelled",
        "reservation-changed", "reservation-not-served", "reservation-reminder", "ride-dropped",
        "roles-changed", "service-resumed", "service-suspended", "sharing-changed",
        "sign-in-connected", "taxi-arrived", "taxi-found", "test-mail", "unreachable",
        "webhook-shut",
    ]

    /// Finds a recipient for each message, and knows the kinds of the program.
    private struct Anybody: Directory {
        let kinds = AccountMessages.kinds

        func resolve(_ message: SealedMessage) async throws -> Resolution {
            let anna = Recipient(
                name: "Anna",
                language: .english,
                mail: MailAddress("anna@mail.example"),
                // What goes to browsers only is sent by mail here.
                choices: [message.kind: [.mail]]
            )
            return .found(anna, AccountMessage.erased)
        }
    }

    @Test("each stored name is a kind of one product")
    func names() {
        #expect(AccountMessages.kinds.all.map { $0.rawValue }.sorted() == Self.stored)
        for name in Self.stored { #expect(AccountMessages.kinds[name]?.rawValue == name) }
    }

    @Test("a row of each stored name is read and sent; one of no product is dropped")
    func rows() async throws {
        try await withSite { site in
            let database = site.installation.database
            let now = site.clock.now
            let due = now.milliseconds
            try await database.write { transaction in
                for name in Self.stored + ["parcel-near"] {
                    try transaction.execute(
                        """
                        INSERT INTO notification (
                            posting, channel, target, person, kind, state, sealed, due, useful,
                            attempts, posted
                        ) VALUES (
                            \(name), '', '', '17', \(name), 'queued', \([UInt8(1)]), \(due),
                            \(due + 1_000), 0, \(due)
                        )
                        """
                    )
                }
            }
            let home = try #require(Link("https://taxi.example.org"))
            let taken = TakenMails()
            let worker = DeliveryWorker(
                database,
                directory: Anybody(),
                browsers: site.browsers,
                channels: Channels(mail: taken.take),
                letterhead: DeliveryWorker.Letterhead(
                    name: "Taxi",
                    city: City(name: "Milano", zone: .utc),
                    sender: try #require(MailAddress("taxi@example.org")),
                    settings: home
                )
            )
            for _ in 0..<4 { _ = try await worker.round(at: now) }
            #expect(taken.all.map(\.id).sorted() == Self.stored)
            let other = try #require(PostingId("parcel-near"))
            let entries = try await NotificationQueue(in: database).entries(of: other)
            #expect(entries.map(\.state) == [.dropped])
            #expect(entries.map(\.answer) == ["of an unknown kind"])
        }
    }

    @Test("each kind is useful for some time, and only what cannot wait is urgent")
    func rules() {
        let kinds = AccountMessages.kinds.all
        for kind in kinds {
            #expect(kind.rules.lifetime >= 120_000)
            #expect(!kind.rules.channels.isEmpty)
            #expect(Set(kind.rules.channels).count == kind.rules.channels.count)
        }
        #expect(
            kinds.filter { $0.rules.isUrgent }.map { $0.rawValue }.sorted() == [
                "departure", "duty-changed", "guest-code", "offer", "passenger-missed",
                "reservation-cancelled", "reservation-not-served", "reservation-reminder",
                "ride-dropped", "sharing-changed", "taxi-arrived", "taxi-found",
            ]
        )
        #expect(kinds.filter { $0.rules.isReported }.map { $0.rawValue } == ["offer"])
    }

    @Test("people choose the channels of every kind that they may choose, once each")
    func choices() {
        let products = TaxiNotificationKind.choices + CalendarNotificationKind.choices
        let offered = products.map(\.name) + ["service-suspended", "service-resumed"]
        let chosen = AccountMessages.kinds.all.filter { $0.rules.isChosen }.map { $0.rawValue }
        #expect(offered == chosen)
        let drivers = products.filter { $0.role == .driver }.map(\.name)
        #expect(drivers == ["driver-verified", "driver-rejected", "offer", "duty-changed"])
    }
}
