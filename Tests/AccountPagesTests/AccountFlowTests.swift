import Foundation
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

@Suite("People and their accounts, on pages without scripts", .serialized)
struct AccountFlowTests {
    static let ana = [
        "name": "Ana", "surname": "Bruni", "email": "ana@example.org", "user_name": "anab",
        "password": "Passw0rdOne", "password_again": "Passw0rdOne", "consent": "2",
    ]

    /// Registers a person and confirms the address.
    static func register(
        _ fields: [String: String] = ana,
        at site: ServedSite
    ) async throws {
        let visitor = site.visitor()
        let sent = try await visitor.submit(fields, on: "/register")
        #expect(sent.status == 200)
        #expect(sent.text.contains("Check your e-mail"))
        let token = try #require(try await site.message(.confirmRegistration)?.facts["token"])
        let confirmed = try await visitor.submit([:], on: "/confirm?token=\(token)")
        #expect(confirmed.header("location") == "/login?notice=confirmed")
    }

    static func logIn(
        _ visitor: Visitor,
        name: String = "anab",
        password: String = "Passw0rdOne"
    ) async throws -> Visitor.Answer {
        try await visitor.submit(["name": name, "password": password], on: "/login")
    }

    @Test(
        "SB1: a person registers, consents, confirms by mail, and logs in (R94, R97, R98)",
        arguments: TestEngine.allCases
    )
    func registers(engine: TestEngine) async throws {
        try await withSite(on: engine) { site in
            let visitor = site.visitor()
            let sent = try await visitor.submit(Self.ana, on: "/register")
            #expect(sent.status == 200)
            let early = try await Self.logIn(visitor)
            #expect(early.status == 422)
            #expect(early.text.contains("First open the link in the e-mail"))
            let byAddress = try await Self.logIn(visitor, name: "ana@example.org")
            #expect(byAddress.status == 422)
            #expect(byAddress.text.contains("If you have just registered, first open the link"))
            let token = try #require(try await site.message(.confirmRegistration)?.facts["token"])
            // Mail programs open links automatically, so opening the page must not confirm
            // anything.
            let looked = try await visitor.get("/confirm?token=\(token)")
            #expect(looked.status == 200)
            #expect(try await Self.logIn(visitor).status == 422)
            let confirmed = try await visitor.submit([:], on: "/confirm?token=\(token)")
            #expect(confirmed.status == 303)
            for name in ["anab", "ANAB", "ana@example.org"] {
                let answer = try await Self.logIn(site.visitor(), name: name)
                #expect(answer.header("location") == "/dashboard")
            }
        }
    }

