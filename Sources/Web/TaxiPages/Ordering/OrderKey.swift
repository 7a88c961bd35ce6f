package import Dispatching
import HTTPTypes
package import Localization
package import Markup
package import Taxi
package import WebCore

/// The key under which an order goes into the dispatcher's log, in the same transaction as the
/// request that it makes.
///
/// A server that ends between the two writes of a form (the command, then the answer) leaves the
/// form begun and not answered. The key in the log then says which request the form made, if any.
extension TaxiPageModule {
    /// The key of the form; nil where it has none.
    package static func orderKey(_ visit: Visit) -> DispatchService.Key? {
        WebEnvironment.identity(of: visit).map {
            DispatchService.Key(caller: "order " + $0.caller, key: $0.key)
        }
    }

    /// The request that an interrupted earlier sending of this form made; nil where it made none,
    /// or where there was no such sending.
    package func requestMadeBefore(_ visit: Visit) async throws -> RequestNumber? {
        guard visit.mayRepeat, let key = Self.orderKey(visit) else { return nil }
        return try await taxi.request(madeUnder: key)
    }
}

extension TaxiPageModule {
    /// Where a ride is followed.
    package static func ride(_ number: RequestNumber, _ notice: String? = nil) -> Address {
        let text = "\(number.rawValue)"
        return notice.map { Address("/ride", text, query: ["notice": $0]) }
            ?? Address("/ride", text)
    }

    /// Says why nothing was requested, and the way on.
    package func notRequested(_ why: Text, _ visit: Visit) -> Reply {
        var page = Page(
            CheckTexts.nothingSent,
            body: """
                <h1>\(visit.say(CheckTexts.nothingSent))</h1>
                <p class="lead" role="alert">\(visit.say(why))</p>
                <p class="actions"><a class="button primary" href="/taxi">\
                \(visit.say(OrderTexts.title))</a></p>
                """
        )
        page.status = .unprocessableContent
        return reply(page, to: visit)
    }
}
