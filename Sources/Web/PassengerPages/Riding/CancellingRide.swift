import Dispatching
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Cancelling a request: the page explains the consequences before the passenger confirms (C27).
extension PassengerPages {
    func showCancel(_ visit: Visit) async throws -> Reply {
        let number = try requestNumber(visit)
        guard let view = try await rideView(number, visit) else {
            return try await leadToRide(number, visit)
        }
        let rule = CancelRule(RideState(view), view.policy, isReservation: view.due != nil)
        guard rule.isAllowed else {
            return notCancelled(RideTexts.cancelRule(rule), number, visit)
        }
        let text = "\(number.rawValue)"
        // If a passenger leaves a shared ride, the ride continues for the others.
        let consequence = view.parties > 1 ? ShareTexts.leaving : CancelTexts.consequence(rule)
        var page = Page(
            CancelTexts.title(rule),
            body: """
                <h1>\(visit.say(CancelTexts.title(rule)))</h1>
                <p class="lead">\(visit.say(consequence))</p>
                <form method="post" action=\(Address("/ride", text, "cancel"))>
                \(visit.formToken)
                <p class="actions"><button class="danger" \
                data-busy="\(visit.say(CancelTexts.busy))">\
                \(visit.say(CancelTexts.confirm(rule)))</button>
                <a class="button primary" href=\(Address("/ride", text))>\
                \(visit.say(CancelTexts.keep))</a></p>
                </form>
                """
        )
        page.hasForm = true
        return reply(page, to: visit)
    }

    func cancel(_ visit: Visit) async throws -> Reply {
        let number = try requestNumber(visit)
        do {
            _ = try await taxi.cancel(number, for: try knownPassenger(visit).passenger)
        } catch TaxiService.Failure.notYours {
            throw Failure.notFound
        } catch Refusal.noSuchRequest {
            return try await leadToRide(number, visit)
        } catch let refusal as Refusal where refusal.failure == nil {
            return notCancelled(refusal.words, number, visit)
        }
        return .redirect(to: Self.ride(number))
    }

    private func notCancelled(_ why: Text, _ number: RequestNumber, _ visit: Visit) -> Reply {
        var page = Page(
            CancelTexts.refused,
            body: """
                <h1>\(visit.say(CancelTexts.refused))</h1>
                <p class="lead" role="alert">\(visit.say(why))</p>
                <p class="actions"><a class="button primary" href=\(Self.ride(number))>\
                \(visit.say(RideTexts.follow))</a></p>
                \(staffPhone(visit))
                """
        )
        page.status = .conflict
        return reply(page, to: visit)
    }
}
