import Chronology
import Dispatching
import Fares
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// The driver's home page: status, position in the queue, and the duty switch (R34).
    func driveHome(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Page {
        let view = driver.view
        let rides = try await taxi.rides(
            ofDriver: driver.person.rawValue,
            since: midnight(of: cityDay(context.now))
        )
        let hours = try await hoursToday(driver.person, context)
        let navigation: HTML = """
            <li><a href="/drive/navigation">\(context.say(NavigationTexts.title))</a></li>
            """
        var page = Page(
            DriveStanding(view).title,
            body: """
                \(driveNotice(context, driver, rides))
                \(try await operatorNotices(context, driver))
                <h1\(placeMark(view))>\(context.say(DriveStanding(view).title))</h1>
                \(situation(view, context))
                <dl class="glance">\(homeFacts(driver, rides, context))\
                \(driveFact(HoursTexts.today, "\(context.say(hours))", context))</dl>
                \(dutySwitch(view, context))
                \(try await nextReservation(context))
                \(rule(view.policy, context))
                <p><a class="button drive" href="/drive/where">\
                \(context.say(WhereTexts.title))</a></p>
                \(stillPicture(at: driveMapAddress(driver), DriveTexts.map, context))
                \(rideList(rides, context))
                <ul>
                \(HTML.when(environment.demonstration == nil, navigation))
                <li id="drive-notices"><a href="/account/preferences#devices">\
                \(context.say(CallTexts.devices))</a></li>
                <li><a href="/account/papers">\(context.say(CommonTexts.papers))</a></li>
                <li><a href="/dashboard">\(context.say(CommonTexts.dashboard))</a></li>
                </ul>
                \(staffPhone(context))
                \(freshness(refreshSeconds(view), context))
                """
        )
        page.hasForm = true
        page.refresh = refreshSeconds(view)
        return page
    }

    /// Marks the heading that shows the position in the queue with its sequence number, so that
    /// `live.js` can replace it with newer text (`QueuePositionEvent`).
    private func placeMark(_ view: DriverView) -> HTML? {
        guard view.taxi.status == .available, view.ahead != nil else { return nil }
        return " data-place=\"\(view.sequence)\""
    }

    /// How often a driver's page refreshes, in seconds: several times while an offer is open.
    func refreshSeconds(_ view: DriverView) -> Int {
        max(5, min(20, Int(clamping: view.policy[.offerTimeout] / 3)))
    }

    /// A notice about what the driver has just done, or else about a recent event.
    private func driveNotice(
        _ context: RequestContext,
        _ driver: WorkingDriver,
        _ today: [DrivenRide]
    ) -> HTML? {
        if let notice = HomePageTexts.notices[context.query["notice"] ?? ""], isFresh(context) {
            var text = context.say(notice)
            if context.query["notice"] == "finished", let fare = fareShown(context, today) {
                text += " " + context.say(HomePageTexts.paid(fare))
            }
            return """
                <div class="notice good" role="status"><p>\(text)</p></div>
                """
        }
        guard let last = driver.view.news.last, let words = last.what.text(driver.view.policy),
            context.now < last.at.adding(seconds: Self.newsSeconds)
        else { return nil }
        return """
            <div class="notice warn" role="status"><p>\(clock(last.at)): \
            \(context.say(words))</p></div>
            """
    }

    /// Redirects to the driver's page after an action, with the notice to show there.
    func driveOn(
        _ notice: String,
        _ context: RequestContext,
        ride: RequestNumber? = nil
    ) -> Response {
        let at = "\(context.now.milliseconds / 1_000)"
        let number = ride.map { "\($0.rawValue)" } ?? ""
        return .redirect(
            to: Address("/drive", query: ["notice": notice, "at": at, "ride": number])
        )
    }

    /// Whether the action named in the address is recent: a refresh keeps the same address, and the
    /// notice must disappear.
    private func isFresh(_ context: RequestContext) -> Bool {
        guard let at = context.query["at"].flatMap({ Int64($0) }) else { return false }
        return (0...Self.noticeSeconds).contains(context.now.milliseconds / 1_000 &- at)
    }

    /// How long the confirmation of an action is shown, in seconds.
    private static let noticeSeconds: Int64 = 30
    /// How long a notice about an event is shown, in seconds.
    private static let newsSeconds: Int64 = 900

    /// The fare of the ride named in the address, if it is one of this driver's rides.
    private func fareShown(_ context: RequestContext, _ today: [DrivenRide]) -> String? {
        let number = context.query["ride"].flatMap { UInt64($0) }
        return today.first { $0.request.rawValue == number }?.fare.map { money($0, context) }
    }

    /// A sentence that explains the driver's status.
    private func situation(_ view: DriverView, _ context: RequestContext) -> HTML {
        let text: Text
        switch view.taxi.status {
        case .available: text = HomePageTexts.available
        case .outOfCity: text = HomePageTexts.outOfCity
        case .outOfContact:
            // A driver without a position in the queue, as during an offer, has none to recover.
            let kept = view.taxi.keptTurn == nil ? nil : view.taxi.graceEnds
            text = HomePageTexts.outOfContact(kept.map { clockTime($0) })
        default:
            text =
                view.taxi.place == .unknown || !view.taxi.isReachable
                ? HomePageTexts.unknownPlace : HomePageTexts.unavailable
        }
        let look: HTML = view.taxi.status == .outOfContact ? "notice bad" : "lead"
        return """
            <p><span class="state">\(context.say(HomePageTexts.state)): \
            <b>\(context.say(view.taxi.status.label(view.policy)))</b></span></p>
            <p class="\(look)">\(context.say(text))</p>
            \(HTML.when(view.isOvertaken, "<p>\(context.say(HomePageTexts.overtaken))</p>"))
            """
    }

    private func homeFacts(
        _ driver: WorkingDriver,
        _ today: [DrivenRide],
        _ context: RequestContext
    ) -> [HTML] {
        let view = driver.view
        var facts: [HTML] = []
        if view.taxi.status == .available {
            let waiting: HTML =
                view.news.queued.map { queued -> HTML in
                    let seconds = (context.now.milliseconds - queued.since.milliseconds) / 1_000
                    // The script keeps this counter running (`drive.js`).
                    return """
                        <span data-age="\(seconds)">\
                        \(context.say(CommonTexts.duration(seconds: seconds)))</span> \
                        (\(context.say(HomePageTexts.since)) \(clock(queued.since)))
                        """
                } ?? "\(context.say(DriveTexts.unknown))"
            facts.append(driveFact(HomePageTexts.waiting, waiting, context))
        }
        facts.append(
            driveFact(
                HomePageTexts.position,
                "\(context.say(positionText(driver, context)))",
                context
            )
        )
        if view.taxi.ignoredOffers > 0, view.policy[.maxIgnored] > 0 {
            let words = HomePageTexts.strikes(
                Int(view.taxi.ignoredOffers),
                of: view.policy[.maxIgnored]
            )
            facts.append(driveFact(HomePageTexts.unanswered, "\(context.say(words))", context))
        }
        let sum = today.compactMap(\.fare).reduce(nil as Money?) { sum, fare in
            guard let sum else { return fare }
            return sum.currency == fare.currency
                ? Money(sum.minorUnits + fare.minorUnits, sum.currency) : sum
        }
        let driven = today.count { $0.outcome == .completed }
        let words = HomePageTexts.rides(driven, sum.map { money($0, context) })
        facts.append(driveFact(HomePageTexts.today, "\(context.say(words))", context))
        return facts
    }

    /// The time and accuracy of the last position.
    func positionText(_ driver: WorkingDriver, _ context: RequestContext) -> Text {
        guard let position = driver.view.position else { return WhereTexts.none }
        let source = drivers.source(of: driver)
        if let source, source.stated != nil {
            return drivers.statedPlace(by: driver, at: context.now) == nil
                ? WhereTexts.statedLongAgo(clockTime(source.at))
                : WhereTexts.stated(clockTime(source.at))
        }
        let seconds = (context.now.milliseconds - position.at.milliseconds) / 1_000
        return WhereTexts.measured(
            CommonTexts.duration(seconds: seconds),
            metres: source?.accuracyMetres.map { Int64($0.rounded(.up)) }
        )
    }

    /// Two buttons that show the current state: a duty switch that also works without scripts.
    private func dutySwitch(_ view: DriverView, _ context: RequestContext) -> HTML {
        let isOn = view.taxi.isOnDuty
        return """
            <form class="switch" method="post" action="/drive/duty">\(context.formToken)
            <button class="drive\(HTML.when(!isOn, " primary"))" name="wish" value="on" \
            aria-pressed="\(isOn ? "true" : "false")">\
            \(context.say(isOn ? HomePageTexts.isAvailable : HomePageTexts.goAvailable))</button>
            <button class="drive\(HTML.when(isOn, " primary"))" name="wish" value="off" \
            aria-pressed="\(isOn ? "false" : "true")">\
            \(context.say(isOn ? HomePageTexts.goUnavailable : HomePageTexts.isUnavailable))\
            </button>
            </form>
            """
    }

    /// What happens if the driver does not answer an offer, in plain language (G4).
    private func rule(_ policy: Policy, _ context: RequestContext) -> HTML {
        "<p>\(context.say(OfferTexts.rule(policy)))</p>"
    }

    // MARK: Rides of today

    private func rideList(_ rides: [DrivenRide], _ context: RequestContext) -> HTML {
        let history: HTML = """
            <p><a href="/account/rides?as=driver">\(context.say(HomePageTexts.history))</a></p>
            """
        guard !rides.isEmpty else {
            return """
                <h2>\(context.say(CommonTexts.todaysRides))</h2>
                <p>\(context.say(HomePageTexts.none))</p>\(history)
                """
        }
        let rows = rides.prefix(Self.ridesShownToday).map { ride -> HTML in
            """
            <tr><th scope="row">\(clock(ride.accepted))</th><td>\(clock(ride.ended))</td>\
            <td>\(context.say(ride.outcome.driverText))</td>\
            <td class="number">\(ride.fare.map { money($0, context) } ?? "")</td></tr>
            """
        }
        let heads = [
            CommonTexts.accepted, CommonTexts.rideEnded, CommonTexts.outcome, HomePageTexts.fare,
        ]
        let table = ConsoleTable(caption: CommonTexts.todaysRides, heads: heads, rows: rows)
        return table.html(context) + history
    }

    /// The maximum number of today's rides on the home page.
    private static let ridesShownToday = 10
}
