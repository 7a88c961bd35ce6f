import StorageTestSupport
import Testing

@testable import WebApp

/// Issue 29, faults 3 and 12: what strangers did with the pages that need no account.
@Suite("Abuse of accounts", .serialized)
struct AccountAbuseTests {
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
