import Drivers
import Fares
import HTTPTypes
import Identity
import Localization
import Logging
import Markup
import Taxi
import TaxiPages
import WebCore

extension AccountPages {
    /// The pages for permanent deletion of an account (R103, R105).
    var deletionRoutes: [Route] {
        [
            .get("/account/delete", as: "account.delete.form", for: .grave) {
                response(try await deletionPage($0), to: $0)
            }
            .failing(.conflict),
            .post("/account/delete", as: "account.delete", for: .grave, delete)
                .taking([.proceed])
                .failing(.conflict, .unprocessableContent)
                .repeated(because: "it takes the cookie away, and a second time finds nobody"),
        ]
    }

    private func deletionPage(
        _ context: RequestContext,
        _ failure: AccountFailure? = nil
    ) async throws -> Page {
        // Where another server runs the dispatcher, the page cannot list what will be cancelled.
        var found: UnderWay?
        do { found = try await underWay(context) } catch TaxiService.Failure.notServing {}
        if let obstacle = found?.obstacle { return obstaclePage(obstacle, context) }
        var form = FormPage(
            action: Address("/account/delete"),
            fields: [],
            button: DeletionTexts.button,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        form.isDestructive = true
        let consequences = DeletionTexts.consequences(cancels: found?.wishes != [])
        form.extra = """
            <ul>\(consequences.map { "<li>\(context.say($0))</li>" as HTML })</ul>
            \(wishes(found?.wishes ?? [], context))
            <div class="choice">
            <input type="checkbox" id="field-proceed" name="proceed" value="yes">
            <label for="field-proceed">\(context.say(DeletionTexts.proceed))</label></div>
            """
        var page = formPage(
            DeletionTexts.title,
            icon: .bin,
            lead: CommonTexts.cannotBeUndone,
            form,
            context
        )
        page.body += backToAccount(context)
        return page
    }

    /// The person's active rides and reservations, and any obstacle to deletion (F24).
    private func underWay(_ context: RequestContext) async throws -> UnderWay {
        guard let person = context.session?.person else { throw Failure.notSignedIn }
        return try await taxi.underWay(of: person, try await accounts.drivers.taxi(of: person))
    }

    /// A list of everything that will be cancelled.
    private func wishes(_ wishes: [UnderWay.Wish], _ context: RequestContext) -> HTML? {
        guard !wishes.isEmpty else { return nil }
        let items = wishes.map { wish -> HTML in
            let from: HTML? = wish.meeting.map { ", \($0.text)" }
            guard let due = wish.due else {
                return "<li>\(context.say(DeletionTexts.call))\(from)</li>"
            }
            return "<li>\(context.say(DeletionTexts.reservation)) \(time(due, context))\(from)</li>"
        }
        return "<h2>\(context.say(DeletionTexts.cancelled))</h2><ul>\(items)</ul>"
    }

    /// Explains why the account cannot be deleted now, and what the person can do.
    private func obstaclePage(_ obstacle: LeavingObstacle, _ context: RequestContext) -> Page {
        let dialog = Dialog(
            DeletionTexts.notNow,
            icon: .taxi,
            text: "\(context.say(obstacle.text))"
        )
        var page = Page(
            DeletionTexts.notNow,
            body: dialog.html(context) + backToAccount(context)
        )
        page.status = .conflict
        return page
    }

    private func delete(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        do {
            try await accounts.eraseAccount(
                by: signedIn.session,
                hasProceeded: context.form["proceed"] == "yes",
                at: context.now
            )
        } catch let obstacle as LeavingObstacle {
            return response(obstaclePage(obstacle, context), to: context)
        } catch let failure as AccountFailure {
            return try refused(try await deletionPage(context, failure), failure, context)
        }
        await slots.deleted(context)
        var context = context
        context.session = nil
        var response = self.response(
            message(DeletionTexts.done, icon: .check, DeletionTexts.doneLead, context),
            to: context
        )
        .setting(sessionCookie(nil))
        .setting(orderCookie(nil, context))
        response.headers[.clearSiteData] = "\"cache\", \"storage\""
        return response
    }
}

extension DeletionTexts {
    /// The consequences of deletion; cancellations are mentioned where they are listed.
    static func consequences(cancels: Bool) -> [Text] {
        [
            DeletionTexts.everythingIsErased,
            CommonTexts.backupsKeep,
            cancels
                ? DeletionTexts.openRequestsAreCancelled
                : DeletionTexts.youAreSignedOutEverywhere,
            DeletionTexts.thatRidesTookPlaceStays,
        ]
    }
}

extension LeavingObstacle {
    /// Why the account cannot be deleted now, and what the person can do.
    var text: Text {
        switch self {
        case .riding:
            AccountPagesTexts.finishTheRide
        case .calling:
            AccountPagesTexts.waitForTheSearch
        case .driving:
            AccountPagesTexts.yourTaxiHasARide
        case .asked:
            AccountPagesTexts.yourTaxiIsBeingOffered
        }
    }
}
