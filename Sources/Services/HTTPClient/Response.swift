extension HTTPClient {
    /// A complete response.
    package struct Response: Sendable {
        /// The HTTP status code of the response.
        package let status: Int
        /// Header names and values in the order in which they came.
        package let headers: [(name: String, value: String)]
        /// The body, decompressed.
        package let body: [UInt8]

        /// The first value of a header, whatever the case of its name.
        package subscript(_ name: String) -> String? {
            let name = name.lowercased()
            return headers.first { $0.name.lowercased() == name }?.value
        }

        /// Whether the client's version is still current, so that there is no body.
        package var isUnchanged: Bool { status == 304 }

        /// What to ask for the next version with.
        package var validators: Validators {
            Validators(entityTag: self["ETag"], lastModified: self["Last-Modified"])
        }

        /// The value of `Retry-After` if it is a number of seconds.
        package var retryAfterSeconds: Int64? { self["Retry-After"].flatMap { Int64($0) } }

        /// The beginning of the body as text, for messages about errors.
        package var excerpt: String { String(decoding: body.prefix(2_048), as: UTF8.self) }
    }
}
