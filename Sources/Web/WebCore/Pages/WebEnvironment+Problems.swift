package import HTTPTypes
import Markup

extension WebEnvironment {
    /// The response for a failure: a page, or for programs a problem (RFC 9457).
    package func reply(_ failure: Failure, to visit: Visit) -> Reply {
        var reply: Reply
        if visit.wantsJSON {
            reply = problem(
                failure.name,
                failure.status,
                visit.say(failure.title),
                visit.say(failure.advice)
            )
        } else if let address = failure.address(for: visit) {
            return .redirect(to: address)
        } else {
            var page = Page(
                failure.title,
                body: """
                    <h1>\(visit.say(failure.title))</h1>
                    <p class="lead">\(visit.say(failure.advice))</p>
                    <p class="actions"><a class="button" href="/">\
                    \(visit.say(LayoutTexts.first))</a></p>
                    """
            )
            page.status = failure.status
            reply = self.reply(page, to: visit)
        }
        if let seconds = failure.retryAfter {
            reply.headers[.retryAfter] = "\(seconds)"
        }
        return reply
    }

    /// A problem response (RFC 9457) with additional JSON members.
    package func problem(
        _ name: String,
        _ status: HTTPResponse.Status,
        _ title: String,
        _ detail: String,
        further: String = ""
    ) -> Reply {
        let json = """
            {"type":"/problems/\(name)","title":\(JSONText(title)),"status":\(status.code),\
            "detail":\(JSONText(detail))\(further)}
            """
        return Reply(status, type: "application/problem+json", bytes: Array(json.utf8))
    }
}
