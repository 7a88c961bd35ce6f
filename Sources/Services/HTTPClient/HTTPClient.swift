/// A client for HTTP/1.1 and HTTP/2, built on libcurl.
///
/// It follows no redirects, uses no proxy, keeps no cookies and reads no user configuration,
/// because the environment must not influence where requests go. A response of any status is
/// returned; an error means that there was no complete response.
package struct HTTPClient: Sendable {
    private let scope: NetworkScope
    private let authorities: String?
    private let threads: BlockingThreads

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - name: what its threads are called.
    ///   - scope: the network addresses that requests may go to.
    ///   - authorities: a file of trusted certificates, replacing those of the system.
    ///   - threadLimit: the number of requests that run at the same time; further ones wait.
    package init(
        _ name: String,
        scope: NetworkScope,
        authorities: String? = nil,
        threadLimit: Int
    ) {
        self.scope = scope
        self.authorities = authorities
        threads = BlockingThreads(name, limit: threadLimit)
    }

    /// Sends a request and waits for the whole response.
    ///
    /// Cancelling the task does not interrupt it; the time limit of the request does.
    package func send(_ request: Request) async throws(Failure) -> Response {
        guard let headers = request.headerLines else { throw .badRequest }
        var transfer = Transfer(
            url: request.url,
            schemes: scope == .publicOnly ? "https" : "http,https",
            limit: request.limit,
            authorities: authorities,
            job: .http(headers: headers, body: request.body),
            bodyLimit: request.bodyLimit
        )
        switch scope {
        case .anywhere: break
        case .publicOnly: transfer.admits = { $0.isPublic }
        case .loopbackOnly: transfer.admits = { $0.isLoopback }
        }
        return try await threads.run { [transfer] in transfer.perform().response }.get()
    }
}

extension HTTPClient {
    /// Why there was no complete response.
    package enum Failure: Error, Equatable, Sendable {
        /// The URL or a header is malformed, or the scheme is not permitted. Nothing was sent.
        case badRequest
        /// No address of the host may be connected to. Nothing was sent.
        case addressNotPermitted
        /// The response did not end within the time limit.
        case timedOut
        /// The body or the headers are longer than permitted.
        case responseTooLarge
        /// The connection failed: the error message of libcurl.
        case connection(String)

        /// A description for logs.
        package var text: String {
            switch self {
            case .badRequest: "The URL or a header is malformed"
            case .addressNotPermitted: "The address is not permitted"
            case .timedOut: "Timeout was reached"
            case .responseTooLarge: "The response is too large"
            case .connection(let message): message
            }
        }
    }
}
