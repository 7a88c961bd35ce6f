/// The mail server that takes all mail of this service (submission, RFC 6409).
///
/// It is the only one that is ever spoken to: it knows the other servers.
package struct MailRelay: Sendable {
    /// How to reach the relay.
    package struct Settings: Sendable {
        /// Its name or address.
        package let host: String
        /// Its port; 587 for submission.
        package let port: Int
        /// User and password, where it asks for them.
        package let credentials: Credentials?
        /// Whether the connection is encrypted by STARTTLS; only loopback may go without.
        package let isEncrypted: Bool
        /// A file with the certificates that count, in place of the system's.
        package let authorities: String?
        /// How long one mail may take.
        package let limit: Duration

        /// Settings.
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

    /// A user of the relay.
    package struct Credentials: Sendable {
        /// Its name.
        package let user: String
        /// Its password.
        package let password: String

        /// A user.
        package init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    private let settings: Settings
    private let threads: BlockingThreads

    /// A relay.
    ///
    /// - Parameters:
    ///   - settings: how to reach it.
    ///   - threadLimit: how many mails are sent at the same time.
    package init(_ settings: Settings, threadLimit: Int = 8) {
        self.settings = settings
        threads = BlockingThreads("viavai.mail", limit: threadLimit)
    }

    /// Hands a mail over.
    ///
    /// - Returns: `refused` only where the relay refuses this recipient or this mail for good; any
    ///   other trouble, also with the relay's own set-up, may pass.
    package func send(_ mail: MailMessage) async -> Outcome {
        let credentials = settings.credentials.map { (user: $0.user, password: $0.password) }
        let transfer = Transfer(
            url: "smtp://\(settings.host):\(settings.port)/\(mail.sender.domain)",
            schemes: "smtp",
            limit: settings.limit,
            authorities: settings.authorities,
            job: .mail(
                Transfer.Submission(
                    sender: mail.sender.text,
                    recipient: mail.recipient.text,
                    message: mail.encoded(),
                    credentials: credentials,
                    isEncrypted: settings.isEncrypted
                )
            )
        )
        return await threads.run { Self.outcome(transfer.perform()) }
    }

    private static func outcome(_ answer: Transfer.Answer) -> Outcome {
        if answer.code == 0 { return .accepted }
        let isAboutThisMail = ["RCPT", "DATA"].contains(answer.command)
        if (500..<600).contains(answer.status), isAboutThisMail { return .refused(answer.text) }
        let words = (400..<600).contains(answer.status) ? answer.text : answer.words
        return .deferred(words, pause: nil)
    }
}
