import Dispatching
import HTTPTypes
import Identity
import Taxi
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

/// Issue 30: the language changes on every page and in every state, and nothing typed is lost
/// (R114).
@Suite("The choice of a language", .serialized)
struct LanguageTests {
    /// The address that a form's language button goes to, and the value that it sends.
    private static func button(in page: String) throws -> (address: String, value: String) {
        let found = try #require(
            page.firstMatch(
                of: /name="show-in" value="([^"]*)" formaction="([^"]*)"/
            ),
            "\(page)"
        )
        return (String(found.2).replacing("&amp;", with: "&"), String(found.1))
    }

    @Test("the link keeps the query")
    func query() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let page = try await visitor.get("/register/done/password?a=b%26c&d=%C3%A8")
            let link = try #require(page.text.firstMatch(of: /href="(\/language[^"]*)"/)).1
            let sent = try await visitor.get(String(link).replacing("&amp;", with: "&"))
            #expect(
                sent.header("location") == "/register/done/password?a=b%26c&d=%C3%A8",
                "\(link)"
            )
        }
    }

    @Test("a form's button shows the page again with what was typed, and does nothing else")
    func typed() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let page = try await visitor.get("/password/forgotten?notice=x").text
            // The header leads to the button, because a link would lose what was typed.
            #expect(page.contains("<a href=\"#language\" lang=\"it\""))
            let button = try Self.button(in: page)
            #expect(button.address == "/password/forgotten?notice=x")
            let typed = "anna & <b>\"conti\"</b>"
            let italian = try await visitor.submit(
                ["name": typed, "show-in": button.value],
                on: "/password/forgotten?notice=x",
                to: button.address
            )
            #expect(italian.status == 200 && italian.text.contains("<html lang=\"it\">"))
            #expect(italian.text.contains("value=\"anna &amp; &lt;b&gt;"), "\(italian.text)")
            #expect(try await visitor.get("/login").text.contains("<html lang=\"it\">"))
            #expect(site.count(.resetPassword) == 0)
        }
    }

    @Test(
        "the secret of a mailed link is in no link or header, and the language still changes",
        arguments: ["/password/new", "/confirm", "/account/confirm"]
    )
    func secret(path: String) async throws {
        try await withSite { site in
            let visitor = site.visitor()
            visitor.language = "en"
            let person = [
                "name": "Ana", "surname": "Bruni", "email": "ana@example.org", "user_name": "anab",
                "password": "Passw0rdOne", "password_again": "Passw0rdOne", "consent": "2",
            ]
            _ = try await visitor.submit(person, on: "/register")
            let token = try #require(try await site.message(.confirmRegistration)?.facts["token"])
            let address = "\(path)?token=\(token)&field=email"
            let page = try await visitor.get(address)
            #expect(page.status == 200)
            let links = page.text.matches(of: /(?:href|src|action|formaction|data-back)="([^"]*)"/)
            #expect(!links.isEmpty && !links.contains { $0.1.contains(token) }, "\(page.text)")
            #expect(page.header("referrer-policy") == "strict-origin")
            #expect(page.header("location") == nil && page.header("set-cookie") == nil)
            // The form brings the secret along, and its page comes back in Italian with it.
            let button = try Self.button(in: page.text)
            #expect(!button.address.contains(token))
            let italian = try await visitor.submit(
                ["show-in": button.value],
                on: address,
                to: button.address
            )
            #expect(italian.status == 200 && italian.text.contains("<html lang=\"it\">"))
            #expect(italian.text.contains("name=\"link\" value=\"\(token)\""))
        }
    }

    @Test("an error says what to do next, with a reference (issue 30)")
    func errors() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let missing = try await visitor.get("/nowhere")
            #expect(missing.status == 404 && missing.text.contains("<section class=\"dialog\">"))
            #expect(missing.text.contains(/Error 404 · Reference [0-9a-f]{4,}/))
            #expect(missing.text.contains("<a class=\"button primary\" href=\"/\">"))
            // A form that is not the visitor's leads back to its page.
            let forged = try await visitor.post("/password/forgotten", ["name": "x", "token": "y"])
            #expect(forged.status == 403 && forged.text.contains("Error 403 · Reference "))
            #expect(forged.text.contains("Try again"))
        }
    }

    @Test("a page whose path is a secret chooses its language without repeating it (R114)")
    func secretPath() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let path = "/trip/\(String(repeating: "a", count: 43))"
            let page = try await visitor.get(path)
            #expect(page.text.contains("<a href=\"?show-in=it\" lang=\"it\""), "\(page.text)")
            #expect(!page.text.contains(path))
            let italian = try await visitor.get("\(path)?show-in=it")
            #expect(italian.text.contains("<html lang=\"it\">"))
            #expect(italian.header("set-cookie")?.hasPrefix("language=it") == true)
        }
    }

    @Test("a form that was refused changes its language in place, without being sent")
    func refused() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let refused = try await visitor.submit(
                ["user_name": "anna", "email": "no address", "name": "Anna"],
                on: "/register"
            )
            #expect(refused.status == 422)
            let button = try Self.button(in: refused.text)
            #expect(button.address == "/register" && button.value == "it /register")
            let italian = try await visitor.sendForm(
                button.address,
                of: refused.text,
                ["user_name": "anna", "email": "no address", "show-in": button.value]
            )
            #expect(italian.status == 200 && italian.text.contains("<html lang=\"it\">"))
            #expect(italian.text.contains("value=\"no address\""), "\(italian.text)")
            #expect(!italian.text.contains("aria-invalid"))
        }
    }

    @Test("a refused form whose address is no page leads back to its page, and to no other server")
    func elsewhere() async throws {
        try await DriverTown.atWork { town, driver in
            try await town.call(from: DriverTown.near)
            _ = try await driver.visitor.press("/drive/offer/accept")
            try await town.drive(driver, to: DriverTown.near)
            _ = try await driver.visitor.press("/drive/ride/arrived")
            let page = try await driver.visitor.get("/drive").text
            for (stated, address) in [("/drive", "/drive"), ("//evil.example", "/")] {
                let refused = try await driver.visitor.sendForm(
                    "/drive/ride/board",
                    of: page,
                    ["code": "", "aboard": "1", "page": stated]
                )
                #expect(refused.status == 422)
                #expect(try Self.button(in: refused.text).address == address)
            }
            // A text browser sends the form to its own address: nobody boards by that.
            let code = try await town.taxi.ride(of: driver.number)?.code
            let sent = try await driver.visitor.sendForm(
                "/drive/ride/board",
                of: page,
                [
                    "code": code ?? "", "aboard": "1", "page": "/drive",
                    "show-in": "it /drive/ride/board",
                ]
            )
            #expect(sent.status == 303 && sent.header("location") == "/drive")
            #expect(sent.header("set-cookie")?.hasPrefix("language=it") == true)
            #expect(try await town.taxi.ride(of: driver.number)?.ride.stage == .atMeetingPoint)
        }
    }

    @Test("a page without an action takes nothing else, and no form of another site")
    func nothingElse() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let page = try await visitor.get("/login").text
            let token = try #require(page.firstMatch(of: /name="token" value="([^"]*)"/)).1
            let sent = try await visitor.post("/privacy", ["token": String(token)])
            #expect(sent.status == 405)
            let forged = try await visitor.post("/privacy", ["show-in": "it /x"])
            #expect(forged.status == 403)
            let language = try await visitor.post(
                "/privacy",
                ["token": String(token), "show-in": "xx /x"]
            )
            #expect(language.status == 405)
        }
    }
}
