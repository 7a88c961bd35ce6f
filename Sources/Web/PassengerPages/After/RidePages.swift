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
                .open(to: [.followRides])
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
        var hours: HTML?
        if isDriven, page == 1 { hours = try await hoursTable(signedIn.person, context) }
        let title = isDriven ? RidesTexts.driven : CommonTexts.rides
        var shownPage = Page(
            title,
            body: """
                \(context.tripViews(isPlanner: false))
                <h1>\(context.say(title))</h1>
                \(HTML.when(isDriver, filter(isDriven: isDriven, context)))
                <p class="lead">\
                \(context.say(isDriven ? RidesTexts.drivenLead : RidesTexts.lead))</p>
                \(hours)
                \(try await list(shown, isDriven: isDriven, page, context))
                \(pages(page, hasMore: hasMore, isDriver: isDriven, context))
                """
        )
        shownPage.hasForm = !isDriven
        return response(shownPage, to: context)
    }

    /// The choice between the rides taken and those driven.
    private func filter(isDriven: Bool, _ context: RequestContext) -> HTML {
        Segments(
            label: CommonTexts.rides,
            [
                (RidesTexts.asPassenger, ridesAddress(isDriver: false, page: 1), !isDriven),
                (RidesTexts.asDriver, ridesAddress(isDriver: true, page: 1), isDriven),
            ]
        ).html(context)
    }

    private func list(
        _ lines: [RideLine],
        isDriven: Bool,
        _ page: Int,
        _ context: RequestContext
    ) async throws -> HTML {
        guard lines.isEmpty else {
            return isDriven ? drivenTable(lines, context) : try await cards(lines, context)
        }
        guard page == 1 else { return "<p>\(context.say(RidesTexts.noMore))</p>" }
        let order = Button(RidesTexts.order, .link(Address("/taxi")), look: .primary)
        return EmptyState(
            .history,
            RidesTexts.nothing,
            isDriven ? RidesTexts.noneDriven : RidesTexts.none,
            action: isDriven ? nil : order
        ).html(context)
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
        func address(_ other: Int) -> Address { ridesAddress(isDriver: isDriver, page: other) }
        return Pagination(
            before: page > 1 ? address(page - 1) : nil,
            after: hasMore ? address(page + 1) : nil,
            RidesTexts.page(page)
        ).html(context)
    }

    /// The history of a passenger, a card for each ride.
    private func cards(_ lines: [RideLine], _ context: RequestContext) async throws -> HTML {
        let taxis = Set(
            lines.compactMap { $0.taxiCode.flatMap(PersonNumber.init(dispatcherCode:)) }
        )
        let names = try await accounts.drivers.taxiNames(of: Array(taxis))
        let cards = lines.map { line -> Card in
            let taxi = line.taxiCode.flatMap(PersonNumber.init(dispatcherCode:))
                .flatMap { names[$0]?.code }
            return card(line, taxi, context)
        }
        // One form for all buttons, each of which names its ride.
        return """
            <form class="history" method="post" action="/taxi/again">\(context.formToken)\
            \(Card.grid(cards))</form>
            """
    }

    private func card(_ line: RideLine, _ taxi: String?, _ context: RequestContext) -> Card {
        let when = time(line.due ?? line.asked, context)
        // The ride's page has the receipt and the rating form.
        let isOwn = line.origin == .service
        let ends: [(Text, PlaceDescription?)] = [
            (RidesTexts.from, line.meeting), (RidesTexts.to, line.destination),
        ]
        let parts = ends.compactMap { end in end.1.map { (end.0, shortPlace($0)) } }
        let fare = line.fare.map { "<b>\(money($0, context))</b>" as HTML }
        let code = taxi.map { "<span>\(context.say(RideTexts.taxi)) <b>\($0)</b></span>" as HTML }
        let again = againButton(line.request, look: .secondary, RidesTexts.again, context)
        return Card(
            isOwn ? "<a href=\(Self.ride(line.request))>\(when)</a>" : when,
            content: """
                <p>\(StateChip(line.text, icon: line.icon, tone: line.tone).html(context))\
                \(origin(line, context))</p>
                \(Journey(parts).html(context))
                <div class="foot">\(fare) \(code) \
                \(HTML.when(isOwn && line.ended != nil && line.places != nil, again))</div>
                """
        )
    }

    /// The history of a driver.
    ///
    /// It shows neither passengers nor places.
    private func drivenTable(_ lines: [RideLine], _ context: RequestContext) -> HTML {
        DataTable(
            caption: RidesTexts.driven,
            [
                DataTable.Column(RidesTexts.began), DataTable.Column(RidesTexts.ended),
                DataTable.Column(RidesTexts.outcome),
                DataTable.Column(RidesTexts.fare, isNumber: true),
            ],
            rows: lines.map { line in
                [
                    time(line.accepted ?? line.asked, context),
                    line.ended.map { time($0, context) } ?? "",
                    "\(context.say(line.text))\(origin(line, context))",
                    "\(line.fare.map { money($0, context) } ?? "")",
                ]
            },
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

    /// The tone of the outcome; the words say the same.
    fileprivate var tone: Tone {
        switch outcome {
        case nil: .live
        case .completed: .good
        default: .quiet
        }
    }

    fileprivate var icon: Icon {
        switch outcome {
        case nil: .clock
        case .completed: .check
        default: .close
        }
    }
}
