import Dispatching
import Identity
import Localization
import OpenData
import StorageTestSupport
import Taxi
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// People whom applications register, and their profiles; taxi.md R94 to R98, R102, R107.
@Suite("People and profiles for programs", .serialized)
struct PeopleAPITests {
    private static func form(_ site: ServedSite, _ email: String = "rosa@example.org") -> JSONValue
    {
        [
            "name": "Rosa", "surname": "Bianchi", "email": .text(email), "user_name": "rosa",
            "consent": .text(site.accounts.settings.consentVersion), "language": "it",
        ]
    }

    @Test(
        "a person is registered by an application, confirms by mail and chooses a password (R98)",
        arguments: TestEngine.allCases
    )
    func register(engine: TestEngine) async throws {
        try await RideTown.open(.viavai, on: engine) { town in
            let site = town.site
            let app = try await Program.registered(at: site, [.createAccounts, .readCity])
            let terms = try await app.get("/api/city").json["terms"]?.text
            #expect(terms == site.accounts.settings.consentVersion)
            for _ in 0..<2 {
                let made = try await app.post("/api/people", Self.form(site), once: "rosa-000001")
                #expect(made.status == 200, "\(made.text)")
                #expect(made.json["state"] == "awaiting-confirmation")
            }
            let mail = try #require(try await site.message(.confirmRegistration))
            let token = try #require(mail.facts["token"])
            let rosa = site.visitor()
            let confirmed = try await rosa.submit([:], on: "/confirm?token=\(token)")
            let next = try #require(confirmed.header("location"), "\(confirmed.text)")
            #expect(next.hasPrefix("/password/new?token="), "\(next)")
            #expect(try await rosa.submit([:], on: next, to: "/password/new").status == 303)
            let chosen = try await rosa.submit(
                ["password": ServedSite.password, "password_again": ServedSite.password],
                on: "/account/password"
            )
            #expect(chosen.status == 303, "\(chosen.text)")
            #expect(try await rosa.get("/account").status == 200, "signed in")
            // The application has got nothing by that.
            #expect(try await app.get("/api/profile").problem == "person-missing")
            #expect(try await rosa.get(next).status == 200)
            let again = try await site.visitor().submit([:], on: next, to: "/password/new")
            #expect(again.status == 410, "the link works once: \(again.text)")
        }
    }

    @Test("an address that has an account gets the same answer, and its owner is told")
    func known() async throws {
        try await RideTown.open(.viavai) { town in
            let app = try await Program.registered(at: town.site, [.createAccounts])
            _ = try await town.site.person("ana")
            let made = try await app.post(
                "/api/people",
                Self.form(town.site, "ana@example.org")
            )
            #expect(made.status == 200 && made.json["state"] == "awaiting-confirmation")
            #expect(try await town.site.message(.alreadyRegistered) != nil)
        }
    }

    @Test("wrong fields are named as on the form, and only this permission registers (R94, R97)")
    func refusals() async throws {
        try await RideTown.open(.viavai) { town in
            let app = try await Program.registered(at: town.site, [.createAccounts])
            let wrong = try await app.post(
                "/api/people",
                [
                    "name": "https://spam.example", "surname": "B", "email": "nobody",
                    "consent": "1999", "user_name": "rosa",
                ]
            )
            #expect(wrong.status == 422, "\(wrong.text)")
            #expect(Set(wrong.blamed) == ["name", "email", "consent"], "\(wrong.text)")
            let other = try await Program.registered(
                at: town.site,
                Set(Scope.allCases).subtracting([.createAccounts]),
                name: "Other"
            )
            #expect(try await other.post("/api/people", Self.form(town.site)).status == 403)
            let secret = try await app.post(
                "/api/people",
                [
                    "name": "R", "surname": "B", "email": "r@example.org", "consent": "1",
                    "password": "Passw0rd-passw0rd",
                ]
            )
            #expect(secret.status == 422 && secret.blamed == ["password"], "\(secret.text)")
        }
    }

    @Test("a profile is changed by the application that the person allowed it, and read by no more")
    func profile() async throws {
        try await RideTown.open(.viavai) { town in
            let app = try await ForeignClient.registered(at: town.site)
            let ana = try await town.site.person("ana")
            let token = try await app.tokens(of: ana, [.changeProfile]).access
            let program = Program(visitor: app.visitor, key: token, number: app.number)
            let changed = try await program.post(
                "/api/profile",
                ["surname": "Rossi", "language": "it", "address": ""],
                once: "prof-000001"
            )
            #expect(changed.status == 200, "\(changed.text)")
            #expect(changed.json["changed"] == ["surname", "address", "language"])
            #expect(!changed.text.contains("example.org"))
            #expect(try await program.get("/api/profile").status == 403)
            let number = try #require(try await town.site.accounts.findPerson("ana"))
            let profile = try await town.site.accounts.profile(of: number)
            #expect(profile.surname == "Rossi" && profile.language == .italian)
            #expect(profile.email == "ana@example.org")
            let wrong = try await program.post(
                "/api/profile",
                ["phone": "12", "birth_date": "tomorrow"]
            )
            #expect(wrong.status == 422, "\(wrong.text)")
            #expect(Set(wrong.blamed) == ["phone", "birth_date"], "\(wrong.text)")
            let mail = try await program.post("/api/profile", ["email": "x@example.org"])
            #expect(mail.status == 422 && mail.blamed == ["email"], "\(mail.text)")
            let reader = try await app.tokens(of: ana, [.readProfile]).access
            let read = Program(visitor: app.visitor, key: reader, number: app.number)
            #expect(try await read.post("/api/profile", ["name": "X"]).status == 403)
            #expect(try await read.get("/api/profile").json["surname"] == "Rossi")
        }
    }
}
