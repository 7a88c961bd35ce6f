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
        let lead = shown.parties.count > 1 ? NoShowWords.leadShared : NoShowWords.lead
        let place: HTML = "<p>\(visit.say(NoShowWords.place(seat.view.policy)))</p>"
        return question(
            NoShowWords.title,
            "<p class=\"lead\">\(visit.say(lead))</p>\(place)",
            Address("/drive/ride/no-show"),
            NoShowWords.button,
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
                \(visit.say(NoShowWords.wait))</a></p>
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
            NoShowWords.leaveTitle(who),
            "<p class=\"lead\">\(visit.say(NoShowWords.leaveLead))</p>",
            Address("/drive/ride/absent"),
            NoShowWords.leave,
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

enum NoShowWords {
    static let title = Text("Did nobody come?", "Non è venuto nessuno?")
    static let lead = Text(
        "The ride ends, and the passenger is told that you were there.",
        "La corsa finisce e il passeggero viene avvisato che eri lì."
    )
    static let leadShared = Text(
        "The ride ends, and all who share it are told that you were there. If only some are "
            + "missing, leave those behind instead.",
        "La corsa finisce e tutti quelli che la condividono vengono avvisati che eri lì. Se manca "
            + "solo qualcuno, riparti senza di lui."
    )
    static let absent = Text("Not here", "Non c'è")
    static func leaveTitle(_ who: Text) -> Text {
        Text(
            "Leave without \(who.in(.english))?",
            "Ripartire senza: \(who.in(.italian))?"
        )
    }
    static let leaveLead = Text(
        "They are told that the taxi has left without them; the others ride with you.",
        "Vengono avvisati che il taxi è ripartito senza di loro; gli altri viaggiano con te."
    )
    static let leave = Text("They are not here: leave", "Non ci sono: riparti")
    static let button = Text("Nobody came: end it", "Non è venuto nessuno: chiudi")
    static let wait = Text("Go on waiting", "Continua ad aspettare")

    /// The driver's position in the queue after a no-show (C12).
    static func place(_ policy: Policy) -> Text {
        switch policy.noShowRestore {
        case .tail:
            Text(
                "You go to the end of the queue of the zone you are in.",
                "Vai in fondo alla coda della zona in cui sei."
            )
        case .place:
            Text(
                "You get your old place in the queue back, if you are still in its zone.",
                "Riprendi il tuo posto in coda, se sei ancora nella stessa zona."
            )
        case .head:
            Text(
                "You go to the front of the queue of the zone you are in, behind only those who "
                    + "got their turn back before you.",
                "Vai in testa alla coda della zona in cui sei, dietro solo a chi ha riavuto il "
                    + "turno prima di te."
            )
        }
    }
}
