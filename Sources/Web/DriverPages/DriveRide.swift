import Chronology
import Dispatching
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// The ride, by its stage: to the meeting point, there, and with passengers aboard.
    ///
    /// - Returns: nil where it has ended meanwhile.
    func ridePage(
        _ visit: Visit,
        _ seat: Seat,
        board form: BoardingForm = BoardingForm()
    ) async throws -> Page? {
        guard let shown = try await taxi.ride(of: seat.number) else { return nil }
        // Aboard one party alone is named no more: most pages of a ride are of that kind.
        let isNamed = shown.ride.stage != .aboard || shown.parties.count > 1
        let names = isNamed ? try await passengerNames(shown) : [:]
        let stage: (title: Text, body: HTML)
        switch shown.ride.stage {
        case .onTheWay: stage = try await wayThere(shown, names, form, seat, visit)
        case .atMeetingPoint: stage = try await atMeetingPoint(shown, names, form, seat, visit)
        case .aboard: stage = try await aboard(shown, seat, visit)
        }
        // What is being typed is not to be taken away, and who waits must hear that nobody comes.
        let isBoarding =
            shown.ride.stage == .atMeetingPoint
            || shown.ride.stage == .onTheWay && !seat.view.policy.endNeedsPickup
        let refresh = form.isEmpty ? isBoarding ? 60 : refreshSeconds(seat.view) : nil
        let picture: HTML? = shown.target.map { target in
            stillPicture(at: driveMapAddress(to: target.place, seat), DriveWords.meetingMap, visit)
        }
        var page = Page(
            stage.title,
            body: """
                \(form.isEmpty ? bringHome(seat, visit) : nil)
                \(form.summary(visit))
                <h1>\(visit.say(stage.title))</h1>
                \(stage.body)
                \(partyList(shown, names, visit))
                \(try await stopList(shown, visit))
                \(picture)
                <p class="hint">\(visit.say(positionWords(seat, visit))). \
                <a href="/drive/where">\(visit.say(WhereWords.title))</a></p>
                \(staffPhone(visit))
                \(freshness(refresh, visit))
                """
        )
        page.hasForm = true
        page.refresh = refresh
        return page
    }

    /// Who may not drive any more is told that this ride is his last.
    private func bringHome(_ seat: Seat, _ visit: Visit) -> HTML? {
        guard seat.obstacle != nil else { return nil }
        return "<p class=\"notice warn\">\(visit.say(DriveRideWords.bringHome))</p>"
    }

    private func wayThere(
        _ shown: RideShown,
        _ names: [RequestNumber: String],
        _ form: BoardingForm,
        _ seat: Seat,
        _ visit: Visit
    ) async throws -> (Text, HTML) {
        let metres = try await taxi.metresLeft(of: seat.number)
        var facts = [
            wayFact(shown, metres, visit),
            passengerFact(shown, names, visit),
        ].compactMap(\.self)
        if let due = shown.due {
            facts.append(driveFact(ReserveTexts.hour, clock(due), visit))
        }
        if let destination = shown.destination {
            facts.append(driveFact(DriveWords.destination, "\(destination.words.text)", visit))
        }
        let place = shown.meeting?.words.text ?? visit.say(DriveWords.unknown)
        let arrived: HTML = driveButton(
            Address("/drive/ride/arrived"),
            DriveRideWords.arrived,
            visit,
            look: "primary huge"
        )
        // Where the city asks for no proof, who is aboard may be said at once (C11, R63).
        let needsProof = seat.view.policy.endNeedsPickup
        let action = needsProof ? arrived : boardingForm(shown, form, seat, visit)
        return (
            DriveRideWords.pickUp(place),
            """
            \(nearNotice(shown, seat.view.policy, metres, visit))
            <dl class="glance">\(facts)\(codeFact(shown, visit))</dl>
            \(try await navigationLink(shown.meeting, visit))
            \(action)
            \(HTML.when(needsProof, "<p>\(visit.say(DriveRideWords.reach(seat.view.policy)))</p>"))
            \(giveBackLink(visit))
            """
        )
    }

    private func atMeetingPoint(
        _ shown: RideShown,
        _ names: [RequestNumber: String],
        _ form: BoardingForm,
        _ seat: Seat,
        _ visit: Visit
    ) async throws -> (Text, HTML) {
        let metres = try await taxi.metresLeft(of: seat.number)
        return (
            DriveRideWords.waiting(shown.meeting?.words.text ?? visit.say(DriveWords.unknown)),
            """
            \(nearNotice(shown, seat.view.policy, metres, visit))
            <dl class="glance">
            \(shown.due.map { driveFact(ReserveTexts.hour, clock($0), visit) })
            \(passengerFact(shown, names, visit))
            \(codeFact(shown, visit))</dl>
            \(boardingForm(shown, form, seat, visit))
            <p><a class="button low" href="/drive/ride/no-show">\
            \(visit.say(DriveRideWords.nobodyCame))</a></p>
            \(giveBackLink(visit))
            """
        )
    }

    private func aboard(
        _ shown: RideShown,
        _ seat: Seat,
        _ visit: Visit
    ) async throws -> (Text, HTML) {
        let metres = try await taxi.metresLeft(of: seat.number)
        let meter = try await taxi.meterReading(of: seat.number)
        let place = shown.destination?.words.text
        let reading = (meter?.total).map { money($0, visit) } ?? visit.say(DriveWords.unknown)
        let facts = [
            wayFact(shown, metres, visit),
            driveFact(DriveRideWords.aboard, "\(shown.ride.aboard)", visit),
            driveFact(DriveRideWords.meter, "<span id=\"ride-meter\">\(reading)</span>", visit),
        ].compactMap(\.self)
        return (
            place.map { DriveRideWords.driveTo($0) } ?? DriveRideWords.onTheRide,
            """
            <dl class="glance">\(facts)</dl>
            \(try await navigationLink(shown.destination, visit))
            <p><a class="button primary huge" href="/drive/ride/finish">\
            \(visit.say(DriveRideWords.finish))</a></p>
            """
        )
    }

    /// Whether the taxi is so near to the meeting point that the driver is asked whether the
    /// passenger is aboard (R63).
    private func isNear(_ shown: RideShown, _ policy: Policy, _ metres: Int64?) -> Bool {
        let radius = policy[.boardingRadius]
        return shown.ride.stage != .aboard && radius >= 0 && metres.map { $0 <= radius } == true
    }

    /// That question; it comes by itself where a script measures (``rideNews(of:_:)``).
    private func nearNotice(
        _ shown: RideShown,
        _ policy: Policy,
        _ metres: Int64?,
        _ visit: Visit
    ) -> HTML {
        let words = isNear(shown, policy, metres) ? visit.say(DriveRideWords.near) : ""
        return "<p class=\"notice good\" role=\"status\" id=\"ride-near\">\(words)</p>"
    }

    /// The code of the ride, for whoever wants to see it: the passenger has the same (R58, R59).
    private func codeFact(_ shown: RideShown, _ visit: Visit) -> HTML? {
        guard let code = shown.code else { return nil }
        return """
            <div><dt>\(visit.say(DriveRideWords.code))</dt><dd><details>\
            <summary>\(visit.say(DriveRideWords.showCode))</summary><b>\(code)</b></details></dd>\
            </div>
            """
    }

    // MARK: What runs on

    /// How far it is to where the ride goes now; nil where it goes nowhere that is known.
    private func way(_ shown: RideShown, _ metres: Int64?) -> Text? {
        switch shown.ride.stage {
        case .onTheWay: wayWords(shown.target?.drive, metres)
        case .atMeetingPoint: nil
        case .aboard: shown.target.map { wayWords($0.drive, metres) }
        }
    }

    private func wayFact(_ shown: RideShown, _ metres: Int64?, _ visit: Visit) -> HTML? {
        way(shown, metres).map { way in
            driveFact(DriveWords.way, "<span id=\"ride-way\">\(visit.say(way))</span>", visit)
        }
    }

    /// What changes on the page of a ride as the taxi drives, of which no event is told: `drive.js`
    /// puts it there.
    ///
    /// It comes with the answer to positions: thousands drive at once, and each page made anew for
    /// a figure would cost far more (decision 0022).
    func rideNews(of number: TaxiNumber, _ visit: Visit) async throws -> Reply {
        guard let shown = try await taxi.ride(of: number) else { return Reply(.noContent) }
        let metres = try await taxi.metresLeft(of: number)
        let policy = try await taxi.dispatch.read { $0.policy }
        let near = isNear(shown, policy, metres) ? visit.say(DriveRideWords.near) : ""
        let news = [
            ("near", near),
            ("way", way(shown, metres).map { visit.say($0) }),
            ("meter", (try await taxi.meterReading(of: number)?.total).map { money($0, visit) }),
        ]
        let fields = news.compactMap { name, text in text.map { "\"\(name)\":\(JSONText($0))" } }
        return Reply(
            type: "application/json",
            bytes: Array("{\(fields.joined(separator: ","))}".utf8),
            headers: [.cacheControl: "no-store"]
        )
    }

    // MARK: Arriving

    /// The driver says that he is there; his positions must show it (R64).
    func arrive(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        let allowed = seat.view.policy[.reachRadius]
        switch try await taxi.arrive(seat.number) {
        case .there: return .redirect(to: Address("/drive"))
        case .away(let metres): throw notThere(DriveRideWords.away(metres, allowed), seat, visit)
        case .vague(let metres): throw notThere(DriveRideWords.vague(metres, allowed), seat, visit)
        case .unknown: throw Refusal.meetingPointNotReached
        }
    }

    private func notThere(_ words: Text, _ seat: Seat, _ visit: Visit) -> DriveTrouble {
        var trouble = DriveTrouble(Refusal.meetingPointNotReached) { clockTime($0) }
        let all = [words, positionWords(seat, visit), DriveRideWords.awayHelp]
        trouble.advice = Text(
            all.map { $0.in(.english) }.joined(separator: ". "),
            all.map { $0.in(.italian) }.joined(separator: ". ")
        )
        return trouble
    }
}

