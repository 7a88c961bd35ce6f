import Chronology
import Dispatching
import HTTPTypes
import Identity
import OpenData
import Taxi
import TaxiPages
import WebCore

/// What an application can learn about itself.
extension CityAPI {
    /// For how many days calls are listed.
    private static let daysOfCalls: Int32 = 30

    var applicationOperations: [Operation] {
        [
            .get(
                "/api/application",
                as: "api.application.read",
                "Read your application",
                in: .application,
                for: Set(Scope.allCases),
                returns: .application
            ) { call in
                guard let found = call.context.application else { throw Failure.notAllowed }
                return Answer([
                    "number": .integer(found.number), "name": .text(found.form.name),
                    "scopes": .list(found.form.scopes.sorted().map { .text($0.rawValue) }),
                    "requests_per_minute": JSONValue(found.form.requestsPerMinute),
                    "registered": JSONValue(found.made), "key_issued": JSONValue(found.keyMade),
                ])
            }
            .acting([.application, .person])
            .explained(
                """
                A good first call: it shows whether your key or token works, and what it opens.
                """
            ),
            .get(
                "/api/application/calls",
                as: "api.application.calls",
                "Count your calls of the last 30 days",
                in: .application,
                for: Set(Scope.allCases),
                returns: .object([
                    .init("items", .list(.calls), "The counts, the newest day first.")
                ]),
                countCalls
            )
            .explained("Counts are complete after a minute; the day is that of the city."),
        ]
    }

    private func countCalls(_ call: Call) async throws -> Answer {
        let first = web.day(call.now).adding(days: 1 - Self.daysOfCalls).iso8601
        let counts = try await accounts.calls(of: call.application, since: first)
        let items = counts.map { count -> JSONValue in
            [
                "day": .text(count.day), "operation": .text(Operation.name(of: count.operation)),
                "calls": .integer(count.calls), "errors": .integer(count.errors),
            ]
        }
        return Answer(["items": .list(items)])
    }
}

/// The state of the service, which everybody may know without a key.
extension CityAPI {
    /// The route of the state.
    var statusRoute: Route {
        .get("/api/status", as: "api.status", for: .anonymous) { _ in
            let status = await status()
            return Response(type: "application/json", bytes: Array(status.json.utf8))
        }
        .answering(.json)
    }

    /// The state of the taxi service as `Schema.status` declares it.
    func status() async -> JSONValue {
        let state = try? await taxi.dispatch.read { ($0.isSetUp, $0.suspension) }
        let (isOpen, suspension) = state ?? (nil, nil)
        return [
            "serving": .bool(state != nil), "open": JSONValue(isOpen),
            "suspended": .bool(suspension != nil), "planner": .bool(city != nil),
        ]
    }
}

extension Schema {
    /// The state of the service.
    static let status = Schema.named(
        "Status",
        [
            Member("serving", .boolean, "Whether this server decides; a standby server does not."),
            Member("open", .optional(.boolean), "Whether the taxi service has opened."),
            Member("suspended", .boolean, "Whether the city has suspended the taxi service."),
            Member("planner", .boolean, "Whether trips can be planned."),
        ]
    )

    fileprivate static let application = Schema.named(
        "Application",
        [
            Member("number", .integer, "The public number; it grants nothing."),
            Member("name", .text, "The name that people see."),
            Member("scopes", .list(.text), "What the city lets it do."),
            Member("requests_per_minute", .integer, "How many requests it may send in a minute."),
            Member("registered", .moment, "When the city registered it."),
            Member("key_issued", .moment, "When its present key was issued."),
        ]
    )

    fileprivate static let calls = Schema.named(
        "Calls",
        [
            Member("day", .day, "The day in the city's time zone."),
            Member("operation", .text, "The name of the operation."),
            Member("calls", .integer, "The number of calls."),
            Member("errors", .integer, "How many of them were refused or failed."),
        ]
    )
}
