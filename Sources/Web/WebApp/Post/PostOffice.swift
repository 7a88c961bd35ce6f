import Backups
import Chronology
import Dispatching
import Drivers
import HTTPClient
import HTTPServer
import Identity
package import Logging
package import Notify
import ServiceLifecycle
import Storage
import Taxi
import TaxiPages

/// Delivers queued messages and runs the accounts' daily cleanup while the server runs.
package struct PostOffice: Service, CustomStringConvertible {
    /// The interval between cleanup runs, in seconds.
    private static let sweepSeconds: Int64 = 3_600
    /// How long a sent message is remembered, in seconds.
    private static let remembered: Int64 = 30 * 86_400

    /// The service's name in logs.
    ///
    /// The service group logs this value, so it must not include the stored properties.
    package var description: String { "post office" }

    private let installation: Installation
    private let webhooks: WebhookPost
    /// The worker that delivers messages.
    let worker: DeliveryWorker
    private let logger: Logger

    /// Creates the delivery service of an installation.
    ///
    /// - Parameters:
    ///   - installation: the installation whose messages are sent.
    ///   - home: the public address of the start page.
    ///   - channels: the delivery channels; nil to use those of the settings.
    ///   - logger: the logger for delivery problems.
    /// - Throws: `NotifyFailure.badSetting` if a setting is invalid.
    package init(
        _ installation: Installation,
        home: Link,
        channels: Channels? = nil,
        logger: Logger
    ) throws {
        self.installation = installation
        self.logger = logger
        webhooks = WebhookPost(installation, logger: logger)
        let settings = installation.settings
        let sender = try settings.sender
        worker = DeliveryWorker(
            installation.database,
            directory: AccountMessages(home: home, rides: RideLetters(installation, home: home)) {
                installation.accounts
            },
            browsers: installation.accounts.browsers(in: installation.database),
            channels: try channels ?? installation.channels,
            letterhead: DeliveryWorker.Letterhead(
                name: settings.cityName,
                city: City(name: settings.cityName, zone: settings.zoneTable),
                sender: sender,
                settings: home.page(["account"]) ?? home
            ),
            retries: { [taxi = installation.taxi] kind, channel in
                // The city's policy limits how often a driver notification is retried (R36); an
                // e-mail fallback follows the rules for e-mail.
                switch (channel, kind as? TaxiNotificationKind) {
                case (.push, .offer), (.push, .dutyChanged): break
                default: return nil
                }
                return try? await taxi.dispatch.read { $0.policy[.noticeRetries] }
            },
            unreached: { [taxi = installation.taxi] message in
                guard case (.offer, let number)? = DriverLetter.read(message.sealed),
                    let person = Int64(message.person)
                else { return }
                let request = RequestNumber(rawValue: number)
                // If it fails, the offer ends when the time to answer does.
                try? await taxi.noteUndelivered(request, to: person)
            }
        )
    }

    /// Runs until the server stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
        // This service stops after the listeners, so no more sign-in attempts can arrive.
        try? await installation.accounts.writeAttempts()
    }

    private func work() async {
        let clock = installation.clock
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await worker.run(DeliveryWorker.Clock(now: clock.now, sleep: clock.sleep)) {
                    report in
                    if case .failure(let error) = report, !installation.isTroubled {
                        logger.error("messages wait", metadata: ["error": "\(error)"])
                    }
                }
            }
            group.addTask { await webhooks.run() }
            group.addTask { await keepHouse() }
            await group.next()
            group.cancelAll()
        }
    }

    private func keepHouse() async {
        let clock = installation.clock
        while !Task.isCancelled {
            do {
                let report = try await installation.accounts.sweep(at: clock.now())
                logger.debug("housekeeping", metadata: ["report": "\(report)"])
                let notices = try await installation.accounts.drivers.sendNotices(at: clock.now())
                logger.debug("notices of licences", metadata: ["report": "\(notices)"])
                try await installation.backups.rememberErasures()
                installation.backups.folder.pruneKeys(at: clock.now())
                let old = clock.now().adding(seconds: -Self.remembered)
                try await NotificationQueue(in: installation.database).purge(settledBefore: old)
                try await webhooks.sweep(at: clock.now())
            } catch {
                // The outage of a database has already been logged.
                if !installation.isTroubled {
                    logger.error("housekeeping failed", metadata: ["error": "\(error)"])
                }
            }
            let next = clock.now().adding(seconds: Self.sweepSeconds)
            do { try await clock.sleep(next) } catch { return }
        }
    }
}

extension Installation {
    /// The delivery channels that the settings configure.
    fileprivate var channels: Channels {
        get throws {
            let relay = try settings.mail.map { MailRelay(try $0.relay()) }
            let push = PushService(
                pushIdentity,
                scope: pushesToLoopback ? .loopbackOnly : .publicOnly,
                now: clock.now
            )
            let texts = try settings.textMessages.map { SMSGateway(try $0.gateway()) }
            return Channels(
                mail: relay.map { $0.send },
                sms: texts.map { $0.send },
                push: push.send
            )
        }
    }
}

extension Settings.Mail {
    /// Converts to the mail relay's configuration.
    ///
    /// Except on loopback, the connection must be encrypted (STARTTLS); otherwise nothing is sent.
    func relay() throws(NotifyFailure) -> MailRelay.Settings {
        try MailRelay.Settings(
            host: host,
            port: port,
            credentials: user.flatMap { user in
                password.map { MailRelay.Credentials(user: user, password: $0) }
            },
            isEncrypted: !["127.0.0.1", "[::1]", "localhost"].contains(host)
        )
    }
}

extension Settings.TextMessages {
    /// Converts to the text message gateway's configuration.
    func gateway() throws(NotifyFailure) -> SMSGateway.Settings {
        guard let url = Link(address) else {
            throw NotifyFailure.badSetting("sms.address must begin with https://, not \(address)")
        }
        return try SMSGateway.Settings(url: url, token: token)
    }
}

extension Settings {
    /// The sender of e-mails.
    ///
    /// - Throws: `NotifyFailure.badSetting` if `mail.from` is not an e-mail address.
    var sender: MailAddress {
        get throws {
            guard let found = MailAddress(mail?.from ?? "nobody@localhost.localdomain") else {
                throw NotifyFailure.badSetting("mail.from is no mail address")
            }
            return found
        }
    }

    /// The start page's address for links in messages.
    ///
    /// - Throws: `NotifyFailure.badSetting` if the address cannot be used in a message.
    package func home() throws -> Link {
        let text = address(port: listen.port)
        guard let home = Link(text) else {
            throw NotifyFailure.badSetting("public.address must begin with https://, not \(text)")
        }
        return home
    }
}
