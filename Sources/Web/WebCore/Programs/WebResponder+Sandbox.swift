import HTTPTypes
import Hummingbird
import NIOCore

/// Requests of programs whose key is one of the sandbox.
extension WebResponder {
    /// Answers such a request; nil for a request that is the city's.
    func answerInSandbox(
        _ request: Request,
        _ context: RequestContext,
        _ route: Route
    ) async -> Response? {
        guard let key = try? context.bearerText, key.hasPrefix(SandboxKeys.prefix) else {
            return nil
        }
        do {
            // Nothing of the city knows such a key either.
            guard let sandbox = hooks.sandbox else { throw ProgramRefusal.wrongKey }
            let limit = route.bodyLimit ?? web.settings.bodyLimit
            let call = SandboxCall(
                route,
                path: context.path,
                parameters: context.parameters,
                query: context.query,
                body: route.method == .post ? try await bytes(of: request, limit: limit) : [],
                key: key,
                headers: request.headers,
                for: context
            )
            return try await sandbox.answer(call)
        } catch let refusal as ProgramRefusal {
            return response(refusal)
        } catch {
            return web.response(failure(for: error, context), to: context)
        }
    }

    /// Answers a request that came on a connection of another site.
    ///
    /// - Parameters:
    ///   - call: the request.
    ///   - route: the operation of this site.
    ///   - key: the key or token as this site knows it.
    /// - Returns: the answer.
    package func answer(_ call: SandboxCall, on route: Route, key: String) async -> Response {
        precondition(route.name == call.operation && route.access == .application, "another one")
        var headers = call.headers
        headers[.authorization] = "Bearer \(key)"
        var context = RequestContext(
            method: call.method,
            path: call.path,
            query: call.query,
            host: call.host,
            headers: headers,
            address: call.address,
            now: web.now(),
            logger: call.logger
        )
        context.slots = hooks.slots
        context.parameters = call.parameters
        context.hideSecrets(of: route, nil)
        let head = HTTPRequest(
            method: call.method,
            scheme: nil,
            authority: nil,
            path: call.path,
            headerFields: headers
        )
        let body = RequestBody(buffer: ByteBuffer(bytes: call.body))
        return await answerProgram(Request(head: head, body: body), context, route)
    }
}
