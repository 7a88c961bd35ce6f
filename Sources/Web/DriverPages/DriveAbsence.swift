import Chronology
import Dispatching
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// The page on which the driver reports a no-show, with its consequences; a refusal where that
    /// is not allowed yet (R64).
    func showNoShow(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        let shown = try await rideShown(driver)
        if let refusal = absenceRefusal(shown, nil, driver.view.policy, context) { throw refusal }
        let lead = shown.parties.count > 1 ? NoShowTexts.leadShared : NoShowTexts.lead
        let place: HTML = "<p>\(context.say(NoShowTexts.place(driver.view.policy)))</p>"
        return question(
            NoShowTexts.title,
            "<p>\(context.say(lead))</p>\(place)",
            Address("/drive/ride/no-show"),
            NoShowTexts.button,
            rideField(shown),
            context
        )
    }

    /// A confirmation page shown before the driver leaves a passenger behind.
    private func question(
        _ title: Text,
        _ lead: HTML,
        _ action: Address,
        _ button: Text,
        _ fields: HTML,
        _ context: RequestContext
    ) -> Response {
        var page = Page(
            title,
            body: """
                <section class="dialog"><h1>\(context.say(title))</h1>
                \(lead)
                \(driveButton(action, button, context, look: "danger drive", fields: fields))
                <p><a class="button primary drive" href="/drive">\
                \(context.say(NoShowTexts.wait))</a></p></section>
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    /// The refusal that the dispatcher would give, for one party of a shared ride or for all.
    private func absenceRefusal(
        _ shown: RideShown,
        _ party: RequestNumber?,
        _ policy: Policy,
        _ context: RequestContext
    ) -> Refusal? {
        let isJoiner = party.map { $0 != shown.request } ?? false
        if !isJoiner, !policy.noShow { return .noShowDisabled }
        if shown.ride.stage == .aboard { return .alreadyAboard }
        guard let reached = shown.ride.reachedAt else { return .meetingPointNotReached }
        let hour = max(reached, shown.due ?? reached)
        let earliest = isJoiner ? hour : hour.adding(seconds: policy[.noShowWait])
        return context.now < earliest ? .waitUntil(earliest) : nil
    }

    /// Reports a no-show: the passenger is notified and the driver returns to the queue (R64).
    func reportNoShow(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        _ = try await rideNamed(context, driver)
        _ = try await taxi.dispatch.give(.reportNoShow(driver.number))
        return driveOn("dropped", context)
    }

    // MARK: No-show of one party in a shared ride

    /// The page on which the driver leaves one party of a shared ride behind, with the
    /// consequences; a refusal where that is not allowed yet (R87).
    func showAbsent(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        let shown = try await rideShown(driver)
        let party = try party(of: shown, named: context.query["party"])
        let refusal = absenceRefusal(shown, party.request, driver.view.policy, context)
        if let refusal { throw refusal }
        let names = try await passengerNames(shown)
        let who = partyText(party, names)
        return question(
            NoShowTexts.leaveTitle(who),
            "<p>\(context.say(NoShowTexts.leaveLead))</p>",
            Address("/drive/ride/absent"),
            NoShowTexts.leave,
            """
            \(rideField(shown))
            <input type="hidden" name="party" value="\(party.request.rawValue)">
            """,
            context
        )
    }

    /// Leaves one party behind: that passenger is notified and the ride
    /// continues without them (R87).
    func leaveBehind(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        let shown = try await rideNamed(context, driver)
        let party = try party(of: shown, named: context.form["party"])
        _ = try await taxi.dispatch.give(.leaveBehind(driver.number, party.request))
        return .redirect(to: Address("/drive"))
    }

    private func party(of shown: RideShown, named text: String?) throws -> RidingParty {
        guard shown.parties.count > 1, let number = text.flatMap({ UInt64($0) }),
            let party = shown.parties.first(where: { $0.request.rawValue == number })
        else { throw Refusal.wrongPhase }
        return party
    }
}

extension NoShowTexts {
    /// The driver's position in the queue after a no-show (C12).
    static func place(_ policy: Policy) -> Text {
        switch policy.noShowRestore {
        case .tail:
            NoShowTexts.youGoToTheEnd
        case .place:
            NoShowTexts.youGetYourOldPlace
        case .head:
            NoShowTexts.youGoToTheFront
        }
    }
}
