import Chronology
import Dispatching
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// A passenger lets others follow his ride by a secret link (issue 5): they see how it stands, the
/// taxi and when it arrives, until the ride's end; no name, no place, no code.
extension PassengerPages {
    var tripRoutes: [Route] {
        [
            .get("/ride/{request}/link", showLink),
            .post("/ride/{request}/link", makeLink),
            .post("/ride/{request}/link/end", endLink),
            .get("/trip/{token}", showTrip),
        ]
    }

    // MARK: The passenger's page

    private func showLink(_ visit: Visit) async throws -> Reply {
        let number = try requestNumber(visit)
        guard try await rideView(number, visit) != nil else {
            return try await leadToRide(number, visit)
        }
        let passenger = try knownPassenger(visit).passenger
        let token = try await taxi.tripLink(to: number, for: passenger)
        var page = Page(
            TripLinkWords.title,
            body: """
                <h1>\(visit.say(TripLinkWords.title))</h1>
                <p class="lead">\(visit.say(TripLinkWords.lead))</p>
                \(token.map { made($0, number, visit) } ?? notMade(number, visit))
                <p><a href=\(Self.ride(number))>\(visit.say(EndTexts.back))</a></p>
                """
        )
        page.hasForm = true
        return reply(page, to: visit)
    }

    private func made(_ token: String, _ number: RequestNumber, _ visit: Visit) -> HTML {
        let path = Address("/trip", token)
        let origin = web.settings.publicAddress ?? "\(hasTLS ? "https" : "http")://\(visit.host)"
        let slash = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
        return """
            <p>\(visit.say(TripLinkWords.copy)):<br>
            <a href=\(path)>\(slash + path.text)</a></p>
            <form method="post" action=\(Address("/ride", "\(number.rawValue)", "link", "end"))>
            \(visit.formToken)
            <p class="actions"><button class="danger" data-busy="\(visit.say(OrderTexts.busy))">\
            \(visit.say(TripLinkWords.end))</button></p>
            </form>
            """
    }

    private func notMade(_ number: RequestNumber, _ visit: Visit) -> HTML {
        """
        <form method="post" action=\(Address("/ride", "\(number.rawValue)", "link"))>
        \(visit.formToken)
        <p class="actions"><button class="primary" data-busy="\(visit.say(OrderTexts.busy))">\
        \(visit.say(TripLinkWords.make))</button></p>
        </form>
        """
    }

    private func makeLink(_ visit: Visit) async throws -> Reply {
        let number = try requestNumber(visit)
        do {
            let passenger = try knownPassenger(visit).passenger
            try await taxi.makeTripLink(to: number, for: passenger)
        } catch TaxiService.Failure.notYours {
            throw Failure.notFound
        } catch Refusal.noSuchRequest {
            return try await leadToRide(number, visit)
        }
        return .redirect(to: Address("/ride", "\(number.rawValue)", "link"))
    }

    private func endLink(_ visit: Visit) async throws -> Reply {
        let number = try requestNumber(visit)
        try await taxi.endTripLink(to: number, for: try knownPassenger(visit).passenger)
        return .redirect(to: Address("/ride", "\(number.rawValue)", "link"))
    }

    // MARK: What others see

    private func showTrip(_ visit: Visit) async throws -> Reply {
        guard let trip = try await taxi.trip(visit.parameters["token"] ?? "") else {
            throw Failure.notFound
        }
        var page: Page
        switch trip {
        case .over:
            page = message(TripLinkWords.over, TripLinkWords.overLead, visit)
        case .live(let view):
            page = try await tripPage(view, visit)
        }
        page.refresh = trip == .over ? nil : 20
        // Whoever follows it is nobody whom the ride's events reach.
        page.isPolled = true
        var reply = reply(page, to: visit)
        // The address is the secret: it is told to no other site, and found by no search.
        reply.headers[.referrerPolicy] = "no-referrer"
        reply.headers[.robotsTag] = "noindex, nofollow"
        return reply
    }

    private func tripPage(_ view: RideView, _ visit: Visit) async throws -> Page {
        let state = RideState(view)
        let face = try await taxi.face(view, in: accounts)
        var arrival: Moment?
        if case .at(let moment) = view.arrival { arrival = moment }
        let minutes = arrival.map { moment in
            wholeMinutes((moment.milliseconds - visit.now.milliseconds) / 1_000)
        }
        let words = TripLinkWords.state(state, minutes: minutes)
        let at: HTML? = arrival.map { " <span class=\"number\">· \(clock($0))</span>" }
        let signs = face.map { face -> HTML in
            let plate: HTML? = face.plate.map {
                "<div class=\"plate\"><dt>\(visit.say(RideTexts.plate))</dt><dd>\($0)</dd></div>"
            }
            return """
                <dl class="signs">\(plate)
                <div class="sign"><dt>\(visit.say(RideTexts.taxi))</dt><dd>\(face.code)</dd></div>
                </dl>
                """
        }
        return Page(
            words,
            body: """
                \(announced(TripLinkWords.state(state, minutes: nil), as: "trip-said", visit))
                <div id="trip" data-live="ride"><h1>\(visit.say(words))\(at)</h1>
                \(signs)
                <p class="hint">\(visit.say(RideTexts.looked)) \
                \(clock(visit.now, hasSeconds: true)). \
                \(visit.say(RideTexts.looksAgain))</p></div>
                """
        )
    }
}

enum TripLinkWords {
    static let title = Text("Let others follow", "Fai seguire la corsa")
    static let lead = Text(
        "Whoever has the link sees how your ride stands, the code and the plate of the taxi, and "
            + "when it arrives, until the ride ends. Neither your name nor any place.",
        "Chi ha il link vede a che punto è la corsa, codice e targa del taxi e quando arriva, fino "
            + "alla fine della corsa. Né il tuo nome né alcun luogo."
    )
    static let make = Text("Make a link", "Crea un link")
    static let copy = Text("Copy this link and send it", "Copia questo link e invialo")
    static let end = Text("End the link", "Disattiva il link")
    static let over = Text("The ride has ended", "La corsa è finita")
    static let overLead = Text("There is nothing more to see.", "Non c'è altro da vedere.")

    static func state(_ state: RideState, minutes: Int64?) -> Text {
        switch state {
        case .asking, .held, .parked: Text("A taxi is being looked for", "Si sta cercando un taxi")
        case .reserved: Text("A taxi is reserved", "Un taxi è prenotato")
        case .coming:
            minutes.map { minutes in
                Text(
                    "The taxi comes in about \(minutes) min",
                    "Il taxi arriva tra circa \(minutes) min"
                )
            } ?? Text("The taxi is on its way", "Il taxi sta arrivando")
        case .here: Text("The taxi waits for its passenger", "Il taxi aspetta il passeggero")
        case .aboard:
            minutes.map { minutes in
                Text(
                    "On board; arrives in about \(minutes) min",
                    "A bordo; arrivo tra circa \(minutes) min"
                )
            } ?? Text("On board", "A bordo")
        }
    }
}