enum DriveRideWords {
    static func pickUp(_ place: String) -> Text {
        Text("Pick up: \(place)", "Prendi il passeggero: \(place)")
    }
    static func waiting(_ place: String) -> Text {
        Text("You are there: \(place)", "Sei arrivato: \(place)")
    }
    static func driveTo(_ place: String) -> Text {
        Text("Drive to \(place)", "Vai a \(place)")
    }
    static let onTheRide = Text("Passengers aboard", "Passeggeri a bordo")
    static let arrived = Text("I have arrived", "Sono arrivato")
    static let near = Text(
        "You are at the meeting point. Are the passengers aboard?",
        "Sei al punto d'incontro. I passeggeri sono a bordo?"
    )
    static func reach(_ policy: Policy) -> Text {
        let metres = policy[.reachRadius]
        return Text(
            "Within \(metres) m of it your positions show that you are there.",
            "Entro \(metres) m le tue posizioni mostrano che sei arrivato."
        )
    }
    static func away(_ metres: Int64, _ allowed: Int64) -> Text {
        let way = CommonTexts.distance(metres)
        return Text(
            "By your last position you are \(way.in(.english)) away; \(allowed) m counts as there",
            "Secondo l'ultima posizione sei a \(way.in(.italian)); conta come arrivo entro "
                + "\(allowed) m"
        )
    }
    static func vague(_ metres: Int64, _ allowed: Int64) -> Text {
        let most = CommonTexts.distance(allowed)
        let exact = CommonTexts.distance(metres)
        return Text(
            "Your last position is exact to \(exact.in(.english)) only; an arrival needs "
                + "\(most.in(.english))",
            "L'ultima posizione è precisa solo a \(exact.in(.italian)); per l'arrivo servono "
                + "\(most.in(.italian))"
        )
    }
    static let awayHelp = Text(
        "If you are there, say where you are; if that does not help, the operator can.",
        "Se sei lì, indica dove sei; se non basta, può aiutarti l'operatore."
    )
    static let nobodyCame = Text("Nobody came", "Non è venuto nessuno")
    static let aboard = Text("Aboard", "A bordo")
    static let meter = Text("Meter", "Tassametro")
    static let finish = Text("Finish the ride", "Concludi la corsa")
    static let code = Text("Code", "Codice")
    static let showCode = Text("Show the code of this ride", "Mostra il codice di questa corsa")
    static let bringHome = Text(
        "Your papers no longer hold. Bring this ride to its end; you get no other.",
        "I tuoi documenti non sono più validi. Porta a termine questa corsa; non ne avrai altre."
    )
}
