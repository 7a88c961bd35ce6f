import Dispatching
import Identity
import Localization
import NIOHTTP1
import Storage
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import ConsolePages
@testable import WebApp

/// taxi.md 1.11, R123; issue 4, "policy editor with explanations and validation".
@Suite("The rules of the service on pages", .serialized)
struct PolicyPagesTests {
    /// The form of the editor as it is first shown, filled in from a policy.
    private static func form(_ policy: Policy, name: String? = nil) -> [String: String] {
        var fields = ["name": name ?? policy.name]
        for row in Policy.rows {
            let text = row.kind.text(of: policy[row.key])
            if case .fields = row.kind { continue }
            fields[row.name] = text == "none" ? "" : text
        }
        return fields
    }

    @Test("every key is explained once, in both languages, with words for each of its values")
    func complete() {
        #expect(
            PolicyRule.all.map(\.key).sorted { $0.rawValue < $1.rawValue } == Policy.Key.allCases
        )
        for rule in PolicyRule.all {
            for text in [rule.title, rule.text, rule.presets] {
                #expect(!text.in(.english).isEmpty && !text.in(.italian).isEmpty)
            }
            switch rule.row.kind {
            case .choice(let words), .fields(let words):
                #expect(words.count == rule.choices.count, "\(rule.field)")
            default:
                #expect(rule.choices.isEmpty, "\(rule.field)")
            }
            #expect(rule.text.in(.english) != rule.text.in(.italian), "\(rule.field)")
        }
    }

    @Test(
        "what is typed into the editor comes out as the policy that a file would state",
        arguments: Policy.shipped
    )
    func roundTrip(policy: Policy) {
        var sheet = PolicySheet(policy)
        #expect(sheet.policy() == policy)
        #expect(sheet.faults.isEmpty)
        #expect((try? Policy(text: policy.fileText)) == policy)
    }

    @Test(
        "each kind of fault is told at its field, and what was typed stays",
        arguments: [
            ("offer.timeout_s", "4", "Seconds, 5 to 600."),
            ("offer.timeout_s", "soon", "Seconds, 5 to 600."),
            ("offer.timeout_s", "60\nslo: b", "Seconds, 5 to 600."),
            ("offer.timeout_s", "", "Seconds, 5 to 600."),
            ("request.max_offers", "-1", "A number, 0 to 10000."),
            ("reservation.max_ahead_h", "9999", "Hours, 1 to 8784."),
            ("reach.radius_m", "5", "Metres, 10 to 2000."),
            ("share.max_detour_percent", "40%", "Percent, 0 to 1000."),
            ("boarding.prompt_radius_m", "4", "A number, 5 to 1000, or empty"),
            ("noshow.enabled", "perhaps", "Choose one of the values."),
            ("cancel.request", "whenever", "Choose one of the values."),
            ("registration.passenger.required", "shoes", "Choose one of the values."),
            ("name", "milano-a", "This is the name of a preset"),
            ("name", "My policy", "Use 1 to 40 lower-case letters"),
            ("request.refused_memory", "none", "a request would never end"),
        ]
    )
    func faults(field: String, value: String, words: String) async throws {
        try await withSite(CityStaff.limits) { site in
            let admin = try await CityStaff.administrator(site)
            var fields = Self.form(.viavai)
            fields[field] = value
            let answer = try await admin.submit(fields, on: "/console/policy/edit")
            #expect(answer.status == 422)
            #expect(answer.text.contains("href=\"#field-\(field)\""))
            #expect(answer.text.contains(words), "\(words)")
            admin.language = "it"
            let italian = try await admin.submit(fields, on: "/console/policy/edit")
            #expect(italian.status == 422)
            #expect(!italian.text.contains(words))
            #expect(try await site.installation.taxi.adoptedPolicies().isEmpty)
        }
    }

    @Test("what differs is shown, adopted, kept in the history, and can be adopted again")
    func adopts() async throws {
        try await withSite(CityStaff.limits) { site in
            let taxi = site.installation.taxi
            let admin = try await CityStaff.administrator(site)
            var fields = Self.form(.viavai, name: "milano-2027")
            fields["offer.timeout_s"] = "75"
            fields["boarding.prompt_radius_m"] = ""
            fields["registration.passenger.required"] = "mobile"
            let shown = try await admin.submit(fields, on: "/console/policy/edit")
            #expect(shown.status == 200)
            // Of what may be open before the city confirms its data, nothing is checked.
            #expect(shown.text.contains("Rules that change with milano-2027: 4."))
            #expect(shown.text.contains(/60 s<\/span><\/td><td[^>]*><span><b>75 s<\/b>/))
            #expect(try await taxi.adoptedPolicies().isEmpty)
            let hidden = shown.text.matches(
                of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/
            ).map { (String($0.1), String($0.2)) }
            var adoption = Dictionary(hidden, uniquingKeysWith: { $1 })
            adoption["note"] = "as the <council> decided"
            let done = try await admin.post("/console/policy/adopt", adoption)
            #expect(done.header("location") == "/console/policy?notice=adopted")
            let inForce = try await taxi.dispatch.read { $0.policy }
            #expect(inForce.name == "milano-2027")
            #expect(inForce[.offerTimeout] == 75)
            #expect(inForce[.boardingRadius] == -1)
            #expect(inForce[.earlyUse] == 0)
            // The same page, opened earlier in another tab, was made for other rules.
            adoption["key"] = "of-another-tab"
            let late = try await admin.post("/console/policy/adopt", adoption)
            #expect(late.status == 409)
            #expect(late.text.contains("Other rules came into force in the meantime"))
            let back = try await admin.submit(
                [:],
                on: "/console/policy/compare?preset=viavai",
                to: "/console/policy/adopt"
            )
            #expect(back.status == 303)
            let page = try await admin.get("/console/policy")
            #expect(page.text.contains("as the &lt;council&gt; decided"))
            #expect(page.text.contains("Carla Neri"))
            let number = try #require(try await taxi.adoptedPolicies().last?.sequence)
            let file = try await admin.get("/console/policy/file?number=\(number)")
            #expect(try Policy(text: file.text) == inForce)
            let again = try await admin.submit(
                ["note": "again"],
                on: "/console/policy/compare?number=\(number)",
                to: "/console/policy/adopt"
            )
            #expect(again.status == 303)
            #expect(try await taxi.policyInForce() == inForce)
            #expect(try await admin.get("/console/policy/file?number=99999").status == 404)
            #expect(try await admin.get("/console/policy/compare?preset=none").status == 404)
            let acts = try await site.installation.accounts.audit().prefix(3).map(\.note.act)
            #expect(acts == ["adopt policy", "adopt policy", "adopt policy"])
        }
    }

    @Test("a file is read to its first wrong line, and forged forms change nothing")
    func files() async throws {
        try await withSite(CityStaff.limits) { site in
            let admin = try await CityStaff.administrator(site)
            func upload(_ text: String) async throws -> Visitor.Answer {
                let page = try await admin.get("/console/policy").text
                let token = try #require(page.firstMatch(of: /name="token" value="([^"]*)"/)).1
                let body = """
                    --x\r\nContent-Disposition: form-data; name="token"\r\n\r\n\(token)\r\n\
                    --x\r\nContent-Disposition: form-data; name="file"; filename="p.txt"\r\n\
                    \r\n\(text)\r\n--x--\r\n
                    """
                return try await admin.send(
                    .POST,
                    "/console/policy/upload",
                    headers: ["content-type": "multipart/form-data; boundary=x"],
                    body: Array(body.utf8)
                )
            }
            let good = try await upload("name: night\noffer.timeout_s: 90\n")
            #expect(good.status == 200)
            #expect(good.text.contains("Rules that change with night: 1."))
            for (text, words) in [
                ("", "Choose a text file"), ("name: x\noffer.timeout_s: 1\n", "Line 2:"),
                ("shoe: size\n", "there is no key"), ("hello\n", "is not &quot;key: value"),
                ("name: viavai\noffer.timeout_s: 90\n", "name of a preset"),
                ("name: N\n", "Use 1 to 40 lower-case letters"),
            ] {
                let answer = try await upload(text)
                #expect(answer.status == 422, "\(text)")
                #expect(answer.text.contains(words), "\(words)")
            }
            for fields in [
                ["policy": "nonsense", "replaces": "0"], ["policy": "name: a\n"],
                ["policy": "name: A b\n", "replaces": "0"],
            ] {
                let answer = try await admin.submit(
                    fields,
                    on: "/console/policy",
                    to: "/console/policy/adopt"
                )
                #expect(answer.status == 400)
            }
        }
    }

    @Test("the rules say which fields a registration needs, and who enters drivers (R93, C13, C14)")
    func accounts() async throws {
        try await withSite(CityStaff.limits) { site in
            let admin = try await CityStaff.administrator(site)
            let person = [
                "name": "Ana", "surname": "Bruni", "email": "bruni@example.org",
                "user_name": "anab", "password": "Passw0rdOne", "password_again": "Passw0rdOne",
                "consent": "2",
            ]
            var nameless = person
            nameless["user_name"] = ""
            let refused = try await site.visitor().submit(nameless, on: "/register")
            #expect(refused.text.contains("href=\"#field-user_name\""))
            #expect(
                try await site.visitor().get("/register/driver").text.contains("name=\"plate\"")
            )
            _ = try await admin.submit(
                [:],
                on: "/console/policy/compare?preset=milano-a",
                to: "/console/policy/adopt"
            )
            // Under [A] nobody registers before the city has opened (R4).
            #expect(try await site.visitor().get("/register").status == 503)
            try await CityStaff.fill(site)
            _ = try await site.installation.taxi.dispatch.give(.completeSetup)
            let noPhone = try await site.visitor().submit(person, on: "/register")
            #expect(noPhone.text.contains("href=\"#field-phone\""))
            nameless["phone"] = "+39 333 1234567"
            let sent = try await site.visitor().submit(nameless, on: "/register")
            #expect(sent.text.contains("Check your e-mail"))
            let closed = try await site.visitor().get("/register/driver")
            #expect(closed.text.contains("the office registers drivers"))
            let forced = try await site.visitor().submit(
                person,
                on: "/register",
                to: "/register/driver"
            )
            #expect(forced.status == 409)
            #expect(forced.text.contains("the office registers drivers"))
        }
    }
}
