import Chronology
import Dispatching
import Fares
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// UI texts that several driver pages share.
extension DriveTexts {
    /// The number of passengers and their needs.
    static func needs(_ needs: Capacity) -> Text {
        let people = DriveTexts.people(needs.seats)
        return needs.wheelchair ? people + DriveTexts.wheelchair : people
    }

    /// The distance and duration of a drive; only the distance where the taxi has almost arrived.
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
    /// The time of the page and its refresh interval; nil for a page that does not refresh.
    func freshness(_ refresh: Int?, _ context: RequestContext) -> HTML {
        let again = refresh.map { seconds -> HTML in
            "<noscript>\(context.say(DriveTexts.refreshes(seconds)))</noscript>"
        }
        return """
            <p class="hint">\(context.say(HomePageTexts.seen)) \
            \(clock(context.now, hasSeconds: true)). \(again)</p>
            """
    }

    /// A label and its value, formatted for reading at a glance.
    func driveFact(_ label: Text, _ value: HTML, _ context: RequestContext) -> HTML {
        "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
    }

    /// A form with one large button and no other input.
    func driveButton(
        _ action: Address,
        _ label: Text,
        _ context: RequestContext,
        look: StaticString = "primary drive",
        details: Text? = nil,
        fields: HTML = .empty
    ) -> HTML {
        let more = details.map { " <small>· \(context.say($0))</small>" as HTML }
        return """
            <form method="post" action=\(action)>\(context.formToken)\(fields)
            <button class="\(look.description)" data-busy="\(context.say(DriveTexts.busy))">\
            <span>\(context.say(label))\(more)</span></button></form>
            """
    }
}
