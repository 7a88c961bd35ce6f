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
    func driveHome(_ visit: Visit, _ seat: Seat) async throws -> Page {
        let view = seat.view
        let rides = try await taxi.rides(
            ofDriver: seat.person.rawValue,
            since: midnight(of: cityDay(visit.now))
        )
        let hours = try await hoursToday(seat.person, visit)
        var page = Page(
            DriveStanding(view).title,
            body: """
                \(driveNotice(visit, seat, rides))
                \(try await operatorNotices(visit, seat))
                <h1\(placeMark(view))>\(visit.say(DriveStanding(view).title))</h1>
                \(situation(view, visit))
                <dl class="glance">\(homeFacts(seat, rides, visit))\
                \(driveFact(HoursTexts.today, "\(visit.say(hours))", visit))</dl>
                \(dutySwitch(view, visit))
                \(try await nextReservation(visit))
                \(rule(view.policy, visit))
                <p><a class="button drive" href="/drive/where">\
                \(visit.say(WhereTexts.title))</a></p>
                \(stillPicture(at: driveMapAddress(seat), DriveTexts.map, visit))
                \(rideList(rides, visit))
                <ul>
                <li><a href="/drive/navigation">\(visit.say(NavigationTexts.title))</a></li>
                <li id="drive-notices"><a href="/account/preferences#devices">\
                \(visit.say(CallTexts.devices))</a></li>
                <li><a href="/account/papers">\(visit.say(CommonTexts.papers))</a></li>
                <li><a href="/dashboard">\(visit.say(CommonTexts.dashboard))</a></li>
                </ul>
                \(staffPhone(visit))
                \(freshness(refreshSeconds(view), visit))
                """
        )
        page.hasForm = true
        page.refresh = refreshSeconds(view)
        return page
    }

    /// Marks the heading that shows the position in the queue with its sequence number, so that
    /// `live.js` can replace it with newer text (``QueueNews``).
    private func placeMark(_ view: DriverView) -> HTML? {
        guard view.taxi.status == .available, view.ahead != nil else { return nil }
        return " data-place=\"\(view.sequence)\""
    }

    /// How often a driver's page refreshes, in seconds: several times while an offer is open.
    func refreshSeconds(_ view: DriverView) -> Int {
        max(5, min(20, Int(clamping: view.policy[.offerTimeout] / 3)))
    }

    /// A notice about what the driver has just done, or else about a recent event.
    private func driveNotice(_ visit: Visit, _ seat: Seat, _ today: [DrivenRide]) -> HTML? {
        if let notice = HomePageTexts.notices[visit.query["notice"] ?? ""], isFresh(visit) {
            var text = visit.say(notice)
            if visit.query["notice"] == "finished", let fare = fareShown(visit, today) {
                text += " " + visit.say(HomePageTexts.paid(fare))
            }
            return """
                <div class="notice good" role="status"><p>\(text)</p></div>
                """
        }
        guard let last = seat.view.news.last, let words = last.what.words(seat.view.policy),
            visit.now < last.at.adding(seconds: Self.newsSeconds)
        else { return nil }
        return """
            <div class="notice warn" role="status"><p>\(clock(last.at)): \
            \(visit.say(words))</p></div>
            """
    }

    /// Redirects to the driver's page after an action, with the notice to show there.
    func driveOn(_ notice: String, _ visit: Visit, ride: RequestNumber? = nil) -> Reply {
        let at = "\(visit.now.milliseconds / 1_000)"
        let number = ride.map { "\($0.rawValue)" } ?? ""
        return .redirect(
            to: Address("/drive", query: ["notice": notice, "at": at, "ride": number])
        )
    }

    /// Whether the action named in the address is recent: a refresh keeps the same address, and the
    /// notice must disappear.
    private func isFresh(_ visit: Visit) -> Bool {
        guard let at = visit.query["at"].flatMap({ Int64($0) }) else { return false }
        return (0...Self.noticeSeconds).contains(visit.now.milliseconds / 1_000 &- at)
    }

    /// How long the confirmation of an action is shown, in seconds.
    private static let noticeSeconds: Int64 = 30
    /// How long a notice about an event is shown, in seconds.
    private static let newsSeconds: Int64 = 900

    /// The fare of the ride named in the address, if it is one of this driver's rides.
    private func fareShown(_ visit: Visit, _ today: [DrivenRide]) -> String? {
        let number = visit.query["ride"].flatMap { UInt64($0) }
        return today.first { $0.request.rawValue == number }?.fare.map { money($0, visit) }
    }

    /// A sentence that explains the driver's status.
    private func situation(_ view: DriverView, _ visit: Visit) -> HTML {
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
            <p><span class="state">\(visit.say(HomePageTexts.state)): \
            <b>\(visit.say(view.taxi.status.label(view.policy)))</b></span></p>
            <p class="\(look)">\(visit.say(text))</p>
            \(HTML.when(view.isOvertaken, "<p>\(visit.say(HomePageTexts.overtaken))</p>"))
            """
    }

    private func homeFacts(_ seat: Seat, _ today: [DrivenRide], _ visit: Visit) -> [HTML] {
        let view = seat.view
        var facts: [HTML] = []
        if view.taxi.status == .available {
            let waiting: HTML =
                view.news.queued.map { queued -> HTML in
                    let seconds = (visit.now.milliseconds - queued.since.milliseconds) / 1_000
                    // The script keeps this counter running (`drive.js`).
                    return """
                        <span data-age="\(seconds)">\
                        \(visit.say(CommonTexts.duration(seconds: seconds)))</span> \
                        (\(visit.say(HomePageTexts.since)) \(clock(queued.since)))
                        """
                } ?? "\(visit.say(DriveTexts.unknown))"
            facts.append(driveFact(HomePageTexts.waiting, waiting, visit))
        }
        facts.append(
            driveFact(HomePageTexts.position, "\(visit.say(positionWords(seat, visit)))", visit)
        )
        if view.taxi.ignoredOffers > 0, view.policy[.maxIgnored] > 0 {
            let words = HomePageTexts.strikes(
                Int(view.taxi.ignoredOffers),
                of: view.policy[.maxIgnored]
            )
            facts.append(driveFact(HomePageTexts.unanswered, "\(visit.say(words))", visit))
        }
        let sum = today.compactMap(\.fare).reduce(nil as Money?) { sum, fare in
            guard let sum else { return fare }
            return sum.currency == fare.currency
                ? Money(sum.minorUnits + fare.minorUnits, sum.currency) : sum
        }
        let driven = today.count { $0.outcome == .completed }
        let words = HomePageTexts.rides(driven, sum.map { money($0, visit) })
        facts.append(driveFact(HomePageTexts.today, "\(visit.say(words))", visit))
        return facts
    }

    /// The time and accuracy of the last position.
    func positionWords(_ seat: Seat, _ visit: Visit) -> Text {
        guard let position = seat.view.position else { return WhereTexts.none }
        let source = drivers.source(of: seat)
        if let source, source.stated != nil {
            return drivers.statedPlace(by: seat, at: visit.now) == nil
                ? WhereTexts.statedLongAgo(clockTime(source.at))
                : WhereTexts.stated(clockTime(source.at))
        }
        let seconds = (visit.now.milliseconds - position.at.milliseconds) / 1_000
        return WhereTexts.measured(
            CommonTexts.duration(seconds: seconds),
            metres: source?.accuracyMetres.map { Int64($0.rounded(.up)) }
        )
    }

    /// Two buttons that show the current state: a duty switch that also works without scripts.
    private func dutySwitch(_ view: DriverView, _ visit: Visit) -> HTML {
        let isOn = view.taxi.isOnDuty
        return """
            <form class="switch" method="post" action="/drive/duty">\(visit.formToken)
            <button class="drive\(HTML.when(!isOn, " primary"))" name="wish" value="on" \
            aria-pressed="\(isOn ? "true" : "false")">\
            \(visit.say(isOn ? HomePageTexts.isAvailable : HomePageTexts.goAvailable))</button>
            <button class="drive\(HTML.when(isOn, " primary"))" name="wish" value="off" \
            aria-pressed="\(isOn ? "false" : "true")">\
            \(visit.say(isOn ? HomePageTexts.goUnavailable : HomePageTexts.isUnavailable))</button>
            </form>
            """
    }

    /// What happens if the driver does not answer an offer, in plain language (G4).
    private func rule(_ policy: Policy, _ visit: Visit) -> HTML {
        "<p>\(visit.say(OfferTexts.rule(policy)))</p>"
    }

    // MARK: Rides of today

    private func rideList(_ rides: [DrivenRide], _ visit: Visit) -> HTML {
        let history: HTML = """
            <p><a href="/account/rides?as=driver">\(visit.say(HomePageTexts.history))</a></p>
            """
        guard !rides.isEmpty else {
            return """
                <h2>\(visit.say(CommonTexts.todaysRides))</h2>
                <p>\(visit.say(HomePageTexts.none))</p>\(history)
                """
        }
        let rows = rides.prefix(Self.ridesShownToday).map { ride -> HTML in
            """
            <tr><th scope="row">\(clock(ride.accepted))</th><td>\(clock(ride.ended))</td>\
            <td>\(visit.say(ride.outcome.driverWords))</td>\
            <td class="number">\(ride.fare.map { money($0, visit) } ?? "")</td></tr>
            """
        }
        let heads = [
            CommonTexts.accepted, CommonTexts.rideEnded, CommonTexts.outcome, HomePageTexts.fare,
        ]
        let table = ConsoleTable(caption: CommonTexts.todaysRides, heads: heads, rows: rows)
        return table.html(visit) + history
    }

    /// The maximum number of today's rides on the home page.
    private static let ridesShownToday = 10
}
