import Dispatching
import HTTPTypes
import Identity
import OpenData
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import API
@testable import WebApp
@testable import WebCore

/// Parts of answers, and changes under a condition; issue 34, "Protocol".
@Suite("Parts and conditions in the API", .serialized)
struct PartTests {
    @Test("a request names the members that it wants, of the answer or of the items of a list")
    func parts() async throws {
        try await RideTown.open(.viavai, taxis: 3) { town in
            let program = try await Program.registered(at: town.site)
            let whole = try await program.get("/api/application")
            let part = try await program.get("/api/application?fields=number,name")
            #expect(part.status == 200, "\(part.text)")
            #expect(part.header("content-type") == SparseMembers.mediaType)
            let names = part.json.object?.members.map(\.name) ?? []
            #expect(Set(names) == ["number", "name"], "\(part.text)")
            #expect(part.json["name"] == whole.json["name"])
            let again = try await program.get("/api/application?fields=number&fields=name")
            #expect(again.json == part.json, "some clients repeat the field: \(again.text)")
            #expect(part.header("etag") == whole.header("etag"))
            for contact in ["+39 333 0000001", "+39 333 0000002"] {
                let called = try await program.post(
                    "/api/rides",
                    [
                        "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
                        "contact": .text(contact),
                    ]
                )
                #expect(called.status == 201, "\(called.text)")
            }
            let page = try await program.get("/api/rides?limit=1&fields=request")
            let item = try #require(page.json["items"]?.list?.first)
            #expect(item.object?.members.map(\.name) == ["request"], "\(page.text)")
            #expect(page.json["next"]?.text != nil, "the cursor stays: \(page.text)")
            let known = try await program.get(
                "/api/application?fields=name",
                headers: ["if-none-match": whole.header("etag") ?? ""]
            )
            #expect(known.status == 304)
        }
    }

    @Test("a name that the answer does not have is refused, and said")
    func unknown() async throws {
        try await RideTown.open(.viavai) { town in
            let program = try await Program.registered(at: town.site)
            let wrong = try await program.get("/api/application?fields=name,colour,shape")
            #expect(wrong.status == 422 && wrong.blamed == ["fields"], "\(wrong.text)")
            #expect(wrong.text.contains("no colour, shape"), "\(wrong.text)")
            #expect(try await program.get("/api/application?fields=,").blamed == ["fields"])
            #expect(try await program.post("/api/rides?fields=state").blamed == ["fields"])
            let operations = Site(town.site.installation).operations
            let sparse = operations.filter { $0.route.input.contains(SparseMembers.field) }
            #expect(sparse.count > 30, "\(sparse.count)")
            #expect(sparse.allSatisfy { $0.route.method == .get && !$0.isStream })
        }
    }

    @Test("a webhook and a profile are changed only as they were read, if a program wants it")
    func conditions() async throws {
        try await RideTown.open(.viavai) { town in
            let app = try await ForeignClient.registered(at: town.site)
            let key = Program(visitor: app.visitor, key: app.key, number: app.number)
            let hook: JSONValue = [
                "address": "https://hotel.example/taxi", "events": ["ride.found"],
            ]
            let number = try #require(
                try await key.post("/api/webhooks", hook).json["webhook"]?["number"]?.json
            )
            let ana = try await town.site.person("ana")
            let token = try await app.tokens(of: ana, Scope.personal).access
            let program = Program(visitor: app.visitor, key: token, number: app.number)
            let changes: [(Program, String, JSONValue)] = [
                (key, "/api/webhooks/\(number)", hook), (program, "/api/profile", ["name": "Eva"]),
            ]
            for (program, path, change) in changes {
                let target = path == "/api/profile" ? path : path + "/change"
                let tag = try #require(try await program.get(path).header("etag"))
                let other: JSONValue =
                    path == "/api/profile"
                    ? ["name": "Ada"]
                    : ["address": "https://hotel.example/new", "events": ["ride.ended"]]
                let first = try await program.post(target, other, headers: ["if-match": tag])
                #expect(first.status == 200, "\(first.text)")
                let late = try await program.post(target, change, headers: ["if-match": tag])
                #expect(late.status == 412 && late.problem == "precondition-failed", "\(path)")
                let any = try await program.post(target, change, headers: ["if-match": "*"])
                #expect(any.status == 200, "\(any.text)")
            }
        }
    }

    @Test("a reservation is replaced only as it was read; the same request again is done once")
    func reservations() async throws {
        try await RideTown.open(.viavai) { town in
            let program = try await Program.registered(at: town.site)
            func order(_ time: String) -> JSONValue {
                [
                    "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
                    "date": "2027-01-17", "time": .text(time),
                ]
            }
            guard case .object(var made) = order("12:00") else { return }
            made.members.append(.init("contact", "+39 333 0000003"))
            let reserved = try await program.post("/api/reservations", .object(made))
            let request = try #require(reserved.json["request"]?.json, "\(reserved.text)")
            let path = "/api/reservations/\(request)"
            let tag = try #require(try await program.get(path).header("etag"))
            let wrong = try await program.post(
                path + "/change",
                order("13:00"),
                headers: ["if-match": "\"0\""]
            )
            #expect(wrong.status == 412, "\(wrong.text)")
            #expect(try await program.get(path).json["is_open"] == true)
            let changed = try await program.post(
                path + "/change",
                order("13:00"),
                once: "change-0001",
                headers: ["if-match": tag]
            )
            #expect(changed.status == 201, "\(changed.text)")
            let again = try await program.post(
                path + "/change",
                order("13:00"),
                once: "change-0001",
                headers: ["if-match": tag]
            )
            #expect(again.status == 201 && again.json["request"] == changed.json["request"])
            let late = try await program.post(
                path + "/change",
                order("14:00"),
                headers: ["if-match": tag]
            )
            #expect([404, 409, 412].contains(late.status), "\(late.text)")
        }
    }

    @Test("the document names each condition, and the members among which one chooses")
    func documented() async throws {
        try await withSite(hasTaxis: false) { site in
            let text = try await site.visitor().get("/api/openapi.json").text
            let json = try JSONValue(parsing: Array(text.utf8))
            let paths = json["paths"]
            for path in [
                "/api/profile", "/api/reservations/{request}/change",
                "/api/webhooks/{webhook}/change", "/api/calendar/events/{event}/change",
            ] {
                let operation = paths?[path]?["post"]
                let references = operation?["parameters"]?.list?.compactMap { $0["$ref"]?.text }
                #expect(references == ["#/components/parameters/IfMatch"], "\(path)")
                #expect(operation?["responses"]?["412"] != nil, "\(path)")
            }
            let read = paths?["/api/application"]?["get"]
            let field = read?["parameters"]?.list?.first { $0["name"] == "fields" }
            #expect(field?["explode"] == false)
            #expect(field?["schema"]?["items"]?["enum"]?.list?.contains("name") == true)
            let content = read?["responses"]?["200"]?["content"]
            #expect(content?[SparseMembers.mediaType] != nil)
        }
    }
}
