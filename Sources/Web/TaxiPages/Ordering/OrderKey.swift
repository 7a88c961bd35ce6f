package import Dispatching
import HTTPTypes
package import Localization
package import Markup
package import Taxi
package import WebCore

/// The idempotency key of an order, stored in the dispatcher's log in the same transaction as its
/// request.
///
/// A server that stops after the command but before it stores the response leaves the form
/// unanswered. The key in the log then identifies the request that the form created, if any.
extension TaxiPageModule {
    /// The key of the submitted form; nil if it has none.
    package static func orderKey(_ context: RequestContext) -> DispatchService.Key? {
        WebEnvironment.identity(of: context).map {
            DispatchService.Key(caller: "order " + $0.caller, key: $0.key)
        }
    }

    /// The request that an interrupted earlier submission of this form created; nil if there is
    /// none.
    package func requestMadeBefore(_ context: RequestContext) async throws -> RequestNumber? {
        guard context.mayRepeat, let key = Self.orderKey(context) else { return nil }
        return try await taxi.request(madeUnder: key)
    }
}

extension TaxiPageModule {
    /// The address of a ride's page, optionally with a notice to show there.
    package static func ride(_ number: RequestNumber, _ notice: String? = nil) -> Address {
        let text = "\(number.rawValue)"
        return notice.map { Address("/ride", text, query: ["notice": $0]) }
            ?? Address("/ride", text)
    }

    /// An error page that says why no taxi was requested, with a link back to the form.
    package func notRequested(_ why: Text, _ context: RequestContext) -> Response {
        var page = Page(
            CheckTexts.nothingSent,
            body: """
                <h1>\(context.say(CheckTexts.nothingSent))</h1>
                <p class="lead" role="alert">\(context.say(why))</p>
                <p class="actions"><a class="button primary" href="/taxi">\
                \(context.say(OrderTexts.title))</a></p>
                """
        )
        page.status = .unprocessableContent
        return response(page, to: context)
    }
}
