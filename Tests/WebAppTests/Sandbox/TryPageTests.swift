import Identity
import OpenData
import TestClock
import Testing
import WebTestSupport

@testable import API
@testable import WebApp
@testable import WebCore

/// Issue 34, part one, 1: every operation is tried in place, also without JavaScript.
@Suite("Trying operations", .serialized)
struct TryPageTests {
    private static func call(
        _ visitor: Visitor,
        _ operation: String,
        _ fields: [String: String]
    ) async throws -> Visitor.Answer {
        let named = Dictionary(uniqueKeysWithValues: fields.map { ("f." + $0, $1) })
        return try await visitor.submit(named, on: "/developers/try/\(operation)")
    }

    @Test("a press shows the request as curl, the status and the answer (R106)")
    func calls() async throws {
        try await SandboxTown.open { town in
            let visitor = town.site.visitor()
            let before = try await visitor.get("/developers/try/rides.call").text
            #expect(before.contains("Get a sandbox key"), "\(before)")
            let sent = try await visitor.submit(
                [:],
                on: "/developers/try/rides.call",
                to: "/developers/sandbox"
            )
            #expect(sent.header("location") == "/developers/try/rides.call")
            let keys = try #require(visitor.cookie("sandbox").flatMap(SandboxKeys.init(cookie:)))
            #expect(try await visitor.get("/developers").text.contains("<code>\(keys.key)</code>"))
            let called = try await Self.call(
                visitor,
                "rides.call",
                [
                    "from": "45.4630, 9.1480", "to": "45.4570, 9.1560", "seats": "2",
                    "contact": "+39 333 1234567",
                ]
            )
            #expect(called.status == 200)
            #expect(called.text.contains(">201 Created<"), "\(called.text)")
            #expect(called.text.contains("&quot;state&quot;: &quot;"), "\(called.text)")
            #expect(called.text.contains("&quot;seats&quot;:2"), "numbers are numbers")
            #expect(called.text.contains("Authorization: Bearer \(keys.key)"))
            let own = try await Self.call(visitor, "profile.read", [:])
            #expect(own.text.contains(">200 OK<") && own.text.contains("Bearer \(keys.token)"))
            #expect(own.text.contains("@sandbox.example"), "\(own.text)")
            let listed = try await Self.call(visitor, "rides.list", ["limit": "1"])
            #expect(listed.text.contains("/api/rides?limit=1"), "\(listed.text)")
        }
    }

    @Test("a form begins with values of the sandbox, so that a press works at once")
    func begins() async throws {
        try await SandboxTown.open { town in
            let visitor = town.site.visitor()
            _ = try await town.keys(of: visitor)
            for (operation, status) in [
                ("rides.call", "201 Created"), ("rides.call", "201 Created"),
                ("calendar.add", "201 Created"),
                ("reservations.make", "201 Created"), ("places.address", "200 OK"),
            ] {
                let path = "/developers/try/\(operation)"
                let page = try await visitor.get(path).text
                let form = try #require(
                    FoundForm.all(in: page, on: path).first { $0.action == path }
                )
                // A browser sends no day of the week unless one is ticked.
                let fields = form.fields.filter { $0.key != "f.weekdays" }
                let sent = try await visitor.post(path, fields)
                #expect(sent.text.contains(">\(status)<"), "\(operation): \(sent.text)")
            }
        }
    }

    @Test("what the operation refuses is shown with its reason, and nothing that was typed is lost")
    func refusals() async throws {
        try await SandboxTown.open { town in
            let visitor = town.site.visitor()
            _ = try await town.keys(of: visitor)
            let script = "</code><script>alert('1')</script>"
            let refused = try await Self.call(
                visitor,
                "rides.call",
                ["from": script, "seats": "ten", "contact": "+39 333 1234567"]
            )
            #expect(refused.text.contains(">422 "), "\(refused.text)")
            #expect(!refused.text.contains("<script>"))
            #expect(refused.text.contains("&lt;script&gt;"))
            // In the shell, the quote ends no argument.
            #expect(refused.text.contains("alert(&#39;\\&#39;&#39;1"), "\(refused.text)")
            let wrong = try await Self.call(visitor, "rides.read", ["request": "../zones"])
            #expect(wrong.status == 422 && wrong.text.contains("Nothing was sent"), "\(wrong.text)")
            let missing = try await Self.call(visitor, "rides.read", ["request": "999999"])
            #expect(missing.text.contains(">404 Not Found<"), "\(missing.text)")
            #expect(try await visitor.get("/developers/try/rides.fly").status == 404)
            #expect(try await visitor.post("/developers/try/zones.list", [:]).status == 403)
        }
    }

    @Test("every operation has its form, with each field that it declares, in both languages")
    func forms() async throws {
        try await SandboxTown.open { town in
            let visitor = town.site.visitor()
            _ = try await town.keys(of: visitor)
            for (language, word) in [("en", "Call it in"), ("it", "Chiama nella")] {
                visitor.language = language
                for operation in Site(town.site.installation).operations {
                    let page = try await visitor.get("/developers/try/\(operation.name)")
                    #expect(page.status == 200 && page.text.contains(word), "\(operation.name)")
                    for field in operation.route.input {
                        #expect(
                            page.text.contains("name=\"f.\(field.name)\""),
                            "\(operation.name) \(field.name)"
                        )
                    }
                }
            }
        }
    }

    @Test("keys that have ended are asked for again")
    func ended() async throws {
        try await SandboxTown.open { town in
            let visitor = town.site.visitor()
            visitor.plant("sandbox", "1_sandbox-a_sandbox-b")
            let page = try await visitor.get("/developers/try/zones.list").text
            #expect(page.contains("Get a sandbox key"))
            visitor.plant("sandbox", "9000000000000_sandbox-a_sandbox-b")
            let forged = try await Self.call(visitor, "zones.list", [:])
            #expect(forged.text.contains("its sandbox has ended"), "\(forged.text)")
        }
    }
}

extension Site {
    fileprivate var operations: [API.Operation] { features.api.operations }
}
