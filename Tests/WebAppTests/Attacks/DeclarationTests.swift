import Foundation
import HTTPTypes
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

/// Issue 29, "`Route` becomes the declaration of rule 7": what is derived from the declarations.
@Suite("Declared operations", .serialized)
struct DeclarationTests {
    private static let options = [
        "limits.requests_per_second": "100000", "limits.requests_at_once": "100000",
    ]

    private static func withRoutes(
        _ body:
            @Sendable (ServedSite, Visitor, [(route: Route, address: String)]) async throws
            -> Void
    ) async throws {
        try await withSite(options, prepare: { $0.safetyBackup = { _ in } }) { site in
            try await site.started()
            let visitor = try await site.enter(.administrator)
            let examples = try await RouteExamples(for: visitor, at: site)
            let routes = try Site(site.installation).pageRoutes.map { route in
                (route, try #require(examples.address(of: route), "\(route.path)"))
            }
            try await body(site, visitor, routes)
        }
    }

    @Test("names are unique and readable, and path parameters and idempotency are declared")
    func names() async throws {
        try await withSite { site in
            let routes = Site(site.installation).routes
            #expect(Set(routes.map(\.name)).count == routes.count)
            for route in routes {
                #expect(
                    route.name.wholeMatch(of: /[a-z0-9]+([.\-][a-z0-9]+)*/) != nil,
                    "\(route.name)"
                )
                let declared = route.fields(in: .path).map(\.name)
                #expect(declared.sorted() == route.parameterNames.sorted(), "\(route.name)")
                #expect((route.method == .get) == (route.idempotency == .safe), "\(route.name)")
                #expect(route.method == .post || route.fields(in: .form).isEmpty, "\(route.name)")
                let keys = route.input.map { "\($0.place) \($0.name)" }
                #expect(Set(keys).count == keys.count, "\(route.name) declares a field twice")
            }
        }
    }

