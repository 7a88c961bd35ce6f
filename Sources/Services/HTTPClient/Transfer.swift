import CCurl
import Encoding

/// One libcurl transfer, which blocks its thread until it ends or times out.
struct Transfer {
    /// The URL of the transfer.
    let url: String
    /// The permitted URL schemes, since curl supports many more.
    let schemes: String
    /// The time limit for the whole transfer.
    let limit: Duration
    /// A file of trusted certificates, replacing those of the system.
    let authorities: String?
    /// Decides for each resolved address whether to connect; nil permits all.
    var admits: (@Sendable (NetworkAddress) -> Bool)?
    let job: Job
    /// The size in bytes above which a body aborts the transfer.
    let bodyLimit: Int

    enum Job {
        case mail(SMTPClient.Submission)
        /// A `GET` where there is no body, otherwise a `POST`.
        case http(headers: [String], body: [UInt8]?)
    }

    /// The time limit for connecting.
    private static let connectLimit = Duration.seconds(10)

    /// Performs the transfer.
    func perform() -> Result {
        let exchange = Exchange(admits: admits, bodyLimit: bodyLimit)
        // Global initialisation, once per process; it must precede the first handle
        // and is thread-safe.
        _ = Self.isReady
        guard let handle = unsafe curl_easy_init() else {
            return Result(code: CURLE_OUT_OF_MEMORY, status: 0, exchange: exchange)
        }
        defer { unsafe curl_easy_cleanup(handle) }
        if case .mail(let submission) = job { exchange.outgoing = submission.message[...] }
        // The exchange outlives the transfer, because it is used again below.
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
        defer { unsafe lists.forEach { unsafe curl_slist_free_all($0) } }
        unsafe configure(handle, context)
        unsafe configureJob(handle, context, &lists)
        let code = withExtendedLifetime(exchange) { unsafe curl_easy_perform(handle) }
        var status = 0
        _ = unsafe viavai_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        return Result(code: code, status: status, exchange: exchange)
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
        // The limit above does not cover `QUIT` after a mail, for which curl waits
        // minutes by default.
        _ = unsafe viavai_set_number(handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, Self.seconds(limit))
        _ = unsafe viavai_set_number(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let authorities {
            _ = unsafe viavai_set_text(handle, CURLOPT_CAINFO, authorities)
            // Otherwise the system's certificate directory would be trusted too.
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
        case .http(let headers, let body):
            unsafe set(handle, CURLOPT_HTTPHEADER, headers, &lists)
            _ = unsafe viavai_set_text(handle, CURLOPT_ACCEPT_ENCODING, "gzip")
            guard let body else { return }
            _ = unsafe viavai_set_number(handle, CURLOPT_POST, 1)
            _ = unsafe viavai_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
            // The size must be set first, so that curl copies bytes and not a C string. The zero
            // at the end is not sent; it gives an empty body an address.
            unsafe (body + [0]).withUnsafeBytes { bytes in
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

    private static func seconds(_ duration: Duration) -> Int {
        max(1, Int(duration.components.seconds))
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

extension Transfer {
    /// The result of a transfer.
    struct Result {
        /// The result code of curl; zero for success.
        let code: CURLcode
        /// The last SMTP reply code or the HTTP status; zero if there was none.
        let status: Int
        let exchange: Exchange

        /// The error message of curl.
        private var message: String { unsafe String(cString: curl_easy_strerror(code)) }

        /// The result of an HTTP request.
        var response: Swift.Result<HTTPClient.Response, HTTPClient.Failure> {
            if exchange.isForbidden { return .failure(.addressNotPermitted) }
            if exchange.isTooLarge { return .failure(.responseTooLarge) }
            switch code {
            case CURLE_OK: break
            case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: return .failure(.badRequest)
            case CURLE_OPERATION_TIMEDOUT: return .failure(.timedOut)
            default: return .failure(.connection(message))
            }
            let headers = exchange.lines.dropFirst().compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return parts.count < 2
                    ? nil : (name: String(parts[0]), value: parts[1].trimmingBlanks())
            }
            return .success(
                HTTPClient.Response(status: status, headers: headers, body: exchange.body)
            )
        }

        /// The result of the submission of a mail.
        var submission: SMTPClient.Outcome {
            if code == CURLE_OK { return .accepted }
            guard (400..<600).contains(status) else { return .failed(message) }
            return .refused(
                code: status,
                command: exchange.replyingCommand,
                text: exchange.lines.prefix(Self.replyLimit).joined(separator: " ")
            )
        }

        /// How many lines of an SMTP reply are kept.
        private static let replyLimit = 8
    }
}
