import Chronology
import Dispatching
import Fares
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Words that several pages of drivers have.
enum DriveWords {
    static let fromOperator = Text("The city's operator tells you", "Avviso dell'operatore")
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


    /// How far a drive is and how long it takes; to who is as good as there, only how far.
    static func way(_ drive: Drive) -> Text {
        let way = CommonTexts.distance(drive.decimetres / 10)
        if drive.decimetres < besideDecimetres { return way }
        let seconds = drive.milliseconds / 1_000
        let time = seconds < 100 ? Text(same: "1 min") : CommonTexts.duration(seconds: seconds)
        return Text(
            "about \(time.in(.english)), \(way.in(.english))",
            "circa \(time.in(.italian)), \(way.in(.italian))"
        )
    }

    private static let besideDecimetres: Int64 = 500

}

extension DriverPages {
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
