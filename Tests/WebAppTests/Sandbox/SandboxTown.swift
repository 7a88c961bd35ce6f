import Chronology
import Identity
import LivingCity
import Logging
import NIOHTTP1
import OpenData
import StorageTestSupport
import Taxi
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

/// A served town of its own with a sandbox, whose time runs as fast as it does for developers.
struct SandboxTown: Sendable {
    let site: ServedSite
    let sandbox: SandboxCity

    /// Opens a town whose sandbox is still closed.
    static func open(
        speed: Int64 = SandboxCity.usualSpeed,
        lifetimeSeconds: Int64 = SandboxCity.usualLifetimeSeconds,
        _ body: @escaping @Sendable (SandboxTown) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let city = try LivingTown.cityFile(in: folder)
            let sandbox = try SandboxCity(
                in: SandboxFolder("\(folder)/sandbox") { city },
                clock: .system(startingAt: Moment(milliseconds: 1_800_000_000_000)),
                speed: speed,
                lifetimeSeconds: lifetimeSeconds,
                workers: .quick(),
                logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() }
            )
            let running = Task { try await sandbox.run() }
            defer { running.cancel() }
            try await withSite(RideTown.options, sandbox: sandbox) { site in
                try await site.started()
                try await body(SandboxTown(site: site, sandbox: sandbox))
            }
            running.cancel()
            _ = await running.result
        }
    }

    /// The keys that a visitor gets with one press.
    func keys(of visitor: Visitor) async throws -> SandboxKeys {
        let sent = try await visitor.submit([:], on: "/developers", to: "/developers/sandbox")
        #expect(sent.status == 303, "\(sent.text)")
        let cookie = try #require(visitor.cookie("sandbox"))
        return try #require(SandboxKeys(cookie: cookie))
    }
}

/// A program that sends requests with a key.
struct KeyedProgram {
    let visitor: Visitor
    let key: String

    func get(_ path: String) async throws -> (status: Int, json: JSONValue, text: String) {
        let answer = try await visitor.get(path, headers: ["authorization": "Bearer \(key)"])
        return (answer.status, Self.json(answer.text), answer.text)
    }

    func post(
        _ path: String,
        _ body: JSONValue = [:]
    ) async throws -> (status: Int, json: JSONValue, text: String) {
        let headers = ["authorization": "Bearer \(key)", "content-type": "application/json"]
        let answer = try await visitor.send(
            .POST,
            path,
            headers: headers,
            body: Array(body.json.utf8)
        )
        return (answer.status, Self.json(answer.text), answer.text)
    }

    private static func json(_ text: String) -> JSONValue {
        (try? JSONValue(parsing: Array(text.utf8))) ?? .null
    }
}
