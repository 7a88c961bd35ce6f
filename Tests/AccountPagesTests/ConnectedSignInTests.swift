import Foundation
import Identity
import OpenIDConnect
import Storage
import TestClock
import Testing
import WebTestSupport

/// travlendar.md V7; taxi.md R8, R100, R103, R105.
@Suite("Connected sign-ins", .serialized)
struct ConnectedSignInTests {
    /// Presses "Disconnect" beside the only connected sign-in.
    private static func disconnect(_ visitor: Visitor) async throws -> Visitor.Answer {
        let page = try await visitor.get("/account/sign-ins").text
        let number = try #require(page.firstMatch(of: /name="identity" value="([0-9]+)"/)).1
        return try await visitor.submit(
            ["identity": String(number)],
            on: "/account/sign-ins",
            to: "/account/sign-in/end"
        )
    }

    @Test("the last way in stays; with a password it can be disconnected (V7)")
    func lastWay() async throws {
        try await ProviderScene.with { scene in
            let rosa = try await scene.registered()
            let kept = try await Self.disconnect(rosa)
            #expect(kept.header("location") == "/account/sign-ins?notice=last")
            #expect(try await rosa.follow(kept).text.contains("your only way to sign in"))

            let ana = try await scene.site.person("ana")
            _ = try await scene.connect(ana, LyingProvider.Person("ana-1"))
            let gone = try await Self.disconnect(ana)
            #expect(gone.header("location") == "/account/sign-ins?notice=disconnected")
            let stranger = scene.site.visitor()
            let answer = try await scene.enter(stranger, as: LyingProvider.Person("ana-1"))
            #expect(answer.header("location") == "/register/with", "nobody is connected any more")
        }
    }

    @Test("without a password the provider must ask again before anything protected (R8)")
    func confirming() async throws {
        try await ProviderScene.with { scene in
            let rosa = try await scene.registered()
            scene.site.clock.advance(seconds: 3_600)
            let asked = try await rosa.get("/account/email")
            let page = try await rosa.follow(asked)
            #expect(page.text.contains("Confirm that it is you"))
            #expect(!page.text.contains("type=\"password\""))
            let link = try #require(page.text.firstMatch(of: /href="(\/login\/again\/test[^"]*)"/))
            let again = String(link.1).replacing("&amp;", with: "&")
            var lazy = ProviderScene.rosa
            lazy.isAsked = false
            let refused = try await scene.enter(rosa, as: lazy, by: again)
            #expect(refused.status == 409 && refused.text.contains("did not ask you"))
            let other = try await scene.enter(rosa, as: LyingProvider.Person("eve"), by: again)
            #expect(other.status == 409 && other.text.contains("a different account at Example"))
            #expect(try await rosa.get("/account/email").status == 303)
            let done = try await scene.enter(rosa, by: again)
            #expect(done.header("location") == "/account/email", "\(done.text)")
            #expect(try await rosa.get("/account/email").status == 200)
        }
    }

    @Test("a provider that lets pass without a question opens nothing protected (R8)")
    func silent() async throws {
        try await ProviderScene.with { scene in
            var lazy = ProviderScene.rosa
            lazy.isAsked = false
            let rosa = try await scene.registered(lazy)
            #expect(try await rosa.get("/account").status == 200)
            #expect(try await rosa.get("/account/delete").status == 303)
        }
    }

    @Test("a password can be set later, by a link in a mail (R100)")
    func password() async throws {
        try await ProviderScene.with { scene in
            let rosa = try await scene.registered()
            let page = try await rosa.get("/account/password").text
            #expect(page.contains("Set a password") && !page.contains("old_password"))
            let sent = try await rosa.submit(
                [:],
                on: "/account/password",
                to: "/password/forgotten"
            )
            #expect(sent.status == 200)
            let facts = try await scene.site.message(.resetPassword)?.facts
            let token = try #require(facts?["token"])
            let visitor = scene.site.visitor()
            _ = try await visitor.submit([:], on: "/password/new?token=\(token)")
            let chosen = try await visitor.submit(
                ["password": "Passw0rdOne", "password_again": "Passw0rdOne"],
                on: "/account/password"
            )
            #expect(chosen.status == 303, "\(chosen.text)")
            let answer = try await scene.site.visitor().submit(
                ["name": "rosa@example.com", "password": "Passw0rdOne"],
                on: "/login"
            )
            #expect(answer.header("location") == "/dashboard")
            let gone = try await Self.disconnect(visitor)
            #expect(gone.header("location") == "/account/sign-ins?notice=disconnected")
        }
    }

    @Test("an identity is connected to the account in which that began, and to no other (V7)")
    func session() async throws {
        try await ProviderScene.with { scene in
            let ana = try await scene.site.person("ana")
            let page = try await ana.get("/account/sign-ins/test").text
            let link = try #require(page.firstMatch(of: /href="(http[^"]*authorize[^"]*)"/))
            let address = String(link.1).replacing("&amp;", with: "&")
            let path = try scene.back(ProviderScene.rosa, at: address)
            _ = try await scene.site.person("ben")
            let fields = ["name": "ben", "password": ServedSite.password]
            #expect(try await ana.submit(fields, on: "/login").status == 303)
            #expect(try await ana.get(path).status == 410)
            #expect(try await ana.get("/account/sign-ins").text.contains("Connect Example"))
            let rows = try await scene.site.accounts.data.read { transaction in
                try transaction.rows("SELECT number FROM connected_identity").count
            }
            #expect(rows == 0)
            let stranger = try await scene.site.visitor().get("/account/sign-ins/test")
            #expect(stranger.header("location")?.hasPrefix("/login") == true)
        }
    }

    @Test(
        "the export names connected sign-ins, the database does not, and erasure ends them (R103)"
    )
    func erasure() async throws {
        try await ProviderScene.with(hasTaxis: true) { scene in
            let rosa = try await scene.registered()
            let export = try await rosa.get("/account/export").text
            #expect(export.contains("connectedSignIns") && export.contains(scene.lying.issuer))
            let kept = try await scene.site.accounts.data.read { transaction in
                try transaction.rows("SELECT sealed FROM connected_identity").map {
                    String(decoding: try $0.value("sealed", as: [UInt8].self), as: UTF8.self)
                }
            }
            #expect(kept.count == 1 && !kept[0].contains("rosa"))
            let gone = try await rosa.submit(["proceed": "yes"], on: "/account/delete")
            #expect(gone.status == 200, "\(gone.text)")
            let rows = try await scene.site.accounts.data.read { transaction in
                try transaction.rows("SELECT number FROM connected_identity").count
            }
            #expect(rows == 0)
            let again = try await scene.enter(scene.site.visitor())
            #expect(again.header("location") == "/register/with", "a stranger again")
        }
    }
}
