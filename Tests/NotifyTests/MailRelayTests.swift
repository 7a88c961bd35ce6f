import Foundation
import TestSupport
import Testing

@testable import Notify

/// Submission to a real mail server, aiosmtpd, over the wire.
@Suite("Mail relay", .enabled(if: LocalServers.areAvailable, LocalServers.advice))
struct MailRelayTests {
    private static func relay(
        _ servers: LocalServers,
        password: String = "secret",
        isTrusted: Bool = true,
        limit: Duration = .seconds(30)
    ) throws -> MailRelay {
        MailRelay(
            try MailRelay.Settings(
                host: "127.0.0.1",
                port: servers.places.encrypted,
                credentials: MailRelay.Credentials(user: "city", password: password),
                authorities: isTrusted ? servers.places.certificate : nil,
                limit: limit
            )
        )
    }

    @Test("a mail goes encrypted and with credentials, and arrives as it was meant")
    func arrives() async throws {
        let servers = try await LocalServers.started()
        let relay = try Self.relay(servers)
        let name = "Zoë D'Àngelo"
        let subject = "È arrivato il taxi n° 12, davanti alla Stazione Centrale, lato viale"
        let text = "Perché no?\n.\nFrom here\n" + String(repeating: "àè ", count: 90) + "\n=3D"
        let mail = Examples.mail(to: "arrives@x.example", name: name, subject: subject, text: text)
        #expect(await relay.send(mail) == .accepted)
        let found = try #require(try await servers.mails(to: "arrives@x.example").first)
        #expect(found.encrypted && found.user == "city" && found.server == "encrypted")
        #expect(found.from == "taxi@city.example")
        #expect(found.parsed.names == MailMessageTests.names)
        #expect(found.parsed.subject == subject)
        #expect(found.parsed.to == [[name, "arrives@x.example"]])
        #expect(found.parsed.id == "<m1@city.example>")
        #expect(found.parsed.date == "2026-11-21T12:36:45+00:00")
        #expect(found.parsed.plain.contains(text))
        #expect(found.parsed.html.contains("<a href=\"https://taxi.example/page?id=1&amp;b=2\""))
        #expect(found.parsed.defects.isEmpty)
    }

    @Test("hostile texts arrive as texts", arguments: MailMessageTests.hostile.indices)
    func hostile(index: Int) async throws {
        let servers = try await LocalServers.started()
        let relay = MailRelay(
            try MailRelay.Settings(
                host: "127.0.0.1",
                port: servers.places.plain,
                isEncrypted: false
            )
        )
        let text = MailMessageTests.hostile[index]
        let address = "hostile\(index)@x.example"
        let mail = Examples.mail(to: address, name: text, subject: text, text: text)
        #expect(await relay.send(mail) == .accepted)
        let found = try #require(try await servers.mails(to: address).first)
        #expect(found.parsed.names == MailMessageTests.names)
        #expect(found.parsed.to.map(\.[1]) == [address])
        #expect(found.parsed.defects.isEmpty)
        #expect(!found.parsed.html.contains("<script"))
        let isFound = found.parsed.plain.contains(text.replacingOccurrences(of: "\r\n", with: "\n"))
        #expect(isFound || text.contains("\r") || text.contains("\u{0}"))
    }

    @Test(
        "only a refusal of this recipient or mail is final",
        arguments: [
            (
                "unknown@x.example",
                Outcome.refused("550 5.1.1 <unknown@x.example>: no such user here")
            ),
            ("spam@x.example", .refused("554-5.7.1 We do not 554 5.7.1 want this")),
            ("full@x.example", .deferred("452 4.2.2 The mailbox is full", pause: nil)),
            ("busy@x.example", .deferred("451 4.3.0 Try again later", pause: nil)),
        ]
    )
    func answers(address: String, outcome: Outcome) async throws {
        let servers = try await LocalServers.started()
        let found = try await Self.relay(servers).send(Examples.mail(to: address))
        #expect(found == outcome)
    }

    @Test(
        "a server that hangs or dies in the middle is tried again",
        arguments: ["slow@x.example", "dies@x.example", "drops@x.example"]
    )
    func trouble(address: String) async throws {
        let servers = try await LocalServers.started()
        let relay = try Self.relay(servers, limit: .seconds(2))
        let outcome = await relay.send(Examples.mail(to: address))
        guard case .deferred = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test("a wrong password is trouble of the relay, not of the recipient")
    func password() async throws {
        let servers = try await LocalServers.started()
        let relay = try Self.relay(servers, password: "wrong")
        let outcome = await relay.send(Examples.mail(to: "password@x.example"))
        guard case .deferred = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try await servers.mails(to: "password@x.example").isEmpty)
    }

    @Test("nothing goes to a server whose certificate is not trusted, or that does not encrypt")
    func untrusted() async throws {
        let servers = try await LocalServers.started()
        let unknown = try Self.relay(servers, isTrusted: false)
        let plain = MailRelay(
            try MailRelay.Settings(host: "127.0.0.1", port: servers.places.plain)
        )
        for relay in [unknown, plain] {
            let outcome = await relay.send(Examples.mail(to: "untrusted@x.example"))
            guard case .deferred = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
        #expect(try await servers.mails(to: "untrusted@x.example").isEmpty)
    }

    @Test("nobody listens: it is tried again")
    func nobody() async throws {
        let relay = MailRelay(
            try MailRelay.Settings(host: "127.0.0.1", port: 1, isEncrypted: false)
        )
        let outcome = await relay.send(Examples.mail(to: "nobody@x.example"))
        guard case .deferred = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test("a relay that is not on loopback must encrypt, and its name is a name")
    func settings() {
        for host in ["mail.example", "10.0.0.1", "127.0.0.1.example"] {
            #expect(throws: NotifyFailure.self) {
                try MailRelay.Settings(host: host, isEncrypted: false)
            }
        }
        for host in ["", "a b", "a/b", "a@b", "a\r\nb"] {
            #expect(throws: NotifyFailure.self) { try MailRelay.Settings(host: host) }
        }
    }
}
