import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

/// The applications that act for a person, and the button that ends it.
extension GrantPages {
    var connectedRoutes: [Route] {
        [
            .get("/account/apps", as: "account.apps", for: .person, listConnected)
                .taking([.notice]),
            .post("/account/apps", as: "account.apps.disconnect", for: .person, disconnect)
                .taking([
                    .set("application", .identifier, "The number of the application.").required
                ])
                .answering(.redirect),
        ]
    }

    private func listConnected(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        let person = signedIn.person
        let found = try await accounts.connectedApplications(of: person, at: context.now)
        let none = EmptyState(.plug, ConnectedAppsTexts.none, ConnectedAppsTexts.noneLead)
        let lead: HTML = "<p class=\"lead\">\(context.say(ConnectedAppsTexts.lead))</p>"
        let list = Card.grid(found.map { card($0, context) })
        let notice = Notice(
            .success,
            isAnnounced: true,
            "\(context.say(ConnectedAppsTexts.disconnected))"
        )
        let isDone = context.query["notice"] == "disconnected"
        var page = Page(
            ConnectedAppsTexts.title,
            body: """
                \(isDone ? notice.html(context) : .empty)
                <h1>\(context.say(ConnectedAppsTexts.title))</h1>
                \(found.isEmpty ? none.html(context) : lead + list)
                \(backToAccount(context))
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    private func card(_ found: ConnectedApplication, _ context: RequestContext) -> Card {
        let scopes = found.scopes.intersection(Scope.personal).sorted().map { scope -> HTML in
            "<li>\(Icon.check.html) <span>\(context.say(scope.consentText))</span></li>"
        }
        let used: HTML =
            found.used.map { "\(context.say(ConnectedAppsTexts.lastUse)) \(time($0, context))" }
            ?? "\(context.say(ConnectedAppsTexts.neverUsed))"
        let since: HTML =
            "\(context.say(ConnectedAppsTexts.since)) \(time(found.made, context))"
        return Card(
            "\(Icon.plug.html) \(found.name)",
            content: """
                <ul class="consent">\(scopes)</ul>
                <p class="hint">\(since)<br>\(used)</p>
                <form method="post" action="/account/apps">\(context.formToken)\
                <p class="actions"><button class="danger" name="application" \
                value="\(found.number)">\(context.say(ConnectedAppsTexts.disconnect))\
                <span class="hidden"> \(found.name)</span></button></p></form>
                """
        )
    }

    private func disconnect(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        guard let number = context.form["application"].flatMap({ Int64($0) }) else {
            throw Failure.badRequest
        }
        try await accounts.disconnect(number, by: signedIn.session, at: context.now)
        return .redirect(to: Address("/account/apps", query: ["notice": "disconnected"]))
    }
}
