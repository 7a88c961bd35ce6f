package import Chronology
package import HTTPClient

/// Submits notifications to the push services of browsers (RFC 8030).
///
/// The endpoint URLs come from outside, so requests go only to `https` and to addresses of the
/// public Internet. Each address is checked when connecting, so that a changed DNS record cannot
/// bypass the check. Redirects are not followed.
package struct PushService: Sendable {
    private let identity: VoluntaryIdentification
    private let client: HTTPClient
    private let limit: Duration
    private let now: @Sendable () -> Moment

    /// Creates a client of push services.
    ///
    /// - Parameters:
    ///   - identity: the identity of this server (VAPID).
    ///   - scope: the network addresses that requests may go to; only tests choose another one.
    ///   - authorities: a file of trusted certificates, replacing those of the system.
    ///   - limit: the time limit for one notification.
    ///   - threadLimit: the number of notifications sent at the same time.
    ///   - now: the clock for the tokens.
    package init(
        _ identity: VoluntaryIdentification,
        scope: NetworkScope = .publicOnly,
        authorities: String? = nil,
        limit: Duration = .seconds(20),
        threadLimit: Int = 8,
        now: @escaping @Sendable () -> Moment
    ) {
        self.identity = identity
        client = HTTPClient(
            "viavai.push",
            scope: scope,
            authorities: authorities,
            threadLimit: threadLimit
        )
        self.limit = limit
        self.now = now
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
        let request = HTTPClient.Request.post(
            browser.endpoint,
            headers: [
                ("Authorization", authorization), ("Content-Encoding", "aes128gcm"),
                ("Content-Type", "application/octet-stream"), ("TTL", "\(notice.lifetime)"),
                ("Urgency", notice.isUrgent ? "high" : "normal"),
            ],
            body: body,
            limit: limit
        )
        do {
            return Self.outcome(try await client.send(request))
        } catch .badRequest, .addressNotPermitted {
            return .gone
        } catch {
            return .deferred(error.text, pause: nil)
        }
    }

    private static func outcome(_ response: HTTPClient.Response) -> Outcome {
        let words = "HTTP \(response.status)"
        return switch response.status {
        case 200..<300: .accepted
        case 404, 410: .gone
        case 408, 429, 500..<600:
            .deferred(words, pause: response.pause)
        // This includes 401 and 403, where the browser was subscribed with another key.
        default: .refused(words)
        }
    }
}

extension HTTPClient.Response {
    /// The delay in milliseconds that the server asks for, clamped to a day.
    var pause: Int64? { retryAfterSeconds.map { min(max($0, 0), 86_400) * 1_000 } }
}
