import Chronology
import Identity
import Logging
import Storage
import Taxi
import TaxiPages
import WebCore
import Webhooks

/// Sends messages to applications while the server runs, and tells the city of those that are told
/// no more.
struct WebhookPost: Sendable {
    /// The time between two looks for endpoints that were shut, in seconds.
    private static let shutSeconds: Int64 = 60

    private let register: WebhookRegister
    private let worker: WebhookWorker
    private let installation: Installation
    private let logger: Logger

    /// Creates the service of an installation.
    init(_ installation: Installation, logger: Logger) {
        self.installation = installation
        self.logger = logger
        let clock = installation.clock
        register = installation.webhooks
        worker = WebhookWorker(
            installation.webhooks,
            clock: WebhookWorker.Clock(now: clock.now, sleep: clock.sleep)
        )
    }

    /// Runs until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await worker.run { report in
                    if case .failure(let error) = report, !installation.isTroubled {
                        logger.error("webhooks wait", metadata: ["error": "\(error)"])
                    }
                }
            }
            group.addTask { await watch() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Deletes messages that are older than the city keeps them.
    func sweep(at now: Moment) async throws {
        try await register.purge(at: now)
    }

    /// Writes to administrators about each endpoint that was shut, once.
    func tellOfShut() async throws {
        for shut in try await register.untoldShut() { try await tell(of: shut) }
    }

    private func watch() async {
        let clock = installation.clock
        while !Task.isCancelled {
            do {
                try await tellOfShut()
            } catch {
                if !installation.isTroubled {
                    logger.error("notices of webhooks wait", metadata: ["error": "\(error)"])
                }
            }
            do { try await clock.sleep(clock.now().adding(seconds: Self.shutSeconds)) } catch {
                return
            }
        }
    }

    /// Writes to all administrators.
    ///
    /// After a crash some of them are written to twice, which is better than not at all.
    private func tell(of shut: WebhookRegister.Shut) async throws {
        let accounts = installation.accounts
        let now = installation.clock.now()
        let endpoint = try await register.endpoint(shut.endpoint, of: shut.application)
        let facts = [
            "application": try await accounts.application(shut.application)?.form.name ?? "",
            "host": endpoint.host, "number": "\(shut.application)",
        ]
        logger.warning(
            "a webhook is shut, because its receiver acknowledges nothing",
            metadata: ["application": "\(shut.application)", "endpoint": "\(shut.endpoint)"]
        )
        _ = try await accounts.tellEach(
            """
            SELECT person AS number FROM person_role r JOIN person p ON p.number = r.person
            WHERE r.role = \(Role.administrator.rawValue) AND p.suspended = 0 ORDER BY person
            """,
            at: now
        ) { key, fields, transaction in
            try accounts.tell(.webhookShut, key, fields, facts, at: now, in: transaction)
            return true
        }
        try await register.noteTold(shut)
    }
}
