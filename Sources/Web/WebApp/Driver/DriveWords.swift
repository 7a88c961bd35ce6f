import Chronology
import Dispatching
import Fares
import Localization
import Markup
import Taxi
import WebCore

/// Words that several pages of drivers have.
enum DriveWords {
    static let title = Text("Drive", "Guida")
    static let tile = Text(
        "Be available, take rides, see your place in the queue",
        "Renditi disponibile, accetta corse, vedi il tuo posto in coda"
    )
    static let back = Text("Back to driving", "Torna alla guida")
    static let again = Text("Look again", "Controlla di nuovo")
    static let busy = Text("Sending…", "Invio…")
    static let pickUp = Text("Pick up", "Partenza")
    static let destination = Text("Destination", "Destinazione")
    static let way = Text("Way there", "Strada da fare")
    static let passengers = Text("Passengers", "Passeggeri")
    static let unknown = Text("not known", "non noto")
    static let map = Text(
        "Map of your zone, the zones beside it and where you are",
        "Mappa della tua zona, delle zone vicine e di dove sei"
    )
    static let meetingMap = Text(
        "Map of where to go and where you are",
        "Mappa di dove andare e di dove sei"
    )
    static func refreshes(_ seconds: Int) -> Text {
        Text(
            "Without scripts this page looks again every \(seconds) s.",
            "Senza script questa pagina si aggiorna ogni \(seconds) s."
        )
    }

    /// How many people, with what they need.
    static func needs(_ needs: Capacity) -> Text {
        let wheelchair =
            needs.wheelchair ? Text(", wheelchair", ", sedia a rotelle") : Text(same: "")
        let (english, italian) = (wheelchair.in(.english), wheelchair.in(.italian))
        return needs.seats == 1
            ? Text("1 person\(english)", "1 persona\(italian)")
            : Text("\(needs.seats) people\(english)", "\(needs.seats) persone\(italian)")
    }

    /// A distance that people read: metres in steps of ten, or kilometres with a decimal.
    static func distance(_ metres: Int64) -> Text {
        if metres < 995 {
            let rounded = metres < 20 ? max(0, metres) : (metres + 5) / 10 * 10
            return Text(same: "\(rounded) m")
        }
        let tenths = (metres + 50) / 100
        return Text(
            "\(tenths / 10).\(tenths % 10) km",
            "\(tenths / 10),\(tenths % 10) km"
        )
    }

    /// How far a drive is and how long it takes; to who is as good as there, only how far.
    static func way(_ drive: Drive) -> Text {
        let way = distance(drive.decimetres / 10)
        if drive.decimetres < besideDecimetres { return way }
        let seconds = drive.milliseconds / 1_000
        let time = seconds < 100 ? Text(same: "1 min") : duration(seconds: seconds)
        return Text(
            "about \(time.in(.english)), \(way.in(.english))",
            "circa \(time.in(.italian)), \(way.in(.italian))"
        )
    }

    private static let besideDecimetres: Int64 = 500

    /// A time that passes or has passed, in its largest unit.
    static func duration(seconds: Int64) -> Text {
        let seconds = max(0, seconds)
        if seconds < 100 { return Text(same: "\(seconds) s") }
        if seconds < 5_970 { return Text(same: "\((seconds + 30) / 60) min") }
        return Text(same: "\(seconds / 3_600) h \(seconds % 3_600 / 60) min")
    }

    /// A place in an order, from 1.
    static func ordinal(_ number: Int) -> Text {
        let ending =
            switch (number % 10, number % 100) {
            case (_, 11...13): "th"
            case (1, _): "st"
            case (2, _): "nd"
            case (3, _): "rd"
            default: "th"
            }
        return Text("\(number)\(ending)", "\(number)º")
    }
}

/// Where a driver stands, in the sentence that his page begins with (ui.md 4.1, 1).
struct DriveStanding: Sendable {
    /// The sentence, without its full stop.
    let title: Text
    /// What is read out when it changes: the state, and the place in the queue of the first five
    /// (ui.md 4.5); an offer is announced by the script, with the time that it leaves.
    let said: Text

