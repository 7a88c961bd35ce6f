import Markup
import Taxi
import TaxiPages
import WebCore

/// The home page for visitors who may call a taxi (ui.md 4.3, R71b).
extension PassengerPages {
    /// The home page with the form "Where are you going?".
    ///
    /// - Parameters:
    ///   - context: the visitor's request.
    ///   - rest: the content below the form.
    /// - Returns: nil if taxis cannot be called now, or not by this visitor.
    /// - Throws: `Failure`.
    func callingPage(_ context: RequestContext, rest: HTML) async throws -> Page? {
        let now: ServiceNow
        do {
            now = try await taxi.now(for: try passenger(context)?.passenger)
        } catch {
            // The home page is also available while another server is active.
            return nil
        }
        guard now.isOpen, now.suspension == nil, guestsRefusedWords(now.policy, context) == nil
        else { return nil }
        let body: HTML
        if let live = now.live {
            body = """
                <h1>\(context.say(RideTexts.region))</h1>
                <p class="lead">\(context.say(RideTexts.already))</p>
                <p class="actions"><a class="button primary" href=\(Self.ride(live))>\
                \(context.say(RideTexts.follow))</a></p>
                <p><a href="/taxi?when=later">\(context.say(LaterTexts.later))</a></p>
                """
        } else {
            let draft = draft(context) ?? OrderDraft()
            body = try await orderBody(draft, now.policy, OrderProblems(), context)
        }
        var page = Page(
            HomeTexts.name,
            body: """
                <div class="hero"><div class="wide">
                <div>\(body)</div>
                \(await firstPicture(context))
                </div></div>
                \(rest)
                """
        )
        page.isWide = true
        page.hasForm = true
        return page
    }
}
