import Chronology
import Dispatching
import Fares
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Words that several pages of drivers have.
extension DriveTexts {
    /// How many people, with what they need.
    static func needs(_ needs: Capacity) -> Text {
        let people = DriveTexts.people(needs.seats)
        return needs.wheelchair ? people + DriveTexts.wheelchair : people
    }

    /// How far a drive is and how long it takes; to who is as good as there, only how far.
    static func way(_ drive: Drive) -> Text {
        let way = CommonTexts.distance(drive.decimetres / 10)
        if drive.decimetres < besideDecimetres { return way }
        let seconds = drive.milliseconds / 1_000
        let time = seconds < 100 ? Text(same: "1 min") : CommonTexts.duration(seconds: seconds)
        return DriveTexts.about(time, way)
    }

    private static let besideDecimetres: Int64 = 500
}

extension DriverPages {
    /// How old a driver's page is, and when it looks again; nil for a page that does not.
    func freshness(_ refresh: Int?, _ visit: Visit) -> HTML {
        let again = refresh.map { visit.say(DriveTexts.refreshes($0)) } ?? ""
        return """
            <p class="hint">\(visit.say(HomePageTexts.seen)) \
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
        <button class="\(look.description)" data-busy="\(visit.say(DriveTexts.busy))">\
        \(visit.say(label))</button></form>
        """
    }
}
