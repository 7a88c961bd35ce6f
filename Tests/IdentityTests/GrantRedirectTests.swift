import Chronology
import IdentityTestSupport
import StorageTestSupport
import Testing

@testable import Identity

/// To which addresses people return: taxi.md R5; RFC 9700, 4.1; RFC 8252, 7.3.
@Suite("Addresses to which people return")
struct GrantRedirectTests {
    private let now = TestCity.start
    private static let back = "https://rides.example.org/back"

    @Test(
        "people return to exactly a registered address; on their own device the port is free",
        arguments: [
            ("https://rides.example.org/back", true),
            ("https://rides.example.org/back/", false),
            ("https://rides.example.org/back?x=1", false),
            ("https://rides.example.org/back#x", false),
            ("https://rides.example.org/Back", false),
            ("https://rides.example.org:443/back", false),
            ("https://rides.example.org/back/../other", false),
            ("https://evil.example/back", false),
            ("http://127.0.0.1/done", true),
            ("http://127.0.0.1:51000/done", true),
            ("http://127.0.0.1:51000/done?x", false),
            ("http://127.0.0.1:51000/done/x", false),
            ("http://127.0.0.1:051000/done", false),
            ("http://127.0.0.1:99999/done", false),
            ("http://127.0.0.1:80@evil.example/done", false),
            ("http://127.0.0.1.evil.example/done", false),
            ("http://localhost:51000/done", false),
            ("http://[::1]:51000/done", true),
            ("https://127.0.0.1:51000/done", false),
            ("", false),
        ]
    )
    func redirects(address: String, isExact: Bool) async throws {
        try await TestCity.with(.sqlite) { city in
            let admin = try await city.administrator()
            var form = ApplicationForm(
                name: "Desktop",
                contact: "office@rides.example.org",
                redirects: [Self.back, "http://127.0.0.1/done", "http://[::1]/done"],
                scopes: [.callTaxis],
                requestsPerMinute: 60
            )
            await #expect(
                throws: ApplicationRefusal(problems: [.badRedirect("http://127.0.0.1/done")])
            ) {
                try await city.accounts.registerApplication(form, by: admin, at: now)
            }
            form.isNative = true
            let (number, _) = try await city.accounts.registerApplication(
                form,
                by: admin,
                at: now
            )
            let found = try #require(try await city.accounts.application(number))
            #expect(found.form.isNative && found.mayRedirect(to: address) == isExact)
        }
    }
}
