import Encoding
package import HTTPTypes
import Markup

extension WebEnvironment {
    /// The response for a failure: a page, or for programs a problem (RFC 9457).
    package func response(_ failure: Failure, to context: RequestContext) -> Response {
        var response: Response
        if context.wantsJSON {
            response = problem(
                failure.name,
                failure.status,
                context.say(failure.title),
                context.say(failure.advice)
            )
        } else if let address = failure.address(for: context) {
            return .redirect(to: address)
        } else {
            var page = Page(
                failure.title,
                body: """
                    <h1>\(context.say(failure.title))</h1>
                    <p class="lead">\(context.say(failure.advice))</p>
                    <p class="actions"><a class="button" href="/">\
                    \(context.say(LayoutTexts.first))</a></p>
                    """
            )
            page.status = failure.status
            response = self.response(page, to: context)
        }
        if let seconds = failure.retryAfter {
            response.headers[.retryAfter] = "\(seconds)"
        }
        return response
    }

    /// A problem response (RFC 9457) with additional JSON members.
    package func problem(
        _ name: String,
        _ status: HTTPResponse.Status,
        _ title: String,
        _ detail: String,
        further: String = ""
    ) -> Response {
        let json = """
            {"type":"/problems/\(name)","title":\(JSONString.quoted(title)),\
            "status":\(status.code),"detail":\(JSONString.quoted(detail))\(further)}
            """
        return Response(status, type: "application/problem+json", bytes: Array(json.utf8))
    }
}
