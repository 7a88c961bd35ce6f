import CCurl

/// One transfer by libcurl, which blocks its thread until it is over or its time is.
///
/// It uses no proxy, follows no redirection and reads no file of the user's: what the environment
/// says must not change where messages go.
struct Transfer {
    /// Where it goes.
    let url: String
    /// The schemes that are allowed: curl knows many more.
    let schemes: String
    /// How long all of it may take.
    let limit: Duration
    /// A file with the certificates that count, in place of the system's.
    var authorities: String?
    /// Decides, for each address that the name stands for, whether to go there; nil for all.
    var admits: (@Sendable (NetworkAddress) -> Bool)?
    var job: Job

    enum Job {
        case mail(Submission)
        case post(headers: [String], body: [UInt8])
    }

    struct Submission {
        let sender: String
        let recipient: String
        let message: [UInt8]
        let credentials: (user: String, password: String)?
        let isEncrypted: Bool
    }

    /// What came back.
    struct Answer {
        /// What curl says; zero where all went well.
        let code: UInt32
        /// What curl says in words.
        let words: String
        /// The other side's last status: of SMTP or HTTP; zero where there was none.
        let status: Int
        /// Its last lines in SMTP, or the beginning of its body in HTTP.
        let text: String
        /// The value of `Retry-After` in seconds, in HTTP.
        let retryAfter: Int64?
        /// The last command that was sent, in SMTP: its first word.
        let command: String
        /// Whether an address was not admitted.
        let isForbidden: Bool
    }

    /// How long connecting may take.
    private static let connectLimit = Duration.seconds(10)

    /// Does it.
    func perform() -> Answer {
        // Once for the program; it must come before the first handle and is safe on any thread.
        _ = Self.isReady
        guard let handle = unsafe curl_easy_init() else {
            return Conversation().answer(code: CURLE_OUT_OF_MEMORY, status: 0)
        }
        defer { unsafe curl_easy_cleanup(handle) }
        let conversation = Conversation()
        conversation.admits = admits
        if case .mail(let submission) = job { conversation.outgoing = submission.message[...] }
        // The conversation outlives the transfer: it is used once more below.
        let context = unsafe Unmanaged.passUnretained(conversation).toOpaque()
        var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
        defer { unsafe lists.forEach { unsafe curl_slist_free_all($0) } }
        unsafe configure(handle, context)
        unsafe configureJob(handle, context, &lists)
        let code = withExtendedLifetime(conversation) { unsafe curl_easy_perform(handle) }
        var status = 0
        _ = unsafe viavai_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        return conversation.answer(code: code, status: status)
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private func configure(_ handle: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) {
        _ = unsafe viavai_set_text(handle, CURLOPT_URL, url)
        _ = unsafe viavai_set_text(handle, CURLOPT_PROTOCOLS_STR, schemes)
        _ = unsafe viavai_set_text(handle, CURLOPT_PROXY, "")
        _ = unsafe viavai_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
        _ = unsafe viavai_set_number(handle, CURLOPT_NOSIGNAL, 1)
        _ = unsafe viavai_set_number(handle, CURLOPT_TIMEOUT_MS, Self.milliseconds(limit))
        let connecting = min(limit, Self.connectLimit)
        _ = unsafe viavai_set_number(
            handle,
            CURLOPT_CONNECTTIMEOUT_MS,
            Self.milliseconds(connecting)
        )
        // The farewell after a mail has no part in the limit above; it waits for minutes by itself.
        _ = unsafe viavai_set_number(handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, Self.seconds(limit))
        _ = unsafe viavai_set_number(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let authorities {
            _ = unsafe viavai_set_text(handle, CURLOPT_CAINFO, authorities)
            // Debian's directory of certificates would count beside the file.
            _ = unsafe viavai_set_text(handle, CURLOPT_CAPATH, nil)
        }
        _ = unsafe viavai_set_function(
            handle,
            CURLOPT_WRITEFUNCTION,
            receiveBody,
            CURLOPT_WRITEDATA,
            context
        )
        _ = unsafe viavai_set_function(
            handle,
            CURLOPT_HEADERFUNCTION,
            receiveLine,
            CURLOPT_HEADERDATA,
            context
        )
        _ = unsafe viavai_set_witness(handle, noteCommand, context)
        if admits != nil { _ = unsafe viavai_set_opener(handle, openSocket, context) }
    }

    private func configureJob(
        _ handle: UnsafeMutableRawPointer,
        _ context: UnsafeMutableRawPointer,
        _ lists: inout [UnsafeMutablePointer<curl_slist>]
    ) {
        switch job {
        case .mail(let mail):
            _ = unsafe viavai_set_text(handle, CURLOPT_MAIL_FROM, "<\(mail.sender)>")
            unsafe set(handle, CURLOPT_MAIL_RCPT, ["<\(mail.recipient)>"], &lists)
            _ = unsafe viavai_set_number(handle, CURLOPT_UPLOAD, 1)
            _ = unsafe viavai_set_function(
                handle,
                CURLOPT_READFUNCTION,
                sendMore,
                CURLOPT_READDATA,
                context
            )
            let level = mail.isEncrypted ? CURLUSESSL_ALL : CURLUSESSL_NONE
            _ = unsafe viavai_set_number(handle, CURLOPT_USE_SSL, Int(level.rawValue))
            if let credentials = mail.credentials {
                _ = unsafe viavai_set_text(handle, CURLOPT_USERNAME, credentials.user)
                _ = unsafe viavai_set_text(handle, CURLOPT_PASSWORD, credentials.password)
            }
        case .post(let headers, let body):
            unsafe set(handle, CURLOPT_HTTPHEADER, headers, &lists)
            _ = unsafe viavai_set_number(handle, CURLOPT_POST, 1)
            _ = unsafe viavai_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
            // The size comes first, so that this copies bytes and not a text.
            unsafe body.withUnsafeBytes { bytes in
                _ = unsafe viavai_set_text(
                    handle,
                    CURLOPT_COPYPOSTFIELDS,
                    bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                )
            }
        }
    }

    private func set(
        _ handle: UnsafeMutableRawPointer,
        _ option: CURLoption,
        _ texts: [String],
        _ lists: inout [UnsafeMutablePointer<curl_slist>]
    ) {
        var list: UnsafeMutablePointer<curl_slist>?
        for text in texts { unsafe list = curl_slist_append(list, text) }
        guard let made = unsafe list else { return }
        unsafe lists.append(made)
        _ = unsafe viavai_set_list(handle, option, made)
    }

    /// Whether the address was such that nothing could be tried.
    static func isUnusable(_ answer: Answer) -> Bool {
        [CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL].contains { $0.rawValue == answer.code }
    }

    private static func seconds(_ duration: Duration) -> Int {
        max(1, Int(duration.components.seconds))
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
