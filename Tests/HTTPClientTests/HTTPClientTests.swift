import Foundation
import TestSupport
import Testing

@testable import HTTPClient

/// Issue 29, "One of each": requests to a real server on loopback.
@Suite("HTTP client", .enabled(if: LocalServers.areAvailable, LocalServers.advice))
struct HTTPClientTests {
    private static let text = "these are the words of the server"

    private static func client(_ scope: NetworkScope = .loopbackOnly) async throws -> HTTPClient {
        let servers = try await LocalServers.started()
        return HTTPClient(
            "viavai.test",
            scope: scope,
            authorities: servers.places.certificate,
            threadLimit: 4
        )
    }

    private static func url(_ path: String, isEncrypted: Bool = false) async throws -> String {
        let places = try await LocalServers.started().places
        return isEncrypted
            ? "https://127.0.0.1:\(places.https)\(path)" : "http://127.0.0.1:\(places.http)\(path)"
    }

    /// The failure of a request; nil if there was a response.
    private static func failure(
        _ request: HTTPClient.Request,
        _ scope: NetworkScope = .loopbackOnly
    ) async throws -> HTTPClient.Failure? {
        let client = try await client(scope)
        do throws(HTTPClient.Failure) {
            _ = try await client.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test("GET returns status, headers and body", arguments: [false, true])
    func get(isEncrypted: Bool) async throws {
        let path = "/status/200/get-\(isEncrypted)?a=%C3%A8&b=2"
        let url = try await Self.url(path, isEncrypted: isEncrypted)
        let response = try await Self.client().send(
            .get(url, headers: [("Authorization", "Bearer t"), ("X-Empty", "")])
        )
        #expect(response.status == 200 && !response.isUnchanged)
        #expect(String(decoding: response.body, as: UTF8.self) == Self.text)
        #expect(response["content-length"] == "\(Self.text.utf8.count)")
        #expect(response["X-Absent"] == nil)
        let request = try #require(
            try await LocalServers.started().requests(of: path).first
        )
        #expect(request.method == "GET" && request.body.isEmpty)
        #expect(request.headers["authorization"] == "Bearer t")
        #expect(request.headers["x-empty"] == "")
        #expect(request.headers["if-none-match"] == nil)
    }

    @Test("every status is a response", arguments: [201, 302, 404, 500, 503])
    func statuses(status: Int) async throws {
        let response = try await Self.client().send(.get(Self.url("/status/\(status)/any")))
        #expect(response.status == status && response.excerpt == Self.text)
    }

    @Test("redirects are not followed")
    func redirect() async throws {
        let response = try await Self.client().send(.get(Self.url("/redirect/302/get")))
        #expect(response.status == 302 && response["location"] == "/status/201/redirected")
    }

    @Test("Retry-After counts if it is a number", arguments: [("30", 30), ("soon", nil)])
    func retryAfter(text: String, seconds: Int64?) async throws {
        let response = try await Self.client().send(.get(Self.url("/retry/503/\(text)")))
        #expect(response.retryAfterSeconds == seconds)
    }

    @Test("POST sends a body of any length", arguments: [0, 1, 3, 2_000_000])
    func post(length: Int) async throws {
        let body = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let path = "/status/201/post-\(length)"
        let response = try await Self.client().send(
            .post(Self.url(path), headers: [("Content-Type", "application/json")], body: body)
        )
        #expect(response.status == 201)
        let request = try #require(
            try await LocalServers.started().requests(of: path).first
        )
        #expect(request.method == "POST" && Array(request.body) == body)
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["expect"] == nil)
    }

    @Test("what has not changed is not sent again")
    func conditional() async throws {
        let client = try await Self.client()
        let url = try await Self.url("/versions/200/a")
        let first = try await client.send(.get(url))
        #expect(first.status == 200 && !first.body.isEmpty)
        let validators = first.validators
        #expect(validators.entityTag == "\"v1\"")
        #expect(validators.lastModified == "Sat, 21 Nov 2026 12:00:00 GMT")
        let dateOnly = HTTPClient.Validators(lastModified: validators.lastModified)
        for known in [validators, dateOnly] {
            let again = try await client.send(.get(url, unlessUnchanged: known))
            #expect(again.isUnchanged && again.body.isEmpty && again.validators == validators)
        }
        let old = HTTPClient.Validators(entityTag: "\"v0\"")
        let newer = try await client.send(.get(url, unlessUnchanged: old))
        #expect(newer.status == 200 && newer.body == first.body)
    }

    @Test("gzip is decompressed")
    func gzip() async throws {
        let response = try await Self.client().send(.get(Self.url("/gzip/200/a")))
        #expect(response["content-encoding"] == "gzip" && response.excerpt == Self.text)
    }

    @Test("a body may be as long as the limit and no longer", arguments: [0, 1, 100_000])
    func bodyLimit(limit: Int) async throws {
        let fitting = try await Self.client().send(
            .get(Self.url("/size/200/\(limit)"), bodyLimit: limit)
        )
        #expect(fitting.body.count == limit)
        let request = HTTPClient.Request.get(
            try await Self.url("/size/200/\(limit + 1)"),
            bodyLimit: limit
        )
        #expect(try await Self.failure(request) == .responseTooLarge)
    }

    @Test(
        "endless bodies, gzip bombs and endless headers are cut off",
        arguments: ["/endless/200", "/bomb/200", "/headers/200/400"]
    )
    func tooLarge(path: String) async throws {
        #expect(try await Self.failure(.get(Self.url(path))) == .responseTooLarge)
    }

    @Test("a response that does not end in time is an error")
    func timeout() async throws {
        let url = try await Self.url("/slow/1/get")
        let start = ContinuousClock.now
        #expect(try await Self.failure(.get(url, limit: .milliseconds(300))) == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test(
        "broken connections and bodies are errors",
        arguments: ["/drops/200", "/short/200", "/broken/200"]
    )
    func broken(path: String) async throws {
        let failure = try await Self.failure(.get(Self.url(path)))
        guard case .connection(let message) = failure else {
            Issue.record("\(path): \(String(describing: failure))")
            return
        }
        #expect(!message.isEmpty)
    }

    @Test(
        "nothing is sent for a URL or header that could mean something else",
        arguments: [
            .get("ftp://127.0.0.1/"), .get("file:///etc/passwd"), .get("smtp://127.0.0.1/"),
            .get(""), .get("http://"), .get("http://127.0.0.1:1/", headers: [("A", "b\r\nC: d")]),
            .get("http://127.0.0.1:1/", headers: [("A: b", "c")]),
            .get("http://127.0.0.1:1/", headers: [("", "c")]),
            .get("http://127.0.0.1:1/", unlessUnchanged: .init(entityTag: "\"a\"\nB: c")),
        ] as [HTTPClient.Request]
    )
    func badRequests(request: HTTPClient.Request) async throws {
        #expect(try await Self.failure(request) == .badRequest)
    }

    @Test("addresses outside the reach are not connected to")
    func reach() async throws {
        let path = "/status/200/reach"
        let url = try await Self.url(path, isEncrypted: true)
        #expect(try await Self.failure(.get(url), .publicOnly) == .addressNotPermitted)
        let plain = try await Self.url(path)
        #expect(try await Self.failure(.get(plain), .publicOnly) == .badRequest)
        #expect(try await LocalServers.started().requests(of: path).isEmpty)
        #expect(try await Self.failure(.get(url), .anywhere) == nil)
        let elsewhere = HTTPClient.Request.get("http://192.0.2.1/", limit: .seconds(1))
        #expect(try await Self.failure(elsewhere) == .addressNotPermitted)
    }

    @Test("a certificate that is not trusted ends the connection")
    func untrusted() async throws {
        let path = "/status/200/untrusted-get"
        let client = HTTPClient("viavai.test", scope: .loopbackOnly, threadLimit: 1)
        let url = try await Self.url(path, isEncrypted: true)
        await #expect(throws: HTTPClient.Failure.self) { try await client.send(.get(url)) }
        #expect(try await LocalServers.started().requests(of: path).isEmpty)
    }
}
