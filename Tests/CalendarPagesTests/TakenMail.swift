import Chronology
import Identity
import Notify
import Synchronization
import TaxiPages
import Testing
import WebTestSupport

@testable import WebApp

/// The messages of a town that the relay accepted.
final class TakenMail: Sendable {
    private let mails = Mutex<[MailMessage]>([])

    var subjects: [String] { all.map(\.letter.subject) }
    var all: [MailMessage] { mails.withLock { $0 } }

    private func take(_ mail: MailMessage) -> Outcome {
        mails.withLock { $0.append(mail) }
        return .accepted
    }

    /// A worker that delivers what waits.
    func worker(_ town: RideTown) throws -> DeliveryWorker {
        let home = try #require(Link("https://taxi.example.org"))
        let installation = town.site.installation
        return DeliveryWorker(
            installation.database,
            directory: AccountMessages(home: home, rides: RideLetters(installation, home: home)) {
                installation.accounts
            },
            browsers: installation.accounts.browsers(in: installation.database),
            channels: Channels(mail: { self.take($0) }),
            letterhead: DeliveryWorker.Letterhead(
                name: "Taxi",
                city: City(name: "Milano", zone: .utc),
                sender: try #require(MailAddress("taxi@example.org")),
                settings: home
            )
        )
    }
}
