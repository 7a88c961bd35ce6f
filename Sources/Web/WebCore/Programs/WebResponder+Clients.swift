import Hummingbird
import Identity

/// Requests of OAuth clients, which prove in each request who they are.
///
/// Cookies are not looked at, so that no page of another site can use a session here. Fields that
/// the route does not declare are ignored (RFC 6749, 3.2).
extension WebResponder {
    /// Answers a request of a client.
    func answerClient(
        _ request: Request,
        _ context: RequestContext,
        _ route: Route
    ) async -> Response {
        do {
            return try await answerRead(request, context, route)
        } catch let refusal as ClientRefusal {
            return refusal.response
        } catch {
            let failure = failure(for: error, context)
            var response = ClientRefusal(failure).response
            if let seconds = failure.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
            return response
        }
    }

    private func answerRead(
        _ request: Request,
        _ context: RequestContext,
        _ route: Route
    ) async throws -> Response {
        var context = context
        try await hooks.admit(route, context)
        context.query = try route.accepted(context.query, in: .query)
        let limit = route.bodyLimit ?? web.settings.bodyLimit
        let form = try await form(of: request, limit: limit, takesJSON: false)
        let declared = route.fields(in: .form)
        for field in declared {
            let values = form.fields.filter { $0.name == field.name }.map(\.value)
            if values.count > 1 {
                throw ClientRefusal.invalidRequest("The field \(field.name) is sent twice.")
            }
            if let value = values.first, field.problem(in: value) != nil {
                throw ClientRefusal.invalidRequest("\(field.name) is malformed. \(field.meaning)")
            }
        }
        context.form = form.restricted(to: declared) { _, _ in true }
        return try await route.answer(context)
    }
}
