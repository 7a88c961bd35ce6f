import Foundation
import Identity
import OpenIDConnect
import Storage
import TestClock
import Testing
import WebTestSupport

/// travlendar.md V7: signing in with any OpenID Connect provider; issue 34.
@Suite("Signing in with a provider", .serialized)
struct ProviderTests {
    @Test("the pages offer the providers of the city, in both languages, and none without (V7)")
    func buttons() async throws {
        try await ProviderScene.with { scene in
            let visitor = scene.site.visitor()
            for page in ["/login?next=/calendar", "/register"] {
                let shown = try await visitor.get(page).text
                #expect(shown.contains("Continue with Example"), "\(page)")
                #expect(shown.contains("href=\"/login/with/test"))
            }
            visitor.language = "it"
            #expect(try await visitor.get("/login").text.contains("Continua con Example"))
            #expect(try await visitor.get("/privacy").text.contains("<code>sign-in</code>"))
            #expect(try await visitor.get("/login/with/other").status == 404)
            #expect(try await visitor.get("/login/from/other?state=x").status == 404)
        }
        try await withSite(hasTaxis: false) { site in
            let visitor = site.visitor()
            for page in ["/login", "/register"] {
                #expect(!(try await visitor.get(page).text.contains("/login/with/")))
            }
            #expect(try await visitor.get("/login/with/test").status == 404)
            #expect(!(try await visitor.get("/privacy").text.contains("<code>sign-in")))
            let ana = try await site.person("ana")
            #expect(!(try await ana.get("/account").text.contains("Connected sign-ins")))
        }
    }

    @Test("a new person checks what the provider says, consents, and is signed in at once (V7)")
    func newPerson() async throws {
        try await ProviderScene.with { scene in
            let visitor = scene.site.visitor()
            let answer = try await scene.enter(visitor, by: "/login/with/test?next=%2Fcalendar")
            #expect(answer.header("location") == "/register/with")
            let form = try await visitor.get("/register/with").text
            #expect(form.contains("value=\"Rosa\"") && form.contains("value=\"Gialli\""))
            #expect(form.contains("rosa@example.com") && !form.contains("name=\"email\""))
            #expect(!form.contains("password"))
            let fields = ["name": "Rosa", "surname": "Gialli", "user_name": "rosa"]
            let refused = try await visitor.submit(fields, on: "/register/with")
            #expect(refused.status == 422, "nobody is registered without consent (R97)")
            let sly = fields.merging(["consent": "2", "email": "boss@example.com"]) { $1 }
            let done = try await visitor.submit(sly, on: "/register/with")
            #expect(done.status == 303 && done.header("location") == "/calendar")
            let account = try await visitor.get("/account").text
            #expect(account.contains("rosa@") && !account.contains("boss@"))
            #expect(account.contains("Connected sign-ins"))

            let again = scene.site.visitor()
            let entered = try await scene.enter(again)
            #expect(entered.header("location") == "/dashboard")
            #expect(try await scene.isSignedIn(again))
            let people = try await scene.site.accounts.data.read { transaction in
                try transaction.rows("SELECT number FROM person").count
            }
            #expect(people == 1)
        }
    }

    @Test("an address that the provider has not verified is confirmed by mail first (R98)")
    func unverified() async throws {
        try await ProviderScene.with { scene in
            var rosa = ProviderScene.rosa
            rosa.isVerified = false
            let visitor = scene.site.visitor()
            _ = try await scene.enter(visitor, as: rosa)
            let fields = [
                "name": "Rosa", "surname": "Gialli", "user_name": "rosa",
                "email": "rosa@example.com", "consent": "2",
            ]
            let sent = try await visitor.submit(fields, on: "/register/with")
            #expect(sent.text.contains("Check your e-mail"))
            let early = try await scene.enter(visitor, as: rosa)
            #expect(early.text.contains("First open the link in our e-mail"))
            #expect(try await !scene.isSignedIn(visitor))
            let facts = try await scene.site.message(.confirmRegistration)?.facts
            let token = try #require(facts?["token"])
            _ = try await visitor.submit([:], on: "/confirm?token=\(token)")
            let entered = try await scene.enter(visitor, as: rosa)
            #expect(entered.header("location") == "/dashboard", "\(entered.text)")
        }
    }

    @Test("an e-mail address opens no account: its owner signs in as before, and connects (V7)")
    func known() async throws {
        try await ProviderScene.with { scene in
            let ana = try await scene.site.person("ana")
            let same = LyingProvider.Person("not-ana", email: "ANA@example.org")
            let stranger = scene.site.visitor()
            let refused = try await scene.enter(stranger, as: same)
            #expect(refused.status == 409 && refused.text.contains("You already have an account"))
            #expect(try await !scene.isSignedIn(stranger))

            let done = try await scene.connect(ana, same)
            #expect(done.header("location") == "/account/sign-ins?notice=connected")
            #expect(scene.site.count(.signInConnected) == 1)
            let mail = try #require(try await scene.site.message(.signInConnected))
            #expect(mail.to == "ana@example.org" && mail.facts["provider"] == "Example")
            let list = try await ana.get("/account/sign-ins").text
            #expect(list.contains("ANA@example.org") && list.contains("Disconnect"))
            let entered = try await scene.enter(stranger, as: same)
            #expect(entered.header("location") == "/dashboard")

            let ben = try await scene.site.person("ben")
            let taken = try await scene.connect(ben, same)
            #expect(taken.status == 409 && taken.text.contains("connected to another account"))
        }
    }

