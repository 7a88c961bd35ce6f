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
    /// The driver's home: his state, his place in the queue, and the switch (R34).
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

    /// Marks the heading that says the place in a queue, as of which entry: `live.js` puts newer
    /// words there (``QueueNews``).
    private func placeMark(_ view: DriverView) -> HTML? {
        guard view.taxi.status == .available, view.ahead != nil else { return nil }
        return " data-place=\"\(view.sequence)\""
    }

    /// How often a driver's page looks again by itself: several times while an offer is open.
    func refreshSeconds(_ view: DriverView) -> Int {
        max(5, min(20, Int(clamping: view.policy[.offerTimeout] / 3)))
    }

    /// What happened: what he did just now, else what befell him lately.
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

    /// Where a driver goes on after he did something, with what his page says of it.
    func driveOn(_ notice: String, _ visit: Visit, ride: RequestNumber? = nil) -> Reply {
        let at = "\(visit.now.milliseconds / 1_000)"
        let number = ride.map { "\($0.rawValue)" } ?? ""
        return .redirect(
            to: Address("/drive", query: ["notice": notice, "at": at, "ride": number])
        )
    }

    /// Whether what the address says was done just now: the page looks again under its address.
    private func isFresh(_ visit: Visit) -> Bool {
        guard let at = visit.query["at"].flatMap({ Int64($0) }) else { return false }
        return (0...Self.noticeSeconds).contains(visit.now.milliseconds / 1_000 &- at)
    }

    /// How long what was done is said, in seconds.
    private static let noticeSeconds: Int64 = 30
    /// How long something that happened is news, in seconds.
    private static let newsSeconds: Int64 = 900

    /// The fare of the ride that the address names, where it is one of his.
    private func fareShown(_ visit: Visit, _ today: [DrivenRide]) -> String? {
        let number = visit.query["ride"].flatMap { UInt64($0) }
        return today.first { $0.request.rawValue == number }?.fare.map { money($0, visit) }
    }

    /// What the state means, in a sentence.
    private func situation(_ view: DriverView, _ visit: Visit) -> HTML {
        let text: Text
        switch view.taxi.status {
        case .available: text = HomePageTexts.available
        case .outOfCity: text = HomePageTexts.outOfCity
        case .outOfContact:
            // Who had no place, as during an offer, has none to get back.
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
                    // It runs on where scripts run (`drive.js`).
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

    /// When the last position came, and how exact it is.
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

    /// Two buttons that say what holds: a switch that also works where nothing moves.
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

    /// What happens to who does not answer, in plain words (G4).
    private func rule(_ policy: Policy, _ visit: Visit) -> HTML {
        "<p>\(visit.say(OfferTexts.rule(policy)))</p>"
    }

    // MARK: Today

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

    /// How many of the day's rides the home shows.
    private static let ridesShownToday = 10
}
