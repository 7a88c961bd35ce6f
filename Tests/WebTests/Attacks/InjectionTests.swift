import Accounts
import HTTPTypes
import Storage
import StorageTestSupport
import TestSupport
import Testing

@testable import Web

/// Issue 4, "SQL injection on every field, XSS corpus"; R125.
@Suite("Whatever is typed into whatever field", .serialized)
struct InjectionTests {
    /// Endings of statements, comments, unions, stacked statements, on both engines.
    private static let statements = [
        "' OR '1'='1", "\" OR \"\"=\"", "1; DROP TABLE person; --", "'; DELETE FROM person; --",
        "') OR ('a'='a", "' UNION SELECT NULL, NULL, NULL --", "1 OR 1=1", "\\'; SELECT 1; --",
        "'||(SELECT number FROM person LIMIT 1)||'", "1' AND (SELECT COUNT(*) FROM person) > 0 --",
        "$$; DROP TABLE person; $$", "%' OR 1=1 --", "0x27204f522031", "＇ OR 1=1",
        "'; UPDATE person_role SET role = 'administrator'; --",
    ]

    /// Markup, attributes, addresses and entities that a page must show as text.
    private static let markups = [
        "<script>alert(57)</script>", "\"><img src=x onerror=alert(57)>",
        "'><svg/onload=alert(57)>",
        "</textarea><script>alert(57)</script>", "</title><script>alert(57)</script>",
        "javascript:alert(57)", "\" autofocus onfocus=\"alert(57)", "' onmouseover='alert(57)",
        "<iframe srcdoc='<script>alert(57)</script>'>", "{{7*7}}${7*7}",
        "<a href=\"//evil.example\">x",
        "\u{202E}<b>57</b>", "--><script>alert(57)</script>", "]]><script>alert(57)</script>",
    ]

    /// What a page holds only where one of the markups was taken for markup.
    private static let signs = [
        "<script>alert(57)", "<img src=x", "<svg/onload", "\" autofocus onfocus=\"alert",
        "' onmouseover='alert", "<iframe", "<a href=\"//evil", "<b>57", "href=\"javascript:",
    ]

    /// Forms whose sending ends what the test stands on; their fields have tests of their own.
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
            let before = try await Self.people(in: site)
            var random = SeededRandom(seed: 57)
            for form in forms where !Self.left.contains(form.action.prefix { $0 != "?" }.text) {
                for name in form.fields.keys.sorted() where !["token", "key"].contains(name) {
                    let some = Effort.current == .everything ? 100 : 3
                    let payloads =
                        Self.statements.shuffled(using: &random).prefix(some)
                        + Self.markups.shuffled(using: &random).prefix(some)
                    for payload in payloads {
                        try await Self.send(payload, as: name, in: form, by: visitor)
                    }
                }
            }
            let after = try await Self.people(in: site)
            #expect(after.isSuperset(of: before), "people or roles were changed")
            #expect(try await site.visitor().get("/").status == 200)
            let again = try await site.enter(.traveller)
            #expect(try await again.get("/dashboard").status == 200)
        }
    }

    private static func send(
        _ payload: String,
        as name: String,
        in form: FoundForm,
        by visitor: Visitor
    ) async throws {
        var fields = form.fields
        fields[name] = payload
        let label: Comment = "\(payload) as \(name) in \(form.action) on \(form.page)"
        let answer = try await visitor.post(form.action, fields)
        #expect(answer.status < 500, label)
        for sign in signs { #expect(!answer.text.contains(sign), label) }
        // What was stored is shown on the page where it was typed in.
        let shown = try await visitor.get(form.page)
        #expect(shown.status < 500, label)
        for sign in signs { #expect(!shown.text.contains(sign), label) }
    }

    /// Every form on every page that needs no parameter.
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

    /// Everybody with every role, as the database has them.
    private static func people(in site: ServedSite) async throws -> Set<String> {
        try await site.installation.database.read { transaction in
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
