import Chronology
import Dispatching
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Sharing a live ride by a secret link (issue 5).
///
/// Until the ride ends, anyone with the link sees the ride's state, the taxi and its arrival time,
/// but no names, places or codes.
extension PassengerPages {
    var tripRoutes: [Route] {
        [
            .get("/ride/{request}/link", as: "ride.link.show", for: .everybody, showLink)
                .taking([.request])
                .answering(.page, .redirect)
                .failing(.conflict),
            .post("/ride/{request}/link", as: "ride.link.make", for: .everybody, makeLink)
                .taking([.request])
                .failing(.conflict),
            .post("/ride/{request}/link/end", as: "ride.link.end", for: .everybody, endLink)
                .taking([.request])
                .failing(.conflict),
            .get("/trip/{token}", as: "trip.show", for: .everybody, showTrip)
                .taking([.path("token", .secret(64), "The token of the shared link.")]),
        ]
    }

    // MARK: The passenger's page

    private func showLink(_ context: RequestContext) async throws -> Response {
        let number = try requestNumber(context)
        guard try await rideView(number, context) != nil else {
            return try await leadToRide(number, context)
        }
        let passenger = try knownPassenger(context).passenger
        let token = try await taxi.tripLink(to: number, for: passenger)
        var dialog = Dialog(
            TripLinkTexts.title,
            icon: .share,
            text: "\(context.say(TripLinkTexts.lead))",
            actions: Button(EndTexts.back, .link(Self.ride(number)), look: .plain, icon: .back)
                .html(context)
        )
        dialog.content = token.map { made($0, number, context) } ?? notMade(number, context)
        var page = Page(TripLinkTexts.title, body: dialog.html(context))
        page.hasForm = true
        return response(page, to: context)
    }

    /// The link; a script adds the button that hands it to another app or copies it.
    private func made(_ token: String, _ number: RequestNumber, _ context: RequestContext) -> HTML {
        let path = Address("/trip", token)
        let full = full(path, context)
        var end = Button(TripLinkTexts.end, look: .destructive)
        end.busy = OrderTexts.busy
        return """
            <p>\(context.say(TripLinkTexts.copy))<br>
            <a class="link" href=\(path)>\(full)</a></p>
            <p class="actions"><button type="button" class="primary block" hidden \
            data-share="\(full)" data-done="\(context.say(TripLinkTexts.copied))">\
            \(Icon.share.html) <span>\(context.say(TripLinkTexts.send))</span></button></p>
            <form method="post" action=\(Address("/ride", "\(number.rawValue)", "link", "end"))>
            \(context.formToken)\(end.html(context))
            </form>
            """
    }

    private func notMade(_ number: RequestNumber, _ context: RequestContext) -> HTML {
        var make = Button(TripLinkTexts.make, look: .primary, icon: .link)
        make.busy = OrderTexts.busy
        make.isWide = true
        return """
            <form method="post" action=\(Address("/ride", "\(number.rawValue)", "link"))>
            \(context.formToken)\(make.html(context))
            </form>
            """
    }

    private func makeLink(_ context: RequestContext) async throws -> Response {
        let number = try requestNumber(context)
        do {
            let passenger = try knownPassenger(context).passenger
            try await taxi.makeTripLink(to: number, for: passenger)
        } catch TaxiService.Failure.notYours {
            throw Failure.notFound
        } catch Refusal.noSuchRequest {
            return try await leadToRide(number, context)
        }
        return .redirect(to: Address("/ride", "\(number.rawValue)", "link"))
    }

    private func endLink(_ context: RequestContext) async throws -> Response {
        let number = try requestNumber(context)
        try await taxi.endTripLink(to: number, for: try knownPassenger(context).passenger)
        return .redirect(to: Address("/ride", "\(number.rawValue)", "link"))
    }

    // MARK: The shared page

    private func showTrip(_ context: RequestContext) async throws -> Response {
        guard let trip = try await taxi.trip(context.parameters["token"] ?? "") else {
            throw Failure.notFound
        }
        var page: Page
        switch trip {
        case .over:
            page = message(TripLinkTexts.over, TripLinkTexts.overLead, context)
        case .live(let view):
            page = try await tripPage(view, context)
        }
        page.refresh = trip == .over ? nil : 20
        // Visitors with a trip link receive none of the ride's live events, so the page polls.
        page.isPolled = true
        var response = response(page, to: context)
        // The address is the secret: keep it out of referrers and search engines.
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.robotsTag] = "noindex, nofollow"
        return response
    }

    /// The card of the ride, without names, places and the passenger's code.
    ///
    /// It has no map, which would show where the passenger is and gets in and out (R130).
    private func tripPage(_ view: RideView, _ context: RequestContext) async throws -> Page {
        let state = RideState(view)
        let face = try await taxi.face(view, in: accounts)
        var arrival: Moment?
        if case .at(let moment) = view.arrival { arrival = moment }
        let title = TripLinkTexts.state(
            state,
            minutes: arrival.map { minutesLeft(until: $0, context) }
        )
        let plain: HTML = """
            <div class="calm\(HTML.when(!state.hasTaxi, " seeking"))">\(Icon.taxi.html)\
            <h1>\(context.say(title))</h1></div>
            """
        let label = state == .aboard ? TripLinkTexts.onBoardLabel : TripLinkTexts.taxiArrivesLabel
        return Page(
            title,
            body: """
                \(announced(TripLinkTexts.state(state, minutes: nil), as: "trip-said", context))
                <div id="trip" data-live="ride"><section class="card trip">\
                \(arrival.map { countdown(label, until: $0, context) } ?? plain)
                \(steps(state, context))
                \(face.map { signs($0.code, plate: $0.plate, look: $0.look, context) })
                <p class="hint">\(context.say(RideTexts.looked)) \
                \(clock(context.now, hasSeconds: true)). \
                \(context.say(RideTexts.looksAgain))</p></section></div>
                """
        )
    }
}

extension TripLinkTexts {
    static func state(_ state: RideState, minutes: Int64?) -> Text {
        switch state {
        case .asking, .held, .parked: TripLinkTexts.aTaxiIsBeingLooked
        case .reserved: TripLinkTexts.aTaxiIsReserved
        case .coming:
            minutes.map { minutes in
                TripLinkTexts.taxiArrivesInMinutes(minutes)
            } ?? TripLinkTexts.taxiIsOnTheWay
        case .here: TripLinkTexts.taxiIsWaiting
        case .aboard:
            minutes.map { minutes in
                TripLinkTexts.onBoardForMinutes(minutes)
            } ?? TripLinkTexts.onBoard
        }
    }
}
