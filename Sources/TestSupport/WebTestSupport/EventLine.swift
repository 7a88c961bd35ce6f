package import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing
import WebApp

/// An open event stream, read as a browser reads it.
package struct EventLine {
    /// What was answered.
    package let status: Int
    package let headers: [String: String]
    private let texts: AsyncStream<String>
    private let reading: Task<Void, Never>
    private var heard = ""

    fileprivate init(_ response: HTTPClientResponse) {
        status = Int(response.status.code)
        headers = Dictionary(
            response.headers.map { ($0.name.lowercased(), $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
        let (texts, text) = AsyncStream<String>.makeStream()
        self.texts = texts
        let body = response.body
        reading = Task {
            // A broken connection ends the stream too.
            do { for try await bytes in body { text.yield(String(buffer: bytes)) } } catch {}
            text.finish()
        }
    }

    fileprivate func close() { reading.cancel() }

    /// Reads until a text has arrived; returns everything up to the end of that text.
    package mutating func read(to text: String) async throws -> String {
        if let found = take(to: text) { return found }
        for await more in texts {
            heard += more
            if let found = take(to: text) { return found }
        }
        Issue.record("the stream ended before \(text): \(heard)")
        throw CancellationError()
    }

    private mutating func take(to text: String) -> String? {
        guard let range = heard.range(of: text) else { return nil }
        defer { heard = String(heard[range.upperBound...]) }
        return String(heard[..<range.upperBound])
    }

    /// Reads to the end of the stream.
    package mutating func readToEnd() async throws -> String {
        for await more in texts { heard += more }
        return heard
    }
}

/// Opens an event stream with the given session, as a browser does, or with a key, as a program
/// does.
package func withEvents(
    _ base: String,
    session: String?,
    path: String = "/events",
    query: String = "",
    key: String? = nil,
    last: String? = nil,
    configuration: HTTPClient.Configuration = HTTPClient.Configuration(),
    _ body: (inout EventLine) async throws -> Void
) async throws {
    let client = HTTPClient(configuration: configuration)
    var request = HTTPClientRequest(url: base + path + query)
    request.headers.add(name: "accept", value: "text/event-stream")
    request.headers.add(name: "accept-encoding", value: "gzip")
    if let session { request.headers.add(name: "cookie", value: session) }
    if let key { request.headers.add(name: "authorization", value: "Bearer \(key)") }
    if let last { request.headers.add(name: "last-event-id", value: last) }
    var failure: (any Error)?
    do {
        var line = EventLine(try await client.execute(request, timeout: .seconds(60)))
        defer { line.close() }
        try await body(&line)
    } catch {
        failure = error
    }
    try? await client.shutdown()
    if let failure { throw failure }
}

extension ServedSite {
    /// Opens a visitor's event stream.
    package func withEvents(
        of visitor: Visitor,
        query: String = "",
        last: String? = nil,
        _ body: (inout EventLine) async throws -> Void
    ) async throws {
        let session = visitor.cookie("session").map { "session=\($0)" }
        try await WebTestSupport.withEvents(base, session: session, query: query, last: last, body)
    }
}
