package import Chronology

/// Hands notices to the push services of browsers (RFC 8030).
///
/// Their addresses come from outside, so a request goes only to `https` and only to addresses of
/// the public Internet. That is checked for each address at the moment of connecting, so a name
/// that changes what it stands for gains nothing. No redirection is followed.
package struct PushService: Sendable {
    /// Which machines may be spoken to.
    package enum Reach: Sendable {
        /// Those of the public Internet.
        case publicOnly
        /// A push service of the tests on this machine, without or with encryption.
        case loopbackOnly
    }

    private let identity: VoluntaryIdentification
    private let reach: Reach
    private let authorities: String?
    private let limit: Duration
    private let now: @Sendable () -> Moment
    private let threads: BlockingThreads

    /// A sender of notices.
    ///
    /// - Parameters:
    ///   - identity: as whom it sends.
    ///   - reach: which machines may be spoken to.
    ///   - authorities: a file with the certificates that count, in place of the system's.
    ///   - limit: how long one notice may take.
    ///   - threadLimit: how many are sent at the same time.
    ///   - now: the clock, for the tokens.
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

    /// Hands a notice over.
    ///
    /// - Returns: `gone` where the service no longer knows the browser, and where its address leads
    ///   where no push service can be.
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
        // Among them 401 and 403, where the browser was subscribed with another key.
        default: .refused(words)
        }
    }
}

extension Int64 {
    /// Seconds that another server asks for, within a day.
    var clampedSeconds: Int64 { Swift.min(Swift.max(self, 0), 86_400) }
}
