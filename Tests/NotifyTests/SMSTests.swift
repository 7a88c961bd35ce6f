import Foundation
import TestSupport
import Testing

@testable import Notify

/// issue 4, Notify: "SMS through a small HTTP-gateway adapter, tested against a local server".
@Suite("SMS")
struct SMSTests {
    @Test(
        "a text goes as the gateway wants it, and each answer means something",
        .enabled(if: LocalServers.areAvailable, LocalServers.advice),
        arguments: [
            ("/status/202/sms", Outcome.accepted),
            ("/status/422/sms", .refused("HTTP 422 these are the words of the server")),
            (
                "/status/401/sms",
                .deferred("HTTP 401 these are the words of the server", pause: nil)
            ),
            (
                "/status/500/sms",
                .deferred("HTTP 500 these are the words of the server", pause: nil)
            ),
            (
                "/retry/429/7",
                .deferred("HTTP 429 these are the words of the server", pause: 7_000)
            ),
            (
                "/redirect/302/sms",
                .deferred("HTTP 302 these are the words of the server", pause: nil)
            ),
        ]
    )
    func answers(path: String, outcome: Outcome) async throws {
        let servers = try await LocalServers.started()
        let gateway = SMSGateway(
            try SMSGateway.Settings(
                url: #require(Link("https://127.0.0.1:\(servers.places.https)\(path)")),
                token: "s3cret",
                numberField: "recipient",
                textField: "body",
                fixedFields: ["sender": "Taxi \"Milano\""],
                authorities: servers.places.certificate
            )
        )
        let number = try #require(PhoneNumber("+39 02 1234-567"))
        let text = "È arrivato\n\"qui\""
        let found = await gateway.send(number, text)
        #expect(found == outcome)
        let request = try #require(try await servers.requests(of: path).first)
        #expect(request.method == "POST")
        #expect(request.headers["authorization"] == "Bearer s3cret")
        #expect(request.headers["content-type"] == "application/json")
        let read = try JSONDecoder().decode([String: String].self, from: request.body)
        #expect(
            read == ["recipient": "+39021234567", "body": text, "sender": "Taxi \"Milano\""]
        )
    }

    @Test(
        "a gateway that hangs or is not trusted is tried again",
        .enabled(if: LocalServers.areAvailable, LocalServers.advice)
    )
    func trouble() async throws {
        let servers = try await LocalServers.started()
        let links = [
            "http://127.0.0.1:\(servers.places.http)/slow/sms",
            "https://127.0.0.1:\(servers.places.https)/status/200/untrusted",
            "http://127.0.0.1:1/",
        ]
        for link in links {
            let gateway = SMSGateway(
                try SMSGateway.Settings(
                    url: #require(Link(link)),
                    token: "s3cret",
                    limit: .seconds(1)
                )
            )
            let outcome = await gateway.send(try #require(PhoneNumber("+39021234567")), "a")
            guard case .deferred = outcome else {
                Issue.record("\(link): \(outcome)")
                continue
            }
        }
        #expect(try await servers.requests(of: "/status/200/untrusted").isEmpty)
    }

    @Test(
        "a number is an international one or none",
        arguments: [
            "", "+", "02 1234567", "0039021234567", "+0212345678", "+39a21234567", "+123456",
            "+1234567890123456", "+39 02 1234567\r\n", "+39;21234567", "+३९०२१२३४",
        ]
    )
    func badNumbers(text: String) {
        #expect(PhoneNumber(text) == nil)
    }

    @Test("a token that could end its header is refused")
    func tokens() throws {
        let url = try #require(Link("https://sms.example/"))
        for token in ["", "a b", "a\r\nX: y", "é"] {
            #expect(throws: NotifyFailure.self) { try SMSGateway.Settings(url: url, token: token) }
        }
    }
}
