import Dispatching
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Cancelling a request: the page explains the consequences before the passenger confirms (C27).
extension PassengerPages {
    func showCancel(_ context: RequestContext) async throws -> Response {
        let number = try requestNumber(context)
        guard let view = try await rideView(number, context) else {
            return try await leadToRide(number, context)
        }
        let rule = CancelRule(RideState(view), view.policy, isReservation: view.due != nil)
        guard rule.isAllowed else {
            return notCancelled(RideTexts.cancelRule(rule), number, context)
        }
        let text = "\(number.rawValue)"
        // If a passenger leaves a shared ride, the ride continues for the others.
        let consequence = view.parties > 1 ? ShareTexts.leaving : CancelTexts.consequence(rule)
        var confirm = Button(CancelTexts.confirm(rule), look: .destructive)
        confirm.busy = CancelTexts.busy
        let keep = Button(CancelTexts.keep, .link(Self.ride(number)), look: .primary)
        // To keep the ride comes first: nobody cancels by pressing the first button.
        var page = Page(
            CancelTexts.title(rule),
            body: Dialog(
                CancelTexts.title(rule),
                icon: .taxi,
                text: "\(context.say(consequence))",
                actions: """
                    \(keep.html(context))
                    <form method="post" action=\(Address("/ride", text, "cancel"))>\
                    \(context.formToken)\(confirm.html(context))</form>
                    """
            ).html(context)
        )
        page.hasForm = true
        return response(page, to: context)
    }

    func cancel(_ context: RequestContext) async throws -> Response {
        let number = try requestNumber(context)
        do {
            _ = try await taxi.cancel(number, for: try knownPassenger(context).passenger)
        } catch TaxiService.Failure.notYours {
            throw Failure.notFound
        } catch Refusal.noSuchRequest {
            return try await leadToRide(number, context)
        } catch let refusal as Refusal where refusal.failure == nil {
            return notCancelled(refusal.text, number, context)
        }
        return .redirect(to: Self.ride(number))
    }

    private func notCancelled(
        _ why: Text,
        _ number: RequestNumber,
        _ context: RequestContext
    ) -> Response {
        var page = Page(
            CancelTexts.refused,
            body: """
                \(Dialog(
                    CancelTexts.refused,
                    text: "<span role=\"alert\">\(context.say(why))</span>",
                    actions: Button(RideTexts.follow, .link(Self.ride(number)), look: .primary)
                        .html(context)
                ).html(context))
                \(contactRow(context).map { Rows([$0]).html })
                """
        )
        page.status = .conflict
        return response(page, to: context)
    }
}
