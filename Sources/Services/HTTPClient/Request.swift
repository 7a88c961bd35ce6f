extension HTTPClient {
    /// A request to an HTTP server.
    package struct Request: Sendable {
        /// The URL, with the scheme `http` or `https`.
        package var url: String
        /// Header names and values in the order in which they are sent.
        package var headers: [(name: String, value: String)]
        /// The body of a `POST`; nil makes the request a `GET`.
        package var body: [UInt8]?
        /// What the client has already: the server answers 304 if it has nothing newer.
        package var validators: Validators
        /// The time limit from the connection to the end of the response.
        package var limit: Duration
        /// The size in bytes, after decompression, above which a response body is an error.
        package var bodyLimit: Int

        /// The size limit of a body unless the request says otherwise: 1 MiB.
        package static let defaultBodyLimit = 1 << 20

        /// Creates a `GET` request.
        package static func get(
            _ url: String,
            headers: [(name: String, value: String)] = [],
            unlessUnchanged validators: Validators = Validators(),
            limit: Duration = .seconds(20),
            bodyLimit: Int = defaultBodyLimit
        ) -> Request {
            Request(
                url: url,
                headers: headers,
                validators: validators,
                limit: limit,
                bodyLimit: bodyLimit
            )
        }

        /// Creates a `POST` request.
        package static func post(
            _ url: String,
            headers: [(name: String, value: String)],
            body: [UInt8],
            limit: Duration = .seconds(20),
            bodyLimit: Int = defaultBodyLimit
        ) -> Request {
            Request(
                url: url,
                headers: headers,
                body: body,
                validators: Validators(),
                limit: limit,
                bodyLimit: bodyLimit
            )
        }

        /// All headers as lines; nil if one of them could not be sent as it is.
        var headerLines: [String]? {
            var all = headers
            if let tag = validators.entityTag { all.append(("If-None-Match", tag)) }
            if let date = validators.lastModified { all.append(("If-Modified-Since", date)) }
            guard all.allSatisfy({ Self.isSound($0.name, $0.value) }) else { return nil }
            // For long bodies libcurl would ask for permission first and wait for the answer.
            // A semicolon is libcurl's way to say that a value is empty.
            return all.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
                + ["Expect:"]
        }

        /// Whether a name is a token and a value holds no control characters (RFC 9110, 5.5).
        private static func isSound(_ name: String, _ value: String) -> Bool {
            let isToken = name.utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
            }
            return isToken && !name.isEmpty
                && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
    }

    /// What tells one version of a resource from another (RFC 9110, 8.8).
    package struct Validators: Equatable, Sendable {
        /// The `ETag` header, with its quotes.
        package var entityTag: String?
        /// The `Last-Modified` header, as the server wrote it.
        package var lastModified: String?

        /// Creates validators; without any, a request is unconditional.
        package init(entityTag: String? = nil, lastModified: String? = nil) {
            self.entityTag = entityTag
            self.lastModified = lastModified
        }
    }
}
