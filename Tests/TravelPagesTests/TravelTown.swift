import Dispatching
import Testing
import WebTestSupport

/// The town with its lines, for the tests of the trip planner.
enum TravelTown {
    /// Opens the town.
    static func open(
        isOpen: Bool = true,
        hasFares: Bool = false,
        _ further: [String: String] = [:],
        _ body: @escaping @Sendable (RideTown) async throws -> Void
    ) async throws {
        try await RideTown.open(
            .viavai,
            further,
            isOpen: isOpen,
            hasLines: true,
            hasFares: hasFares,
            body
        )
    }

    /// The form with both ends of the street, to leave now by any means.
    static let form = [
        "from": RideTown.typed(20), "to": RideTown.typed(1_980), "when": "now", "options": "",
    ]

    /// Asks for trips along the street; returns the path of the answer.
    static func ask(
        _ visitor: Visitor,
        _ fields: [String: String] = [:]
    ) async throws -> String {
        let sent = try await visitor.submit(form.merging(fields) { $1 }, on: "/plan")
        let path = try #require(sent.header("location"), "\(sent.text)")
        #expect(sent.status == 303 && path.hasPrefix("/plan/"))
        return path
    }

    /// The paths of the trips on a page, in order and each once.
    static func trips(on page: String, of answer: String) -> [String] {
        var paths: [String] = []
        for match in page.matches(of: /class="option" href="([^"]*)"/) {
            let path = String(match.1).replacing("&amp;", with: "&")
            if !paths.contains(path) { paths.append(path) }
        }
        #expect(paths.allSatisfy { $0.hasPrefix(answer) })
        return paths
    }
}
