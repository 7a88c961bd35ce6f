import API
package import ServiceLifecycle
import TaxiPages
package import WebCore

/// A site without connections of its own, whose operations another site passes on.
extension Site {
    /// Answers a program's request on one of the operations; nothing else of the site is reached.
    ///
    /// - Parameters:
    ///   - call: the request.
    ///   - key: the key or token as this site knows it.
    /// - Returns: the answer.
    /// - Throws: `Failure.notFound` for an operation that the site does not have.
    package func answer(_ call: SandboxCall, key: String) async throws -> Response {
        let operations = features.api.operations
        guard let route = operations.first(where: { $0.route.name == call.operation })?.route
        else { throw Failure.notFound }
        return await WebResponder(web, hooks: hooks).answer(call, on: route, key: key)
    }

    /// What keeps the site ready for questions, besides its taxis.
    package var upkeep: [any Service] { cityMaintenance.map { [$0] } ?? [] }
}
