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
        var page = Page(
            TripLinkTexts.title,
            body: """
                <h1>\(context.say(TripLinkTexts.title))</h1>
                <p class="lead">\(context.say(TripLinkTexts.lead))</p>
                \(token.map { made($0, number, context) } ?? notMade(number, context))
                <p><a href=\(Self.ride(number))>\(context.say(EndTexts.back))</a></p>
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    private func made(_ token: String, _ number: RequestNumber, _ context: RequestContext) -> HTML {
        let path = Address("/trip", token)
        let origin = web.settings.publicAddress ?? "\(hasTLS ? "https" : "http")://\(context.host)"
        let slash = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
        return """
            <p>\(context.say(TripLinkTexts.copy)):<br>
            <a href=\(path)>\(slash + path.text)</a></p>
            <form method="post" action=\(Address("/ride", "\(number.rawValue)", "link", "end"))>
            \(context.formToken)
            <p class="actions"><button class="danger" data-busy="\(context.say(OrderTexts.busy))">\
            \(context.say(TripLinkTexts.end))</button></p>
            </form>
            """
    }

    private func notMade(_ number: RequestNumber, _ context: RequestContext) -> HTML {
        """
        <form method="post" action=\(Address("/ride", "\(number.rawValue)", "link"))>
        \(context.formToken)
        <p class="actions"><button class="primary" data-busy="\(context.say(OrderTexts.busy))">\
        \(context.say(TripLinkTexts.make))</button></p>
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

    private func tripPage(_ view: RideView, _ context: RequestContext) async throws -> Page {
        let state = RideState(view)
        let face = try await taxi.face(view, in: accounts)
        var arrival: Moment?
        if case .at(let moment) = view.arrival { arrival = moment }
        let minutes = arrival.map { moment in
            wholeMinutes((moment.milliseconds - context.now.milliseconds) / 1_000)
        }
        let words = TripLinkTexts.state(state, minutes: minutes)
        let at: HTML? = arrival.map { " <span class=\"number\">· \(clock($0))</span>" }
        let signs = face.map { face -> HTML in
            let plate: HTML? = face.plate.map {
                "<div class=\"plate\"><dt>\(context.say(RideTexts.plate))</dt><dd>\($0)</dd></div>"
            }
            return """
                <dl class="signs">\(plate)
                <div class="sign"><dt>\(context.say(RideTexts.taxi))</dt><dd>\(face.code)</dd></div>
                </dl>
                """
        }
        return Page(
            words,
            body: """
                \(announced(TripLinkTexts.state(state, minutes: nil), as: "trip-said", context))
                <div id="trip" data-live="ride"><h1>\(context.say(words))\(at)</h1>
                \(signs)
                <p class="hint">\(context.say(RideTexts.looked)) \
                \(clock(context.now, hasSeconds: true)). \
                \(context.say(RideTexts.looksAgain))</p></div>
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
                TripLinkTexts.theTaxiComesInAbout("\(minutes)")
            } ?? TripLinkTexts.theTaxiIsOnIts
        case .here: TripLinkTexts.theTaxiWaitsForIts
        case .aboard:
            minutes.map { minutes in
                TripLinkTexts.onBoardArrivesInAbout("\(minutes)")
            } ?? TripLinkTexts.onBoard
        }
    }
}
