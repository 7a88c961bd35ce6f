package import Chronology
package import HTTPTypes
package import Logging

/// Another city inside this server, for programs that are being written (decision 0055).
///
/// Its operations have the paths of the city's own. A request goes there if its key begins with
/// ``SandboxKeys/prefix``, which no key of the city does, and with nothing of the city but the
/// request itself.
package protocol Sandbox: Sendable {
    /// Issues keys for somebody who need not say who they are.
    ///
    /// - Returns: the keys.
    /// - Throws: `Failure.busy` while the sandbox opens, and when it has issued as many as it may.
    func issueKeys() async throws -> SandboxKeys

    /// Values of fields with which operations work in it, by the names of the fields; none while it
    /// is closed.
    func examples() async -> [String: String]

    /// Answers a request.
    ///
    /// - Parameter call: the request, with a key of the sandbox.
    /// - Returns: the answer of the operation, or its refusal.
    /// - Throws: ``ProgramRefusal`` for a key that is not valid, `Failure` if there is no answer.
    func answer(_ call: SandboxCall) async throws -> Response
}

/// What a developer gets to try the operations.
package struct SandboxKeys: Hashable, Sendable {
    /// What every key of a sandbox begins with.
    package static let prefix = "sandbox-"

    /// The key of an application.
    package let key: String
    /// The token of a person who lets that application do everything.
    package let token: String
    /// When both end, with the sandbox.
    package let ends: Moment

    /// Creates keys; both must begin with ``prefix``, which marks them as keys of the sandbox.
    package init(key: String, token: String, ends: Moment) {
        precondition(key.hasPrefix(Self.prefix) && token.hasPrefix(Self.prefix), "other keys")
        self.key = key
        self.token = token
        self.ends = ends
    }

    /// Reads the cookie that keeps them; nil for one that is malformed.
    package init?(cookie: String) {
        let parts = cookie.split(separator: "_", maxSplits: 2).map(String.init)
        guard parts.count == 3, let ends = Int64(parts[0]), (0...1 << 50).contains(ends),
            parts[1...].allSatisfy({ $0.hasPrefix(Self.prefix) })
        else { return nil }
        self.init(key: parts[1], token: parts[2], ends: Moment(milliseconds: ends))
    }

    /// The value of the cookie that keeps them in the developer's browser.
    package var cookie: String { "\(ends.milliseconds)_\(key)_\(token)" }
}

/// A program's request of an operation, apart from the connection on which it came.
package struct SandboxCall: Sendable {
    /// The name of the operation's route, such as `api.account.read`.
    package let operation: String
    /// The method of the HTTP request.
    package let method: HTTPRequest.Method
    /// The path without the query.
    package let path: String
    /// The values of the path's parameters.
    package let parameters: [String: String]
    /// The fields of the query.
    package let query: Form
    /// The bytes of the body; empty for none.
    package let body: [UInt8]
    /// The key or token of the request.
    package let key: String
    /// The other headers of the request; cookies are not passed on.
    package let headers: HTTPFields
    /// The requested host.
    package let host: String
    /// The network address of the client.
    package let address: String
    /// The logger of the request.
    package let logger: Logger

    /// Creates the request of an operation.
    ///
    /// - Parameters:
    ///   - route: the route of the operation.
    ///   - path: the path without the query.
    ///   - parameters: the values of the path's parameters.
    ///   - query: the fields of the query.
    ///   - body: the body.
    ///   - key: the key or token.
    ///   - headers: further headers.
    ///   - context: the request on whose behalf it is made.
    package init(
        _ route: Route,
        path: String,
        parameters: [String: String],
        query: Form,
        body: [UInt8],
        key: String,
        headers: HTTPFields,
        for context: RequestContext
    ) {
        operation = route.name
        method = route.method
        self.path = path
        self.parameters = parameters
        self.query = query
        self.body = body
        self.key = key
        var headers = headers
        headers[.cookie] = nil
        headers[.authorization] = nil
        self.headers = headers
        host = context.host
        address = context.address
        logger = context.logger
    }
}
