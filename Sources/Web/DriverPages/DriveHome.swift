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
    /// The driver's home page: the place in the queue, the duty switch, and the map of the zone
    /// (R34).
    func driveHome(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Page {
        let view = driver.view
        let rides = try await taxi.rides(
            ofDriver: driver.person.rawValue,
            since: midnight(of: cityDay(context.now))
        )
        let hours = try await hoursToday(driver.person, context)
        var page = Page(
            DriveStanding(view).title,
            body: """
                \(try await driveNotice(context, driver, rides))
                \(try await operatorNotices(context, driver))
                \(situation(view, context))
                <dl class="glance">\(homeFacts(driver, rides, context))\
                \(driveFact(HoursTexts.today, "\(context.say(hours))", context))</dl>
                \(Rows(try await homeRows(driver, context)).html)
                \(outlookList(try await taxi.busiestZones(limit: 3), context))
                \(rideList(rides, context))
                \(rule(view.policy, context))
                <p id="drive-notices"><a href="/account/preferences#devices">\
                \(context.say(CallTexts.devices))</a></p>
                <div class="field" id="device-alert"></div>
                \(staffPhone(context))
                \(freshness(refreshSeconds(view), context))
                \(Dock(dutySwitch(view, context)).html)
                """
        )
        page.layout = .mapSheet
        page.map = homeMap(driver, context)
        page.hasForm = true
        page.refresh = refreshSeconds(view)
        return page
    }

    /// The first line, with the place in the queue as the one large figure.
    ///
    /// `live.js` replaces the place with a newer one, by its sequence number
    /// (`QueuePositionEvent`).
    private func headline(_ view: DriverView, _ context: RequestContext) -> HTML {
        let title = context.say(DriveStanding(view).title)
        guard view.taxi.status == .available, view.ahead != nil,
            let start = title.firstIndex(where: \.isNumber)
        else { return "<h1>\(title)</h1>" }
        let end = title[start...].firstIndex(of: " ") ?? title.endIndex
        return """
            <h1 class="place" data-place="\(view.sequence)">\(String(title[..<start]))\
            <b>\(String(title[start..<end]))</b>\(String(title[end...]))</h1>
            """
    }

    /// What the driver may need besides, each on a page of its own.
    private func homeRows(
        _ driver: WorkingDriver,
        _ context: RequestContext
    ) async throws -> [Row] {
        var rows = [
            try await nextReservation(driver, context),
            whereRow(driver, context),
            Row(
                .history,
                "\(context.say(HomePageTexts.history))",
                address: Address("/account/rides", query: ["as": "driver"])
            ),
        ].compactMap(\.self)
        if environment.demonstration == nil {
            rows.append(
                Row(
                    .navigate,
                    "\(context.say(NavigationTexts.title))",
                    address: Address("/drive/navigation")
                )
            )
        }
        let papers = Address("/account/papers")
        rows.append(Row(.licence, "\(context.say(CommonTexts.papers))", address: papers))
        return rows
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
    ) async throws -> HTML? {
        if let notice = HomePageTexts.notices[context.query["notice"] ?? ""], isFresh(context) {
            var text = context.say(notice)
            var receipt: HTML?
            if context.query["notice"] == "finished", let ride = rideShown(context, today),
                let fare = ride.fare
            {
                text += " " + context.say(HomePageTexts.paid(money(fare, context)))
                receipt = try await self.receipt(ride, context)
            }
            return """
                <div class="notice good" role="status"><p>\(text)</p>\(receipt)</div>
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

    /// The ride named in the address, if it is one of this driver's rides.
    private func rideShown(_ context: RequestContext, _ today: [DrivenRide]) -> DrivenRide? {
        let number = context.query["ride"].flatMap { UInt64($0) }
        return today.first { $0.request.rawValue == number }
    }

    /// The parts of the fare of a ride that has ended; nil if several passengers paid it.
    private func receipt(_ ride: DrivenRide, _ context: RequestContext) async throws -> HTML? {
        guard let fare = try await taxi.store.fare(of: ride.request)?.fare,
            fare.total == ride.fare
        else { return nil }
        return """
            <details><summary>\(context.say(HomePageTexts.receipt))</summary>\
            \(fareParts(fare, context))</details>
            """
    }

    /// The driver's status in a word, the first line, and a sentence where the status needs one.
    private func situation(_ view: DriverView, _ context: RequestContext) -> HTML {
        let status = view.taxi.status
        let text: Text?
        switch status {
        case .available: text = nil
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
        let (icon, tone): (Icon, Tone) =
            switch status {
            case .available: (.check, .good)
            case .outOfCity: (.warning, .live)
            case .outOfContact: (.offline, .bad)
            default: (.pause, .quiet)
            }
        let look: HTML = status == .outOfContact ? "notice bad" : "lead"
        let chip = StateChip(status.label(view.policy), icon: icon, tone: tone)
        // The first line and the switch say already that the driver is unavailable.
        let isSaid = status == .unavailable
        return """
            \(isSaid ? nil : "<p class=\"standing\">\(chip.html(context))</p>")
            \(headline(view, context))
            \(text.map { "<p class=\"\(look)\">\(context.say($0))</p>" as HTML })
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
                        <small>\(context.say(HomePageTexts.since)) \(clock(queued.since))</small>
                        """
                } ?? "\(context.say(DriveTexts.unknown))"
            facts.append(driveFact(HomePageTexts.waiting, waiting, context))
        }
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
    func positionText(_ driver: WorkingDriver, at now: Moment) -> Text {
        guard let position = driver.view.position else { return WhereTexts.none }
        let source = drivers.source(of: driver)
        if let source, source.stated != nil {
            return drivers.statedPlace(by: driver, at: now) == nil
                ? WhereTexts.statedLongAgo(clockTime(source.at))
                : WhereTexts.stated(clockTime(source.at))
        }
        let seconds = (now.milliseconds - position.at.milliseconds) / 1_000
        return WhereTexts.measured(
            secondsAgo: seconds,
            metres: source?.accuracyMetres.map { Int64($0.rounded(.up)) }
        )
    }

    /// Two buttons, of which one says the current state: a switch that also works without scripts.
    private func dutySwitch(_ view: DriverView, _ context: RequestContext) -> HTML {
        let isOn = view.taxi.isOnDuty
        let pause: HTML = " <small>\(context.say(HomePageTexts.pause))</small>"
        return """
            <form class="switch" method="post" action="/drive/duty">\(context.formToken)
            <button\(HTML.when(!isOn, " class=\"primary\"")) name="wish" value="on" \
            aria-pressed="\(isOn ? "true" : "false")"><span>\
            \(context.say(isOn ? HomePageTexts.isAvailable : HomePageTexts.goAvailable))</span>\
            </button>
            <button name="wish" value="off" aria-pressed="\(isOn ? "false" : "true")"><span>\
            \(context.say(isOn ? HomePageTexts.goUnavailable : HomePageTexts.isUnavailable))\
            \(HTML.when(isOn, pause))</span></button>
            </form>
            """
    }

    /// What happens if the driver does not answer an offer, in plain language (G4).
    private func rule(_ policy: Policy, _ context: RequestContext) -> HTML {
        "<p class=\"hint\">\(context.say(OfferTexts.rule(policy)))</p>"
    }

    // MARK: Demand and rides of today

    /// The zones where most people will wait for each taxi; nil if nothing is known yet.
    private func outlookList(_ zones: [ZoneOutlook], _ context: RequestContext) -> HTML? {
        guard !zones.isEmpty else { return nil }
        let rows = zones.map { zone in
            let free = zone.freeTaxis.map { HomePageTexts.usuallyFree($0) }
            let words = [HomePageTexts.expectedRequests(zone.requests)] + (free.map { [$0] } ?? [])
            return Row(
                .people,
                "\(zone.name)",
                detail: "\(context.say(Text(joining: words, separator: " · ")))"
            )
        }
        return "<h2>\(context.say(HomePageTexts.whereDemandIs))</h2>\(Rows(rows).html)"
    }

    private func rideList(_ rides: [DrivenRide], _ context: RequestContext) -> HTML {
        let title: HTML = "<h2>\(context.say(CommonTexts.todaysRides))</h2>"
        guard !rides.isEmpty else {
            return "\(title)<p class=\"lead\">\(context.say(HomePageTexts.none))</p>"
        }
        let rows = rides.prefix(Self.ridesShownToday).map { ride in
            Row(
                ride.outcome == .completed ? .check : .close,
                "\(clock(ride.accepted)) – \(clock(ride.ended))",
                detail: "\(context.say(ride.outcome.driverText))",
                value: ride.fare.map { "\(money($0, context))" }
            )
        }
        return title + Rows(rows).html
    }

    /// The maximum number of today's rides on the home page.
    private static let ridesShownToday = 10
}
