/// Submits mails to one server with libcurl (RFC 6409).
package struct SMTPClient: Sendable {
    /// A mail and the connection that it is submitted over.
    package struct Submission: Sendable {
        /// The URL of the server, with the name that this host gives itself as its path.
        let url: String
        let sender: String
        let recipient: String
        let message: [UInt8]
        let credentials: (user: String, password: String)?
        let isEncrypted: Bool

        /// Creates a submission.
        ///
        /// - Parameters:
        ///   - host: the host name or IP address of the server.
        ///   - port: its TCP port.
        ///   - domain: the name that this host gives itself.
        ///   - sender: the address for bounces.
        ///   - recipient: the address that the mail goes to.
        ///   - message: the mail with its headers, lines ending with CR LF.
        ///   - credentials: the log-in data; nil if the server requires none.
        ///   - isEncrypted: whether STARTTLS is required.
        package init(
            to host: String,
            port: Int,
            domain: String,
            sender: String,
            recipient: String,
            message: [UInt8],
            credentials: (user: String, password: String)?,
            isEncrypted: Bool
        ) {
            url = "smtp://\(host):\(port)/\(domain)"
            self.sender = sender
            self.recipient = recipient
            self.message = message
            self.credentials = credentials
            self.isEncrypted = isEncrypted
        }
    }

    /// The result of a submission.
    package enum Outcome: Sendable {
        /// The server took responsibility for the mail.
        case accepted
        /// The server replied with an error code.
        ///
        /// - Parameters:
        ///   - code: the reply code, from 400 to 599.
        ///   - command: the command that it replied to.
        ///   - text: the lines of the reply.
        case refused(code: Int, command: String, text: String)
        /// There was no reply; the error message of libcurl.
        case failed(String)
    }

    private let authorities: String?
    private let limit: Duration
    private let threads: BlockingThreads

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - name: what its threads are called.
    ///   - authorities: a file of trusted certificates, replacing those of the system.
    ///   - limit: the time limit for one mail.
    ///   - threadLimit: the number of mails submitted at the same time.
    package init(_ name: String, authorities: String?, limit: Duration, threadLimit: Int) {
        self.authorities = authorities
        self.limit = limit
        threads = BlockingThreads(name, limit: threadLimit)
    }

    /// Submits a mail to the relay and returns the outcome.
    package func submit(_ submission: Submission) async -> Outcome {
        let transfer = Transfer(
            url: submission.url,
            schemes: "smtp",
            limit: limit,
            authorities: authorities,
            job: .mail(submission),
            bodyLimit: 0
        )
        return await threads.run { transfer.perform().submission }
    }
}