    /// The sentence of who waits in a queue behind so many.
    init(behind ahead: Int, of queued: Int, in zone: String) {
        title = Self.place(ahead, queued, zone)
        said = Self.said(TaxiStatus.available.label(nil), ahead)
    }

    /// The sentence of a taxi's state.
    init(_ view: DriverView) {
        switch view.taxi.status {
        case .available:
            if let ahead = view.ahead, let zone = view.zoneName {
                title = Self.place(ahead, view.queued, zone)
            } else {
                title = Text("You are available", "Sei disponibile")
            }
        case .pendingConfirmation:
            title = Text("A ride is offered to you", "Ti viene offerta una corsa")
        case .riding: title = Text("You have a ride", "Hai una corsa")
        case .unavailable: title = Text("You are unavailable", "Non sei disponibile")
        case .outOfCity: title = Text("You are outside the city", "Sei fuori città")
        case .outOfContact:
            title = Text("We do not hear from you", "Non riceviamo la tua posizione")
        case .removed:
            title = Text("Your taxi is not registered", "Il tuo taxi non è registrato")
        }
        if view.taxi.status == .pendingConfirmation {
            said = Text(same: "")
        } else {
            said = view.ahead.map { Self.said(view.taxi.status.label(view.policy), $0) } ?? title
        }
    }

    /// The same as a sentence within a text.
    var sentence: Text {
        Text(title.in(.english) + ".", title.in(.italian) + ".")
    }

    private static func place(_ ahead: Int, _ queued: Int, _ zone: String) -> Text {
        let place = DriveWords.ordinal(ahead + 1)
        return Text(
            "You are \(place.in(.english)) of \(queued) in \(zone)",
            "Sei \(place.in(.italian)) di \(queued) in \(zone)"
        )
    }

    private static func said(_ state: Text, _ ahead: Int) -> Text {
        guard ahead < Herald.firstInQueue else { return state }
        let place = DriveWords.ordinal(ahead + 1)
        return Text(
            "\(state.in(.english)): \(place.in(.english))",
            "\(state.in(.italian)): \(place.in(.italian))"
        )
    }
}

extension TaxiStatus {
    /// The state in a word or two, as the policy has drivers see it (C15); nil for a state that
    /// is called the same under every policy.
    func label(_ policy: Policy?) -> Text {
        let isShort = policy?.driverStates == .three
        return switch self {
        case .available: Text("Available", "Disponibile")
        case .pendingConfirmation where isShort, .riding where isShort:
            Text("Busy", "Occupato")
        case .unavailable where isShort, .removed where isShort:
            Text("Off shift", "Fuori servizio")
        case .outOfCity where isShort, .outOfContact where isShort:
            Text("Available, in no queue", "Disponibile, in nessuna coda")
        case .pendingConfirmation: Text("Ride offered", "Corsa offerta")
        case .riding: Text("Riding", "In corsa")
        case .unavailable: Text("Unavailable", "Non disponibile")
        case .outOfCity: Text("Out of city", "Fuori città")
        case .outOfContact: Text("Not heard from", "Senza contatto")
        case .removed: Text("Not registered", "Non registrato")
        }
    }
}

extension Site {
    /// How old a driver's page is, and when it looks again; nil for a page that does not.
    func freshness(_ refresh: Int?, _ visit: Visit) -> HTML {
        let again = refresh.map { visit.say(DriveWords.refreshes($0)) } ?? ""
        return """
            <p class="hint">\(visit.say(HomePageWords.seen)) \
            \(clock(visit.now, hasSeconds: true)). \(again)</p>
            """
    }

    /// A line of facts, as a driver reads it at a glance.
    func driveFact(_ label: Text, _ value: HTML, _ visit: Visit) -> HTML {
        "<div><dt>\(visit.say(label))</dt><dd>\(value)</dd></div>"
    }

    /// A form of a driver with one large button: what it does is all in the button.
    func driveButton(
        _ action: Address,
        _ label: Text,
        _ visit: Visit,
        look: StaticString = "primary drive",
        fields: HTML = .empty
    ) -> HTML {
        """
        <form method="post" action=\(action)>\(visit.formToken)\(fields)
        <button class="\(look.description)" data-busy="\(visit.say(DriveWords.busy))">\
        \(visit.say(label))</button></form>
        """
    }
}
