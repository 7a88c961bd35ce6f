import HTTPTypes
import Identity
import Markup
import SeededRandom
import Storage
import StorageTestSupport
import TestSupport
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

/// Issue 4, "SQL injection on every field, XSS corpus"; R125.
@Suite("Whatever is typed into whatever field", .serialized)
struct InjectionTests {
    /// Forms that would destroy what the test relies on; their fields have tests of their own.
    private static let left = [
        "/logout", "/account/delete", "/account/sessions/end", "/account/password",
    ]

    @Test(
        "is text, on both engines",
        arguments: TestEngine.allCases,
        [Player.guest, .administrator]
    )
    func corpus(engine: TestEngine, player: Player) async throws {
        let options = [
            "limits.requests_per_second": "100000", "limits.requests_at_once": "100000",
        ]
        try await withSite(options, on: engine) { site in
            let visitor = try await site.enter(player)
            _ = try await site.enter(.traveller)
            let forms = try await Self.forms(for: visitor, at: site)
            #expect(forms.count >= (player == .guest ? 4 : 5), "\(forms.map(\.action))")
            let before = try await site.rolesOfPeople()
            var random = SeededRandom(seed: 57)
            for form in forms where !Self.left.contains(form.action.prefix { $0 != "?" }.text) {
                for name in form.fields.keys.sorted() where !["token", "key"].contains(name) {
                    for payload in Corpus.some(3, using: &random) {
                        try await visitor.attack(form, field: name, with: payload)
                    }
                }
            }
            let after = try await site.rolesOfPeople()
            #expect(after.isSuperset(of: before), "people or roles were changed")
            #expect(player != .guest || after.count > before.count, "nobody was registered")
            #expect(try await site.visitor().get("/").status == 200)
            let again = try await site.enter(.traveller)
            #expect(try await again.get("/dashboard").status == 200)
        }
    }

    @Test(
        "at registration is stored, and shown as text to its owner and to the city",
        arguments: TestEngine.allCases
    )
    func registered(engine: TestEngine) async throws {
        let options = [
            "limits.requests_per_second": "100000", "limits.requests_at_once": "100000",
        ]
        try await withSite(options, on: engine) { site in
            let administrator = try await site.enter(.administrator)
            var random = SeededRandom(seed: 58)
            // Payloads with a right-to-left override are refused, so they are left out.
            let payloads = Corpus.some(5, using: &random).filter { !$0.contains("\u{202E}") }
            for (number, payload) in payloads.enumerated() {
                let name = "typed\(number)"
                var fields = Self.person(name)
                for field in ["name", "surname", "address"] { fields[field] = payload }
                let visitor = site.visitor()
                let sent = try await visitor.submit(fields, on: "/register")
                #expect(sent.status == 200, "\(payload)")
                let token = try await site.message(.confirmRegistration)?.facts["token"]
                _ = try await visitor.submit([:], on: "/confirm?token=\(try #require(token))")
                let password = fields["password"] ?? ""
                _ = try await visitor.submit(["name": name, "password": password], on: "/login")
                let person = try #require(try await site.accounts.findPerson(name))
                let profile = try await site.accounts.profile(of: person)
                #expect(
                    [profile.name, profile.surname, profile.address] == [payload, payload, payload]
                )
                let text: HTML = "\(payload)"
                for (reader, page) in [
                    (visitor, "/account"), (visitor, "/account/edit"),
                    (administrator, "/console/person/\(person.rawValue)"),
                ] {
                    let answer = try await reader.get(page)
                    reader.expectUnharmed(answer, "\(payload) on \(page)")
                    #expect(answer.text.contains(text.text), "\(payload) on \(page)")
                }
            }
        }
    }

    /// The input of a person who registers with no harmful intent.
    static func person(_ name: String) -> [String: String] {
        [
            "name": "Ana", "surname": "Bruni", "email": "\(name)@example.org", "user_name": name,
            "password": "Passw0rdOne", "password_again": "Passw0rdOne", "phone": "333 1234567",
            "address": "Via Dante 7", "consent": "2",
        ]
    }

    /// Every form on every page without path parameters.
    private static func forms(
        for visitor: Visitor,
        at site: ServedSite
    ) async throws -> [FoundForm] {
        var forms: Set<FoundForm> = []
        var actions: Set<String> = []
        let routes = Site(site.installation).routes
        for route in routes where route.method == .get && route.parameterNames.isEmpty {
            let page = try await visitor.get(route.path)
            guard page.status == 200 else { continue }
            for form in FoundForm.all(in: page.text, on: route.path)
            where actions.insert(form.action + form.fields.keys.sorted().joined()).inserted {
                forms.insert(form)
            }
        }
        return forms.sorted { ($0.page, $0.action) < ($1.page, $1.action) }
    }
}

extension Visitor {
    /// Types a payload into one field of a form, submits it, and opens the page again.
    func attack(_ form: FoundForm, field: String, with payload: String) async throws {
        var fields = form.fields
        if form.action == "/register" {
            // If the other fields were invalid, the payload would never reach the database.
            let person = InjectionTests.person("attack\(UInt32.random(in: .min ... .max))")
            fields.merge(person) { shown, right in shown.isEmpty ? right : shown }
        }
        fields[field] = payload
        // A repeated key would return the stored answer without processing the form.
        if fields["key"] != nil { fields["key"] = "attack-\(UInt64.random(in: .min ... .max))" }
        let label: Comment = "\(payload) as \(field) in \(form.action) on \(form.page)"
        expectUnharmed(try await post(form.action, fields), label)
        // What was stored is shown on the page on which it was typed.
        expectUnharmed(try await get(form.page), label)
        // What was typed is shown again in another language, before anything checks it.
        fields["show-in"] = "it \(form.action)"
        expectUnharmed(try await post(form.page, fields), label)
    }

    /// Expects that the answer is no server error and that no input became markup.
    func expectUnharmed(_ answer: Answer, _ label: Comment) {
        #expect(answer.status < 500, label)
        for sign in Corpus.signs { #expect(!answer.text.contains(sign), label) }
    }
}

extension ServedSite {
    /// Everybody and their roles, from the database.
    func rolesOfPeople() async throws -> Set<String> {
        try await installation.database.read { transaction in
            let rows = try transaction.rows("SELECT person, role FROM person_role")
            return try Set(
                rows.map { row in
                    let person: Int64 = try row.value("person")
                    let role: String = try row.value("role")
                    return "\(person) \(role)"
                }
            )
        }
    }
}

extension Substring {
    fileprivate var text: String { String(self) }
}
