import Foundation
import OpenData
import Testing
import WebTestSupport

@testable import API
@testable import WebApp
@testable import WebCore

/// The OpenAPI document and the page for developers; taxi.md R106, R107; issue 34, part one.
@Suite("The API's description")
struct DocumentTests {
    /// The document of a fresh installation, asked without a key.
    private static func document(
        _ body: @escaping @Sendable (ServedSite, Visitor.Answer, JSONValue) async throws -> Void
    ) async throws {
        try await withSite(hasTaxis: false) { site in
            let answer = try await site.visitor().get("/api/openapi.json")
            let json = try JSONValue(parsing: Array(answer.text.utf8))
            try await body(site, answer, json)
        }
    }

    private static func operations(_ document: JSONValue) -> [JSONValue] {
        document["paths"]?.object?.members.flatMap { path in
            path.value.object?.members.map(\.value) ?? []
        } ?? []
    }

    @Test("a fresh installation describes at least 40 operations without a key, in under 300 kB")
    func fresh() async throws {
        try await Self.document { site, answer, json in
            #expect(answer.status == 200)
            #expect(answer.header("content-type") == "application/json")
            #expect(answer.text.utf8.count < 300_000, "\(answer.text.utf8.count) bytes")
            #expect(json["openapi"]?.text == "3.1.0")
            let operations = Self.operations(json)
            #expect(operations.count >= 40, "\(operations.count)")
            let names = operations.compactMap { $0["operationId"]?.text }
            #expect(Set(names).count == operations.count)
            let declared = Set(Site(site.installation).operations.map(\.name))
            #expect(Set(names) == declared.union(["status"]))
            #expect(answer.text.contains("\"url\":\"http://127.0.0.1:\(site.port)\""))
        }
    }

    @Test("every reference leads somewhere, and every component is used")
    func references() async throws {
        try await Self.document { _, answer, json in
            let found = Set(
                answer.text.matches(of: /"\$ref":"#\/components\/([a-z]+)\/([A-Za-z]+)"/)
                    .map { "\($0.1) \($0.2)" }
            )
            var defined: Set<String> = []
            for part in ["schemas", "responses", "parameters"] {
                for member in json["components"]?[part]?.object?.members ?? [] {
                    defined.insert("\(part) \(member.name)")
                }
            }
            #expect(found == defined)
        }
    }

    @Test("each operation has a summary, a description with its scopes, and its failures")
    func complete() async throws {
        try await Self.document { _, _, json in
            for operation in Self.operations(json) {
                let name = operation["operationId"]?.text ?? ""
                #expect(operation["summary"]?.text?.isEmpty == false, "\(name)")
                let responses = operation["responses"]?.object?.members.map(\.name) ?? []
                #expect(responses.contains("429") && responses.contains("503"), "\(name)")
                guard name != "status" else { continue }
                #expect(operation["x-scopes"]?.list?.isEmpty == false, "\(name)")
                #expect(responses.contains("401") && responses.contains("403"), "\(name)")
            }
        }
    }

    @Test("the status needs no key either, and says what is so")
    func status() async throws {
        try await withSite { site in
            try await site.started()
            let answer = try await site.visitor().get("/api/status")
            let json = try JSONValue(parsing: Array(answer.text.utf8))
            #expect(Schema.status.problem(in: json) == nil, "\(answer.text)")
            #expect(json["open"] == false && json["suspended"] == false)
        }
    }

    @Test("developers see every operation with its fields and an example, in both languages")
    func page() async throws {
        try await withSite(hasTaxis: false) { site in
            for (language, title) in [("en", "For developers"), ("it", "Per chi sviluppa")] {
                let visitor = site.visitor()
                visitor.language = language
                let page = try await visitor.get("/developers")
                #expect(page.status == 200)
                #expect(page.text.contains("<h1>\(title)</h1>"))
                #expect(page.text.contains("“fields=request,state”"))
                #expect(page.text.contains("/developers.css\""))
                for operation in Site(site.installation).operations {
                    let link = try #require(
                        page.text.firstMatch(of: try Regex("href=\"([^\"#]*)#\(operation.name)\""))
                    )
                    let path = String(link[1].substring ?? "")
                    let group = try await visitor.get(path)
                    #expect(group.text.contains("id=\"\(operation.name)\""), "\(operation.name)")
                    // What is the same for all that read is said once, with the rules.
                    for field in operation.route.input where field.name != "fields" {
                        #expect(group.text.contains("<code>\(field.name)</code>"), "\(field.name)")
                    }
                    #expect(group.text.contains("curl -H"))
                    // Names of members in a description are code on the page, without Markdown.
                    #expect(!group.text.contains("`"), "\(operation.name)")
                    #expect(!group.text.contains("<script>"))
                }
            }
        }
    }

    @Test("a schema finds a missing, a further and a wrong member")
    func schemas() {
        let schema = Schema.object([
            .init("a", .integer, "A number."), .init("b", .optional(.moment), "A moment."),
            .init("c", .text, "A text.", mayLack: true),
        ])
        #expect(schema.problem(in: ["a": 1, "b": "2027-01-16T12:00:00Z"]) == nil)
        #expect(schema.problem(in: ["a": 1, "b": .null, "c": "x"]) == nil)
        #expect(schema.problem(in: ["a": 1]) != nil)
        #expect(schema.problem(in: ["a": "1", "b": .null]) != nil)
        #expect(schema.problem(in: ["a": 1, "b": "noon"]) != nil)
        #expect(schema.problem(in: ["a": 1, "b": .null, "d": 1]) != nil)
    }
}
