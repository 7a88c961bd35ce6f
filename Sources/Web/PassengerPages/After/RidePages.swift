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
    /// What a person asked for, and what a driver took: the histories (R10, R34, R101).
    var ridePageRoutes: [Route] {
        [.get("/account/rides", for: .person, showRides)]
    }

    /// How many lines a page has.
    static let ridesShown = 50

    private func showRides(_ visit: Visit) async throws -> Reply {
        guard let person = visit.session?.person else { throw Failure.notSignedIn }
        let isDriver = visit.session?.roles.contains(.driver) == true
        let isDriven = isDriver && visit.query["as"] == "driver"
        let page = max(1, min(visit.query["page"].flatMap { Int($0) } ?? 1, 1_000_000))
        let lines = try await taxi.history.lines(
            of: isDriven ? .driver(person.rawValue) : .passenger(person.passenger),
            limit: Self.ridesShown + 1,
            offset: (page - 1) * Self.ridesShown
        )
        let hasMore = lines.count > Self.ridesShown
        let shown = Array(lines.prefix(Self.ridesShown))
        let other: HTML = """
            <p><a href=\(ridesAddress(isDriver: !isDriven, page: 1))>\
            \(visit.say(isDriven ? RidesWords.asPassenger : RidesWords.asDriver))</a></p>
            """
        let title = isDriven ? RidesWords.driven : CommonTexts.rides
        let lead = isDriven ? RidesWords.drivenLead : RidesWords.lead
        let empty = isDriven ? RidesWords.noneDriven : RidesWords.none
        let body: HTML =
            shown.isEmpty
            ? "<p>\(visit.say(page > 1 ? RidesWords.noMore : empty))</p>"
            : isDriven
                ? drivenTable(shown, visit)
                : try await rideTable(shown, visit)
        var hours: HTML?
        if isDriven, page == 1 { hours = try await hoursTable(person, visit) }
        return reply(
            Page(
                title,
                body: """
                    <h1>\(visit.say(title))</h1>
                    <p class="lead">\(visit.say(lead))</p>
                    \(hours)
                    \(body)
                    \(pages(page, hasMore: hasMore, isDriver: isDriven, visit))
                    \(HTML.when(isDriver, other))
                    \(backToAccount(visit))
                    """
            ),
            to: visit
        )
    }

    private func ridesAddress(isDriver: Bool, page: Int) -> Address {
        isDriver
            ? Address("/account/rides", query: ["as": "driver", "page": "\(page)"])
            : Address("/account/rides", query: ["page": "\(page)"])
    }

    private func pages(_ page: Int, hasMore: Bool, isDriver: Bool, _ visit: Visit) -> HTML? {
        guard page > 1 || hasMore else { return nil }
        let newer: HTML = """
            <a href=\(ridesAddress(isDriver: isDriver, page: page - 1))>\
            \(visit.say(RidesWords.newer))</a>
            """
        let older: HTML = """
            <a href=\(ridesAddress(isDriver: isDriver, page: page + 1))>\
            \(visit.say(RidesWords.older))</a>
            """
        return """
            <p class="actions">\(HTML.when(page > 1, newer)) \(HTML.when(hasMore, older))</p>
            """
    }

    /// The history of a passenger.
    private func rideTable(_ lines: [RideLine], _ visit: Visit) async throws -> HTML {
        let taxis = Set(
            lines.compactMap { $0.taxiCode.flatMap(PersonNumber.init(dispatcherCode:)) }
        )
        let names = try await accounts.drivers.taxiNames(of: Array(taxis))
        let rows = lines.map { line -> HTML in
            let taxi = line.taxiCode.flatMap(PersonNumber.init(dispatcherCode:))
                .flatMap { names[$0]?.code }
            let when = time(line.due ?? line.asked, visit)
            // The page of a ride has its receipt, and is where it is rated.
            let link: HTML =
                line.origin == .service
                ? "<a href=\(Self.ride(line.request))>\(when)</a>" : when
            return """
                <tr><th scope="row">\(link)</th>\
                <td>\(line.meeting?.text ?? visit.say(CommonTexts.unknownRide))</td>\
                <td>\(line.destination?.text ?? visit.say(CommonTexts.unknownRide))</td>\
                <td>\(taxi ?? visit.say(CommonTexts.unknownRide))</td>\
                <td>\(visit.say(line.words))\(origin(line, visit))</td>\
                <td class="number">\(line.fare.map { money($0, visit) } ?? "")</td></tr>
                """
        }
        let heads = [
            CommonTexts.rideTime, RidesWords.from, RidesWords.to, FormField.taxiCode.label,
            RidesWords.outcome, RidesWords.fare,
        ]
        return ConsoleTable(
            caption: CommonTexts.rides,
            heads: heads,
            rows: rows,
            hidesCaption: true
        ).html(visit)
    }

    /// The history of a driver, which names neither passengers nor places.
    private func drivenTable(_ lines: [RideLine], _ visit: Visit) -> HTML {
        let rows = lines.map { line -> HTML in
            let ended: HTML = line.ended.map { time($0, visit) } ?? ""
            return """
                <tr><th scope="row">\(time(line.accepted ?? line.asked, visit))</th>\
                <td>\(ended)</td>\
                <td>\(visit.say(line.words))\(origin(line, visit))</td>\
                <td class="number">\(line.fare.map { money($0, visit) } ?? "")</td></tr>
                """
        }
        let heads = [RidesWords.began, RidesWords.ended, RidesWords.outcome, RidesWords.fare]
        return ConsoleTable(
            caption: RidesWords.driven,
            heads: heads,
            rows: rows,
            hidesCaption: true
        ).html(visit)
    }

    private func origin(_ line: RideLine, _ visit: Visit) -> HTML? {
        guard line.origin == .oldSystem else { return nil }
        return " <span class=\"hint\">(\(visit.say(RidesWords.old)))</span>"
    }
}

