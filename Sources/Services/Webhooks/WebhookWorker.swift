package import Chronology
import HTTPClient

/// Sends the messages to applications until they are acknowledged.
///
/// All that must survive is in the database. In memory, ``ReceiverWindows`` keeps one slow receiver
/// from delaying the others.
package struct WebhookWorker: Sendable {
    /// The time limit of an attempt, in seconds.
    package static let attemptSeconds: Int64 = 15

    /// Sends a message once.
    package typealias Sending = @Sendable (WebhookMessage) async -> WebhookAnswer

    let queue: WebhookQueue
    let clock: Clock
    let send: Sending
    let windows = ReceiverWindows()

    /// The source of time of a worker.
    package struct Clock: Sendable {
        /// The current time.
        package let now: @Sendable () -> Moment
        /// Returns at the given time, or throws if cancelled earlier.
        package let sleep: @Sendable (_ until: Moment) async throws -> Void

        /// Creates a clock from two functions.
        package init(
            now: @escaping @Sendable () -> Moment,
            sleep: @escaping @Sendable (_ until: Moment) async throws -> Void
        ) {
            self.now = now
            self.sleep = sleep
        }
    }

    /// What became of the messages that a worker sent.
    package struct Report: Sendable, Equatable {
        /// Attempts that were made.
        package var attempts = 0
        /// Messages that were acknowledged.
        package var delivered = 0
        /// Messages that were given up.
        package var givenUp = 0
    }

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - register: the endpoints and their messages.
    ///   - clock: the source of time.
    ///   - send: sends a message; nil for HTTP with the register's ``WebhookRegister/reach``.
    package init(_ register: WebhookRegister, clock: Clock, send: Sending? = nil) {
        queue = WebhookQueue(register: register)
        self.clock = clock
        self.send = send ?? Self.overHTTP(register.scope)
    }

    /// Sends what is due now once, and waits for the answers.
    ///
    /// - Returns: what became of it.
    /// - Throws: any database error; messages whose answers could not be recorded are sent again.
    package func round() async throws -> Report {
        let claims = try await claim()
        return try await withThrowingTaskGroup(of: Report.self) { group in
            for claim in claims {
                group.addTask { try await deliver(claim) }
            }
            var whole = Report()
            for try await report in group { whole.add(report) }
            return whole
        }
    }

    /// Claims what is due, as far as the receivers may get more.
    func claim() async throws -> [WebhookQueue.Claim] {
        let now = clock.now()
        let due = try await queue.waiting().filter { $0.due <= now }
        let claims = try await queue.claim(windows.capacities(for: due, at: now), at: now)
        for claim in claims { windows.begin(claim) }
        return claims
    }

    /// Makes an attempt and records its end.
    ///
    /// - Throws: any database error, or if the task is cancelled; the message is sent again when
    ///   its hold is over.
    func deliver(_ claim: WebhookQueue.Claim) async throws -> Report {
        var isSuccess = false
        defer { windows.end(claim, isSuccess: isSuccess, at: clock.now()) }
        guard let answer = await answer(to: message(claim)) else { throw CancellationError() }
        isSuccess = answer.isSuccess
        let state = try await queue.record(answer, claim, at: clock.now())
        var report = Report(attempts: 1)
        switch state {
        case .delivered: report.delivered = 1
        case .givenUp: report.givenUp = 1
        case .behind, .waiting, .sending, .dropped, nil: break
        }
        return report
    }

    /// The answer to a message; nil if the task is cancelled, which does not wait for the receiver.
    private func answer(to message: WebhookMessage) async -> WebhookAnswer? {
        let (answers, feed) = AsyncStream.makeStream(
            of: WebhookAnswer.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        Task { [send] in
            feed.yield(await send(message))
            feed.finish()
        }
        return await answers.first { _ in true }
    }

    private func message(_ claim: WebhookQueue.Claim) -> WebhookMessage {
        let body = Array(claim.body.utf8)
        let seconds = claim.began.milliseconds / 1_000
        let signatures = claim.secrets.map { $0.signature(of: body, id: claim.id, at: seconds) }
        return WebhookMessage(
            address: claim.address,
            headers: [
                ("Content-Type", "application/json"),
                ("User-Agent", "Viavai"),
                ("webhook-id", claim.id),
                ("webhook-timestamp", "\(seconds)"),
                ("webhook-signature", signatures.joined(separator: " ")),
            ],
            body: body
        )
    }

    private static func overHTTP(_ scope: NetworkScope) -> Sending {
        let client = HTTPClient(
            "webhooks",
            scope: scope,
            threadLimit: ReceiverWindows.most
        )
        return { message in
            do throws(HTTPClient.Failure) {
                let response = try await client.send(
                    .post(
                        message.address,
                        headers: message.headers,
                        body: message.body,
                        limit: .seconds(attemptSeconds),
                        bodyLimit: answerLimit
                    )
                )
                return .status(response.status, retryAfterSeconds: response.retryAfterSeconds)
            } catch {
                return .failure(error.text)
            }
        }
    }

    /// The longest answer of a receiver in bytes; nobody reads it.
    private static let answerLimit = 64 * 1_024
}

/// A message as it is sent.
package struct WebhookMessage: Sendable {
    /// The address of the endpoint.
    package let address: String
    /// The headers with the id, the time and the signatures.
    package let headers: [(name: String, value: String)]
    /// The body, as JSON, which the signatures cover.
    package let body: [UInt8]
}

extension WebhookWorker.Report {
    mutating func add(_ other: Self) {
        attempts += other.attempts
        delivered += other.delivered
        givenUp += other.givenUp
    }
}
