import Backups
import Chronology
import Dispatching
import Drivers
import HTTPServer
import Identity
package import Logging
package import Notify
import ServiceLifecycle
import Storage
import Taxi
import TaxiPages

/// Sends what is posted, and does the accounts' daily housekeeping, for as long as the server runs.
package struct PostOffice: Service, CustomStringConvertible {
    /// How often housekeeping is done, in seconds.
    private static let sweepSeconds: Int64 = 3_600
    /// How long it is remembered that a message was sent, in seconds.
    private static let remembered: Int64 = 30 * 86_400

    /// Its name: the group of services logs it, and must not log all that it holds.
    package var description: String { "post office" }

    private let installation: Installation
    /// What delivers.
    let courier: Courier
    private let logger: Logger

    /// The post office of an installation.
    ///
    /// - Parameters:
    ///   - installation: whose messages are sent.
    ///   - home: the address of the first page, as people reach it.
    ///   - carriers: what carries messages out of the house; nil for what the settings say.
    ///   - logger: the log.
    /// - Throws: `NotifyFailure.badSetting` where a setting cannot be used.
    package init(
        _ installation: Installation,
        home: Link,
        carriers: Carriers? = nil,
        logger: Logger
    ) throws {
        self.installation = installation
        self.logger = logger
        let settings = installation.settings
        let sender = try settings.sender
        courier = Courier(
            installation.database,
            directory: Postbox(home: home, rides: RideLetters(installation, home: home)) {
                installation.accounts
            },
            browsers: installation.accounts.browsers(in: installation.database),
            carriers: try carriers ?? installation.carriers,
            letterhead: Courier.Letterhead(
                name: settings.cityName,
                city: City(name: settings.cityName, zone: settings.zoneTable),
                sender: sender,
                settings: home.page(["account"]) ?? home
            )
        ) { [taxi = installation.taxi] kind, channel in
            // How often a notice to a driver is tried again is the city's rule (R36); a mail in its
            // place goes as all mails do.
            guard channel == .push, kind == .offer || kind == .dutyChanged else { return nil }
            return try? await taxi.dispatch.read { $0.policy[.noticeRetries] }
        }
    }

    /// Works until the server stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
        // Nobody logs in any more: this service ends after the doors.
        try? await installation.accounts.writeAttempts()
    }

    private func work() async {
        let clock = installation.clock
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await courier.run(Courier.Clock(now: clock.now, sleep: clock.sleep)) { report in
                    if case .failure(let error) = report, !installation.isTroubled {
                        logger.error("messages wait", metadata: ["error": "\(error)"])
                    }
                }
            }
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
            } catch {
                // The log says once that a database is away.
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
    /// What carries messages out of the house, by the settings.
    fileprivate var carriers: Carriers {
        get throws {
            let relay = try settings.mail.map { MailRelay(try $0.relay()) }
            let push = PushService(pushIdentity, reach: pushReach, now: clock.now)
            let texts = try settings.textMessages.map { SMSGateway(try $0.gateway()) }
            return Carriers(
                mail: relay.map { $0.send },
                sms: texts.map { $0.send },
                push: push.send
            )
        }
    }
}

extension Settings.Mail {
    /// The relay as the carrier of mail knows it.
    ///
    /// Everywhere but on loopback the connection is encrypted (STARTTLS) or nothing is sent.
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
    /// The gateway as the carrier of text messages knows it.
    func gateway() throws(NotifyFailure) -> SMSGateway.Settings {
        guard let url = Link(address) else {
            throw NotifyFailure.badSetting("sms.address must begin with https://, not \(address)")
        }
        return try SMSGateway.Settings(url: url, token: token)
    }
}

extension Settings {
    /// Who writes.
    ///
    /// - Throws: `NotifyFailure.badSetting` where `mail.from` is no mail address.
    var sender: MailAddress {
        get throws {
            guard let found = MailAddress(mail?.from ?? "nobody@localhost.localdomain") else {
                throw NotifyFailure.badSetting("mail.from is no mail address")
            }
            return found
        }
    }

    /// The first page's address for links in messages.
    ///
    /// - Throws: `NotifyFailure.badSetting` where it is none that may stand in a message.
    package func home() throws -> Link {
        let text = address(port: listen.port)
        guard let home = Link(text) else {
            throw NotifyFailure.badSetting("public.address must begin with https://, not \(text)")
        }
        return home
    }
}
