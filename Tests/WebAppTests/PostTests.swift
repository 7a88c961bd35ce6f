import Chronology
import Identity
import Localization
import Notify
import Synchronization
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// The mails that a relay accepted.
final class TakenMails: Sendable {
    private let mails = Mutex<[MailMessage]>([])

    var all: [MailMessage] { mails.withLock { $0 } }

    func take(_ mail: MailMessage) -> Outcome {
        mails.withLock { $0.append(mail) }
        return .accepted
    }
}

extension ServedSite {
    /// Sends the mails of the accounts, whose links begin with the address of the home page.
    func worker(from home: Link, to taken: TakenMails) throws -> DeliveryWorker {
        DeliveryWorker(
            installation.database,
            directory: AccountMessages(home: home) { self.installation.accounts },
            browsers: browsers,
            channels: Channels(mail: taken.take),
            letterhead: DeliveryWorker.Letterhead(
                name: "Taxi",
                city: City(name: "Milano", zone: .utc),
                sender: try #require(MailAddress("taxi@example.org")),
                settings: home
            )
        )
    }
}

@Suite("Mail", .serialized)
struct PostTests {
    @Test("SB1: the link in the mail, in the person's language, confirms the registration (R98)")
    func link() async throws {
        try await withSite(isPosted: true) { site in
            let visitor = site.visitor()
            visitor.language = "it"
            _ = try await visitor.submit(
                [
                    "name": "Ana", "surname": "Bruni", "email": "ana@example.org",
                    "user_name": "anab", "password": "Passw0rdOne",
                    "password_again": "Passw0rdOne", "consent": "2",
                ],
                on: "/register"
            )
            let taken = TakenMails()
            let home = try #require(Link("https://taxi.example.org"))
            let worker = try site.worker(from: home, to: taken)
            for _ in 0..<3 { _ = try await worker.round(at: site.clock.now) }
            let mail = try #require(taken.all.first)
            #expect(taken.all.count == 1)
            #expect(mail.recipient == MailAddress("ana@example.org"))
            #expect(mail.language == .italian)
            #expect(mail.letter.subject == "Conferma il tuo indirizzo e-mail")
            let action = try #require(mail.letter.action)
            #expect(action.link.text.hasPrefix("https://taxi.example.org/confirm?token="))
            let path = String(action.link.text.dropFirst(home.text.count))
            let confirmed = try await visitor.submit([:], on: path)
            #expect(confirmed.header("location") == "/login?notice=confirmed")
        }
    }

    @Test("every message of the accounts has words")
    func words() {
        for kind in MessageKind.allCases {
            let code = kind.code
            #expect(MessageKind(code: code) == kind)
        }
    }
}
