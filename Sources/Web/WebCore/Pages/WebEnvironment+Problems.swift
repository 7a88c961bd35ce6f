import Encoding
package import HTTPTypes
import Logging
import Markup

extension WebEnvironment {
    /// The response for a failure: a page, or for programs a problem (RFC 9457).
    ///
    /// - Parameters:
    ///   - failure: the failure.
    ///   - context: the request.
    ///   - isBrief: whether people get a sentence instead of a page. That is for floods of
    ///     requests, since pages for all of them would slow down everybody else.
    /// - Returns: the response.
    package func response(
        _ failure: Failure,
        to context: RequestContext,
        isBrief: Bool = false
    ) -> Response {
        var response: Response
        if context.wantsJSON {
            response = problem(
                failure.name,
                failure.status,
                context.say(failure.title),
                context.say(failure.advice)
            )
        } else if isBrief {
            let text = "\(context.say(failure.title)). \(context.say(failure.advice))\n"
            response = .text(text, status: failure.status)
        } else if let address = failure.address(for: context) {
            return .redirect(to: address)
        } else {
            response = self.response(page(about: failure, context), to: context)
        }
        if let seconds = failure.retryAfter {
            response.headers[.retryAfter] = "\(seconds)"
        }
        return response
    }

    /// The page about a failure: what happened, what to do next, and what to tell the city's office
    /// if that does not help.
    private func page(about failure: Failure, _ context: RequestContext) -> Page {
        let canRepeat = failure.isWorthAnotherTry
        let look: Button.Look = canRepeat ? .secondary : .primary
        var actions = Button(LayoutTexts.first, .link(Address("/")), look: look).html(context)
        if canRepeat {
            let again = Button(
                FailureTexts.openAgain,
                .link(context.pageAddress),
                look: .primary,
                icon: .refresh
            )
            actions = again.html(context) + actions
        }
        var dialog = Dialog(
            failure.title,
            icon: failure.icon,
            text: "\(context.say(failure.advice))",
            actions: actions
        )
        dialog.isBad = failure.status.kind == .serverError
        // The number of its line in the log ends like this.
        let number = context.logger[metadataKey: "hb.request.id"].map { "\($0)".suffix(8) } ?? ""
        let reference = FailureTexts.reference(failure.status.code, String(number))
        dialog.content = "<p class=\"hint\">\(context.say(reference))</p>"
        var page = Page(failure.title, body: dialog.html(context))
        page.status = failure.status
        return page
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

extension Failure {
    /// Whether the same page may work now or soon.
    fileprivate var isWorthAnotherTry: Bool {
        retryAfter != nil || status.kind == .serverError
            || [.forged, .tooSlow, .unknownOutcome].contains(self)
            || status == .badRequest
    }

    fileprivate var icon: Icon {
        switch status {
        case .notFound, .gone: .search
        case .forbidden, .unauthorized: .lock
        case .tooManyRequests, .serviceUnavailable, .requestTimeout: .clock
        case .conflict: .question
        default: .warning
        }
    }
}