    @Test("an answer counts once, in the browser that began, at the provider's own address (V7)")
    func bound() async throws {
        try await ProviderScene.with { scene in
            let (rosa, other) = (scene.site.visitor(), scene.site.visitor())
            let path = try await scene.leave(rosa)
            #expect(try await other.get(path).status == 410, "the state of another browser")
            _ = try await scene.leave(other)
            #expect(try await other.get(path).status == 410, "the state of another attempt")
            let cookie = try #require(rosa.cookie("sign-in"))
            let answer = try await rosa.get(path)
            #expect(answer.header("location") == "/register/with")
            let back = try await rosa.get(path)
            #expect(back.status == 410 && back.text.contains("Please start again"))
            rosa.plant("sign-in", cookie)
            #expect(
                try await rosa.get(path).status == 410,
                "a copied cookie brings it no second time"
            )
            let late = try await scene.leave(other)
            scene.site.clock.advance(seconds: 901)
            #expect(try await other.get(late).status == 410)
            #expect(try await other.get("/login/from/test").status == 410)
            #expect(try await other.get("/register/with").status == 410)
        }
        try await LyingProvider.with { first in
            try await LyingProvider.with { second in
                let both = first.settings("one").merging(second.settings("two")) { $1 }
                try await withSite(both, hasTaxis: false) { site in
                    first.follow { [clock = site.clock] in clock.now }
                    let visitor = site.visitor()
                    let begun = try await visitor.get("/login/with/one")
                    let address = try #require(begun.header("location"))
                    let answer = try first.signIn(ProviderScene.rosa, at: address)
                    let path = String(answer.dropFirst(site.base.count))
                        .replacing("/login/from/one", with: "/login/from/two")
                    #expect(try await visitor.get(path).status == 410, "a mix-up")
                    #expect(second.count("/token") == 0, "the code is told to nobody else")
                }
            }
        }
    }

    @Test("nobody is sent to another site, before or after (open redirect)")
    func next() async throws {
        try await ProviderScene.with { scene in
            _ = try await scene.registered()
            for next in ["//evil.example", "https:%2F%2Fevil.example", "%2F%5Cevil.example"] {
                let visitor = scene.site.visitor()
                let done = try await scene.enter(visitor, by: "/login/with/test?next=\(next)")
                #expect(done.header("location") == "/dashboard", "\(next)")
            }
            let visitor = scene.site.visitor()
            let done = try await scene.enter(visitor, by: "/login/with/test?next=%2Fplan")
            #expect(done.header("location") == "/plan")
        }
    }

    @Test(
        "a liar signs nobody in, and the person learns that nothing happened (V7)",
        arguments: [
            .wrongNonce, .wrongAudience, .expired, .noAlgorithm, .sharedSecret, .otherKey,
            .otherIssuerInAnswer, .refusing,
        ] as [LyingProvider.Lie]
    )
    func lies(lie: LyingProvider.Lie) async throws {
        try await ProviderScene.with { scene in
            _ = try await scene.registered()
            scene.lying.tell(lie)
            let visitor = scene.site.visitor()
            let answer = try await scene.enter(visitor)
            #expect(answer.status == 400, "\(lie)")
            #expect(answer.text.contains("Signing in with Example did not work"))
            #expect(try await !scene.isSignedIn(visitor))
        }
    }

    @Test("a provider that is down gets a clear page, and passwords work as before (V7)")
    func down() async throws {
        try await ProviderScene.with { scene in
            scene.lying.tell(.broken)
            let visitor = scene.site.visitor()
            let answer = try await visitor.get("/login/with/test")
            #expect(answer.status == 503 && answer.text.contains("Example is not responding"))
            #expect(answer.text.contains("href=\"/login\""))
            let ana = try await scene.site.person("ana")
            #expect(try await scene.isSignedIn(ana))
            #expect(try await ana.get("/account/sign-ins").status == 200)
            #expect(try await ana.get("/account/sign-ins/test").status == 503)
        }
    }

    @Test("whoever stops at the provider returns to the log-in page")
    func cancelled() async throws {
        try await ProviderScene.with { scene in
            let visitor = scene.site.visitor()
            let path = try await scene.leave(visitor)
            let state = try #require(path.firstMatch(of: /state=[^&]*/)).0
            let answer = try await visitor.get("/login/from/test?error=access_denied&\(state)")
            #expect(answer.status == 200 && answer.text.contains("You are not signed in"))
            #expect(scene.lying.count("/token") == 0)
        }
    }

    @Test("answers that cannot be used are limited for each network address, as log-in is (R129)")
    func limited() async throws {
        try await ProviderScene.with { scene in
            scene.lying.tell(.refusing)
            let visitor = scene.site.visitor()
            for _ in 0..<31 { #expect(try await scene.enter(visitor).status == 400) }
            let asked = scene.lying.count("/token")
            let answer = try await scene.enter(visitor)
            #expect(answer.status == 429 && answer.header("retry-after") != nil)
            #expect(scene.lying.count("/token") == asked)
            scene.site.clock.advance(seconds: 601)
            scene.lying.tell(.none)
            #expect(try await scene.enter(visitor).header("location") == "/register/with")
        }
    }

    @Test("a suspended person cannot get in by a provider either")
    func suspended() async throws {
        try await ProviderScene.with { scene in
            let rosa = try await scene.registered()
            let person = try #require(try await scene.site.session(of: rosa).person)
            let (_, admin) = try await scene.site.administrator()
            try await scene.site.accounts.setSuspension(
                "three complaints",
                of: person,
                by: admin,
                at: scene.site.clock.now
            )
            let visitor = scene.site.visitor()
            let answer = try await scene.enter(visitor)
            #expect(answer.status == 403 && answer.text.contains("three complaints"))
            #expect(try await !scene.isSignedIn(visitor))
        }
    }
}
