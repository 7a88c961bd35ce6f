import Dispatching
import StorageTestSupport
import Taxi
import Testing
import WebTestSupport

@testable import WebApp

/// `viavai api`, the small client of the interface; issue 34, part one, 4.
@Suite("viavai api", .serialized)
struct APICommandTests {
    @Test("it calls a taxi with fields as the document declares them, and its exit codes are told")
    func call() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let program = try await Program.registered(at: town.site)
            try await withTemporaryFolder { folder in
                func run(
                    _ operation: String,
                    _ fields: [String] = [],
                    server: String? = nil,
                    key: String? = nil
                ) async throws -> (code: Int32, text: String) {
                    let base = server ?? "http://127.0.0.1:\(town.site.port)/"
                    return try await ServedProgram.run(
                        ["api", operation, "--server", base, "--key", key ?? program.key]
                            + fields,
                        in: folder
                    )
                }
                let called = try await run(
                    "rides.call",
                    [
                        "from=\(RideTown.typed(500))", "to=\(RideTown.typed(1_500))", "seats=2",
                        "needs=wheelchair", "contact=+39 333 1234567",
                    ]
                )
                // The town's taxi has no place for a wheelchair, which the ride shows.
                #expect(called.code == 0, "\(called.text)")
                #expect(called.text.contains("\"request\":"), "\(called.text)")
                let request = try await town.taxi.dispatch.read { $0.lastRequest }
                let read = try await run("rides.read", ["request=\(request)"])
                #expect(read.code == 0 && read.text.contains("\"state\":"), "\(read.text)")
                let ends = "\"from\":\"\(RideTown.typed(500))\",\"to\":\"\(RideTown.typed(1_500))\""
                let plans = try await run("trips.plan-many", ["questions=[{\(ends)}]"])
                #expect(plans.code == 0 && plans.text.contains("\"plan\":{"), "\(plans.text)")
                let refused = try await run("rides.read", ["request=99999"])
                #expect(refused.code == 1 && refused.text.contains("404"), "\(refused.text)")
                let key = try await run("zones.list", key: String(repeating: "0", count: 64))
                #expect(key.code == 1 && key.text.contains("401"), "\(key.text)")
                for (operation, fields) in [
                    ("rides.fly", []), ("rides.read", []), ("rides.call", ["colour=red"]),
                ] {
                    let wrong = try await run(operation, fields)
                    #expect(wrong.code == 2, "\(operation): \(wrong.text)")
                }
                let nowhere = try await run("zones.list", server: "http://127.0.0.1:1")
                #expect(nowhere.code == 3, "\(nowhere.text)")
            }
        }
    }
}