extension RideLine {
    /// How it ended, for its passenger and its driver.
    var words: Text {
        switch outcome {
        case nil:
            accepted != nil
                ? Text("under way", "in corso")
                : due == nil
                    ? Text("being looked for", "in ricerca") : Text("reserved", "prenotata")
        case .completed: Text("driven", "effettuata")
        case .noTaxi, .heldTooLong: Text("no taxi was free", "nessun taxi libero")
        case .allRefused: Text("all drivers refused", "tutti i tassisti hanno rifiutato")
        case .dropped: Text("no taxi was found", "nessun taxi trovato")
        case .cancelled: Text("cancelled", "annullata")
        case .withdrawn: Text("cancelled by the service", "annullata dal servizio")
        case .noShow: Text("the passenger did not come", "il passeggero non si è presentato")
        case .suspended: Text("the service was suspended", "il servizio era sospeso")
        case .outsideCity:
            Text("the zones were redrawn", "le zone sono state ridisegnate")
        }
    }
}

enum RidesWords {
    static let lead = Text(
        "Requests, reservations and rides, the newest first.",
        "Richieste, prenotazioni e corse, a partire dalle più recenti."
    )
    static let driven = Text("Rides you drove", "Corse che hai guidato")
    static let drivenLead = Text(
        "What you accepted, the newest first. Where your passengers went is theirs alone.",
        "Ciò che hai accettato, a partire dal più recente. Dove sono andati i passeggeri lo sanno "
            + "solo loro."
    )
    static let none = Text(
        "There is nothing yet. When you have asked for a taxi, you find it here, with what you "
            + "paid.",
        "Non c'è ancora nulla. Quando avrai chiesto un taxi lo troverai qui, con quanto hai pagato."
    )
    static let noneDriven = Text(
        "There is nothing yet. The rides that you accept stand here.",
        "Non c'è ancora nulla. Qui trovi le corse che accetti."
    )
    static let noMore = Text("There is nothing older.", "Non c'è nulla di più vecchio.")
    static let asDriver = Text("See the rides you drove", "Vedi le corse che hai guidato")
    static let asPassenger = Text(
        "See what you asked for as a passenger",
        "Vedi cosa hai chiesto come passeggero"
    )
    static let newer = Text("Newer", "Più recenti")
    static let older = Text("Older", "Più vecchie")
    static let from = Text("From", "Da")
    static let to = Text("To", "A")
    static let began = Text("Accepted", "Accettata")
    static let ended = Text("Ended", "Finita")
    static let outcome = Text("What became of it", "Com'è andata")
    static let fare = Text("Fare", "Tariffa")
    static let old = Text("from the old system", "dal vecchio sistema")
}
