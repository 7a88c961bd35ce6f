import Dispatching
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// A driver who cannot complete an accepted ride gives it back, and it is offered to the
/// next taxi (ui.md 4.5).
extension DriverPages {
    /// The link to that page, shown at the end of a ride page while no passenger is aboard.
    func giveBackLink(_ visit: Visit) -> HTML {
        """
        <p><a class="button low" href="/drive/ride/give-back">\
        \(visit.say(GiveBackTexts.title))</a></p>
        """
    }

    /// Asks for the reason and explains the consequences.
    func showGiveBack(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        reply(try await giveBackPage(visit, seat), to: visit)
    }

    private func giveBackPage(
        _ visit: Visit,
        _ seat: Seat,
        _ error: Text? = nil
    ) async throws -> Page {
        let shown = try await rideShown(seat)
        if shown.ride.stage == .aboard { throw Refusal.alreadyAboard }
        let reason = Field(
            name: "reason",
            label: GiveBackTexts.reason,
            kind: .oneOf(
                GiveBackCause.allCases.compactMap { cause in
                    cause.label.map { ("\(cause)", $0) }
                }
            ),
            error: error
        )
        let form = FormPage(
            action: Address("/drive/ride/give-back"),
            fields: [reason],
            button: GiveBackTexts.button,
            busy: DriveTexts.busy
        )
        var page = Page(
            GiveBackTexts.title,
            body: """
                \(form.summary(visit))
                <h1>\(visit.say(GiveBackTexts.title))</h1>
                <p class="lead">\(visit.say(GiveBackTexts.lead))</p>
                <form class="fields" method="post" action=\(form.action) novalidate>
                \(visit.formToken)\(rideField(shown))
                \(reason.html(visit))
                <button class="danger drive" data-busy="\(visit.say(DriveTexts.busy))">\
                \(visit.say(GiveBackTexts.button))</button>
                </form>
                <p><a class="button primary drive" href="/drive">\
                \(visit.say(GiveBackTexts.keep))</a></p>
                """
        )
        page.hasForm = true
        if error != nil { page.status = .unprocessableContent }
        return page
    }

    /// Gives the ride back: the search resumes, the passenger is notified, and the
    /// driver goes off duty.
    func giveBack(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        let chosen = GiveBackCause.allCases.first { cause in
            cause.label != nil && "\(cause)" == visit.form["reason"]
        }
        do {
            _ = try await rideNamed(visit, seat)
            guard let chosen else {
                return reply(try await giveBackPage(visit, seat, GiveBackTexts.why), to: visit)
            }
            _ = try await taxi.dispatch.give(.giveBack(seat.number, chosen))
        } catch Refusal.notRiding {
            // The ride has already ended, by a repeated submission or by the passenger; the next
            // page shows the current state.
            return .redirect(to: Address("/drive"))
        }
        return driveOn("given-back", visit)
    }
}

extension GiveBackCause {
    /// The reasons to choose from: drivers select one instead of typing while driving.
    ///
    /// Nil for causes that a driver cannot select.
    fileprivate var label: Text? {
        switch self {
        case .breakdown: DrivingTexts.myTaxiHasBrokenDown
        case .accident: DrivingTexts.thereWasAnAccident
        case .road: DrivingTexts.theRoadIsClosed
        case .other: DrivingTexts.somethingElse
        case .dispatcher: nil
        }
    }
}
