package import HTTPTypes
package import Markup

/// What a visitor gets back.
package struct Reply: Sendable {
    /// What follows the headers.
    package enum Body: Sendable {
        /// Bytes that are all there.
        case bytes([UInt8])
        /// Bytes as they come; it ends with the stream or when the visitor leaves.
        case stream(AsyncStream<[UInt8]>)
    }

    /// The status.
    package var status: HTTPResponse.Status
    /// The headers, without those that every reply has.
    package var headers: HTTPFields
    /// The body.
    package var body: Body
    /// Where the same form is sent on to when it comes again, where something was done and the
    /// answer is a page that is not to be kept, such as one that shows a secret.
    package var repeated: Address?

    /// A reply of bytes.
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

    /// A stream of events.
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

    /// A reply without a body.
    package init(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) {
        self.status = status
        self.headers = headers
        body = .bytes([])
    }

    /// Sends the visitor on after something was done, so that reloading does not repeat it.
    package static func redirect(to address: Address) -> Reply {
        Reply(.seeOther, headers: [.location: address.text])
    }

    /// Text as it is.
    package static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Reply {
        Reply(status, type: "text/plain; charset=utf-8", bytes: Array(text.utf8))
    }

    /// A file for the visitor to keep.
    package static func download(_ bytes: [UInt8], type: String, name: StaticString) -> Reply {
        let disposition = "attachment; filename=\"\(name)\""
        return Reply(type: type, bytes: bytes, headers: [.contentDisposition: disposition])
    }

    /// The same with a cookie set.
    package func setting(_ cookie: Cookie) -> Reply {
        var reply = self
        reply.headers.append(HTTPField(name: .setCookie, value: cookie.text))
        return reply
    }
}

/// A cookie that is set.
package struct Cookie: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// Its value: letters, digits, `-` and `_` only.
    package var value: String
    /// For how many seconds it is kept; nil until the browser is closed, 0 takes it away.
    package var age: Int64?
    /// Whether it is sent over TLS only.
    package var isSecure: Bool

    /// A cookie.
    package init(name: String, value: String, age: Int64?, isSecure: Bool) {
        self.name = name
        self.value = value
        self.age = age
        self.isSecure = isSecure
    }

    /// As a header says it.
    ///
    /// No script reads it, and no other site's form or picture sends it.
    package var text: String {
        "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax"
            + (age.map { "; Max-Age=\($0)" } ?? "")
            + (isSecure ? "; Secure" : "")
    }
}
