import Chronology
import Dispatching
import Encoding
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// The current fare with the surcharges that the driver adds, or why the ride cannot end here
    /// and what the driver can do (R65).
    func showFinish(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        response(try await finishPage(context, driver), to: context)
    }

    private func finishPage(
        _ context: RequestContext,
        _ driver: WorkingDriver,
        _ errors: [String: Text] = [:]
    ) async throws -> Page {
        try await taxi.carryPositions(of: driver.number)
        let shown = try await rideShown(driver)
        let meter = try await taxi.meterReading(of: driver.number)
        let refusal = finishRefusal(shown, driver.view.policy)
        let mayOverride = driver.view.policy.endOverride == .reason
        let goOn: HTML = """
            <a class="button" href="/drive">\(context.say(FinishTexts.goOn))</a>
            """
        let form =
            refusal == nil || mayOverride
            ? finishForm(shown, meter, needsReason: refusal != nil, goOn, errors, context)
            : Dock(goOn).html
        var page = Page(
            FinishTexts.title,
            body: """
                <h1>\(context.say(FinishTexts.title))</h1>
                \(try await whyNot(refusal, mayOverride: mayOverride, driver, context))
                \(fareCard(meter, shown, context))
                \(form)
                """
        )
        page.hasForm = true
        if !errors.isEmpty { page.status = .unprocessableContent }
        return page
    }

    /// The refusal that the dispatcher would give to ending the ride; nil if it may end.
    private func finishRefusal(_ shown: RideShown, _ policy: Policy) -> Refusal? {
        if policy.endNeedsPickup {
            if shown.ride.stage == .onTheWay { return .meetingPointNotReached }
            if shown.ride.stage != .aboard { return .nobodyAboard }
        }
        if policy.endNeedsDestination, shown.hasDestination, !shown.ride.isAtDestination {
            return .destinationNotReached
        }
        return nil
    }

    /// Why the ride cannot end here, how far away it can, and who can override the check.
    private func whyNot(
        _ refusal: Refusal?,
        mayOverride: Bool,
        _ driver: WorkingDriver,
        _ context: RequestContext
    ) async throws -> HTML? {
        guard let refusal else { return nil }
        let trouble = DriveTrouble(refusal) { clockTime($0) }
        var distance: HTML?
        // Without passengers aboard the distance is not shown: the taxi waits at the meeting point,
        // and its position is not the problem.
        if refusal != .nobodyAboard, let metres = try await taxi.metresLeft(of: driver.number) {
            let words = FinishTexts.away(metres, driver.view.policy[.reachRadius])
            distance = "<p>\(context.say(words))</p>"
        }
        let advice = mayOverride ? FinishTexts.withReason : trouble.advice
        return """
            <div class="notice warn"><h2>\(context.say(trouble.title))</h2>\(distance)
            <p>\(context.say(advice))</p></div>
            \(mayOverride ? nil : staffPhone(context))
            """
    }

    /// The fare so far with its parts, before the driver ends the ride.
    private func fareCard(_ fare: Fare?, _ shown: RideShown, _ context: RequestContext) -> HTML {
        guard let fare else { return "<p>\(context.say(FinishTexts.noFare))</p>" }
        let ends = [shown.meeting, shown.destination].compactMap(\.self).map {
            shortPlace($0.words)
        }
        return """
            <section class="card receipt"><h2>\(context.say(FinishTexts.fare))</h2>
            <p class="lead">\(ends.joined(separator: " → "))</p>
            \(fareParts(fare, context))</section>
            """
    }

    /// The parts of a fare and their sum.
    func fareParts(_ fare: Fare, _ context: RequestContext) -> HTML {
        let lines = fare.lines.map { line -> HTML in
            """
            <div><dt>\(context.say(line.kind.text))</dt>\
            <dd>\(money(Money(line.amount, fare.currency), context))</dd></div>
            """
        }
        return """
            <dl class="lines">\(lines)<div class="total"><dt>\(context.say(FinishTexts.total))</dt>\
            <dd>\(money(fare.total, context))</dd></div></dl>
            """
    }

    private func finishForm(
        _ shown: RideShown,
        _ meter: Fare?,
        needsReason: Bool,
        _ goOn: HTML,
        _ errors: [String: Text],
        _ context: RequestContext
    ) -> HTML {
        let extras = surcharges(at: context.now).map { surcharge in
            Field(
                name: "extra-\(surcharge.name)",
                label: FinishTexts.surcharge(surcharge.name),
                kind: .number,
                hint: FinishTexts.surchargeHint,
                value: context.form["extra-\(surcharge.name)"] ?? "0",
                error: errors["extra-\(surcharge.name)"],
                isRequired: false
            )
        }
        let reason = Field(
            name: "reason",
            label: FormField.reason.label,
            hint: FinishTexts.reasonHint,
            value: context.form["reason"] ?? "",
            error: errors["reason"]
        )
        let form = FormPage(
            action: Address("/drive/ride/finish"),
            fields: (needsReason ? [reason] : []) + extras,
            button: FinishTexts.button,
            busy: DriveTexts.busy
        )
        let sum = meter.map { " <small>\(money($0.total, context))</small>" as HTML }
        return """
            \(form.summary(context))
            <form class="fields" method="post" action=\(form.action) novalidate>
            \(context.formToken)\(rideField(shown))
            \(form.fields.map { $0.html(context) })
            \(Dock("""
                <button class="primary huge" data-busy="\(context.say(DriveTexts.busy))">\
                <span>\(context.say(FinishTexts.button))\(sum)</span></button>\(goOn)
                """).html)
            </form>
            """
    }

    /// Ends the ride; the next page shows the fare and the driver's position in the queue (R66).
    func finish(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        let shown: RideShown
        do {
            try await bringPositions(driver)
            shown = try await rideNamed(context, driver)
        } catch Refusal.notRiding {
            // The ride has already ended, by a repeated submission or by an operator; the next page
            // shows the current state.
            return .redirect(to: Address("/drive"))
        }
        var extras: [String: Int64] = [:]
        var errors: [String: Text] = [:]
        for field in context.form.fields where field.name.hasPrefix("extra-") {
            let text = field.value.trimmingBlanks()
            let count = text.isEmpty ? 0 : Int64(text) ?? -1
            if !(0...FinishTexts.mostExtras).contains(count) {
                errors[field.name] = FinishTexts.badCount
            } else if count > 0 {
                extras[String(field.name.dropFirst("extra-".count))] = count
            }
        }
        let reason = (context.form["reason"] ?? "").asOneLine
        if let error = missingReason(reason, shown, driver) { errors["reason"] = error }
        if !errors.isEmpty {
            return response(try await finishPage(context, driver, errors), to: context)
        }
        try await finish(driver, reason, extras)
        return driveOn("finished", context, ride: shown.request)
    }

    /// The ride that a driver ends, as the latest positions leave it.
    func rideToEnd(_ number: RequestNumber, _ driver: WorkingDriver) async throws -> RideShown {
        try await bringPositions(driver)
        return try await rideNamed(number, driver)
    }

    /// Takes the latest positions into account, where they decide whether a reason is missing.
    ///
    /// The dispatcher checks everything else.
    private func bringPositions(_ driver: WorkingDriver) async throws {
        guard driver.view.policy.endOverride == .reason else { return }
        try await taxi.carryPositions(of: driver.number)
    }

    /// What the driver is told where a reason is missing; nil if there is one, or none is needed.
    func missingReason(_ reason: String, _ shown: RideShown, _ driver: WorkingDriver) -> Text? {
        let policy = driver.view.policy
        guard policy.endOverride == .reason, reason.isEmpty, finishRefusal(shown, policy) != nil
        else { return nil }
        return DriveTrouble(Refusal.reasonMissing) { clockTime($0) }.advice
    }

    /// Ends the ride with a reason, which may be empty, and the counts of surcharges.
    func finish(
        _ driver: WorkingDriver,
        _ reason: String,
        _ extras: [String: Int64]
    ) async throws {
        _ = try await taxi.endRide(
            driver.number,
            reason: reason.isEmpty ? nil : String(reason.prefix(FinishTexts.reasonLimit)),
            extras: extras
        )
    }

    /// The surcharges of the tariff in force.
    func surcharges(at now: Moment) -> [Tariff.Surcharge] {
        let instant = Instant(seconds: now.milliseconds / 1_000)
        let tariff = taxi.tariffs.tariff(on: web.settings.zoneTable.local(instant).date)
        return tariff?.surcharges ?? []
    }
}

extension Fare.Line.Kind {
    /// The description of a fare item.
    var text: Text {
        switch self {
        case .initialDay: DrivingTexts.initialCharge
        case .initialNight: DrivingTexts.initialChargeAtNight
        case .initialHoliday: DrivingTexts.initialChargeOnHolidays
        case .travelled: DrivingTexts.timeAndDistance
        case .minimum: DrivingTexts.upToTheMinimum
        case .surcharge(let name, let count): Text(same: "\(name) × \(count)")
        case .fixed(let from, let to):
            DrivingTexts.fixedFare(from, to)
        }
    }
}

extension FinishTexts {
    /// The maximum number of times that one surcharge can be added.
    static let mostExtras: Int64 = 99
    /// The maximum length of a reason, in characters.
    static let reasonLimit = 200
    static let badCount = FinishTexts.badExtras(mostExtras)
    static func away(_ metres: Int64, _ allowed: Int64) -> Text {
        let way = CommonTexts.distance(metres)
        return FinishTexts.farFromDestination(way, allowed)
    }
}
