import Fares
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// Where those who share a ride get out, in order, each with the way there (R87); nothing
    /// where one party rides alone.
    func stopList(_ shown: RideShown, _ visit: Visit) async throws -> HTML? {
        guard !shown.stops.isEmpty else { return nil }
        var items: [HTML] = []
        for stop in shown.stops {
            items.append(
                "<li>\(stop.words.text)\(try await navigationLink(stop, visit))</li>"
            )
        }
        return """
            <h2>\(visit.say(CommonTexts.stops))</h2>
            <ol>\(items)</ol>
            """
    }
}
