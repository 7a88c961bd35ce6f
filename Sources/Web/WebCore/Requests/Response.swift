package import HTTPTypes
package import Markup

/// The response to a visitor's request.
package struct Response: Sendable {
    /// The content after the headers.
    package enum Body: Sendable {
        /// A body that is complete in memory.
        case bytes([UInt8])
        /// A body sent in chunks; it ends with the stream or when the client disconnects.
        case stream(AsyncStream<[UInt8]>)
    }

    /// The HTTP status of the response.
    package var status: HTTPResponse.Status
    /// The headers, without those that every response has.
    package var headers: HTTPFields
    /// The content of the response.
    package var body: Body
    /// Where to redirect a repeated submission of the same form, if the answer is a page that must
    /// not be stored, such as one that shows a secret.
    package var repeated: Address?

    /// Creates a response with a complete body.
    package init(
        _ status: HTTPResponse.Status = .ok,
        type: String,
        bytes: [UInt8],
        headers: HTTPFields = [:]
    ) {
        self.status = status
        self.headers = headers
        self.headers[.contentType] = type
        body = .bytes(bytes)
    }

    /// Creates a response that streams events.
    package init(
        _ status: HTTPResponse.Status,
        type: String,
        stream: AsyncStream<[UInt8]>,
        headers: HTTPFields
    ) {
        self.status = status
        self.headers = headers
        self.headers[.contentType] = type
        body = .stream(stream)
    }

    /// Creates a response without a body.
    package init(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) {
        self.status = status
        self.headers = headers
        body = .bytes([])
    }

    /// Redirects the visitor after an action, so that reloading does not repeat it.
    package static func redirect(to address: Address) -> Response {
        Response(.seeOther, headers: [.location: address.text])
    }

    /// A plain text response.
    package static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(status, type: "text/plain; charset=utf-8", bytes: Array(text.utf8))
    }

    /// A response that the browser saves as a file.
    package static func download(_ bytes: [UInt8], type: String, name: StaticString) -> Response {
        let disposition = "attachment; filename=\"\(name)\""
        return Response(type: type, bytes: bytes, headers: [.contentDisposition: disposition])
    }

    /// A copy of the response that also sets a cookie.
    package func setting(_ cookie: Cookie) -> Response {
        var response = self
        response.headers.append(HTTPField(name: .setCookie, value: cookie.text))
        return response
    }
}

/// A cookie to set in a response.
package struct Cookie: Hashable, Sendable {
    /// The name of the cookie.
    package var name: String
    /// The value, which may contain letters, digits, `-` and `_` only.
    package var value: String
    /// The lifetime in seconds; nil until the browser is closed, 0 to delete the cookie.
    package var age: Int64?
    /// Whether the cookie is sent over TLS only.
    package var isSecure: Bool

    /// Creates a cookie with a lifetime.
    package init(name: String, value: String, age: Int64?, isSecure: Bool) {
        self.name = name
        self.value = value
        self.age = age
        self.isSecure = isSecure
    }

    /// The value of the `Set-Cookie` header.
    ///
    /// Scripts cannot read the cookie, and requests from other sites' forms or images do not
    /// include it.
    package var text: String {
        "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax"
            + (age.map { "; Max-Age=\($0)" } ?? "")
            + (isSecure ? "; Secure" : "")
    }
}
