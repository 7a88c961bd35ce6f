import HTTPClient

/// The mail server that accepts all mail of this service (submission, RFC 6409).
///
/// No other mail server is contacted; the relay delivers to the recipients' servers.
package struct MailRelay: Sendable {
    /// The connection settings of the relay.
    package struct Settings: Sendable {
        /// The host name or IP address.
        package let host: String
        /// The TCP port; 587 for submission.
        package let port: Int
        /// The log-in data; nil if the relay requires none.
        package let credentials: Credentials?
        /// Whether to use STARTTLS; only connections to loopback may be unencrypted.
        package let isEncrypted: Bool
        /// A file of trusted certificates, replacing those of the system.
        package let authorities: String?
        /// The time limit for one mail.
        package let limit: Duration

        /// Validates the settings.
        ///
        /// - Throws: `NotifyFailure.badSetting`.
        package init(
            host: String,
            port: Int = 587,
            credentials: Credentials? = nil,
            isEncrypted: Bool = true,
            authorities: String? = nil,
            limit: Duration = .seconds(60)
        ) throws(NotifyFailure) {
            let isName = host.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || Array("-.:[]".utf8).contains(byte)
            }
            guard isName, !host.isEmpty, (1...65_535).contains(port) else {
                throw .badSetting("\(host):\(port) is not the place of a mail server")
            }
            guard isEncrypted || ["127.0.0.1", "[::1]", "localhost"].contains(host) else {
                throw .badSetting("a mail server that is not on loopback needs STARTTLS")
            }
            self.host = host
            self.port = port
            self.credentials = credentials
            self.isEncrypted = isEncrypted
            self.authorities = authorities
            self.limit = limit
        }
    }

    /// The log-in data of the relay.
    package struct Credentials: Sendable {
        package let user: String
        package let password: String

        package init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    private let settings: Settings
    private let client: SMTPClient

    /// Creates a relay client.
    ///
    /// - Parameters:
    ///   - settings: the connection settings.
    ///   - threadLimit: the number of mails sent at the same time.
    package init(_ settings: Settings, threadLimit: Int = 8) {
        self.settings = settings
        client = SMTPClient(
            "viavai.mail",
            authorities: settings.authorities,
            limit: settings.limit,
            threadLimit: threadLimit
        )
    }

    /// Submits a mail to the relay.
    ///
    /// - Returns: `refused` only if the relay permanently refuses this recipient or this mail;
    ///   other failures, including those of the relay's configuration, count as temporary.
    package func send(_ mail: MailMessage) async -> Outcome {
        let submission = SMTPClient.Submission(
            to: settings.host,
            port: settings.port,
            domain: String(mail.sender.domain),
            sender: mail.sender.text,
            recipient: mail.recipient.text,
            message: mail.encoded(),
            credentials: settings.credentials.map { ($0.user, $0.password) },
            isEncrypted: settings.isEncrypted
        )
        switch await client.submit(submission) {
        case .accepted: return .accepted
        case .refused(500..., "RCPT", let text), .refused(500..., "DATA", let text):
            return .refused(text)
        case .refused(_, _, let text), .failed(let text): return .deferred(text, pause: nil)
        }
    }
}
