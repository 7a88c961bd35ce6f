package import Chronology

/// Submits notifications to the push services of browsers (RFC 8030).
///
/// The endpoint URLs come from outside, so requests go only to `https` and to addresses of the
/// public Internet. Each address is checked when connecting, so that a changed DNS record cannot
/// bypass the check. Redirects are not followed.
package struct PushService: Sendable {
    /// The network addresses that requests may go to.
    package enum Reach: Sendable {
        /// Only addresses of the public Internet.
        case publicOnly
        /// Only loopback, encrypted or not, for a push service in tests.
        case loopbackOnly
    }

    private let identity: VoluntaryIdentification
    private let reach: Reach
    private let authorities: String?
    private let limit: Duration
    private let now: @Sendable () -> Moment
    private let threads: BlockingThreads

    /// Creates a client of push services.
    ///
    /// - Parameters:
    ///   - identity: the identity of this server (VAPID).
    ///   - reach: the network addresses that requests may go to.
    ///   - authorities: a file of trusted certificates, replacing those of the system.
    ///   - limit: the time limit for one notification.
    ///   - threadLimit: the number of notifications sent at the same time.
    ///   - now: the clock for the tokens.
    package init(
        _ identity: VoluntaryIdentification,
        reach: Reach = .publicOnly,
        authorities: String? = nil,
        limit: Duration = .seconds(20),
        threadLimit: Int = 8,
        now: @escaping @Sendable () -> Moment
    ) {
        self.identity = identity
        self.reach = reach
        self.authorities = authorities
        self.limit = limit
        self.now = now
        threads = BlockingThreads("viavai.push", limit: threadLimit)
    }

    /// Submits a notification to a push service.
    ///
    /// - Returns: `gone` if the service no longer knows the browser, or the endpoint cannot
    ///   be a push service.
    package func send(_ notice: PushNotice, _ browser: PushSubscription) async -> Outcome {
        let body: [UInt8]
        let authorization: String
        do {
            body = try PushEncryption.encrypted(notice.payload, for: browser)
            authorization = try identity.authorization(for: browser.origin, at: now())
        } catch {
            return .refused("the notice could not be encrypted")
        }
        let reach = reach
        let transfer = Transfer(
            url: browser.endpoint,
            schemes: reach == .publicOnly ? "https" : "http,https",
            limit: limit,
            authorities: authorities,
            admits: { reach == .publicOnly ? $0.isPublic : $0.isLoopback },
            job: .post(
                headers: [
                    "Authorization: \(authorization)", "Content-Encoding: aes128gcm",
                    "Content-Type: application/octet-stream", "TTL: \(notice.lifetime)",
                    "Urgency: \(notice.kind.rules.isUrgent ? "high" : "normal")", "Expect:",
                ],
                body: body
            )
        )
        return await threads.run { Self.outcome(transfer.perform()) }
    }

    private static func outcome(_ answer: Transfer.Answer) -> Outcome {
        if answer.isForbidden || Transfer.isUnusable(answer) { return .gone }
        guard answer.code == 0 else { return .deferred(answer.words, pause: nil) }
        let words = "HTTP \(answer.status)"
        return switch answer.status {
        case 200..<300: .accepted
        case 404, 410: .gone
        case 408, 429, 500..<600:
            .deferred(words, pause: answer.retryAfter.map { $0.clampedSeconds * 1_000 })
        // This includes 401 and 403, where the browser was subscribed with another key.
        default: .refused(words)
        }
    }
}

extension Int64 {
    /// The delay requested by another server, clamped to a day.
    var clampedSeconds: Int64 { Swift.min(Swift.max(self, 0), 86_400) }
}
