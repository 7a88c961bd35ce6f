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
    func showNoShow(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        let shown = try await rideShown(seat)
        if let refusal = absenceRefusal(shown, nil, seat.view.policy, visit) { throw refusal }
        let lead = shown.parties.count > 1 ? NoShowTexts.leadShared : NoShowTexts.lead
        let place: HTML = "<p>\(visit.say(NoShowTexts.place(seat.view.policy)))</p>"
        return question(
            NoShowTexts.title,
            "<p class=\"lead\">\(visit.say(lead))</p>\(place)",
            Address("/drive/ride/no-show"),
            NoShowTexts.button,
            rideField(shown),
            visit
        )
    }

    /// A confirmation page shown before the driver leaves a passenger behind.
    private func question(
        _ title: Text,
        _ lead: HTML,
        _ action: Address,
        _ button: Text,
        _ fields: HTML,
        _ visit: Visit
    ) -> Reply {
        var page = Page(
            title,
            body: """
                <h1>\(visit.say(title))</h1>
                \(lead)
                \(driveButton(action, button, visit, look: "danger drive", fields: fields))
                <p><a class="button primary drive" href="/drive">\
                \(visit.say(NoShowTexts.wait))</a></p>
                """
        )
        page.hasForm = true
        return reply(page, to: visit)
    }

    /// The refusal that the dispatcher would give, for one party of a shared ride or for all.
    private func absenceRefusal(
        _ shown: RideShown,
        _ party: RequestNumber?,
        _ policy: Policy,
        _ visit: Visit
    ) -> Refusal? {
        let isJoiner = party.map { $0 != shown.request } ?? false
        if !isJoiner, !policy.noShow { return .noShowDisabled }
        if shown.ride.stage == .aboard { return .alreadyAboard }
        guard let reached = shown.ride.reachedAt else { return .meetingPointNotReached }
        let hour = max(reached, shown.due ?? reached)
        let earliest = isJoiner ? hour : hour.adding(seconds: policy[.noShowWait])
        return visit.now < earliest ? .waitUntil(earliest) : nil
    }

    /// Reports a no-show: the passenger is notified and the driver returns to the queue (R64).
    func reportNoShow(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        _ = try await rideNamed(visit, seat)
        _ = try await taxi.dispatch.give(.reportNoShow(seat.number))
        return driveOn("dropped", visit)
    }

    // MARK: No-show of one party in a shared ride

    /// The page on which the driver leaves one party of a shared ride behind, with the
    /// consequences; a refusal where that is not allowed yet (R87).
    func showAbsent(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        let shown = try await rideShown(seat)
        let party = try party(of: shown, named: visit.query["party"])
        let refusal = absenceRefusal(shown, party.request, seat.view.policy, visit)
        if let refusal { throw refusal }
        let names = try await passengerNames(shown)
        let who = partyWords(party, names)
        return question(
            NoShowTexts.leaveTitle(who),
            "<p class=\"lead\">\(visit.say(NoShowTexts.leaveLead))</p>",
            Address("/drive/ride/absent"),
            NoShowTexts.leave,
            """
            \(rideField(shown))
            <input type="hidden" name="party" value="\(party.request.rawValue)">
            """,
            visit
        )
    }

    /// Leaves one party behind: that passenger is notified and the ride
    /// continues without them (R87).
    func leaveBehind(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        let shown = try await rideNamed(visit, seat)
        let party = try party(of: shown, named: visit.form["party"])
        _ = try await taxi.dispatch.give(.leaveBehind(seat.number, party.request))
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
