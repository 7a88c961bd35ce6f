import Foundation
import HTTPTypes
import Identity
import NIOHTTP1
import OpenData
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import API
@testable import WebApp
@testable import WebCore

/// Another program that calls a city's interface with a key.
struct Program {
    let visitor: Visitor
    let key: String
    let number: Int64

    /// Registers an application, which may do everything unless told otherwise.
    static func registered(
        at site: ServedSite,
        _ scopes: Set<Scope> = Set(Scope.allCases),
        perMinute: Int = 6_000,
        name: String = "Hotel Centrale"
    ) async throws -> Program {
        let (_, session) = try await site.administrator(
            "boss\(UInt32.random(in: .min ... .max))"
        )
        let (number, key) = try await site.accounts.registerApplication(
            ApplicationForm(
                name: name,
                contact: "desk@hotel.example",
                redirects: [],
                scopes: scopes,
                requestsPerMinute: perMinute
            ),
            by: session,
            at: site.clock.now
        )
        return Program(visitor: site.visitor(), key: key.text, number: number)
    }

    /// The same visitor with another key.
    func with(key: String) -> Program { Program(visitor: visitor, key: key, number: number) }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Reply {
        try await send(.GET, path, headers, nil)
    }

    func post(
        _ path: String,
        _ body: JSONValue = [:],
        once: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Reply {
        var headers = headers
        headers["content-type"] = "application/json"
        if let once { headers["idempotency-key"] = once }
        return try await send(.POST, path, headers, Array(body.json.utf8))
    }

    private func send(
        _ method: HTTPMethod,
        _ path: String,
        _ headers: [String: String],
        _ body: [UInt8]?
    ) async throws -> Reply {
        var headers = headers
        if !key.isEmpty { headers["authorization"] = "Bearer \(key)" }
        return Reply(try await visitor.send(method, path, headers: headers, body: body))
    }

    /// An answer with its JSON.
    struct Reply {
        let status: Int
        let json: JSONValue
        let text: String
        let answer: Visitor.Answer

        init(_ answer: Visitor.Answer) {
            self.answer = answer
            status = answer.status
            text = answer.text
            json = (try? JSONValue(parsing: Array(answer.text.utf8))) ?? .null
        }

        func header(_ name: String) -> String? { answer.header(name) }

        /// The names of the fields that the problem blames.
        var blamed: [String] { json["errors"]?.list?.compactMap { $0["field"]?.text } ?? [] }

        /// The last part of the problem's type.
        var problem: String {
            String(json["type"]?.text?.split(separator: "/").last ?? "")
        }
    }
}

/// A request for each operation that works in a town, made from its declaration.
struct ExampleCalls {
    /// The values of path parameters and of fields that have no obvious value.
    var values: [String: String] = [
        "from": RideTown.typed(500), "to": RideTown.typed(1_500), "contact": "+39 333 1234567",
        "address": "https://hotel.example/taxi", "webhook": "1", "message": "msg_0",
        "email": "rosa@example.org", "consent": "2", "text": "Corso Lungo", "latitude": "45.464",
        "longitude": "9.2", "zone": "West",
        "questions":
            "{\"from\":\"\(RideTown.typed(500))\",\"to\":\"\(RideTown.typed(1_500))\"}",
    ]
    /// The values of parameters of one operation; the clock of tests stands still, so that waiting
    /// for another state than this one would not end.
    var special: [String: [String: String]] = [
        "rides.wait": ["state": "aboard"], "people.register": ["user_name": "rosa"],
        "mds.trips": ["end_time": "2027-01-15T06"],
        "mds.events": ["event_time": "2027-01-15T06"],
    ]

    func value(of field: InputField, in operation: API.Operation) -> String {
        if let special = special[operation.name]?[field.name] { return special }
        if let known = values[field.name] { return known }
        return Self.sample(of: field.kind)
    }

    private static func sample(of kind: InputField.Kind) -> String {
        switch kind {
        case .text, .opaque, .secret, .file: "x"
        case .number(let range): "\(max(range.lowerBound, 1))"
        case .decimal(let range): "\(range.lowerBound)"
        case .choice(let values): values[0]
        case .flag(let value): value
        case .date: "2027-01-16"
        case .time: "17:05"
        case .several(let kind, _): sample(of: kind)
        case .record: "{}"
        }
    }

    /// A value that the declaration excludes.
    static func wrong(_ kind: InputField.Kind) -> String {
        switch kind {
        case .text(let limit), .opaque(let limit), .secret(let limit):
            String(repeating: "x", count: limit + 1)
        case .several(let kind, _): wrong(kind)
        default: "none of these"
        }
    }

    /// Calls an operation with its required fields.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - program: who calls.
    ///   - changes: values of fields instead of the usual ones; nil leaves the field out.
    ///   - key: the idempotency key of an operation that changes something; nil for none.
    /// - Returns: the answer.
    /// - Throws: errors of the connection.
    func call(
        _ operation: API.Operation,
        by program: Program,
        _ changes: [String: String?] = [:],
        once key: String? = nil
    ) async throws -> Program.Reply {
        let route = operation.route
        func sent(_ field: InputField) -> String? {
            if let change = changes[field.name] { return change }
            let isWanted = field.isRequired || field.name == "contact"
            let isSpecial = special[operation.name]?[field.name] != nil
            return isWanted || isSpecial ? value(of: field, in: operation) : nil
        }
        func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        var path = route.path
        for field in route.fields(in: .path) {
            path = path.replacing("{\(field.name)}", with: encoded(sent(field) ?? ""))
        }
        let query = route.fields(in: .query).compactMap { field in
            sent(field).map { "\(field.name)=\(encoded($0))" }
        }
        if !query.isEmpty { path += "?" + query.joined(separator: "&") }
        guard route.method == .post else { return try await program.get(path) }
        let members = route.fields(in: .form).compactMap { field in
            sent(field).map { JSONObject.Member(field.name, .text($0)) }
        }
        return try await program.post(path, .object(JSONObject(members)), once: key)
    }
}

extension Site {
    /// All operations of the interface.
    var operations: [API.Operation] { features.api.operations }
}
