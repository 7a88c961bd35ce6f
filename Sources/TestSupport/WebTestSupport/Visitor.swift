package import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
package import NIOHTTP1
import Testing
import WebApp
import WebCore

/// A person using a browser without scripts: it follows no redirects and keeps cookies.
package final class Visitor {
    package struct Answer {
        package var status: Int
        package var headers: HTTPHeaders
        package var text: String

        package func header(_ name: String) -> String? { headers.first(name: name) }
    }

    private let base: String
    private let client: HTTPClient
    private var cookies: [String: String] = [:]
    package var language = "en"

    package init(_ base: String, client: HTTPClient) {
        self.base = base
        self.client = client
    }

    package func cookie(_ name: String) -> String? { cookies[name] }

    package func plant(_ name: String, _ value: String) { cookies[name] = value }

    package func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send(.GET, path, headers: headers, body: nil)
    }

    package func post(
        _ path: String,
        _ fields: [String: String],
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var all = headers
        all["content-type"] = all["content-type"] ?? "application/x-www-form-urlencoded"
        // In a fixed order, as a browser sends them: a form in another order counts as another
        // form.
        let body = fields.sorted { $0.key < $1.key }
            .map { "\(Self.encoded($0))=\(Self.encoded($1))" }.joined(separator: "&")
        return try await send(.POST, path, headers: all, body: Array(body.utf8))
    }

    /// Opens a page, fills in its form and submits it.
    package func submit(
        _ fields: [String: String],
        on page: String,
        to action: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        let shown = try await get(page, headers: headers)
        var all = fields
        for match in shown.text.matches(
            of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/
        ) {
            let name = String(match.1)
            if all[name] == nil { all[name] = String(match.2) }
        }
        return try await post(action ?? String(page.prefix { $0 != "?" }), all, headers: headers)
    }

    package func send(
        _ method: HTTPMethod,
        _ path: String,
        headers: [String: String] = [:],
        body: [UInt8]?
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        request.headers.add(name: "accept-language", value: language)
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        if !cookies.isEmpty {
            let all = cookies.map { "\($0)=\($1)" }.joined(separator: "; ")
            request.headers.replaceOrAdd(name: "cookie", value: all)
        }
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        // Long enough for the import of thousands of drivers beside all other tests of pages; speed
        // is shown by benchmarks.
        let response = try await client.execute(request, timeout: .seconds(180))
        for cookie in response.headers["set-cookie"] {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            guard let name = pair.first.map(String.init) else { continue }
            let isTaken = cookie.contains("Max-Age=0")
            cookies[name] = isTaken ? nil : pair.dropFirst().first.map(String.init) ?? ""
        }
        let bytes = try await response.body.collect(upTo: 1 << 24)
        return Answer(
            status: Int(response.status.code),
            headers: response.headers,
            text: String(buffer: bytes)
        )
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

extension Visitor {
    /// The page to which an answer leads; it must lead to one.
    ///
    /// - Throws: if it leads to none, or the page is not answered.
    package func follow(_ answer: Answer) async throws -> Answer {
        let path = try #require(answer.header("location"), "\(answer.text)")
        let page = try await get(path)
        #expect(page.status == 200, "\(path)")
        return page
    }
}

extension Visitor.Answer {
    /// What is wrong with a field; nil if nothing is said beside it.
    package func problem(_ field: String) -> String? {
        let start = "id=\"field-\(field)-error\">"
        guard let place = text.range(of: start)?.upperBound else { return nil }
        let rest = String(text[place...].prefix { $0 != "\n" })
        return rest.replacing(/<span class="hidden">[^<]*<\/span>/, with: "")
            .replacing(/<\/span>.*/, with: "").replacing("&#39;", with: "'")
    }
}