    @Test("no field that proves something is in an address, but the tokens of sent links")
    func secrets() async throws {
        try await withSite { site in
            let routes = Site(site.installation).routes
            let inAddress = routes.flatMap { route in
                route.input.filter { $0.kind.isSecret && [.path, .query].contains($0.place) }
                    .map { "\(route.name) \($0.name)" }
            }
            #expect(
                Set(inAddress) == [
                    "password.new.form token", "confirm.form token", "account.confirm.form token",
                    "trip.show token", "calendar.feed token",
                    // A provider sends them; they are worth nothing without the browser's cookie.
                    "login.provider.back state", "login.provider.back code",
                ]
            )
            for field in routes.flatMap(\.input) where field.name.contains("password") {
                #expect(field.kind.isSecret, "\(field.name)")
            }
        }
    }

    @Test("an undeclared field, or a further value of a single one, never reaches a handler")
    func undeclared() throws {
        let route = Route.post("/x", as: "x", for: .everybody) { _ in .text("") }
            .taking([.typed("a", .text(5), "A text."), .set("part-*", .number(0...9), "Parts.")])
        let sent = try #require(
            Form(urlEncoded: "a=1&b=2&a=3&part-x=4&token=t&key=k".utf8)
        )
        let accepted = try route.accepted(sent, in: .form)
        #expect(accepted.fields.map(\.name) == ["a", "part-x", "token", "key"])
        #expect(accepted["a"] == "1" && accepted["part-x"] == "4")
        let query = try #require(Form(urlEncoded: "notice=x".utf8))
        #expect(try route.accepted(query, in: .query).fields.isEmpty)
    }

    @Test("each kind of refusal is followed: 400, no value, or the handler's explanation")
    func refusals() throws {
        let route = Route.post("/x", as: "x", for: .everybody) { _ in .text("") }
            .taking([
                .set("refused", .choice(["yes"]), "A choice."),
                .set("ignored", .choice(["yes"]), "A choice.").ignored,
                .typed("typed", .text(3), "A text."), .set("must", .date, "A day.").required,
            ])
        func accepted(_ text: String) throws -> Form {
            let form = try #require(Form(urlEncoded: "must=2026-05-31&\(text)".utf8))
            return try route.accepted(form, in: .form)
        }
        #expect(try accepted("refused=yes&ignored=yes&typed=abc").fields.count == 4)
        #expect(throws: Failure.badField("refused")) { try accepted("refused=no") }
        #expect(try accepted("ignored=no")["ignored"] == nil)
        #expect(try accepted("typed=abcdef")["typed"] == "abcdef")
        let long = String(repeating: "x", count: 20_000)
        #expect(throws: Failure.badField("typed")) { try accepted("typed=\(long)") }
        let empty = try #require(Form(urlEncoded: "refused=yes".utf8))
        #expect(throws: Failure.badField("must")) { try route.accepted(empty, in: .form) }
    }

    /// A value that a kind includes.
    private static func sample(of kind: InputField.Kind) -> String {
        switch kind {
        case .text, .opaque, .secret: "x"
        case .number(let range): "\(max(range.lowerBound, 0))"
        case .decimal(let range): "\(range.lowerBound)"
        case .choice(let values): values.first { !$0.isEmpty } ?? ""
        case .flag(let value): value
        case .date: "2026-05-31"
        case .time: "17:05"
        case .file: ""
        case .several(let kind, _): sample(of: kind)
        case .record: "{}"
        }
    }

    /// A value that a kind does not include.
    private static func other(than kind: InputField.Kind) -> String {
        switch kind {
        case .text(let limit), .opaque(let limit), .secret(let limit):
            String(repeating: "x", count: limit + 1)
        case .several(let kind, _): other(than: kind)
        default: "none of these'; --"
        }
    }

    @Test("a field that the page fills in is refused by name with another value")
    func setByPage() async throws {
        try await Self.withRoutes { _, visitor, routes in
            var count = 0
            for (route, address) in routes where route.method == .post {
                let form = route.fields(in: .form)
                for field in form where field.refusal == .refused && !field.kind.isFile {
                    var sent: [String: String] = [:]
                    for other in form where other.isRequired {
                        sent[other.name] = Self.sample(of: other.kind)
                    }
                    sent[field.name] = Self.other(than: field.kind)
                    let answer = try await visitor.submit(sent, on: "/login", to: address)
                    #expect(answer.status == 400, "\(route.name) \(field.name)")
                    #expect(answer.text.contains(field.name), "\(route.name) \(field.name)")
                    count += 1
                }
            }
            #expect(count > 40)
        }
    }

    @Test("a text that is far too long is refused, and one that is too long is explained")
    func tooLong() async throws {
        // These would end what the other operations need.
        let excluded: Set = ["suspension.begin"]
        try await Self.withRoutes { _, visitor, routes in
            for (route, address) in routes
            where route.method == .post && !excluded.contains(route.name) {
                for field in route.fields(in: .form)
                where field.refusal == .explained && !field.kind.isFile {
                    let size = field.kind.longestBytes + 1
                    guard size < 20_000 else { continue }
                    let name = field.name.replacing("*", with: "x")
                    var answer = try await visitor.submit(
                        [name: String(repeating: "7", count: size)],
                        on: "/login",
                        to: address
                    )
                    #expect(answer.status < 500, "\(route.name) \(name): \(answer.status)")
                    answer = try await visitor.submit(
                        [name: String(repeating: "7", count: 8 * size + 16_384)],
                        on: "/login",
                        to: address
                    )
                    #expect(answer.status == 400, "\(route.name) \(name): \(answer.status)")
                }
            }
        }
    }

    @Test(
        "every operation answers with what it declares",
        arguments: [Player.guest, .administrator]
    )
    func answers(player: Player) async throws {
        try await Self.withRoutes { site, administrator, routes in
            let visitor = player == .guest ? site.visitor() : administrator
            // The forms come last: they change what the pages show.
            for (route, address) in routes.filter({ $0.route.method == .get })
                + routes.filter({ $0.route.method == .post && $0.route.name != "logout" })
            {
                let answer =
                    route.method == .get
                    ? try await visitor.get(address)
                    : try await visitor.submit([:], on: "/login", to: address)
                let status = HTTPResponse.Status(code: answer.status)
                #expect(route.statuses.contains(status), "\(route.name): \(answer.status)")
                guard answer.status == 200 else { continue }
                let type = answer.header("content-type") ?? ""
                #expect(
                    route.output.contains { $0.includes(type) },
                    "\(route.name): \(type)"
                )
            }
        }
    }

    @Test("V13: no page and no operation asks for a payment card, and browsers fill none in")
    func cards() async throws {
        try await withSite { site in
            let routes = Site(site.installation).routes
            #expect(routes.contains { $0.path.hasPrefix("/api/") && !$0.input.isEmpty })
            for route in routes {
                for field in route.input {
                    let asks = field.name.lowercased()
                        .contains(/card|cvc|cvv|iban|payment|expiry|account_?number/)
                    #expect(!asks, "\(route.name): \(field.name)")
                }
            }
        }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let folder = root.appendingPathComponent("Sources/Web")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var count = 0
        for case let file as URL in try #require(files)
        where ["swift", "js"].contains(file.pathExtension) {
            // Values of `autocomplete` for cards (HTML, autofill field names).
            let text = try String(contentsOf: file, encoding: .utf8)
            let fills = text.contains(/["' ]cc-(name|number|exp|csc|type)/)
            #expect(!fills, "\(file.lastPathComponent)")
            count += 1
        }
        #expect(count > 300)
    }

    @Test("every field that the source reads is declared by a route")
    func reads() async throws {
        try await withSite { site in
            let input = Site(site.installation).routes.flatMap(\.input)
            var root = URL(fileURLWithPath: #filePath)
            for _ in 0..<4 { root.deleteLastPathComponent() }
            let folder = root.appendingPathComponent("Sources/Web")
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            var count = 0
            for case let file as URL in try #require(files) where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                let reads = text.matches(
                    of: /context\.(form|query)(?:\.all\(|\.file\(|\[)"([^"\\]*)(\\\()?/
                )
                for read in reads where !["token", "key"].contains(read.2) {
                    let place: InputField.Place = read.1 == "form" ? .form : .query
                    let isDeclared = input.contains { field in
                        field.place == place
                            && (read.3 == nil
                                ? field.covers(String(read.2)) : field.name.hasPrefix(read.2))
                    }
                    #expect(isDeclared, "\(read.0) in \(file.lastPathComponent)")
                    count += 1
                }
            }
            #expect(count > 150)
        }
    }
}

extension Route.Output {
    /// Whether a content type is of this kind.
    fileprivate func includes(_ type: String) -> Bool {
        switch self {
        case .page: type.hasPrefix("text/html")
        case .json: type.contains("json")
        case .picture: type.hasPrefix("image/svg+xml")
        case .file(let wanted): wanted == "*/*" || type.hasPrefix(wanted)
        case .events: type.hasPrefix("text/event-stream")
        case .redirect, .nothing: false
        }
    }
}
