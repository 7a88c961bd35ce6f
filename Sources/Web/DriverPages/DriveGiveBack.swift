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
    /// Asks for the reason and explains the consequences.
    func showGiveBack(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        response(try await giveBackPage(context, driver), to: context)
    }

    private func giveBackPage(
        _ context: RequestContext,
        _ driver: WorkingDriver,
        _ error: Text? = nil
    ) async throws -> Page {
        let shown = try await rideShown(driver)
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
                \(form.summary(context))
                <section class="dialog"><h1>\(context.say(GiveBackTexts.title))</h1>
                <p>\(context.say(GiveBackTexts.lead))</p>
                <form method="post" action=\(form.action) novalidate>
                \(context.formToken)\(rideField(shown))
                \(reason.html(context))
                <button class="danger drive" data-busy="\(context.say(DriveTexts.busy))">\
                \(context.say(GiveBackTexts.button))</button>
                </form>
                <p><a class="button primary drive" href="/drive">\
                \(context.say(GiveBackTexts.keep))</a></p></section>
                """
        )
        page.hasForm = true
        if error != nil { page.status = .unprocessableContent }
        return page
    }

    /// Gives the ride back: the search resumes, the passenger is notified, and the
    /// driver goes off duty.
    func giveBack(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        let chosen = GiveBackCause.allCases.first { cause in
            cause.label != nil && "\(cause)" == context.form["reason"]
        }
        do {
            _ = try await rideNamed(context, driver)
            guard let chosen else {
                return response(
                    try await giveBackPage(context, driver, GiveBackTexts.why),
                    to: context
                )
            }
            _ = try await taxi.dispatch.give(.giveBack(driver.number, chosen))
        } catch Refusal.notRiding {
            // The ride has already ended, by a repeated submission or by the passenger; the next
            // page shows the current state.
            return .redirect(to: Address("/drive"))
        }
        return driveOn("given-back", context)
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
