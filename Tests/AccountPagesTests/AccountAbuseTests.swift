import Identity
import StorageTestSupport
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 29, faults 3 and 12: how strangers abused the pages that need no account.
@Suite("Abuse of accounts", .serialized)
struct AccountAbuseTests {
    private static let ana = [
        "name": "Ana", "surname": "Bruni", "email": "ana@example.org", "user_name": "anab",
        "password": "Passw0rdOne", "password_again": "Passw0rdOne", "consent": "2",
    ]

    @Test("issue 29, fault 3: anyone who makes the server write to many is told, in both languages")
    func strangers() async throws {
        try await withSite { site in
            for number in 0..<100 {
                try await site.accounts.forgotPassword(
                    of: "stranger\(number)@example.org",
                    from: ClientAddress("127.0.0.1"),
                    at: site.clock.now
                )
            }
            let visitor = site.visitor()
            for (language, words) in [
                ("en", "Too many messages were requested from your network."),
                ("it", "Dalla tua rete sono stati richiesti troppi messaggi."),
            ] {
                visitor.language = language
                for page in ["/register", "/password/forgotten"] {
                    let answer = try await visitor.submit(Self.ana, on: page)
                    #expect(answer.status == 422 && answer.text.contains(words), "\(answer.text)")
                }
            }
            #expect(site.count(.confirmRegistration) == 0)
            site.clock.advance(seconds: 3_600)
            let sent = try await visitor.submit(Self.ana, on: "/register")
            #expect(sent.status == 200 && site.count(.confirmRegistration) == 1)
        }
    }

    @Test("issue 29, faults 3 and 12: a name that leads elsewhere is refused, in both languages")
    func misleadingNames() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            for (name, language, words) in [
                ("Win http://evil.example", "en", "Leave out web addresses."),
                ("Win http://evil.example", "it", "Non inserire indirizzi web."),
                ("a\u{202E}b", "en", "Leave out invisible characters and line breaks."),
                ("a\u{202E}b", "it", "Togli i caratteri invisibili e gli a capo."),
            ] {
                visitor.language = language
                var fields = Self.ana
                fields["name"] = name
                let answer = try await visitor.submit(fields, on: "/register")
                #expect(answer.status == 422 && answer.text.contains(words), "\(answer.text)")
            }
            #expect(site.count(.confirmRegistration) == 0)
        }
    }

    @Test(
        "issue 29, fault 12: on a site with TLS, a page that came without it is another site's",
        arguments: [
            ("http://taxi.example.org", 403), ("http://127.0.0.1", 403),
            ("https://taxi.example.org", 422), ("https://here.example", 422), ("null", 403),
        ]
    )
    func plainOrigin(origin: String, status: Int) async throws {
        try await withSite(["public.address": "https://taxi.example.org"]) { site in
            let answer = try await site.visitor().submit(
                ["name": "nobody", "password": "wrong"],
                on: "/login",
                headers: ["origin": origin, "host": "here.example"]
            )
            #expect(answer.status == status, "\(answer.text)")
        }
    }
}