    @Test("what is wrong stands at its field and on top, and what was typed stays (R96, R97)")
    func problems() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            var fields = Self.ana
            fields["user_name"] = "1x"
            fields["password"] = "short"
            fields["password_again"] = "other"
            fields["consent"] = nil
            let answer = try await visitor.submit(fields, on: "/register")
            #expect(answer.status == 422)
            #expect(answer.text.contains("There is a problem"))
            #expect(answer.text.contains("href=\"#field-user_name\""))
            #expect(answer.text.contains("Without your consent we cannot register you."))
            #expect(answer.text.contains("value=\"ana@example.org\""))
            #expect(!answer.text.contains("short\""))
        }
    }

    @Test("SB3, R99: after a wrong password the next attempt is 10 s away, for every client")
    func wrongPassword() async throws {
        try await withSite { site in
            try await Self.register(at: site)
            let visitor = site.visitor()
            #expect(try await Self.logIn(visitor, password: "Wr0ngOne").status == 422)
            site.clock.advance(seconds: 3)
            let soon = try await Self.logIn(visitor)
            #expect(soon.status == 429 && soon.header("retry-after") == "7")
            #expect(soon.text.contains("wait 10 seconds"))
            site.clock.advance(seconds: 8)
            #expect(try await Self.logIn(visitor).status == 303)
        }
    }

    @Test("nobody can tell by the answer whether there is an account (enumeration)")
    func enumeration() async throws {
        try await withSite { site in
            try await Self.register(at: site)
            let known = try await Self.logIn(site.visitor(), password: "Wr0ngOne")
            let unknown = try await Self.logIn(
                site.visitor(),
                name: "nobody",
                password: "Wr0ngOne"
            )
            #expect(known.status == unknown.status)
            #expect(Self.words(known.text) == Self.words(unknown.text))
            let forgotKnown = try await site.visitor().submit(
                ["name": "anab"],
                on: "/password/forgotten"
            )
            let forgotUnknown = try await site.visitor().submit(
                ["name": "nobody"],
                on: "/password/forgotten"
            )
            #expect(Self.words(forgotKnown.text) == Self.words(forgotUnknown.text))
        }
    }

    /// A page without the values typed into it and without its tokens.
    static func words(_ page: String) -> String {
        page.replacing(/value="[^"]*"/, with: "")
    }

    @Test("SB4: who forgets the password gets a link, and must choose a new one (R100)")
    func forgotten() async throws {
        try await withSite { site in
            try await Self.register(at: site)
            let visitor = site.visitor()
            _ = try await visitor.submit(["name": "ana@example.org"], on: "/password/forgotten")
            let token = try #require(try await site.message(.resetPassword)?.facts["token"])
            let begun = try await visitor.submit([:], on: "/password/new?token=\(token)")
            #expect(begun.header("location") == "/account/password")
            // Until then no other page can be used.
            #expect(try await visitor.get("/account").header("location") == "/account/password")
            let changed = try await visitor.submit(
                ["password": "Passw0rdTwo", "password_again": "Passw0rdTwo"],
                on: "/account/password"
            )
            #expect(changed.header("location") == "/account?notice=password")
            #expect(try await visitor.get("/account").status == 200)
            #expect(try await Self.logIn(site.visitor()).status == 422)
            site.clock.advance(seconds: 11)
            let new = try await Self.logIn(site.visitor(), password: "Passw0rdTwo")
            #expect(new.status == 303)
            // The link works only once.
            let again = try await visitor.submit([:], on: "/password/new?token=\(token)")
            #expect(again.status == 410)
        }
    }

    @Test("SB12, SB13: the profile is seen and changed, and the password with the old one")
    func profile() async throws {
        try await withSite { site in
            try await Self.register(at: site)
            let visitor = site.visitor()
            _ = try await Self.logIn(visitor)
            let shown = try await visitor.get("/account")
            #expect(shown.text.contains("Ana Bruni"))
            // Issue 30: on a phone the address breaks where people expect it.
            #expect(shown.text.contains("<b>ana@<wbr>example.org</b>"), "\(shown.text)")
            let saved = try await visitor.submit(
                [
                    "name": "Ana Maria", "surname": "Bruni", "phone": "+39 333 1234567",
                    "address": "Via Dante 7", "language": "it",
                ],
                on: "/account/edit"
            )
            #expect(saved.header("location") == "/account?notice=saved")
            let changed = try await visitor.get("/account")
            #expect(changed.text.contains("Ana Maria Bruni"))
            #expect(changed.text.contains("Via Dante 7"))
            let wrong = try await visitor.submit(
                [
                    "old_password": "Wr0ngOne", "password": "Passw0rdTwo",
                    "password_again": "Passw0rdTwo",
                ],
                on: "/account/password"
            )
            #expect(wrong.status == 422)
            // The next attempt must wait ten seconds, as at sign-in (R99).
            site.clock.advance(seconds: 11)
            let differing = try await visitor.submit(
                [
                    "old_password": "Passw0rdOne", "password": "Passw0rdTwo",
                    "password_again": "Passw0rdTwoo",
                ],
                on: "/account/password"
            )
            #expect(differing.status == 422)
            let right = try await visitor.submit(
                [
                    "old_password": "Passw0rdOne", "password": "Passw0rdTwo",
                    "password_again": "Passw0rdTwo",
                ],
                on: "/account/password"
            )
            #expect(right.header("location") == "/account?notice=password")
            // From now on only the new password is accepted.
            #expect(try await Self.logIn(site.visitor()).status == 422)
            site.clock.advance(seconds: 11)
            let again = try await Self.logIn(site.visitor(), password: "Passw0rdTwo")
            #expect(again.status == 303)
        }
    }

    @Test("a form from another site's page changes nothing (CSRF)")
    func forged() async throws {
        try await withSite { site in
            try await Self.register(at: site)
            let visitor = site.visitor()
            _ = try await Self.logIn(visitor)
            let page = try await visitor.get("/account/edit").text
            let token = try #require(page.firstMatch(of: /name="token" value="([^"]*)"/)).1
            let fields = ["name": "Evelina", "surname": "Bruni", "token": String(token)]
            for headers in [["origin": "https://evil.example"], ["sec-fetch-site": "cross-site"]] {
                let answer = try await visitor.post("/account/edit", fields, headers: headers)
                #expect(answer.status == 403)
            }
            for token in ["", "0", String(repeating: "ab", count: 64)] {
                var fields = fields
                fields["token"] = token
                #expect(try await visitor.post("/account/edit", fields).status == 403)
            }
            // A token from another session is not accepted here.
            let other = try await site.visitor().get("/login").text
            var stolen = fields
            let match = try #require(other.firstMatch(of: /name="token" value="([^"]*)"/))
            stolen["token"] = String(match.1)
            #expect(try await visitor.post("/account/edit", stolen).status == 403)
            #expect(!(try await visitor.get("/account").text.contains("Evelina")))
        }
    }

    @Test("logging in gives a new session, so that a planted one opens nothing (fixation)")
    func fixation() async throws {
        try await withSite { site in
            try await Self.register(at: site)
            let visitor = site.visitor()
            _ = try await visitor.get("/login")
            let before = visitor.cookie("session")
            _ = try await Self.logIn(visitor)
            let after = visitor.cookie("session")
            #expect(before != nil)
            #expect(after != nil)
            #expect(before != after)
            let planted = site.visitor()
            planted.plant("session", before ?? "")
            let answer = try await planted.get("/account")
            #expect(answer.header("location")?.hasPrefix("/login") == true)
        }
    }

    @Test("sessions are listed and ended, and signing out ends this one")
    func sessions() async throws {
        try await withSite { site in
            try await Self.register(at: site)
            let (phone, desk) = (site.visitor(), site.visitor())
            _ = try await Self.logIn(phone)
            _ = try await Self.logIn(desk)
            let ended = try await desk.submit(
                ["session": "others"],
                on: "/account/sessions",
                to: "/account/sessions/end"
            )
            #expect(ended.status == 303)
            #expect(try await phone.get("/account").status == 303)
            #expect(try await desk.get("/account").status == 200)
            _ = try await desk.submit([:], on: "/account/sessions", to: "/logout")
            #expect(try await desk.get("/account").status == 303)
        }
    }

    @Test("the e-mail address changes when the new one is confirmed, and not before (R102)")
    func newEmail() async throws {
        try await withSite { site in
            try await Self.register(at: site)
            let visitor = site.visitor()
            _ = try await Self.logIn(visitor)
            let sent = try await visitor.submit(
                ["email": "ana@new.example.org"],
                on: "/account/email"
            )
            #expect(sent.header("location") == "/account?notice=mail")
            let asked = try await visitor.get("/account").text
            #expect(asked.contains("To confirm ana@new.example.org, open"))
            #expect(try await Self.logIn(site.visitor(), name: "ana@new.example.org").status == 422)
            let token = try #require(try await site.message(.confirmNewEmail)?.facts["token"])
            let done = try await site.visitor().submit(
                [:],
                on: "/account/confirm?field=email&token=\(token)"
            )
            #expect(done.status == 303)
            site.clock.advance(seconds: 11)
            let new = try await Self.logIn(site.visitor(), name: "ana@new.example.org")
            #expect(new.status == 303)
        }
    }

    @Test("grave changes ask for the password again after ten minutes (R8)")
    func passwordAgain() async throws {
        try await withSite { site in
            try await Self.register(at: site)
            let visitor = site.visitor()
            _ = try await Self.logIn(visitor)
            #expect(try await visitor.get("/account/email").status == 200)
            site.clock.advance(seconds: 601)
            let asked = try await visitor.get("/account/email")
            #expect(asked.header("location") == "/login/again?next=%2Faccount%2Femail")
            let again = try await visitor.submit(
                ["password": "Passw0rdOne"],
                on: "/login/again?next=%2Faccount%2Femail"
            )
            #expect(again.header("location") == "/account/email")
            #expect(try await visitor.get("/account/email").status == 200)
        }
    }

    @Test("SB2: a driver who forgets the phone is told, completes, and waits for the city (R95)")
    func registersDriver() async throws {
        try await withSite { site in
            var fields = Self.ana
            fields.merge([
                "address": "Via Dante 7", "taxi_code": "MI1234", "plate": "AB 123 CD",
                "taxi_licence": "12345", "taxi_licence_expires": "2028-01-31",
                "driving_licence": "U1A23B456C", "driving_licence_expires": "2029-05-31",
                "make": "Toyota Corolla", "colour": "white",
            ]) { $1 }
            let visitor = site.visitor()
            let refused = try await visitor.submit(fields, on: "/register/driver")
            #expect(refused.status == 422)
            #expect(refused.text.contains("href=\"#field-phone\""))
            fields["phone"] = "+39 333 1234567"
            let sent = try await visitor.submit(fields, on: "/register/driver")
            #expect(sent.status == 200, "\(sent.text)")
            let token = try #require(try await site.message(.confirmRegistration)?.facts["token"])
            // The city reviews a driver's documents only once the address is confirmed.
            try await site.started()
            let (clerk, _) = try await site.administrator()
            let driver = try #require(try await site.accounts.findPerson("anab")).rawValue
            let early = try await clerk.get("/console/driver/\(driver)")
            #expect(early.text.contains("once the driver has opened the link"))
            #expect(early.text.contains("Toyota Corolla") && early.text.contains("White"))
            #expect(!early.text.contains("/console/driver/\(driver)/verify"))
            _ = try await visitor.submit([:], on: "/confirm?token=\(token)")
            let proved = try await clerk.get("/console/driver/\(driver)")
            #expect(proved.text.contains("/console/driver/\(driver)/verify"))
        }
    }

    @Test("all that is stored can be taken along, and the account deleted for good (R103, R105)")
    func leaves() async throws {
        try await withSite { site in
            try await Self.register(at: site)
            let visitor = site.visitor()
            _ = try await Self.logIn(visitor)
            let export = try await visitor.get("/account/export")
            #expect(export.header("content-disposition")?.contains("attachment") == true)
            #expect(export.text.contains("ana@example.org"))
            #expect(!export.text.contains("$argon2"))
            try await site.started()
            let unsure = try await visitor.submit([:], on: "/account/delete")
            #expect(unsure.status == 422)
            let gone = try await visitor.submit(["proceed": "yes"], on: "/account/delete")
            #expect(gone.text.contains("Your account is deleted"))
            #expect(try await visitor.get("/account").status == 303)
            #expect(try await Self.logIn(site.visitor()).status == 422)
        }
    }
}
