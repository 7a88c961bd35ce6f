import Dispatching
import Drivers
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension PassengerPages {
    /// Ride histories: the rides that a passenger requested and those that a driver drove (R10,
    /// R34, R101).
    var ridePageRoutes: [Route] {
        [
            .get("/account/rides", as: "account.rides", for: .person, showRides)
                .open(to: .followRides)
                .taking([
                    .query(
                        "as",
                        .choice(["driver"]),
                        "Shows the rides driven instead of those taken."
                    ),
                    .query("page", .number(1...1_000_000), "The page of the list."),
                ])
        ]
    }

    /// The number of rides per page.
    static let ridesShown = 50

    private func showRides(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response
    {
        let isDriver = context.session?.roles.contains(.driver) == true
        let isDriven = isDriver && context.query["as"] == "driver"
        let page = max(1, min(context.query["page"].flatMap { Int($0) } ?? 1, 1_000_000))
        let lines = try await taxi.history.lines(
            of: isDriven
                ? .driver(signedIn.person.rawValue) : .passenger(signedIn.person.passenger),
            limit: Self.ridesShown + 1,
            offset: (page - 1) * Self.ridesShown
        )
        let hasMore = lines.count > Self.ridesShown
        let shown = Array(lines.prefix(Self.ridesShown))
        let other: HTML = """
            <p><a href=\(ridesAddress(isDriver: !isDriven, page: 1))>\
            \(context.say(isDriven ? RidesTexts.asPassenger : RidesTexts.asDriver))</a></p>
            """
        let title = isDriven ? RidesTexts.driven : CommonTexts.rides
        let lead = isDriven ? RidesTexts.drivenLead : RidesTexts.lead
        let empty = isDriven ? RidesTexts.noneDriven : RidesTexts.none
        let body: HTML =
            shown.isEmpty
            ? "<p>\(context.say(page > 1 ? RidesTexts.noMore : empty))</p>"
            : isDriven
                ? drivenTable(shown, context)
                : try await rideTable(shown, context)
        var hours: HTML?
        if isDriven, page == 1 { hours = try await hoursTable(signedIn.person, context) }
        return response(
            Page(
                title,
                body: """
                    <h1>\(context.say(title))</h1>
                    <p class="lead">\(context.say(lead))</p>
                    \(hours)
                    \(body)
                    \(pages(page, hasMore: hasMore, isDriver: isDriven, context))
                    \(HTML.when(isDriver, other))
                    \(backToAccount(context))
                    """
            ),
            to: context
        )
    }

    private func ridesAddress(isDriver: Bool, page: Int) -> Address {
        isDriver
            ? Address("/account/rides", query: ["as": "driver", "page": "\(page)"])
            : Address("/account/rides", query: ["page": "\(page)"])
    }

    private func pages(
        _ page: Int,
        hasMore: Bool,
        isDriver: Bool,
        _ context: RequestContext
    ) -> HTML? {
        guard page > 1 || hasMore else { return nil }
        let newer: HTML = """
            <a href=\(ridesAddress(isDriver: isDriver, page: page - 1))>\
            \(context.say(RidesTexts.newer))</a>
            """
        let older: HTML = """
            <a href=\(ridesAddress(isDriver: isDriver, page: page + 1))>\
            \(context.say(RidesTexts.older))</a>
            """
        return """
            <p class="actions">\(HTML.when(page > 1, newer)) \(HTML.when(hasMore, older))</p>
            """
    }

    /// The history of a passenger.
    private func rideTable(_ lines: [RideLine], _ context: RequestContext) async throws -> HTML {
        let taxis = Set(
            lines.compactMap { $0.taxiCode.flatMap(PersonNumber.init(dispatcherCode:)) }
        )
        let names = try await accounts.drivers.taxiNames(of: Array(taxis))
        let rows = lines.map { line -> HTML in
            let taxi = line.taxiCode.flatMap(PersonNumber.init(dispatcherCode:))
                .flatMap { names[$0]?.code }
            let when = time(line.due ?? line.asked, context)
            // The ride's page has the receipt and the rating form.
            let link: HTML =
                line.origin == .service
                ? "<a href=\(Self.ride(line.request))>\(when)</a>" : when
            return """
                <tr><th scope="row">\(link)</th>\
                <td>\(line.meeting?.text ?? context.say(CommonTexts.unknownRide))</td>\
                <td>\(line.destination?.text ?? context.say(CommonTexts.unknownRide))</td>\
                <td>\(taxi ?? context.say(CommonTexts.unknownRide))</td>\
                <td>\(context.say(line.text))\(origin(line, context))</td>\
                <td class="number">\(line.fare.map { money($0, context) } ?? "")</td></tr>
                """
        }
        let heads = [
            CommonTexts.rideTime, RidesTexts.from, RidesTexts.to, FormField.taxiCode.label,
            RidesTexts.outcome, RidesTexts.fare,
        ]
        return ConsoleTable(
            caption: CommonTexts.rides,
            heads: heads,
            rows: rows,
            hidesCaption: true
        ).html(context)
    }

    /// The history of a driver.
    ///
    /// It shows neither passengers nor places.
    private func drivenTable(_ lines: [RideLine], _ context: RequestContext) -> HTML {
        let rows = lines.map { line -> HTML in
            let ended: HTML = line.ended.map { time($0, context) } ?? ""
            return """
                <tr><th scope="row">\(time(line.accepted ?? line.asked, context))</th>\
                <td>\(ended)</td>\
                <td>\(context.say(line.text))\(origin(line, context))</td>\
                <td class="number">\(line.fare.map { money($0, context) } ?? "")</td></tr>
                """
        }
        let heads = [RidesTexts.began, RidesTexts.ended, RidesTexts.outcome, RidesTexts.fare]
        return ConsoleTable(
            caption: RidesTexts.driven,
            heads: heads,
            rows: rows,
            hidesCaption: true
        ).html(context)
    }

    private func origin(_ line: RideLine, _ context: RequestContext) -> HTML? {
        guard line.origin == .oldSystem else { return nil }
        return " <span class=\"hint\">(\(context.say(RidesTexts.old)))</span>"
    }
}

extension RideLine {
    /// How the ride ended, in words for both its passenger and its driver.
    var text: Text {
        switch outcome {
        case nil:
            accepted != nil
                ? AfterTexts.underWay
                : due == nil
                    ? AfterTexts.beingLookedFor : AfterTexts.reserved
        case .completed: AfterTexts.driven
        case .noTaxi, .heldTooLong: AfterTexts.noTaxiWasFree
        case .allRefused: AfterTexts.allDriversRefused
        case .dropped: AfterTexts.noTaxiWasFound
        case .cancelled: AfterTexts.cancelled
        case .withdrawn: AfterTexts.cancelledByTheService
        case .noShow: AfterTexts.thePassengerDidNotCome
        case .suspended: AfterTexts.theServiceWasSuspended
        case .outsideCity:
            AfterTexts.theZonesWereRedrawn
        }
    }
}
