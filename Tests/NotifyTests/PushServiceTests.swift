import Chronology
import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import Notify

/// issue 4: "SSRF by push endpoints"; the responses of push services.
@Suite("Push services")
struct PushServiceTests {
    private static func service(
        _ scope: NetworkScope,
        certificate: String? = nil,
        limit: Duration = .seconds(20)
    ) throws -> PushService {
        PushService(
            try PushTests.identity(),
            scope: scope,
            authorities: certificate,
            limit: limit
        ) { Examples.now }
    }

    @Test(
        "a notice arrives, and each answer means something",
        .enabled(if: LocalServers.areAvailable, LocalServers.advice),
        arguments: [
            ("/status/201/a", Outcome.accepted), ("/status/410/a", .gone), ("/status/404/a", .gone),
            ("/retry/429/30", .deferred("HTTP 429", pause: 30_000)),
            ("/status/503/a", .deferred("HTTP 503", pause: nil)),
            ("/status/403/a", .refused("HTTP 403")), ("/status/400/a", .refused("HTTP 400")),
            ("/redirect/302", .refused("HTTP 302")),
            ("/retry/429/-5", .deferred("HTTP 429", pause: 0)),
            ("/retry/429/99999999999999999999", .deferred("HTTP 429", pause: nil)),
        ]
    )
    func answers(path: String, outcome: Outcome) async throws {
        let servers = try await LocalServers.started()
        let service = try Self.service(.loopbackOnly, certificate: servers.places.certificate)
        let browser = try PushTests.subscription("https://127.0.0.1:\(servers.places.https)\(path)")
        let found = await service.send(PushTests.notice(), browser)
        #expect(found == outcome)
        let request = try #require(try await servers.requests(of: path).first)
        #expect(request.headers["ttl"] == "1800" && request.headers["urgency"] == "high")
        #expect(request.headers["content-encoding"] == "aes128gcm")
        #expect(request.headers["authorization"]?.hasPrefix("vapid t=") == true)
        let plain = try PushTests.decrypted(Array(request.body))
        let read = try JSONDecoder().decode([String: String].self, from: Data(plain))
        #expect(read["body"] == "Taxi T12 comes." && read["tag"] == "parcel-near")
        #expect(try await servers.requests(of: "/status/201/redirected").isEmpty)
    }

    @Test(
        "trouble is tried again, and too long an answer is not read to its end",
        .enabled(if: LocalServers.areAvailable, LocalServers.advice),
        arguments: ["/slow/1", "/drops/1", "/endless/200"]
    )
    func trouble(path: String) async throws {
        let servers = try await LocalServers.started()
        let service = try Self.service(.loopbackOnly, limit: .seconds(3))
        let browser = try PushTests.subscription("http://127.0.0.1:\(servers.places.http)\(path)")
        let outcome = await service.send(PushTests.notice(), browser)
        guard case .deferred = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test(
        "nothing goes to this machine or a private network, whatever the name",
        .enabled(if: LocalServers.areAvailable, LocalServers.advice),
        arguments: ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1", "2130706433", "0x7f.1"]
    )
    func forbidden(host: String) async throws {
        let servers = try await LocalServers.started()
        let service = try Self.service(.publicOnly, certificate: servers.places.certificate)
        let path = "/status/201/forbidden"
        let browser = try PushTests.subscription("https://\(host):\(servers.places.https)\(path)")
        let outcome = await service.send(PushTests.notice(), browser)
        #expect(outcome == .gone)
        #expect(try await servers.requests(of: path).isEmpty)
    }

    @Test("without encryption nothing goes anywhere")
    func unencrypted() async throws {
        let browser = try PushTests.subscription("http://127.0.0.1:1/")
        let outcome = await (try Self.service(.publicOnly)).send(PushTests.notice(), browser)
        #expect(outcome == .gone)
    }
}
